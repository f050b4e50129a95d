"""What people read as evidence is words: no list, dictionary, tuple or None of Python stands in it."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from fact_examples import every_told
from invariant_examples import every_case
from told_otherwise import variants

from batchproof.ground.errors import BatchproofError
from batchproof.judgement import facts
from batchproof.judgement.facts import FactCall, Finding
from batchproof.judgement.history import Change, Record, Saved
from batchproof.judgement.invariants import breaches
from batchproof.judgement.objects import thing_of
from batchproof.judgement.objects.api_object import KINDS, ApiObject
from batchproof.judgement.observed import observe
from batchproof.judgement.parts import load
from batchproof.judgement.timeline import timeline
from batchproof.judgement.values import in_words, readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

PYTHON = re.compile(
    r"""[\[({]['"] | ['"][\])}]                # ['a'], {'a': 1}, ('a', 2)
      | [\[{][\[({]                          # [(0, 1)], [{
      | \[\s*\] | \{\s*\} | \(\s*\)
      | \[\d+(,\ \d+)*\]                    # [1, 2]
      | \b(None|set\(|frozenset|defaultdict|Counter)\b
      | (?<!=)\b(True|False)\b              # Complete=True is how a condition is written
    """,
    re.VERBOSE,
)
_JSON = {"tf_config_sparse", "tf_config_whole"}
"""Facts that show what a container was given, as it stands there."""
_TABLES = sorted(Path(__file__).parent.glob("test_invariants_*.py"))
_RECORDED = sorted((Path(__file__).parent / "recorded").rglob("*.jsonl"))
_SOME = 23
"""One of this many histories that differ is looked at in the quick tier."""
_LOOKED_AT = 10
"""A timeline of each tenth record of a recorded history: the words of all of them stand in some."""


def python_in(texts: Iterable[str]) -> set[str]:
    """The texts in which something of Python stands."""
    return {text for text in texts if PYTHON.search(text)}


def asked(value: Any) -> Iterator[str]:
    """The texts among the arguments of a fact: what a user wrote is shown as it is."""
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list):
        for inner in value:
            yield from asked(inner)
    elif isinstance(value, str):
        yield value


@pytest.mark.parametrize(
    "text",
    ["{'succeeded': 0}", "[(0, 6028, 0)]", "PATCH finalizers None", "indexes [0, 2]", "set()", "['a']", "[]"],
)
def test_a_literal_is_known(text: str) -> None:
    assert python_in([text])


@pytest.mark.parametrize("text", ["0, 2", "a (UID 7)", "Complete=True", "spec (minMember=2)", "{kubeconfig}"])
def test_words_are_no_literal(text: str) -> None:
    assert not python_in([text])


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "none"),
        ([], "none"),
        ({}, "none"),
        ("a", "a"),
        ([1, "b", None], "1, b, none"),
        ((0, 6028, 0), "0, 6028, 0"),
        ([(0, 6028, 0)], "(0, 6028, 0)"),
        ({"succeeded": 0, "failed": 1}, "succeeded=0, failed=1"),
        ({"gang": {"minCount": 2}, "basic": {}}, "gang.minCount=2, basic"),
        ({"controller": True, "gone": False}, "controller=true, gone=false"),
        ({("work", "Running"): 1}, "work, Running=1"),
        ([{"phase": "Pending", "values": ["a", "b"]}, {}], "(phase=Pending, values=(a, b)), none"),
        pytest.param({"b", "a", "d", "c"}, "a, b, c, d", id="a set, which has no order of its own"),
    ],
)
def test_a_value_in_words(value: Any, words: str) -> None:
    assert in_words(value) == words
    assert not python_in([in_words(value)])


SAYING_WORDS = [it.name for it in facts.every() if it.name not in _JSON]


@pytest.mark.parametrize("name", SAYING_WORDS)
def test_a_fact_says_what_it_saw_in_words(name: str) -> None:
    """In its examples, and in some of the histories that differ; tests/exhaustive looks at all of them."""
    assert not python_in(said_by(name, _SOME))


def said_by(name: str, step: int) -> Iterator[str]:
    """What a fact says of its examples, and of each so many of the histories that differ from them."""
    for call, story in every_told()[name]:
        texts = sorted({*asked(call.arguments)}, key=len, reverse=True)
        for finding in found_again(story.records, call, step):
            for text in (finding.expected, finding.observed):
                for one in filter(None, texts):
                    text = text.replace(one, "x")  # noqa: PLW2901 - what is left is ours
                yield text


def found_again(records: Sequence[Record], call: FactCall, step: int) -> Iterator[Finding]:
    """What the fact finds in the history, and in others that differ in one thing, as far as it reads them."""
    yield call.of(observe(records))
    for _, other in islice(variants(records), 0, None, step):
        with suppress(BatchproofError, LookupError, ValueError, TypeError, AttributeError):
            yield call.of(observe(other))


@pytest.mark.parametrize("path", _TABLES, ids=lambda path: path.stem)
def test_an_invariant_and_its_timeline_are_words(path: Path) -> None:
    def told() -> Iterator[str]:
        for case in every_case()[path.stem]:
            records = case.told.records
            for breach in breaches(observe(records)):
                yield from (breach.expected, breach.observed)
                yield from (it.what for it in timeline(records, breach.decisive, until=len(records) - 1))

    assert not python_in(told())


@pytest.mark.parametrize("path", _RECORDED, ids=lambda path: path.stem[:40])
def test_the_timeline_of_a_real_run_is_words(path: Path) -> None:
    records = [*Saved(path)]
    moments = (
        moment
        for number in range(0, len(records), _LOOKED_AT)
        for moment in timeline(records, (number,), until=number)
    )
    assert not python_in(it.what for it in moments)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "creates Job a podFailurePolicy={'rules': [{'action': 'FailJob', 'values': [42]}]}, suspend=True",
            "creates Job a podFailurePolicy=rules=((action=FailJob, values=(42))), suspend=true",
        ),
        ("creates TFJob a PS=1 {'restartPolicy': 'Never'}", "creates TFJob a PS=1 restartPolicy=Never"),
        ("changes Job a: backoffLimit=None", "changes Job a: backoffLimit=none"),
        (
            "changes pod a: {'labels': {'x': 'a}b'}, 'finalizers': []}",
            "changes pod a: labels.x=a}b, finalizers=none",
        ),
        ("deletes Job a (Background)", "deletes Job a (Background)"),
        ("the view of pods {is} frozen [", "the view of pods {is} frozen ["),
        ("x=" + "[" * 3000, "x=" + "[" * 3000),
        ("Complete=True", "Complete=true"),
        ("asks for [1, 2]: refused", "asks for 1, 2: refused"),
    ],
)
def test_what_a_step_did_is_shown_in_words_whatever_a_history_has_of_it(text: str, words: str) -> None:
    assert readable(text) == words


def test_every_kind_of_object_describes_itself_in_words() -> None:
    """In what all examples hold, and as an object of which nothing is known yet."""
    load("objects")
    told = [record.entry for stories in every_told().values() for _, one in stories for record in one.records]
    changes = [entry for entry in told if isinstance(entry, Change)]
    seen = {change.resource for change in changes}
    said = {"spec": {"minMember": 3}, "status": {"phase": "Pending", "running": 1, "conditions": []}}
    groups = [thing_of(of, {"metadata": {"name": "a"}, **said}) for of in KINDS if of.plural == "podgroups"]
    assert {
        of for of, kind in KINDS.items() if kind.words is not ApiObject.words and of.plural != "podgroups"
    } <= seen
    bare = [thing_of(of, {"metadata": {"name": "a", "uid": "u"}}) for of in KINDS]

    def words() -> Iterator[str]:
        for thing in (*(thing_of(change.resource, change.object) for change in changes), *groups, *bare):
            yield from filter(None, thing.words)

    assert not python_in(words())
