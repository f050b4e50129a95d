"""Gangs are annotations of pods alone; of one priority the smallest is first, and pods are spread."""

from typing import Any

from tests.unusual.cluster import Watched
from tests.unusual.gang.room import Node, Pod, Room
from tests.unusual.gang.scheduler import Annotated, Unit, Ways, start


def by_size(unit: Unit) -> Any:
    """The smallest one."""
    return -unit.priority, unit.lacks, unit.name


def emptiest(room: Room, _: Pod, node: Node) -> Any:
    """The node with the fewest pods, then the most CPU."""
    return len(room.on[node.name]), -room.left[node.name]["cpu"]


if __name__ == "__main__":
    start(Ways(Watched(gather_s=1.0), Annotated(), order=by_size, prefer=emptiest))
