"""What did not fit is retried after 1, 2, 4 and then 8 seconds; of one priority the first name is first."""

from typing import Any

from tests.unusual.cluster import Watched
from tests.unusual.gang.scheduler import Unit, Ways, start

LONGEST_S = 8.0
tried: dict[tuple[str, str], tuple[float, float]] = {}
"""When a unit was tried in vain, and how long it waits then."""


def due(unit: Unit, at: float) -> bool:
    """Its back-off is over, or it never was tried."""
    last, wait_s = tried.get(unit.name, (0.0, 0.0))
    return at >= last + wait_s


def put_off(units: list[Unit], at: float) -> None:
    """Each waits twice as long as before."""
    for unit in units:
        tried[unit.name] = at, min(LONGEST_S, 2 * tried.get(unit.name, (0.0, 0.5))[1])


def by_name(unit: Unit) -> Any:
    """However old they are."""
    return -unit.priority, unit.name


if __name__ == "__main__":
    start(Ways(Watched(resync_s=0.5), ripe=due, failed=put_off, order=by_name))
