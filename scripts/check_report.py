"""Prints how long each part of a check took, and for each failure how to run it alone and where its log is.

Usage: python scripts/check_report.py .tox/check.json SECONDS: the file that `tox --result-json` writes, and
how long all took: parts that ran side by side took less together.
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from flaky import known
from junit_cases import cases

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SHOWN_S = 1.0
_CASES = "--junit-xml="
"""The option of pytest that names its JUnit report; ``batchproof run`` writes one into its ``--output``."""


def rows(result: dict[str, Any], all_s: float) -> Iterator[tuple[str, float, bool]]:
    """Each environment, and indented below it its commands: name, seconds, whether it went well.

    Args:
        result: what tox has written.
        all_s: how many seconds all of it took.
    """
    well = True
    for name, environment in _environments(result):
        commands = _commands(environment)
        took_s = sum(float(one["elapsed"]) for one in commands)
        yield name, took_s, _good(environment)
        well = well and _good(environment)
        for one in commands:
            if float(one["elapsed"]) >= _SHOWN_S:
                yield f"  {_shortened(one['command'])}", float(one["elapsed"]), one["retcode"] == 0
    yield "all", all_s, well


def failures(
    result: dict[str, Any], root: Path, flaky: Mapping[str, str] = MappingProxyType({})
) -> Iterator[str]:
    """One line for each test, scenario or command that failed.

    Args:
        result: what tox has written.
        root: the checkout.
        flaky: what is known of tests that may be red although nothing is wrong, by how pytest names them.
    """
    for name, environment in _environments(result):
        failed = [one for one in _commands(environment) if one["retcode"]]
        for one in failed:
            log = _log(root, name, one["run_id"])
            for what, alone in _failed(root, name, _words(one["command"])) or [
                (_shortened(one["command"]), f"./check {name}")
            ]:
                told = f"   {flaky[what]}" if what in flaky else ""
                yield f"FAILED {name}: {what}   alone: {alone}   log: {log}{told}"
        if not failed and not _good(environment):
            yield f"FAILED {name}   alone: ./check {name}   log: {_log(root, name, '')}"


def _environments(result: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Those that did something; what builds the package belongs to none of them."""
    for name, environment in result.get("testenvs", {}).items():
        if not name.startswith(".") and (_commands(environment) or not _good(environment)):
            yield name, environment


def _commands(environment: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for part in ("setup", "test") for one in environment.get(part, ())]


def _good(environment: dict[str, Any]) -> bool:
    told = environment.get("result", {}).get("success")
    return bool(all(one["retcode"] == 0 for one in _commands(environment)) if told is None else told)


def _words(command: Any) -> list[str]:
    return list(map(str, command)) if isinstance(command, list) else shlex.split(str(command))


def _shortened(command: Any) -> str:
    """A command with the folders of its program and of its results left out."""
    return " ".join(Path(word).name if "/" in word else word for word in _words(command))[:70]


def _log(root: Path, environment: str, run_id: str) -> str:
    """What the command printed, as tox keeps it; the folder, where it cannot be said which file it is."""
    logs = root / ".tox" / environment / "log"
    kept = [path for path in logs.glob("*.log") if path.stem.partition("-")[2] == run_id]
    newest = max(kept, key=lambda path: int(path.stem.partition("-")[0]), default=logs)
    return str(newest.relative_to(root))


def _failed(root: Path, environment: str, words: list[str]) -> list[tuple[str, str]]:
    """The tests or the scenarios of a command that failed, each with the command that runs it alone."""
    for word in words:
        if word.startswith(_CASES):
            ids = [one.name for one in cases(root, Path(word.removeprefix(_CASES))) if one.red]
            return [(id_, f"./check {environment} -- {shlex.quote(id_)}") for id_ in ids]
    if Path(words[0]).name != "batchproof" or words[1:2] != ["run"] or "--output" not in words:
        return []
    at = words.index("--output")
    run = shlex.join(["./run", *words[2:at], *words[at + 2 :]])
    return [
        (one.name, f"{run} -k {shlex.quote(one.requirement)}")
        for one in cases(root, root / words[at + 1] / "junit.xml")
        if one.red
    ]


def main() -> None:
    """Print the table and the failures."""
    path = Path(sys.argv[1])
    if not path.is_file():  # tox ended before it began
        return
    result = json.loads(path.read_text("utf-8"))
    print()
    for name, took_s, good in rows(result, float(sys.argv[2])):
        print(f"{took_s:8.1f} s  {'' if good else 'FAILED '}{name}")
    for line in failures(result, Path.cwd(), known()):
        print(line)


if __name__ == "__main__":
    main()
