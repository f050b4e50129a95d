"""Whether a history could have been recorded at all: the order and the times that every recording has.

Nothing here knows the scenario: clocks do not run back, a claim is waited for before anything else is done,
a window lasts as long as it says, a fault is triggered only once it is armed, a reply has a request.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING

from batchproof.ground.resources import BUILT_IN_MANAGER, JOBS, PODS
from batchproof.judgement.claims import Claim
from batchproof.judgement.forms import Quantifier
from batchproof.judgement.history import (
    EXITED,
    Action,
    Change,
    ClaimClosed,
    ClaimOpened,
    Ended,
    FaultChange,
    HistoryHeader,
    Json,
    ProcessChange,
    Record,
    Reply,
    Request,
    StepBegan,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CLOCK_S = 30.0
"""How far the clock of the harness may be set while a scenario is played."""
_CREATED_S = 60.0
"""How much later than others an object may be seen that was created: API servers give whole seconds."""
_WAKES_S = 0.05
"""How much before its limit a wait may end: clocks and timers are rounded."""
_WRITES = {"create", "update", "patch"}


def course(records: Sequence[Record]) -> Iterator[str]:
    """What no recording would have, in words; at most one of each kind."""
    for rule in (_once, _times, _claims, _faults, _calls, _effects, _explained, _processes):
        if found := next(rule(records), ""):
            yield found


def _once(records: Sequence[Record]) -> Iterator[str]:
    for kind in (HistoryHeader, Ended):
        if sum(isinstance(one.entry, kind) for one in records) > 1:
            yield f"its history has two records {kind.__struct_config__.tag!r}"


def _times(records: Sequence[Record]) -> Iterator[str]:
    before, clocks, created = 0.0, [], []
    for one in records:
        if one.at_s < before:
            yield f"its clock runs back at record {one.number}"
        before = one.at_s
        match one.entry:
            case Action(about=about):
                if "clock" not in about:
                    yield f"the action of record {one.number} has no time of day"
                    continue
                clocks.append(datetime.fromisoformat(about["clock"]).timestamp() - one.at_s)
            case Change(type="ADDED", object={"metadata": {"creationTimestamp": str(time)}}):
                created.append(datetime.fromisoformat(time).timestamp() - one.at_s)
    if clocks and max(clocks) - min(clocks) > _CLOCK_S:
        yield "the times of its records and the times of day of what the harness did do not fit"
    if created and max(created) - min(created) > _CREATED_S:
        yield "the times of its records and those at which the API server created objects do not fit"


def _claims(records: Sequence[Record]) -> Iterator[str]:
    """A claim is numbered, made in the step that runs, and closed; nothing begins while one is waited for.

    That there was no processor is only asked of one that has not come about within its limit.
    """
    open_: dict[int, float] = {}
    step, waiting, opened = "", 0, 0
    for one in records:
        match one.entry:
            case StepBegan(text=step):
                if waiting:
                    yield f"a step begins in record {one.number} while claim {waiting} is undecided"
            case ClaimOpened(claim_number=number, claim=kept):
                claim, opened = Claim.from_json(kept), opened + 1
                yield from _opened(number, claim, opened, waiting, step)
                open_[number] = one.at_s + claim.limit_s - _WAKES_S if claim.waits else float("inf")
                waiting = waiting if claim.quantifier is Quantifier.STAYS else number
            case ClaimClosed(claim_number=number, starved_s=starved_s):
                if number not in open_:
                    yield f"claim {number} is closed, but not open"
                over_s = open_.pop(number, one.at_s)
                if starved_s < 0 or (starved_s and one.at_s < over_s):
                    yield f"claim {number} says that there was no processor, but was closed within its limit"
                waiting = 0 if number == waiting else waiting
            case _:
                pass


def _opened(number: int, claim: Claim, opened: int, waiting: int, step: str) -> Iterator[str]:
    if number != opened:
        yield f"claim {number} is opened as the {opened}th"
    if waiting:
        yield f"claim {number} is opened while claim {waiting} is undecided"
    if claim.made_in not in {"", step}:
        yield f"claim {number} is made in the step {claim.made_in!r}, but in {step!r}"


def _faults(records: Sequence[Record]) -> Iterator[str]:
    """A fault fires once it is armed, and as often as its replies say."""
    armed: dict[int, FaultChange] = {}
    fired: Counter[str] = Counter()
    unanswered: set[int] = set()
    for one in records:
        match one.entry:
            case FaultChange() as fault:
                yield from _changed(fault, armed)
                of_requests = fault.fault in armed and armed[fault.fault].about.get("kind") == "requests"
                fired.update([fault.text] if of_requests and fault.what == "fired" else [])
            case Request(call=call):
                unanswered.add(call)
            case Reply(call=call, fault=text):
                unanswered.discard(call)
                fired.subtract([text] if text else [])
                if text and all(text != each.text for each in armed.values()):
                    yield f"the reply of record {one.number} names a fault that was not armed"
            case _:
                pass
    for text, left in fired.items():
        if not 0 <= left <= len(unanswered):
            yield f"the fault {text!r} was triggered otherwise than its replies say"


def _changed(fault: FaultChange, armed: dict[int, FaultChange]) -> Iterator[str]:
    """A fault is armed once, with what it does; then it fires, is lifted and thaws by the same words."""
    before = armed.get(fault.fault)
    if fault.what == "armed":
        if before:
            yield f"fault {fault.fault} is armed twice"
        armed[fault.fault] = fault
    elif before is None or before.text != fault.text or fault.about:
        yield f"the fault {fault.text!r} has {fault.what}, but was not armed so"


def _calls(records: Sequence[Record]) -> Iterator[str]:
    asked: set[int] = set()
    open_: set[int] = set()
    living: set[int] = {0}
    for one in records:
        match one.entry:
            case ProcessChange(instance=number, what="started" | "ready"):
                living.add(number)
            case Request(call=call, instance=number):
                if call != len(asked) + 1:
                    yield f"request {call} is the {len(asked) + 1}th"
                if number not in living:
                    yield f"request {call} is of instance {number}, which never started"
                asked.add(call)
                open_.add(call)
            case Reply(call=call):
                if call not in open_:
                    yield f"record {one.number} answers request {call}, which is not open"
                open_.discard(call)


def _effects(records: Sequence[Record]) -> Iterator[str]:
    """What a write was answered with is what the recorder saw.

    At the end the harness waits for every resource but events. An event may be missing that is newer than any
    that the recorder has seen.
    """
    changes = {_version(one.entry.object): one.entry for one in records if isinstance(one.entry, Change)}
    recorded = {one.resource for one in changes.values()}
    newest_event = max((_revision(one.object) for one in changes.values() if _is_event(one)), default=0)
    requests: dict[int, Request] = {}
    if not any(isinstance(one.entry, Ended) for one in records):
        return
    for one in records:
        match one.entry:
            case Request(call=call) as request:
                requests[call] = request
            case Reply(call=call, effect=True, body={"metadata": {"uid": _, "resourceVersion": _}} as body):
                asked = requests.get(call)
                if asked is None or asked.verb not in _WRITES or asked.resource not in recorded:
                    continue
                change = changes.get(_version(body))
                if change is None and _is_event(asked) and _revision(body) > newest_event:
                    continue
                if change is None:
                    what = f"{asked.verb} {asked.subject}"
                    yield f"the history lacks what request {call} has written ({what})"
                elif _is_event(asked) or _removed(change.object, body):
                    continue
                elif _says(change.object) != _says(body):
                    yield f"request {call} was answered with another {asked.subject} than was recorded"


def _explained(records: Sequence[Record]) -> Iterator[str]:
    """Where all writes pass by the proxy, a pod of a Job and a status of a Job come from one of them."""
    header = records[0].entry if records else None
    if not isinstance(header, HistoryHeader) or not header.audited:
        return
    written = {
        _version(one.entry.body)
        for one in records
        if isinstance(one.entry, Reply) and one.entry.effect and _is_object(one.entry.body)
    }
    harness = " ".join(one.entry.text for one in records if isinstance(one.entry, Action))
    managed: set[str] = set()
    statuses: dict[str, object] = {}
    for one in records:
        match one.entry:
            case Change(type="ADDED" | "MODIFIED", resource=resource, object=it) if resource == JOBS:
                uid, status = it["metadata"]["uid"], it.get("status")
                if (it["spec"].get("managedBy") or BUILT_IN_MANAGER) == header.manager:
                    managed.add(uid)
                news = uid in statuses and statuses[uid] != status
                statuses[uid] = status
                by_us = f"of Job {it['metadata']['name']}" in harness
                if news and uid in managed and _version(it) not in written and not by_us:
                    yield f"no request explains the status of record {one.number}"
            case Change(type="ADDED", resource=resource, object=it) if resource == PODS:
                owners = it["metadata"].get("ownerReferences") or ()
                ours = any(owner.get("controller") and owner["uid"] in managed for owner in owners)
                by_us = f"pod {it['metadata']['name']}" in harness
                if ours and _version(it) not in written and not by_us:
                    yield f"no request explains the pod of record {one.number}"


def _is_object(body: object) -> bool:
    match body:
        case {"metadata": {"uid": _, "resourceVersion": _}}:
            return True
        case _:
            return False


def _processes(records: Sequence[Record]) -> Iterator[str]:
    """A process is started when the one before has ended; replicas are started together."""
    living: set[int] = set()
    ended = False
    for one in records:
        match one.entry:
            case ProcessChange(instance=number, what="started"):
                if living and not ended:
                    yield f"process {number} is started in record {one.number} though none has ended"
                living.add(number)
            case ProcessChange(instance=number, what="ready"):
                living.add(number)
            case ProcessChange(instance=number, what=what) if what.startswith(("killed", EXITED)):
                ended = True
                living.discard(number)


def _version(object_: Json) -> tuple[str, str]:
    return object_["metadata"]["uid"], object_["metadata"]["resourceVersion"]


def _revision(object_: Json) -> int:
    return int(object_["metadata"]["resourceVersion"])


def _is_event(entry: Request | Change) -> bool:
    return entry.resource.plural == "events"


def _removed(stored: Json, replied: Json) -> bool:
    """Whether a write removed the object instead of changing it: its grace was over, and nothing held it.

    The reply then has what was to be written, with the version that was stored before. Source:
    k8s.io/apiserver v0.37.0 pkg/registry/generic/registry/store.go (ShouldDeleteDuringUpdate).
    """
    metadata = stored["metadata"]
    over = bool(metadata.get("deletionTimestamp")) and not metadata.get("deletionGracePeriodSeconds")
    return over and not replied["metadata"].get("finalizers")


def _says(object_: Json) -> tuple[object, ...]:
    metadata = object_["metadata"]
    kept = (metadata.get(name) for name in ("labels", "annotations", "ownerReferences"))
    return (*kept, object_.get("spec"), object_.get("status"))
