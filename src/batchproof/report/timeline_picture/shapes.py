"""The shapes of a picture that are more than a rectangle, as SVG; none has a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.report.timeline_picture.model import Kind

if TYPE_CHECKING:
    from collections.abc import Callable


def mist(begin: float, width: float, top: float, height: float, most: int) -> str:
    """Fog, which can be seen without colours: fine lines, over at most that part of its width."""
    lines = "".join(f"M{begin + step:.1f} {top}v{height}" for step in range(2, min(int(width), most), 5))
    return f'<path class="mist" d="{lines}"/>' if lines else ""


def torn(x: float, y: float, height: float) -> str:
    """The end of a request whose reply was lost: a jagged line."""
    tooth = height / 4
    return (
        f'<path class="torn" d="M{x:.1f} {y:.1f}l-3 {tooth:.2f}l3 {tooth:.2f}l-3 {tooth:.2f}l3 {tooth:.2f}"/>'
    )


def break_mark(x: float, y: float, height: float) -> str:
    """Where the line of the time is broken: a gap between two slanted strokes."""
    stroke = f"l4 -{height:.1f}"
    top = y + height / 2
    return (
        f'<path class="gap" d="M{x - 3:.1f} {y:.1f}h6"/>'
        f'<path class="break" d="M{x - 5:.1f} {top:.1f}{stroke}M{x + 1:.1f} {top:.1f}{stroke}"/>'
    )


def cross(x: float, y: float) -> str:
    """The mark of what decides, from its upper edge."""
    return f'<path class="cross" d="M{x - 5:.1f} {y:.1f}l10 10m0-10l-10 10"/>'


def _tall(kind: str, x: float, y: float, height: float) -> str:
    return f'<path class="{kind}" d="M{x:.1f} {y:.1f}v{height}"/>'


SHAPES: dict[Kind, Callable[[float, float, float], str]] = {
    "written": lambda x, y, height: f'<path class="written" d="M{x:.1f} {y + height:.1f}l-3 4h6z"/>',
    "action": lambda x, y, height: f'<circle class="action" cx="{x:.1f}" cy="{y + height / 2:.1f}" r="3.5"/>',
    "fired": lambda x, y, height: f'<path class="fired" d="M{x:.1f} {y + 1:.1f}l4 {height - 2}h-8z"/>',
    "killed": lambda x, y, height: (
        f'<path class="killed" d="M{x - 4:.1f} {y + 1:.1f}l8 {height - 2}m0-{height - 2}l-8 {height - 2}"/>'
    ),
    "decisive": lambda x, y, height: (
        f'<circle class="decisive" cx="{x:.1f}" cy="{y + min(height, 22) / 2:.1f}" r="6"/>'
    ),
    "gone": lambda x, y, height: _tall("gone", x, y, height),
}
"""The shape of a mark, by its kind: at a place, in a row of a height."""
