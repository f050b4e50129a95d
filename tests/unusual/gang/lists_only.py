"""It lists everything once a second and watches nothing."""

from tests.unusual.cluster import Polled
from tests.unusual.gang.scheduler import Ways, start

if __name__ == "__main__":
    start(Ways(Polled(every_s=1.0)))
