"""Breaks the judge in random places, and shows which of these wrong edits no test notices.

Usage: python tests/judge_mutants [--seed N] [--count N] [--only WORD] [--tests GLOB] [--workers N]
       [--search N]

Each edit is made alone. First the histories of ``test_told_otherwise.py`` are judged with it; where none of
them shows it, the tests that execute its line are run until one fails. ``harmless.yaml`` has the edits that
make no difference, each with the reason. It ends with 1 if more than one in forty is not noticed, if one of
these has no reason, or if a reason is stale.

With ``--search N`` it looks for histories that show these edits, among N more for each fact, and keeps their
numbers: ``python tests/unit/test_told_otherwise.py`` then has to write what is found in them.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import multiprocessing
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import yaml
from mutations import Mutant, mutants
from tests_of import PACKAGE, ROOT, WHOLE, Reach, executed, judging, noticed, slow, unit_tests

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from multiprocessing.pool import Pool

    Key = tuple[str, str, str, str]

SEED, COUNT = 23, 120
ONE_IN = 40
TABLES = {"fault_profiles.py"}
"""What decides nothing: the faults of a run, which are its input as its scenarios are."""
HARMLESS = Path(__file__).with_name("harmless.yaml")


def every() -> list[Mutant]:
    """All wrong edits of the judge, in the order of files and lines."""
    files = [path for path in judging() if path.name not in TABLES]
    found = (mutants(path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) for path in files)
    return [one for some in found for one in some]


def drawn(known: Sequence[Mutant], seed: int, count: int) -> list[Mutant]:
    """Some wrong edits, drawn by a seed. A change elsewhere in the judge draws no others."""

    def lot(one: Mutant) -> bytes:
        return hashlib.sha256(f"{seed} {one.key}".encode()).digest()

    return sorted(known, key=lot)[:count]


def reasons(known: Sequence[Mutant]) -> dict[Key, str]:
    """Why edits make no difference, by their place.

    Raises:
        SystemExit: a reason is about an edit that there is not.
    """
    rows = yaml.safe_load(HARMLESS.read_text("utf-8")) or []
    told = {(f"{PACKAGE}/{row['file']}", row["in"], row["was"], row["becomes"]): row["why"] for row in rows}
    if stale := told.keys() - {one.key for one in known}:
        raise SystemExit(f"{HARMLESS.name} is about what is not there any more: {sorted(stale)}")
    return told


def reach_of(pool: Pool, modules: Sequence[str], keep: Path) -> Reach:
    """Which tests execute what; kept in a folder for as long as neither they nor the judge are others."""
    digest = hashlib.sha256(" ".join(modules).encode())
    folders = (ROOT / "tests/unit", ROOT / WHOLE, Path(__file__).parent)
    tested = (path for folder in folders for path in folder.rglob("*"))
    for path in (*judging(), *sorted(tested)):
        if path.suffix in {".py", ".json", ".jsonl"}:
            digest.update(path.read_bytes())
    kept = keep / f"{digest.hexdigest()}.json"
    if kept.exists():
        return msgspec.json.decode(kept.read_bytes(), type=Reach)
    whole = Reach()
    for some in pool.imap_unordered(_executed, modules):
        whole.took_s |= some.took_s
        for file, lines in some.lines.items():
            for line, tests in lines.items():
                whole.lines.setdefault(file, {}).setdefault(line, []).extend(tests)
    keep.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(msgspec.json.encode(whole))
    return whole


def _executed(module: str) -> Reach:
    return executed([module])


def apart(what: str, *arguments: Any) -> Any:
    """Call a function of ``search`` in a process of its own: that imports the judge."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as process:
        return process.submit(_called, what, *arguments).result()


def _called(what: str, *arguments: Any) -> Any:
    return getattr(importlib.import_module("search"), what)(*arguments)


def _noticed(one: tuple[Mutant, Mapping[str, Sequence[str] | None]]) -> tuple[str, float]:
    began_s = time.process_time()
    by = noticed(*one)
    return by, time.process_time() - began_s


def main() -> int:
    """Break it, and see."""
    parser = argparse.ArgumentParser(description="Break the judge in random places.")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="all edits whose place has this word, and no others")
    parser.add_argument("--search", type=int, default=0, help="how many more histories are judged")
    parser.add_argument("--tests", default="test_*.py", help="the modules of unit tests that are run")
    parser.add_argument("--keep", type=Path, default=ROOT / ".tox/judge-mutants", help="for what takes long")
    told = parser.parse_args()
    os.chdir(ROOT)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    known = every()
    why = reasons(known)
    some = (
        [one for one in known if told.only in one.text] if told.only else drawn(known, told.seed, told.count)
    )
    print(f"{len(some)} of {len(known)} wrong edits", flush=True)
    if told.search:
        for one in apart("searched", some, told.workers, told.search):
            print(one.text)
        return 0
    began_s, unseen = time.monotonic(), []
    with multiprocessing.get_context("fork").Pool(told.workers, maxtasksperchild=1) as pool:
        modules = unit_tests(told.tests)
        reach = reach_of(pool, [module for module in modules if not slow(module)], told.keep)
        last = {module: None for module in modules if slow(module)}
        print(f"{time.monotonic() - began_s:.0f} s to know which tests execute what", flush=True)
        at_once: dict[int, str] = apart("noticed_at_once", some, told.workers)
        print(f"{time.monotonic() - began_s:.0f} s to judge the histories that differ", flush=True)
        left = [number for number in range(len(some)) if not at_once.get(number)]
        tasks = [(some[it], reach.tests(some[it].file, some[it].line) | last) for it in left]
        for number, (by, took_s) in zip(left, pool.imap(_noticed, tasks), strict=True):
            mutant = some[number]
            if not by:
                unseen.append(mutant)
            place = f"{mutant.file.removeprefix(PACKAGE + '/')}:{mutant.line}"
            print(f"{took_s:5.1f} s  {place}  {by or 'NOT NOTICED'}", flush=True)
    unexplained = [one for one in unseen if one.key not in why]
    for one in unseen:
        print(f"\n{one.text}\n  {why.get(one.key, 'NO REASON')}")
    took_s = time.monotonic() - began_s
    print(f"\nseed {told.seed}: {len(some) - len(unseen)} of {len(some)} noticed, {took_s:.0f} s")
    return int(bool(unexplained) or len(unseen) > len(some) / ONE_IN)


if __name__ == "__main__":
    sys.exit(main())
