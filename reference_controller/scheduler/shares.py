"""What each queue is due of the cluster."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def deserved(
    total: int, weights: Mapping[str, int], requests: Mapping[str, int], floors: Mapping[str, int]
) -> dict[str, Fraction]:
    """GNG-034: divide by weight, but so that no queue gets less than its floor.

    A queue that would get less is given its floor, and the rest is divided among the others.

    Args:
        total: how much there is.
        weights: of each queue, above 0.
        requests: how much each of these queues could use, what it has included.
        floors: how much a queue is due in any case, of what it could use.
    """
    fixed: dict[str, Fraction] = {}
    while True:
        open_weights = {queue: weight for queue, weight in weights.items() if queue not in fixed}
        due = divided(Fraction(total) - sum(fixed.values()), open_weights, requests)
        low = {
            queue: Fraction(floor)
            for queue in open_weights
            if (floor := min(floors.get(queue, 0), requests[queue])) > due[queue]
        }
        if not low:
            return fixed | due
        fixed |= low


def divided(total: Fraction, weights: Mapping[str, int], requests: Mapping[str, int]) -> dict[str, Fraction]:
    """GNG-024: divide an amount of one resource by weight; what a queue does not ask for goes to the others.

    Weighted max-min: the queue that is soonest full, for its weight, goes first. If it asks for less than its
    part of what is left it gets all it asks for, and the rest is divided among the others; from the first
    that asks for more on, each gets its part.

    Args:
        total: how much there is.
        weights: of each queue, above 0.
        requests: how much each of these queues could use, what it has included.
    """
    due: dict[str, Fraction] = {}
    left, weight_left = max(Fraction(0), total), sum(weights.values())
    for queue in sorted(weights, key=lambda name: (Fraction(requests[name], weights[name]), name)):
        due[queue] = min(Fraction(requests[queue]), left * weights[queue] / weight_left)
        left -= due[queue]
        weight_left -= weights[queue]
    return due
