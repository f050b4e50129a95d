"""What a judgement says, and how it is told."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from batchproof.history import Record

_AROUND = 12  # lines of a timeline before the decisive one: enough for a cause, few enough to be read


class Verdict(StrEnum):
    """The outcome of a scenario; see the table of words in docs/read-a-report.md."""

    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"
    ERRORED = "errored"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Moment:
    """A line of a timeline: when, what about, what happened; ``here`` marks what decided."""

    at_s: float
    subject: str
    what: str
    here: bool
    record: int


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether a fact holds, and why.

    Attributes:
        holds: the fact is true of what was observed.
        expected: what the fact asks for, in words.
        observed: what there was instead (or indeed), in words.
        decisive: numbers of the records that decide; empty where nothing in particular did.
        requirement: the id of the requirement that is not met; set by whoever judges.
        sentence: what is claimed, or the requirement's own sentence.
        timeline: what happened around the decisive records.
    """

    holds: bool
    expected: str
    observed: str
    decisive: tuple[int, ...] = ()
    requirement: str = ""
    sentence: str = ""
    timeline: tuple[Moment, ...] = ()

    def about(self, requirement: str, sentence: str) -> Finding:
        """The same finding, naming the requirement that it speaks of."""
        return replace(self, requirement=requirement, sentence=sentence)

    def text(self) -> str:
        """The finding as a person reads it: requirement, expected, observed, timeline."""
        lines = [
            f"{self.requirement or 'Claim'} not met: {self.sentence}",
            f"  expected  {self.expected}",
            f"  observed  {self.observed}",
        ]
        width = max((len(moment.subject) for moment in self.timeline), default=0)
        for moment in self.timeline:
            mark = "   <- here" if moment.here else ""
            lines.append(f"  +{moment.at_s:.3f} s  {moment.subject:<{width}}  {moment.what}{mark}")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The finding as the results stream carries it."""
        told = asdict(self)
        return {key: told[key] for key in ("requirement", "sentence", "expected", "observed", "timeline")}


def timeline(records: Sequence[Record], decisive: Iterable[int], *, until: int) -> tuple[Moment, ...]:
    """The telling moments before and at the decisive records; the last ones before ``until`` if none decides.

    Reads, bookmarks of the harness and the claims themselves are left out: they are in the history.
    """
    marked = set(decisive)
    last = max(marked, default=until)
    told: list[Moment] = []
    for record in records[: last + 1]:
        if what := _what(record, records):
            subject, text = what
            told.append(Moment(record.at_s, subject, text, record.number in marked, record.number))
    kept = [m for m in told[:-_AROUND] if m.here] + told[-_AROUND:]
    return tuple(kept)


def _what(record: Record, records: Sequence[Record]) -> tuple[str, str] | None:
    """Subject and predicate of a record in a timeline; None for what only the history keeps."""
    match record.entry.kind, record.entry:
        case "change", change:
            return change.subject, _changed(change)
        case "request", request if request.verb not in {"get", "list", "watch"} and _told(request):
            what = f"{request.verb.upper()} {request.subresource}".rstrip()
            return request.subject, f"{what} {_asked(request.body)}".rstrip()
        case "reply", reply:
            request = _request_of(reply.call, record.number, records)
            if request is None or request.verb in {"get", "list", "watch"} or not _told(request):
                return None
            fault = f" (fault: {reply.fault})" if reply.fault else ""
            what = f"{request.verb.upper()} {request.subresource}".rstrip()
            return request.subject, f"{what} -> {reply.status or 'no reply'}{fault}"
        case "action", action:
            return "step", action.text
        case "fault", fault:
            return "fault", f"{fault.what}: {fault.text}"
        case "process", process:
            return f"process {process.instance}", process.what
        case _:
            return None


def _told(request: Any) -> bool:
    return request.resource not in {"events", "leases"}


def _request_of(call: int, before: int, records: Sequence[Record]) -> Any:
    for record in reversed(records[:before]):
        if record.entry.kind == "request" and getattr(record.entry, "call", None) == call:
            return record.entry
    return None


def _asked(body: Any) -> str:
    """The part of a written body that a reader looks for first."""
    match body:
        case {"kind": "Job", "status": dict(status)}:
            return _status(status)
        case {"metadata": {"finalizers": finalizers}}:
            return f"finalizers {finalizers}"
        case {"metadata": {"$deleteFromPrimitiveList/finalizers": finalizers}}:
            return f"removes finalizers {finalizers}"
        case _:
            return ""


def _changed(change: Any) -> str:
    obj, type_ = change.object, change.type
    metadata = obj.get("metadata", {})
    match change.resource:
        case "pods":
            words = [obj.get("status", {}).get("phase", "")]
            words += ["deleting"] if metadata.get("deletionTimestamp") else []
            words += ["finalizers " + ",".join(metadata["finalizers"])] if metadata.get("finalizers") else []
        case "jobs":
            words = [_status(obj.get("status", {}))]
        case "events":
            words = [obj.get("reason", ""), obj.get("message", "")]
        case _:
            words = []
    return " ".join([type_, *filter(None, words)])


def _status(status: dict[str, Any]) -> str:
    words = [
        f"{key}={status[key]}" for key in ("active", "succeeded", "failed", "terminating") if status.get(key)
    ]
    uncounted = status.get("uncountedTerminatedPods") or {}
    words += [f"uncounted {key}={len(uids)}" for key, uids in uncounted.items() if uids]
    words += [f"{c['type']}={c['status']}" for c in status.get("conditions") or []]
    return " ".join(words)
