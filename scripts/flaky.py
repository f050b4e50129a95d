"""Tests that may be red although nothing is wrong: tests/flaky.yaml names them, and this keeps them few.

python scripts/flaky.py   exits with 1, and says why, where an entry is not as it must be
"""

from __future__ import annotations

import ast
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from tox_ini import tiers_and_commands

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parents[1]
FILE = Path("tests", "flaky.yaml")
MOST = 10
OLDEST_DAYS = 60
_KEYS = {"test", "since", "cause"}


def known(root: Path = ROOT) -> dict[str, str]:
    """The tests of the list, each with what is said of it when it is red."""
    return {
        str(one["test"]): f"known to be flaky since {one['since']}: {one['cause']}"
        for one in _read(root)
        if isinstance(one, dict) and one.keys() == _KEYS  # of others lint says what is wrong
    }


def problems(entries: Sequence[Any], today: date, root: Path = ROOT) -> Iterator[str]:
    """What is wrong with the entries of the list."""
    if len(entries) > MOST:
        yield f"there are {len(entries)} flaky tests, and {MOST} are the most: fix some"
    for one in entries:
        if not isinstance(one, dict) or one.keys() != _KEYS or type(one["since"]) is not date:
            yield f"an entry has test, since (a date) and cause, and nothing else: {one}"
            continue
        name, age = str(one["test"]), (today - one["since"]).days
        if not str(one["cause"] or "").strip():
            yield f"{name}: the cause is missing, as far as it is known"
        if not 0 <= age <= OLDEST_DAYS:
            yield f"{name}: since {one['since']}: fix or remove the test within {OLDEST_DAYS} days"
        yield from _misplaced(name, root)


def _misplaced(test: str, root: Path) -> Iterator[str]:
    """What keeps a test from being one of the full tier."""
    file, _, rest = test.partition("::")
    body = ast.parse((root / file).read_text("utf-8")).body if (root / file).is_file() else []
    inside = [one for it in body for one in (it.body if isinstance(it, ast.ClassDef) else [it])]
    name = rest.rpartition("::")[2].partition("[")[0]
    found = [
        one for one in inside if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.name == name
    ]
    if not found:
        yield f"{test}: there is no such test"
        return
    tiers, commands = tiers_and_commands(root)
    folder = "/".join(Path(file).parts[:2])
    whole = [
        one for one in tiers["quick"] if f"{folder} " in commands[one] and "-m quick" not in commands[one]
    ]
    marks = [*found[0].decorator_list, *(one for one in body if isinstance(one, ast.Assign))]
    if whole or any("mark.quick" in ast.unparse(one) for one in marks):
        yield f"{test}: belongs to the quick tier, which is right every time: move it to the full one"


def _read(root: Path) -> list[Any]:
    return yaml.safe_load((root / FILE).read_text("utf-8")) or []


def main() -> int:
    """Check the list; the exit code."""
    found = [*problems(_read(ROOT), datetime.now(UTC).date())]
    for one in found:
        print(f"{FILE}: {one}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
