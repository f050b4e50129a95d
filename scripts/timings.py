"""Prints how long each tox environment of a run took, and each command that took more than a second.

Usage: python scripts/timings.py .tox/check.json, as `tox run --result-json` writes it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHOWN_S = 1.0


def rows(result: dict[str, Any]) -> Iterator[tuple[str, float, bool]]:
    """Each environment, and indented below it its commands: name, seconds, whether it went well."""
    total_s, well = 0.0, True
    for name, environment in result.get("testenvs", {}).items():
        commands = [one for part in ("setup", "test") for one in environment.get(part, ())]
        if not commands or name.startswith("."):  # what builds the package belongs to none of them
            continue
        took_s = sum(float(one["elapsed"]) for one in commands)
        good = environment.get("result", {}).get("success", all(one["retcode"] == 0 for one in commands))
        yield name, took_s, good
        total_s, well = total_s + took_s, well and good
        for one in commands:
            if float(one["elapsed"]) >= _SHOWN_S:
                yield f"  {_shortened(one['command'])}", float(one["elapsed"]), one["retcode"] == 0
    yield "all", total_s, well


def _shortened(command: Any) -> str:
    """A command with the folders of its program and of its results left out."""
    words = command if isinstance(command, list) else str(command).split()
    return " ".join(Path(word).name if "/" in word else word for word in map(str, words))[:70]


def main() -> None:
    """Print the table."""
    path = Path(sys.argv[1])
    if not path.is_file():  # tox ended before it began
        return
    print()
    for name, took_s, good in rows(json.loads(path.read_text("utf-8"))):
        print(f"{took_s:8.1f} s  {'' if good else 'FAILED '}{name}")


if __name__ == "__main__":
    main()
