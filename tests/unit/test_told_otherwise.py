"""What the judge finds, where a history is another in one thing, is what it found when that was last read.

The tables of facts and invariants say what must be found of a history. Here each of these histories is told
once more for each value, order, time and request that could be another, and ``told_otherwise.json`` keeps
what is found: so no condition of the judge loses a term, and no boundary moves, without being seen. What the
findings say was observed is kept as well: one digest for all histories of an example.

Where a finding has to change: ``python tests/unit/test_told_otherwise.py`` writes the file again, and prints
each history of which something else is found now. Read that before you commit it.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import chain, cycle, groupby
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import orjson
import pytest
from fact_examples import every_told
from invariant_examples import every_case
from told_at_random import at_random, chosen, name_of
from told_otherwise import another, less, variants

from batchproof.evidence.replay import judge_history
from batchproof.ground.errors import BatchproofError
from batchproof.judgement import facts
from batchproof.judgement.claims import Claim, Judgement, judge
from batchproof.judgement.delays import delayed_until_s
from batchproof.judgement.ends import determined, ending, lacks_pods, undetermined, unrest
from batchproof.judgement.finding import Finding
from batchproof.judgement.forms import Quantifier
from batchproof.judgement.history import (
    Change,
    ClaimClosed,
    ClaimOpened,
    Record,
    Reply,
    Request,
    Saved,
)
from batchproof.judgement.invariants import breaches
from batchproof.judgement.observed import observe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Found: TypeAlias = Callable[[Sequence[Record]], str]

KEPT = Path(__file__).with_name("told_otherwise.json")


FEW, AT_RANDOM, AT_LEAST, AT_MOST_OF_INVARIANTS = 2, 100, 6, 600
"""How many histories differ at random: for each subject, and for each of its examples."""
MIDDLE = 2
SOME = 17
"""One of this many examples is looked at in the quick tier."""
SAYS = "\0"
"""Stands between what is found and what was observed."""


@dataclass(frozen=True)
class Row:
    """A history, and what finds something in it.

    Attributes:
        many: how many histories that differ at random are told.
        each: each history that differs in one thing is told as well.
    """

    records: Sequence[Record]
    found: Found
    many: int = AT_LEAST
    each: bool = True

    def histories(self) -> dict[str, Sequence[Record]]:
        """The history, and each that differs, by what is another."""
        told = variants(self.records) if self.each else ()
        numbers = sorted({*range(self.many), *chosen().get(name_of(self.records), ())})
        return {"": self.records, **dict(chain(told, at_random(self.records, numbers)))}

    def outcomes(self) -> dict[str, str]:
        """What is found, by what is another."""
        return {what: self.safely(one) for what, one in self.histories().items()}

    def safely(self, records: Sequence[Record]) -> str:
        """What is found in a history, or the kind of the error."""
        return safely(self.found, records)


def safely(found: Found, records: Sequence[Record]) -> str:
    try:
        return found(records)
    except (BatchproofError, LookupError, ValueError, TypeError, AttributeError) as error:
        return type(error).__name__


def of_fact(call: facts.FactCall) -> Found:
    def found(records: Sequence[Record]) -> str:
        finding = call.of(observe(records))
        awaits = " awaits pods" if finding.awaits_pods else ""
        return f"{finding.holds}{_subjects(records, finding.decisive)}{awaits}{SAYS}{finding.observed}"

    return found


def of_others(call: facts.FactCall) -> Found:
    """What the fact finds that is asked about something else: another Job, one more, other words."""
    others = [of_fact(one) for one in asked_otherwise(call)]
    return lambda records: joined("; ", (safely(one, records) for one in others))


def joined(between: str, outcomes: Iterable[str]) -> str:
    """Several outcomes in one."""
    each = [outcome.partition(SAYS) for outcome in outcomes]
    return between.join(found for found, _, _ in each) + SAYS + between.join(says for _, _, says in each)


def asked_otherwise(call: facts.FactCall) -> Iterator[facts.FactCall]:
    """The calls of the same fact in which one argument is another."""
    for name, value in call.arguments.items():
        for other in (another, less, more):
            if (new := other(value)) != value:
                yield facts.FactCall(call.name, {**call.arguments, name: new})


def more(value: object) -> object:
    """One element more, or one less."""
    return [*value, *map(another, value[-1:])] if isinstance(value, list) else value


def claimed(call: facts.FactCall, quantifier: Quantifier) -> Found:
    """What a claim comes to that is made in the middle, and closed half a minute after the end."""
    claim = Claim(quantifier, call, "now" if quantifier is Quantifier.NOW else "settle").scaled(
        1.0, "BAS-001"
    )

    def found(records: Sequence[Record]) -> str:
        middle = len(records) // MIDDLE
        at_s = [record.at_s for record in records] or [0.0]
        told = [(record.at_s, record.entry) for record in records]
        told.insert(middle, (at_s[middle - 1], ClaimOpened(1, claim.to_json())))
        told.append((max(at_s) + 30, ClaimClosed(1)))
        whole = [Record(number, *one) for number, one in enumerate(told)]
        (one,) = judge(whole)
        waits = Judgement(claim, 0)
        seen = observe(whole)
        waits.look(seen)
        slow = " slow" if one.slow else ""
        shown = f"{_shown(one.finding)} {one.closed_s:g}{slow} {waits.due_s(seen):g}"
        return f"{one.outcome}{shown}{SAYS}{one.finding.observed}"

    return found


def broken(records: Sequence[Record]) -> str:
    return joined(
        ", ",
        (
            f"{it.requirement}{_subjects(records, it.decisive)}{SAYS}{it.observed}"
            for it in breaches(observe(records))
        ),
    )


def at_the_end(records: Sequence[Record]) -> str:
    seen = observe(records)
    lacks = lacks_pods(seen), f"{delayed_until_s(seen):g}"
    return str((unrest(seen), ending(seen), determined(seen).keys(), undetermined(seen), *lacks))


def in_short(long: Found) -> Found:
    """A number for what is found, where the words would take too much room."""
    return lambda records: hashlib.sha256(long(records).encode()).hexdigest()[:8]


def concluded(own: str) -> Found:
    def found(records: Sequence[Record]) -> str:
        it = judge_history(records, own)
        some = [one for one in (it.unmet, *it.breaches) if one]
        shown = "".join(f" {one.requirement}{_shown(one)}" for one in some)
        return f"{it.verdict} {it.reason}{shown}{SAYS}{'; '.join(one.observed for one in some)}"

    return found


def _shown(finding: Finding) -> str:
    """The records of a finding that decide, and its timeline: what is shown, marked, left out."""
    moments = (f"{it.record}{'!' if it.here else ''}" for it in finding.timeline)
    return f" {[*finding.decisive]} {' '.join(moments)}"


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
    for name, some in every_told().items():
        many = max(AT_LEAST, AT_RANDOM // len(some))
        tried[name] = [Row(story.records, of_fact(call), many) for call, story in some]
        tried[name] += [
            Row(story.records, claimed(call, quantifier), each=False)
            for (call, story), quantifier in zip(some, cycle(Quantifier), strict=False)
        ]
        tried[name] += [Row(story.records, of_others(call), FEW, each=False) for call, story in some]
    for module, cases in every_case().items():
        stories = [case.told for case in cases]
        name = module.removeprefix("test_")
        many = max(AT_LEAST, AT_MOST_OF_INVARIANTS // len(stories))
        tried[name] = [Row(story.records, broken, many) for story in stories]
        tried["ending"] = [
            *tried.get("ending", ()),
            *(Row(story.records, in_short(at_the_end), each=False) for story in stories),
        ]
    for of in ("", "_gangs", "_tfjob", "_volcano"):
        ends = import_module(f"test_ending{of}").ENDS
        tried["ending"] += [Row(one.told.records, at_the_end, 2 * AT_LEAST) for one in ends]
    judged = import_module("test_replay").JUDGED
    tried["verdict"] = [Row(one.told.records, concluded(one.above[0]), 2 * AT_LEAST) for one in judged]
    tried["recorded"] = [
        Row(records, concluded(requirement(records)), 4 * AT_LEAST, each=False)
        for records in map(saved, RECORDED)
    ]
    return tried


RECORDED = sorted((Path(__file__).parent / "recorded").rglob("*.jsonl"))
"""Runs of controllers and schedulers that are right, and of wrong ones."""


def saved(path: Path) -> list[Record]:
    return [*Saved(path)]


def requirement(records: Sequence[Record]) -> str:
    """That of the last claim."""
    claims = [record.entry.claim for record in records if isinstance(record.entry, ClaimOpened)]
    return str(claims[-1]["requirement"])


def written(outcomes: dict[str, str]) -> list[str]:
    """The outcomes in short: the different ones, which comes how often in a row, and what they observed."""
    shown = [it.partition(SAYS)[0] for it in outcomes.values()]
    different = list(dict.fromkeys(shown))
    runs = groupby(map(different.index, shown))
    counted = ((which, len([*some])) for which, some in runs)
    in_rows = " ".join(f"{which}*{count}" if count > 1 else str(which) for which, count in counted)
    return [*different, in_rows, observed(outcomes.values())]


def observed(outcomes: Iterable[str]) -> str:
    """A digest of what was observed."""
    says = (it.partition(SAYS)[2] for it in outcomes)
    return hashlib.sha256(SAYS.join(says).encode()).hexdigest()[:12]


def read(kept: list[str]) -> list[str]:
    *different, runs, _ = kept
    return [
        different[int(which)]
        for which, _, count in (run.partition("*") for run in runs.split())
        for _ in range(int(count or 1))
    ]


def changes(kept: list[str], outcomes: dict[str, str]) -> list[str]:
    """What is found now and was not, in words."""
    before = read(kept)
    if len(before) != len(outcomes):
        return [f"{len(outcomes)} histories, {len(before)} before"]
    changed = [
        f"{what or 'as it is told'}: {now!r}, before {was!r}"
        for was, (what, now) in zip(before, outcomes.items(), strict=True)
        if was != now.partition(SAYS)[0]
    ]
    if kept[-1] != observed(outcomes.values()):
        changed.append("other words, or other numbers in them, say what was observed")
    return changed


SUBJECTS = [*(it.name for it in facts.every()), "ending", "verdict", "recorded"]
SUBJECTS += sorted(
    path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_invariants_*.py")
)


@cache
def all_kept() -> dict[str, list[list[str]]]:
    """What was found before, by what finds it."""
    kept: dict[str, list[list[str]]] = orjson.loads(KEPT.read_bytes())
    return kept


def check(subject: str, first: int = 0, each: int = 1) -> None:
    """Judge the histories of all examples of a subject, or of one in so many."""
    assert subject in all_kept(), f"nothing is kept of {subject}: {__doc__}"
    kept, now = all_kept()[subject], rows()[subject]

    assert len(kept) == len(now), f"{len(now)} examples, {len(kept)} before: {__doc__}"
    for number in range(first % min(each, len(now)), len(now), each):
        assert not changes(kept[number], now[number].outcomes()), (subject, number)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_what_is_found_where_one_thing_is_another_is_what_was_found_before(subject: str) -> None:
    """Of one example in some; tests/exhaustive looks at all of them."""
    check(subject, SUBJECTS.index(subject), SOME)


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
