"""It looks once a second, whatever happens meanwhile; it writes no Event but PVCError."""

from tests.unusual.cluster import Watched
from tests.unusual.volcano.controller import Ways, start

if __name__ == "__main__":
    start(Ways(Watched(resync_s=1.0, heeds_changes=False), events=False))
