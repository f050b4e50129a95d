"""Where a time lies on the picture: moments that follow each other at once stay apart, and waits are short.

What a race turns on lies milliseconds apart, in a scenario that waits for seconds. So the way between two
moments grows with the square root of the time between them, and the ticks say what time it is.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, pairwise
from math import sqrt
from operator import itemgetter
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_STEPS_S = (60.0, 30.0, 10.0, 5.0, 2.0, 1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01)
_WAIT_S = 1.0  # nothing happens for so long at least
_NARROWER = (
    4  # times, than most stretches: the way grows with the root of the time, so it is 16 times as long
)
_MOST_TICKS = 400  # candidates of one step: finer ones would only crowd


class Axis:
    """Places between ``left`` and ``right`` for times."""

    def __init__(self, times: Sequence[float], left: float, right: float) -> None:
        """Lay out some times.

        Args:
            times: sorted, each once; at least one.
            left: the place of the first.
            right: the place of the last.
        """
        self._times = times
        ways = list(accumulate((sqrt(after - before) for before, after in pairwise(times)), initial=0.0))
        scale = (right - left) / ways[-1] if ways[-1] else 0.0
        self._places = [left + way * scale for way in ways]

    def x(self, at_s: float) -> float:
        """The place of a time; one outside lies at the border."""
        after = bisect_right(self._times, at_s)
        if not after:
            return self._places[0]
        if after == len(self._times):
            return self._places[-1]
        begin_s, end_s = self._times[after - 1], self._times[after]
        begin, end = self._places[after - 1], self._places[after]
        return begin + (end - begin) * (at_s - begin_s) / (end_s - begin_s)

    def squeezed(self, least: float) -> list[tuple[float, float]]:
        """The waits that are drawn far narrower than most of what happens: begin and end of each, in seconds.

        Args:
            least: how wide one must be nevertheless.
        """
        stretches = [*pairwise(zip(self._times, self._places, strict=True))]
        usual_s = median(end_s - begin_s for (begin_s, _), (end_s, _) in stretches) if stretches else 0.0
        wait_s = max(_WAIT_S, usual_s * _NARROWER**2)
        return [
            (begin_s, end_s)
            for (begin_s, begin), (end_s, end) in stretches
            if end_s - begin_s >= wait_s and end - begin >= least
        ]

    def ticks(self, apart: float) -> list[tuple[float, float, str]]:
        """Round times, places and texts, none nearer to another than ``apart``: the roundest win."""
        found: list[tuple[float, float, str]] = []
        last_s = self._times[-1]
        for step_s in _STEPS_S:
            if last_s / step_s > _MOST_TICKS:
                break
            for number in range(int(last_s / step_s) + 1):
                at_s = number * step_s
                place = self.x(at_s)
                after = bisect_right(found, at_s, key=itemgetter(0))
                neighbors = found[max(after - 1, 0) : after + 1]  # no other is nearer: later is further right
                if all(abs(place - other) >= apart for _, other, _ in neighbors):
                    found.insert(after, (at_s, place, f"{at_s:g} s" if step_s >= 1 else f"{at_s:.4g} s"))
        return found
