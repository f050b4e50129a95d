"""Facts about groups: that one was made, and what is reported of a gang that waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from batchproof.ground.documents import at
from batchproof.ground.resources import PODS, parse_resource
from batchproof.judgement.facts import Finding, fact, found, only
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import in_words, stated
from batchproof.profiles.gang.facts.gangs import GangMembers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


@fact("a group with minimum {minimum:d} is there", beside=("resource", "path"))
def group_made(seen: Observed, *, resource: str, path: Sequence[str], minimum: int) -> Finding:
    """A group with that minimum is there, by any client."""
    stand = [at(path, thing.raw) for thing in seen.objects(parse_resource(resource)).values()]
    return found(
        minimum in stand,
        expected=f"one of {resource} whose {'.'.join(path)} is {minimum}",
        observed=f"those with {in_words(stand)}" if stand else "none",
    )


@fact("gang {gang:gang} is reported as not schedulable", beside=("resource", "signs"), judged_by=("GNG-015",))
def reported(seen: Observed, *, gang: str, resource: str, signs: Sequence[Mapping[str, Any]]) -> Finding:
    """The group, or a member, reports by one of the dialect's signs that the gang cannot be scheduled."""
    stored = seen.objects(parse_resource(resource)).values() if resource else ()
    groups = [thing for thing in stored if thing.name == gang]
    pods = seen.versions(PODS).fold(GangMembers, gang).now.values()
    for sign in signs:
        for thing in groups if sign["of"] == "group" else pods:
            if _shows(thing.raw, sign):
                return found(
                    holds=True, expected=f"a report of gang {gang}", observed=sign, decisive=[thing.record]
                )
    return found(
        holds=False,
        expected=f"a report of gang {gang} by {in_words(signs)}",
        observed=_reports([*groups, *pods][:2]),
    )


def _reports(things: Sequence[ApiObject]) -> str:
    """What some objects report, and by each the conditions, the reasons and the phase for comparison."""
    shown = [thing.status.get("conditions") or thing.status for thing in things]
    conditions = [it for thing in things for it in thing.status.get("conditions") or []]
    values = {
        "reports": [bool(thing.status) for thing in things],
        "conditions": [it.get("type") for it in conditions],
        "statuses": [it.get("status") for it in conditions],
        "reasons": [it.get("reason") for it in conditions],
        "phases": [thing.status.get("phase") for thing in things],
    }
    return stated(in_words(shown), values)


@fact(
    "nothing reports any more that gang {gang:gang} cannot be scheduled",
    beside=("resource", "signs"),
)
def report_withdrawn(
    seen: Observed, *, gang: str, resource: str, signs: Sequence[Mapping[str, Any]]
) -> Finding:
    """Neither the group nor a member reports by any of the dialect's signs that it cannot be scheduled."""
    told = reported(gang=gang, resource=resource, signs=signs).of(seen)
    return found(
        not told.holds,
        expected=f"no report of gang {gang}",
        observed=stated(told.observed, told.values) if told.holds else "none",
        decisive=told.decisive,
    )


@fact("the group of gang {gang:gang} is <|not >gone", beside=("resource",))
def group_gone(seen: Observed, *, gang: str, resource: str) -> Finding:
    """There is no group object of that name any more."""
    stored = seen.objects(parse_resource(resource)).values() if resource else ()
    groups = [thing for thing in stored if thing.name == gang]
    return found(
        not groups,
        observed="it is there" if groups else "gone",
        decisive=[thing.record for thing in groups],
    )


@fact(
    "the group of gang {gang:gang} counts {count:d} {phase:word} [pod|pods]",
    beside=("resource", "counts"),
)
def pods_counted(
    seen: Observed, *, gang: str, count: int, phase: str, resource: str, counts: Mapping[str, Sequence[str]]
) -> Finding:
    """The status of the gang's group counts that many pods in that phase; no count is 0."""
    stored = seen.objects(parse_resource(resource)).values() if resource else ()
    groups = [thing for thing in stored if thing.name == gang]
    said = [at(counts[phase], thing.raw) or 0 for thing in groups] if phase in counts else []
    return found(
        said == [count],
        observed=stated(f"{said[0]} {phase}", {phase: said[0]}) if said else "nothing counts them",
        decisive=[thing.record for thing in groups],
    )


@fact(
    "the group of gang {gang:gang} is <|not >in the phase {phase:word}",
    beside=("resource", "path", "phases"),
)
def in_phase(
    seen: Observed,
    *,
    gang: str,
    phase: str,
    resource: str,
    path: Sequence[str],
    phases: Mapping[str, Sequence[str]],
) -> Finding:
    """The status of the gang's group says that the gang is so far, in one of the dialect's words for it."""
    stored = seen.objects(parse_resource(resource)).values()
    groups = [thing for thing in stored if thing.name == gang]
    said = [at(path, thing.raw) for thing in groups]
    return found(
        only(said) in phases.get(phase, ()),
        observed=f"{'.'.join(path)} is {said[0] or 'not set'}" if said else "there is no group",
        decisive=[thing.record for thing in groups],
    )


def _shows(raw: Mapping[str, Any], sign: Mapping[str, Any]) -> bool:
    if sign["path"]:
        value = at(sign["path"], raw)
        return value is not None and _text(value) in sign["values"]
    conditions: Iterable[Mapping[str, Any]] = at(sign["conditions"], raw) or []
    return any(c["type"] == sign["condition"] and c["status"] in sign["values"] for c in conditions)


def _text(value: Any) -> str:
    """A value as YAML and JSON write it: ``true``, not ``True``."""
    return str(value).lower() if isinstance(value, bool) else str(value)
