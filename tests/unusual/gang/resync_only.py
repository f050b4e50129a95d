"""It looks once a second, whatever happens meanwhile."""

from tests.unusual.cluster import Watched
from tests.unusual.gang.scheduler import Ways, start

if __name__ == "__main__":
    start(Ways(Watched(resync_s=1.0, heeds_changes=False)))
