"""It binds nothing before the last pod of a gang is three seconds old: more of it may come."""

from tests.unusual.cluster import Watched
from tests.unusual.gang.scheduler import Unit, Ways, start

RIPE_S = 3.0


def old_enough(unit: Unit, at: float) -> bool:
    """No pod of it is younger than that."""
    return at - unit.newest >= RIPE_S


if __name__ == "__main__":
    start(Ways(Watched(resync_s=0.5), ripe=old_enough))
