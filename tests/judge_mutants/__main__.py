"""Breaks the judge in random places, and shows which of these wrong edits no test notices.

Usage: python tests/judge_mutants [--seed N] [--count N] [--only WORD] [--tests GLOB] [--workers N]

Each edit is made alone, and the tests that execute its line are run until one fails. ``harmless.yaml`` has
the edits that make no difference, each with the reason. It ends with 1 if more than one in forty is not
noticed, if one of these has no reason, or if a reason is stale.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import os
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import yaml
from mutations import Mutant, mutants
from tests_of import JUDGEMENT, ROOT, SLOW, Reach, executed, noticed, unit_tests

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
    files = sorted(path for path in (ROOT / JUDGEMENT).rglob("*.py") if path.name not in TABLES)
    found = (mutants(path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) for path in files)
    return [one for some in found for one in some]


def reasons(known: Sequence[Mutant]) -> dict[Key, str]:
    """Why edits make no difference, by their place.

    Raises:
        SystemExit: a reason is about an edit that there is not.
    """
    rows = yaml.safe_load(HARMLESS.read_text("utf-8")) or []
    told = {(f"{JUDGEMENT}/{row['file']}", row["in"], row["was"], row["becomes"]): row["why"] for row in rows}
    if stale := told.keys() - {one.key for one in known}:
        raise SystemExit(f"{HARMLESS.name} is about what is not there any more: {sorted(stale)}")
    return told


def reach_of(pool: Pool, modules: Sequence[str], keep: Path) -> Reach:
    """Which tests execute what; kept in a folder for as long as neither they nor the judge are others."""
    digest = hashlib.sha256(" ".join(modules).encode())
    for folder in (ROOT / JUDGEMENT, ROOT / "tests/unit", Path(__file__).parent):
        for path in sorted(folder.rglob("*")):
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
    parser.add_argument("--tests", default="test_*.py", help="the modules of tests/unit that are run")
    parser.add_argument("--keep", type=Path, default=ROOT / ".tox/judge-mutants", help="for what takes long")
    told = parser.parse_args()
    os.chdir(ROOT)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    known = every()
    why = reasons(known)
    some = random.Random(told.seed).sample(known, min(told.count, len(known)))  # noqa: S311 - no secret
    if told.only:
        some = [one for one in known if told.only in one.text]
    print(f"{len(some)} of {len(known)} wrong edits", flush=True)
    began_s, unseen = time.monotonic(), []
    with multiprocessing.get_context("fork").Pool(told.workers, maxtasksperchild=1) as pool:
        modules = unit_tests(told.tests)
        reach = reach_of(pool, [module for module in modules if module not in SLOW], told.keep)
        last = {module: None for module in modules if module in SLOW}
        print(f"{time.monotonic() - began_s:.0f} s to know which tests execute what", flush=True)
        tasks = [(one, reach.tests(one.file, one.line) | last) for one in some]
        for number, (mutant, (by, took_s)) in enumerate(
            zip(some, pool.imap(_noticed, tasks), strict=True), 1
        ):
            if not by:
                unseen.append(mutant)
            place = f"{mutant.file.removeprefix(JUDGEMENT + '/')}:{mutant.line}"
            print(f"{number:4} {took_s:5.1f} s  {place}  {by or 'NOT NOTICED'}", flush=True)
    unexplained = [one for one in unseen if one.key not in why]
    for one in unseen:
        print(f"\n{one.text}\n  {why.get(one.key, 'NO REASON')}")
    took_s = time.monotonic() - began_s
    print(f"\nseed {told.seed}: {len(some) - len(unseen)} of {len(some)} noticed, {took_s:.0f} s")
    return int(bool(unexplained) or len(unseen) > len(some) / ONE_IN)


if __name__ == "__main__":
    sys.exit(main())
