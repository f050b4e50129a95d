"""A drawing of what changes over time, as SVG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 800, 400, 70, 40, 20, 50
_COLORS = ("#0b6e4f", "#b3261e", "#1f5fa8", "#a05a00", "#6b3fa0", "#555555", "#00838f", "#8e244d")
_TICKS = 5


@dataclass(frozen=True)
class Line:
    """What is drawn as one line: its name, and values at times in seconds."""

    name: str
    points: Sequence[tuple[float, float]]


def chart(title: str, across: str, lines: Sequence[Line]) -> str:
    """An SVG of some lines, with axes and names.

    Args:
        title: what the values are.
        across: what goes from left to right.
        lines: at most eight have colors of their own.
    """
    most_x = max((x for line in lines for x, _ in line.points), default=0.0) or 1.0
    most_y = max((y for line in lines for _, y in line.points), default=0.0) or 1.0
    wide, high = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def place(x: float, y: float) -> str:
        return f"{_LEFT + x / most_x * wide:.1f},{_HEIGHT - _BOTTOM - y / most_y * high:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-size="12">',
        "<style>text {font-family: sans-serif}</style>",
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="22" font-size="15">{escape(title)}</text>',
        f'<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 12}" text-anchor="end">{escape(across)}</text>',
    ]
    for tick in range(_TICKS + 1):
        x, y = most_x * tick / _TICKS, most_y * tick / _TICKS
        down, right = place(0, y).split(",")[1], place(x, 0).split(",")[0]
        parts += [
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{down}" y2="{down}" stroke="#dddddd"/>',
            f'<text x="{_LEFT - 6}" y="{down}" text-anchor="end" dominant-baseline="middle">{y:,.0f}</text>',
            f'<text x="{right}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{x:,.0f}</text>',
        ]
    for number, line in enumerate(lines):
        color = _COLORS[number % len(_COLORS)]
        path = " ".join(place(x, y) for x, y in line.points)
        parts += [
            f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>',
            f'<text x="{_LEFT + 10}" y="{_TOP + 14 + 16 * number}" fill="{color}">{escape(line.name)}</text>',
        ]
    return "\n".join([*parts, "</svg>", ""])
