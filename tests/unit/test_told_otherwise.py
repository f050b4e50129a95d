"""What the judge finds, where a history is another in one thing, is what it found when that was last read.

The tables of facts and invariants say what must be found of a history. Here each of these histories is told
once more for each value, order, time and request that could be another, and ``told_otherwise.json`` keeps
what is found: so no condition of the judge loses a term, and no boundary moves, without being seen.

Where a finding has to change: ``python tests/unit/test_told_otherwise.py`` writes the file again, and prints
each history of which something else is found now. Read that before you commit it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import orjson
import pytest
from fact_examples import every_row
from told_otherwise import variants

from batchproof.errors import BatchproofError
from batchproof.judgement import facts
from batchproof.judgement.ending import determined, ending, undetermined, unrest
from batchproof.judgement.history import Change, Reply, Request
from batchproof.judgement.invariants import breaches
from batchproof.judgement.observed import observe
from batchproof.report.replay import judge_history

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from histories import Story

    from batchproof.judgement.history import Record

    Found: TypeAlias = Callable[[Sequence[Record]], str]

KEPT = Path(__file__).with_name("told_otherwise.json")


@dataclass(frozen=True)
class Row:
    """A history, and what finds something in it."""

    story: Story
    found: Found

    def outcomes(self) -> dict[str, str]:
        """What is found, by what is another."""
        records = self.story.records
        return {"": self._safely(records)} | {what: self._safely(told) for what, told in variants(records)}

    def _safely(self, records: Sequence[Record]) -> str:
        try:
            return self.found(records)
        except (BatchproofError, LookupError, ValueError, TypeError, AttributeError) as error:
            return type(error).__name__


def of_fact(call: facts.FactCall) -> Found:
    def found(records: Sequence[Record]) -> str:
        finding = call.of(observe(records))
        return f"{finding.holds}{_subjects(records, finding.decisive)}"

    return found


def broken(records: Sequence[Record]) -> str:
    return ", ".join(
        f"{it.requirement}{_subjects(records, it.decisive)}" for it in breaches(observe(records))
    )


def at_the_end(records: Sequence[Record]) -> str:
    seen = observe(records)
    return str((unrest(seen), ending(seen), determined(seen).keys(), undetermined(seen)))


def concluded(own: str) -> Found:
    def found(records: Sequence[Record]) -> str:
        it = judge_history(records, own)
        return f"{it.verdict} {it.reason} {[one.requirement for one in it.breaches]}"

    return found


def _subjects(records: Sequence[Record], decisive: Iterable[int]) -> str:
    """What the records are about that decide, and how many before them are about the same."""
    calls: dict[int, str] = {}
    about: list[str] = []
    for record in records:
        match record.entry:
            case Request() as request:
                calls[request.call] = request.subject
                about.append(request.subject)
            case Reply(call=call):
                about.append(f"answer {calls.get(call)}")
            case Change() as change:
                about.append(change.subject)
            case other:
                about.append(type(other).__name__)
    return "".join(f" {about[it]}:{about[:it].count(about[it])}" for it in decisive if 0 <= it < len(about))


@cache
def rows() -> dict[str, list[Row]]:
    """All that is tried, by what finds something."""
    tried: dict[str, list[Row]] = {}
    for call, story, _ in every_row():
        tried.setdefault(call.name, []).append(Row(story, of_fact(call)))
    for path in sorted(Path(__file__).parent.glob("test_invariants_*.py")):
        table = import_module(path.stem)
        stories = [case.values[1] for case in table.BREAKS] + [case.values[0] for case in table.BLAMELESS]
        tried[path.stem.removeprefix("test_")] = [Row(story, broken) for story in stories]
    ends = import_module("test_ending").ENDS
    tried["ending"] = [Row(case.values[0], at_the_end) for case in ends]
    tried["verdict"] = [
        Row(case.values[0], concluded(case.values[1])) for case in import_module("test_replay").JUDGED
    ]
    return tried


def written(outcomes: dict[str, str]) -> list[str]:
    """The outcomes in short: the different ones, and then which comes how often in a row."""
    different = list(dict.fromkeys(outcomes.values()))
    runs = groupby(different.index(it) for it in outcomes.values())
    return [*different, " ".join(f"{which}*{len([*some])}" for which, some in runs)]


def read(kept: list[str]) -> list[str]:
    *different, runs = kept
    return [
        different[int(which)]
        for which, _, count in (run.partition("*") for run in runs.split())
        for _ in range(int(count))
    ]


def changes(kept: list[str], outcomes: dict[str, str]) -> list[str]:
    """What is found now and was not, in words."""
    before = read(kept)
    if len(before) != len(outcomes):
        return [f"{len(outcomes)} histories, {len(before)} before"]
    return [
        f"{what or 'as it is told'}: {now!r}, before {was!r}"
        for was, (what, now) in zip(before, outcomes.items(), strict=True)
        if was != now
    ]


SUBJECTS = [*(it.name for it in facts.every()), "ending", "verdict"]
SUBJECTS += sorted(
    path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_invariants_*.py")
)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_what_is_found_where_one_thing_is_another_is_what_was_found_before(subject: str) -> None:
    kept, now = orjson.loads(KEPT.read_bytes())[subject], rows()[subject]

    assert len(kept) == len(now), f"{len(now)} examples, {len(kept)} before: {__doc__}"
    for number, (was, row) in enumerate(zip(kept, now, strict=True)):
        assert not changes(was, row.outcomes()), (subject, number)


def main() -> None:
    """Write the file, and say what has changed."""
    kept = orjson.loads(KEPT.read_bytes()) if KEPT.exists() else {}
    now = {subject: [row.outcomes() for row in some] for subject, some in rows().items()}
    for subject, some in now.items():
        for number, (was, outcomes) in enumerate(zip(kept.get(subject, ()), some, strict=False)):
            for line in changes(was, outcomes):
                sys.stdout.write(f"{subject}, example {number}: {line}\n")
    told = {subject: [written(it) for it in now[subject]] for subject in sorted(now)}
    KEPT.write_bytes(
        b"{\n"
        + b",\n".join(
            b"%b: [\n%b\n]" % (orjson.dumps(s), b",\n".join(map(orjson.dumps, some)))
            for s, some in told.items()
        )
        + b"\n}\n"
    )


if __name__ == "__main__":
    main()
