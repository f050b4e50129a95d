"""It lists everything once a second and watches nothing; it writes no Event but PVCError."""

from tests.unusual.cluster import Polled
from tests.unusual.volcano.controller import Ways, start

if __name__ == "__main__":
    start(Ways(Polled(every_s=1.0), events=False))
