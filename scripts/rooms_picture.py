"""The picture of the packages and their layers, docs/images/rooms.svg, which ``pages.py`` makes.

The layers are those that import-linter holds (``pyproject.toml``), the words the first line of each package.
"""

from __future__ import annotations

import ast
import tomllib
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROOT = Path(__file__).parents[1]
_PATH = _ROOT / "docs" / "images" / "rooms.svg"
_PACKAGE = "batchproof"
_WIDTH, _LINE, _GAP, _TOP, _LEFT, _WORDS = 960, 22, 8, 74, 46, 190
_HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="t d" \
font-family="system-ui, sans-serif" font-size="13">
  <!-- Made by `python scripts/pages.py`: do not edit. -->
  <title id="t">The packages of batchproof</title>
  <desc id="d">{described}</desc>
  <defs>
    <marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
      <path d="M0 0 8 4 0 8z" fill="#455a64"/>
    </marker>
    <style>
      .b {{ fill: #fff; stroke: #90a4ae; stroke-width: 1.2 }}
      .p {{ fill: #e8f5e9; stroke: #2e7d32; stroke-width: 1.2 }}
      .l {{ fill: none; stroke: #455a64; stroke-width: 1.5 }}
      .n {{ font-weight: 600 }}
      .s {{ fill: #455a64; font-size: 12px }}
    </style>
  </defs>
  <rect width="{width}" height="{height}" rx="10" fill="#fafafa"/>
  <text x="{left}" y="30" class="n" font-size="16">The packages of batchproof</text>
  <text x="{left}" y="52" class="s">A package imports only from the layers below its own. \
Green: pure by contract, without clock and network.</text>
"""


def pages() -> dict[Path, str]:
    """The picture."""
    contracts = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = [[name.strip() for name in layer.split("|")] for layer in _layers(contracts)]
    pure = {name for one in contracts if "pure" in one["name"] for name in one.get("source_modules", ())}
    shapes, bottom = _drawn(layers, pure)
    height = bottom + _LINE + 3 * _GAP
    described = " Below them: ".join(", ".join(map(_short, layer)) for layer in layers)
    head = _HEAD.format(width=_WIDTH, height=height, left=_LEFT, described=f"From the top: {described}.")
    arrow = f'  <path class="l" d="M24 {_TOP}V{bottom - _GAP}" marker-end="url(#a)"/>'
    beside = (
        f'  <text x="{_LEFT}" y="{bottom + _LINE}" class="s">Beside them stands <tspan class="n">'
        f"reference_controller</tspan>: neither imports the other, so it is judged as any other.</text>"
    )
    return {_PATH: "\n".join([head.rstrip("\n"), arrow, *shapes, beside, "</svg>"]) + "\n"}


def _layers(contracts: list[dict[str, Any]]) -> list[str]:
    [found] = [one["layers"] for one in contracts if one["type"] == "layers" and not one["containers"]]
    return list(found)


def _drawn(layers: list[list[str]], pure: set[str]) -> tuple[list[str], int]:
    """The shapes of all layers, and where the last one ends."""
    shapes: list[str] = []
    y = _TOP
    for layer in layers:
        for name in layer:
            shapes += _room(name, y, pure=name in pure)
            y += _LINE + 2
        y += _GAP
    return shapes, y


def _room(name: str, y: int, *, pure: bool) -> Iterator[str]:
    kind, middle, width = ("p" if pure else "b"), y + 15, _WIDTH - _LEFT - 24
    yield f'  <rect class="{kind}" x="{_LEFT}" y="{y}" width="{width}" height="{_LINE}" rx="4"/>'
    yield f'  <text class="n" x="{_LEFT + 10}" y="{middle}">{escape(_short(name))}</text>'
    yield f'  <text class="s" x="{_WORDS}" y="{middle}">{escape(_said(name))}</text>'


def _short(name: str) -> str:
    return name.removeprefix(f"{_PACKAGE}.")


def _said(name: str) -> str:
    """The first line of a package or module."""
    place = _ROOT / "src" / name.replace(".", "/")
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    said = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    return said.partition("\n")[0].replace("``", "")
