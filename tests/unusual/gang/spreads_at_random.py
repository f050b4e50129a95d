"""Of the nodes that fit it takes any, and asks for the bindings in any order.

A pod whose binding is refused is tried in its turn at each look; then the others are planned without it.
"""

import random
from typing import Any

from tests.unusual.cluster import Watched
from tests.unusual.gang.room import Node, Pod, Room
from tests.unusual.gang.scheduler import TriedFirst, Ways, start


def anywhere(_: Room, __: Pod, ___: Node) -> Any:
    """No node is better than another."""
    return random.random()  # noqa: S311  (no secret)


def shuffled(bindings: list[tuple[Pod, str]]) -> list[tuple[Pod, str]]:
    """All of them, in any order."""
    return random.sample(bindings, len(bindings))


if __name__ == "__main__":
    start(Ways(Watched(), prefer=anywhere, chosen=shuffled, refused=TriedFirst()))
