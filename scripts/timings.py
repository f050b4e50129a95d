"""Prints how long each tox environment of a run took, each command of more than a second, and why any failed.

A log that is cut at its beginning still has the reason: what failed stands last.

Usage: python scripts/timings.py .tox/check.json, as `tox run --result-json` writes it.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHOWN_S = 1.0
_LAST_LINES = 30
"""How many of the last lines of a failed command are shown."""
_REASONS = re.compile(r"\s*(FAILED|ERROR|missed|SURVIVED|survived|broken|refused|error:|Error:)\b")
_MOST_REASONS = 40


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


def failures(result: dict[str, Any]) -> Iterator[str]:
    """The lines of each failed command that say why, and its last ones."""
    for name, environment in result.get("testenvs", {}).items():
        for one in (one for part in ("setup", "test") for one in environment.get(part, ())):
            if not one["retcode"]:
                continue
            lines = f"{one.get('output', '')}\n{one.get('err', '')}".strip().splitlines()
            told = [line for line in lines[:-_LAST_LINES] if _REASONS.match(line)]
            yield f"\n{name}: {_shortened(one['command'])} ended with {one['retcode']}"
            yield from told[:_MOST_REASONS]
            yield from lines[-_LAST_LINES:]


def main() -> None:
    """Print the table, then why something failed."""
    path = Path(sys.argv[1])
    if not path.is_file():  # tox ended before it began
        return
    print()
    result = json.loads(path.read_text("utf-8"))
    for name, took_s, good in rows(result):
        print(f"{took_s:8.1f} s  {'' if good else 'FAILED '}{name}")
    for line in failures(result):
        print(line)


if __name__ == "__main__":
    main()
