"""What is wrong with the deviations of a descriptor beyond what its schema can say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from batchproof.ground.documents import Document, Problem
from batchproof.ground.matching import ANY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST = timedelta(days=366)
"""How long a waiver may still count: it is reviewed at least once a year."""
FEWEST_SIGNS = 3
"""How many letters and digits a whole sentence must say beside what ``*`` stands for."""
_SENTENCE = "observed"
"""The name of the value of a fact that says a sentence, and nothing else."""
_ID = re.compile(r"[A-Z]{3,4}-[0-9]{3}\.[0-9]+[a-z]*")
_NO_ISSUES = {
    re.compile(r"/(blob|tree|raw|src|browse)/.*\.\w+(#.*)?$"): "a file",
    re.compile(r"/(pull|pulls|merge_requests)/\d+"): "a change",
    re.compile(r"/(commit|commits|compare)/"): "a change",
    re.compile(r"^https?://[^/]+/[^/]+/enhancements/"): "the plan of a feature",
}
"""What an address shows that is no issue, by what is in the address."""
_OLD = frozenset({"finding", "observed"})
"""Keys of a deviation in an old form."""
_NO_SIGN = re.compile(r"[\W_]")


def in_the_new_form(document: Document) -> list[Problem]:
    """The problems of a document; of a deviation in the old form only how to convert it."""
    rows = document.value.get("deviations") if isinstance(document.value, dict) else None
    old = {
        document.line("deviations", position): (position, row)
        for position, row in enumerate(rows if isinstance(rows, list) else ())
        if isinstance(row, dict) and not _OLD.isdisjoint(row)
    }
    others = [one for one in document.problems if one.line not in old]
    return [*(Problem(document.path, line, _converted(*old[line])) for line in old), *others]


def _converted(position: int, row: Mapping[str, Any]) -> str:
    key = next(key for key in ("observed", "finding") if key in row)
    fact = row.get("fact") or f"...      # as it says after 'fact', where it expected: {row.get(key)}"
    return (
        f"deviations[{position}]: {key!r} is no longer read: a deviation names the fact that is broken and "
        "the values that are observed. Remove the deviation, run its scenario "
        f'(batchproof run -k "{row.get("requirement", "")}"), and write what index.html of that run shows:\n'
        f"  - requirement: {row.get('requirement', '...')}\n"
        f"    scenario: {row.get('scenario', '...')}\n"
        f"    fact: {fact}\n"
        "    values: {...}  # those that it lists after 'values' and that matter; `any` for a value "
        "that differs from run to run"
    )


def ways(values: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """The ways in which a deviation is observed: one, or each of a list."""
    return (values,) if isinstance(values, Mapping) else tuple(values)


def problems(document: Document, today: date) -> Iterator[Problem]:
    """Dates that are none or too far away, values that cover anything, and what is waived twice."""
    seen: set[str] = set()
    for position, row in enumerate(document.value.get("deviations", ())):
        for key, message in (
            ("expires", _wrong_date(row["expires"], today)),
            ("scenario", _no_id(row["scenario"])),
            ("issue", _no_issue(row.get("issue", ""), unreported="unreported" in row)),
            *(("values", covers_anything(one)) for one in ways(row["values"])),
        ):
            if message:
                line = document.line("deviations", position, key)
                yield Problem(document.path, line, f"deviations[{position}].{key}: {message}")
        named = ("requirement", "scenario", "fact", "arguments", "values")
        what = repr([row.get(key) for key in named])
        if what in seen:
            line = document.line("deviations", position)
            message = f"deviations: {row['requirement']} is waived twice for the same fact and values"
            yield Problem(document.path, line, message)
        seen.add(what)


def _no_issue(issue: str, *, unreported: bool) -> str:
    """Why a deviation cannot be followed at that address; empty if it can."""
    if bool(issue) == unreported:
        return (
            "name the public issue where this is followed, or say `unreported: true` in place of it: "
            "the page of the run has a text to report it"
        )
    what = next((what for shape, what in _NO_ISSUES.items() if shape.search(issue)), "")
    if what:
        return (
            f"{issue} is {what}, not an issue: report it and name the issue, or say `unreported: true` in "
            "place of it and name the address in the reason"
        )
    return ""


def _no_id(scenario: str) -> str:
    if _ID.fullmatch(scenario) or "::" in scenario:
        return ""
    return (
        f"{scenario!r} is not the id of a scenario, as FIN-004.2b is: a report has it beside the scenario, "
        "and `batchproof run --dry-run` lists all ids with their titles"
    )


def _wrong_date(expires: str, today: date) -> str:
    try:
        last = date.fromisoformat(expires)
    except ValueError as error:
        return f"{expires}: {error}"
    if last - today <= LONGEST:
        return ""
    return (
        f"{expires} is more than a year away: name {today + LONGEST} or a day before it, and see then "
        "whether the deviation is still there"
    )


def covers_anything(values: Mapping[str, Any]) -> str:
    """What is wrong with values that fit whatever fails; empty if nothing is.

    A value named ``observed`` is all that such a fact says: ``any`` in place of it says nothing, and a short
    part of it little. Any other text has a name that says what it is.
    """
    for name, value in values.items():
        fewest = FEWEST_SIGNS if name == _SENTENCE else 1
        for text in _texts(value):
            if "*" in text and len(_NO_SIGN.sub("", text)) < fewest:
                instead = "" if name == _SENTENCE else f", or `{ANY}` if all of it differs"
                return (
                    f"{text!r} fits nearly any text: write what index.html of a run lists after 'values', "
                    f"with * only for names and times that differ from run to run{instead}"
                )
    if values and values != {_SENTENCE: ANY}:
        return ""
    return f"{dict(values)} covers any failure: write values that index.html of a run lists after 'values'"


def _texts(value: Any) -> Iterator[str]:
    """A text, or the texts of a list."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
