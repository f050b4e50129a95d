"""What happens to a TFJob at random: users, pods and faults; when it may, what it says and changes.

While the implementation can act, a pod of each replica is waited for before anything happens to one. While a
fault keeps it from acting (a *block*), pods may end or the user may change the TFJob once, but not both; and
a pod that has to be replaced is the last that ends.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from batchproof.exploration.program import ModelAction, Sentence
from batchproof.exploration.rules import ActionRule, Model, ModelState, Said, epilogue, fault_rules
from batchproof.exploration.troubles import (
    DEATH,
    KILLED,
    MOST_FAULTS,
    UNBLOCK,
    Block,
    FaultCatalog,
    frozen,
    views,
)
from batchproof.exploration.wording import some_pods
from batchproof.profiles.tfjob import sentences
from batchproof.profiles.tfjob.model.counts import (
    ALL_WORKERS,
    BY_EXIT_CODE,
    NEVER,
    ON_FAILURE,
    PS,
    TYPES,
    WORKER,
    Replica,
    TFJobCounts,
)
from batchproof.profiles.tfjob.specs import TFJobSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_REPLICAS = 4
"""Of one type."""
_EXIT_CODES = {"break": 1, "signal": 137}
_EVENTUALLY = "eventually "
_RESTARTS = "killed"
"""Stands in an epilogue that kills the implementation and starts it again."""


# -- what is waited for


def settle(counts: TFJobCounts) -> Said[TFJobCounts]:
    """The implementation comes to what is wanted of it."""
    if counts.settled:
        return [], counts
    state = replace(counts, settled=True, lost=frozenset(), owes="TFJ-001")
    if counts.suspended:
        return [
            Sentence("eventually the TFJob is Suspended", "TFJ-042"),
            Sentence("eventually the TFJob has 0 pods and as many services", "TFJ-042"),
        ], state
    count = len(counts.replicas)
    said = [
        Sentence(f"eventually {of} {index} of the TFJob has an active pod", counts.owes)
        for of, index in sorted(counts.lost)
    ]
    every = f"the TFJob has one pod for each of its {count} replica{'' if count == 1 else 's'}"
    said.append(Sentence(_EVENTUALLY + every, counts.owes))
    text = f"eventually the TFJob has {some_pods(count)} and as many services"
    return [*said, Sentence(text, "TFJ-010" if counts.owes == "TFJ-010" else "TFJ-002")], state


def _run(counts: TFJobCounts) -> Said[TFJobCounts]:
    """The kubelet runs the pods that have not ended; they are counted, if none has failed before."""
    said, counts = settle(counts)
    if counts.ran or counts.suspended:
        return said, counts
    said.append(Sentence(sentences.REPLICAS_RUN.write({})))
    if not counts.failures:
        done = sum(of == WORKER for of, _ in counts.done)
        active = counts.counts[-1] - done
        numbers = f"{active} active, {done} succeeded and 0 failed replicas of type {WORKER}"
        said.append(Sentence(f"eventually the TFJob reports {numbers}", "TFJ-036"))
    return said, replace(counts, ran=True)


# -- the TFJob is made, and changed by its user


def _can_be_created(counts: TFJobCounts, action: ModelAction) -> bool:
    chiefs, ps, workers = action.numbers
    fits = 0 <= chiefs <= 1 and 0 <= ps <= _MOST_REPLICAS and 0 < workers <= _MOST_REPLICAS
    return not counts.there and fits and not (chiefs and ALL_WORKERS in action.words)


def _created(counts: TFJobCounts, action: ModelAction) -> Said[TFJobCounts]:
    restarts, cleans, succeeds = action.words.split()
    chiefs, ps, workers = action.numbers
    numbers = (chiefs, ps, workers)
    replicas = tuple((of, count) for of, count in zip(TYPES, numbers, strict=True) if count)
    settings = [("restartPolicy", restarts), ("cleanPodPolicy", cleans)]
    settings += [("successPolicy", ALL_WORKERS)] if succeeds == ALL_WORKERS else []
    text = sentences.TFJOB_IS.write({"tfjob": TFJobSpec(replicas=replicas, settings=tuple(settings))})
    made = replace(counts, counts=numbers, restarts=restarts, cleans=cleans, succeeds=succeeds)
    return [Sentence(text, given=True)], made


def _shape(_: TFJobCounts, action: ModelAction) -> Sequence[str]:
    chiefs, ps, _workers = action.numbers
    return (*action.words.split(), "a Chief" if chiefs else "no Chief", *(["PS"] if ps else []))


def _changeable(counts: TFJobCounts) -> bool:
    """Whether the user may change the TFJob: once in a block, and not while what happened is unseen."""
    return not (counts.outcome or (counts.block and (counts.unseen or counts.changed)))


def _can_scale(counts: TFJobCounts, action: ModelAction) -> bool:
    same = action.number == counts.counts[-1] or not 0 < action.number <= _MOST_REPLICAS
    ended = any(of == WORKER for of, _ in counts.done)
    return _changeable(counts) and not (same or counts.suspended or ended)


def _scaled(counts: TFJobCounts, action: ModelAction) -> Said[TFJobCounts]:
    text = sentences.TFJOB_CHANGED.write({"replicas": [(WORKER, action.number)]})
    chiefs, ps, _ = counts.counts
    return [Sentence(text)], counts.changed_by_user(counts=(chiefs, ps, action.number), owes="TFJ-010")


def _can_suspend(counts: TFJobCounts, _: ModelAction) -> bool:
    """What has succeeded before may be counted or not."""
    able = "Suspension" in counts.capabilities
    return _changeable(counts) and able and not (counts.suspended or counts.done)


def _can_resume(counts: TFJobCounts, _: ModelAction) -> bool:
    return _changeable(counts) and counts.suspended


def _suspended(counts: TFJobCounts, action: ModelAction) -> Said[TFJobCounts]:
    suspended, did = action.kind == "suspend", counts.did | {"suspend"}
    said = sentences.TFJOB_SUSPENDED if suspended else sentences.TFJOB_RESUMED
    return [Sentence(said.write({}))], counts.changed_by_user(suspended=suspended, did=did, owes="TFJ-042")


def _can_annotate(counts: TFJobCounts, _: ModelAction) -> bool:
    return not counts.outcome and "annotate" not in counts.did


def _annotated(counts: TFJobCounts, _: ModelAction) -> Said[TFJobCounts]:
    said = [Sentence(sentences.TFJOB_ANNOTATED.write({}))]
    return said, replace(counts, did=counts.did | {"annotate"})


# -- its pods


def _outcomes(kind: str) -> tuple[ModelAction, ...]:
    """What may happen to the pods of replicas. What it means that a PS succeeds is said nowhere."""
    types = [of for of in TYPES if not (of == PS and kind == "succeed")]
    return tuple(ModelAction(kind, (index,), of) for of in types for index in range(_MOST_REPLICAS))


def _can_end(counts: TFJobCounts, action: ModelAction) -> bool:
    """Whether this can happen to the pod of a replica, and leaves one end only."""
    kind, replica = action.kind, (action.words, action.number)
    if replica not in counts.replicas or replica in counts.done or counts.outcome or counts.suspended:
        return False
    if kind == "succeed" and replica[0] == PS:
        return False
    if counts.block and (counts.changed or counts.unseen == "lost" or not counts.ran):
        return False  # the model does not know which pod it would happen to
    if kind == "vanish":  # what it means of one that ran is said of OnFailure only
        return counts.restarts == ON_FAILURE or not (counts.ran or counts.block)
    return not (counts.block and counts.unseen and counts.replaces(kind))


def _wait_to_vanish(counts: TFJobCounts) -> Said[TFJobCounts]:
    return _run(counts) if counts.restarts == ON_FAILURE else settle(counts)


def _ended(counts: TFJobCounts, action: ModelAction) -> Said[TFJobCounts]:
    said = {"vanish": sentences.POD_VANISHES, "succeed": sentences.REPLICA_SUCCEEDS}
    it = {"kind": action.words, "index": action.number, "exit_code": _EXIT_CODES.get(action.kind)}
    text = said.get(action.kind, sentences.REPLICA_FAILS).write(it)
    return [Sentence(text)], _without(counts, action.kind, (action.words, action.number))


def _without(counts: TFJobCounts, kind: str, replica: Replica) -> TFJobCounts:
    """The counts once this has happened to the pod of a replica."""
    if kind == "succeed":
        done = counts.done | {replica}
        outcome = "Succeeded" if done.issuperset(counts.deciders) else ""
        return replace(counts, done=done, outcome=outcome, unseen="some" if counts.block else "")
    if not counts.replaces(kind):
        return replace(counts, outcome="Failed")
    by = "TFJ-022" if counts.restarts == BY_EXIT_CODE else "TFJ-025"
    if kind == "vanish":
        by = "TFJ-056" if counts.ran else "TFJ-018"
    return replace(
        counts,
        lost=counts.lost | {replica},
        ran=False,
        settled=False,
        failures=counts.failures + (kind != "vanish"),
        unseen="lost" if counts.block else "",
        owes=by,
    )


def _whose_end(counts: TFJobCounts, action: ModelAction) -> Sequence[str]:
    place = "first" if action.number == 0 else "later"
    return (f"{action.kind} {place} {action.words}{' unseen' * bool(counts.block)}",)


# -- faults

_STATUS = "update of the TFJob status"
_MADE = ("pod creation", "service creation")
_SEEN = ("pods", "services", "tfjobs")
FAULTS = FaultCatalog(
    {
        "status writes fail": {
            **{f"the next {_STATUS} is answered with {code}": 1 for code in (409, 500, 503)},
            "the next 2 updates of the TFJob status are answered with 500": 2,
        },
        "later status writes fail": {
            f"the {nth} {_STATUS} is answered with 500": 1 for nth in ("2nd", "3rd")
        },
        "creations fail": {
            **{f"the next {what} is answered with {code}": 1 for what in _MADE for code in (500, 503)},
            **{f"the 2nd {what} is answered with 500": 1 for what in _MADE},
        },
        "deletions fail": {f"the next pod deletion is answered with {code}": 1 for code in (500, 503)},
        "replies are lost": {
            f"the next {what} is applied but its reply is lost": 1
            for what in (*_MADE, "pod deletion", _STATUS)
        },
        "requests are slow": {
            "pod creations take 0.5 seconds each": 0,
            "service creations take 0.5 seconds each": 0,
            f"the next {_STATUS} takes 1 seconds": 0,
        },
        **views(*_SEEN),
    },
    {
        KILLED: DEATH,
        **{f"view of {what}": frozen(what) for what in _SEEN},
        "status writes": Block("updates of the TFJob status are answered with 500", errors=3),
    },
)


def _can_go_wrong(counts: TFJobCounts, action: ModelAction) -> bool:
    bears = counts.bears(action, FAULTS.errors)
    if not counts.there:
        return "creation" in action.words and bears
    once = counts.epilogue and action.kind in {"crash", "block"}
    return not once and bears and counts.can_come(action)


def _goes_wrong(counts: TFJobCounts, action: ModelAction) -> Said[TFJobCounts]:
    state = replace(counts.disturbed(action), settled=counts.settled and action.kind != "restart")
    return [Sentence(FAULTS.said(action), given=not counts.there)], state


def _unblocked(counts: TFJobCounts, _: ModelAction) -> Said[TFJobCounts]:
    """The implementation can act again; where only a claim can say so, what it has to come to."""
    ends = FAULTS.blocks[counts.block].ends
    state = replace(counts, block="", unseen="", changed=False, settled=False)
    if ends:
        return [Sentence(ends)], state
    said, state = ([end(state)], state) if counts.outcome else settle(state)
    first = replace(said[0], text=f"once the faults end {said[0].text.removeprefix(_EVENTUALLY)}")
    return [first, *said[1:]], state


# -- the end


def _can_follow_the_end(counts: TFJobCounts, action: ModelAction) -> bool:
    again = _RESTARTS in action.words and counts.revived
    return bool(counts.outcome) and not (counts.epilogue or counts.block or again)


def _is_over(counts: TFJobCounts) -> bool:
    return bool(counts.outcome) and (bool(counts.epilogue) or counts.faults >= MOST_FAULTS)


def next_to_close(counts: TFJobCounts) -> ModelAction | None:
    """What is still to happen so that the TFJob comes to its end by itself."""
    if not counts.there:
        return ModelAction("create", (0, 0, 1), f"{NEVER} None Worker0")
    if counts.block:
        return UNBLOCK
    if counts.outcome:
        return None
    if counts.suspended:
        return ModelAction("resume")
    of, index = next(it for it in counts.deciders if it not in counts.done)
    return ModelAction("succeed", (index,), of)


def end(counts: TFJobCounts) -> Sentence:
    """The claim of its end."""
    succeeded = "TFJ-034" if counts.counts[0] else "TFJ-035"
    failed = "TFJ-023" if counts.restarts == BY_EXIT_CODE else "TFJ-026"
    by = succeeded if counts.outcome == "Succeeded" else failed
    return Sentence(f"eventually the TFJob is {counts.outcome}", by)


def conclusion(counts: TFJobCounts) -> list[Sentence]:
    """The claims about the end."""
    ends, left = end(counts), f"the TFJob has {some_pods(counts.left)} and as many services"
    said = [ends, Sentence(_EVENTUALLY + left, "TFJ-038")]
    if counts.outcome == "Succeeded":
        said.append(Sentence("the TFJob has a startTime and a completionTime", "TFJ-037"))
    if "suspend" not in counts.did:
        times = "no time in the status of the TFJob has been changed once it was set"
        said.append(Sentence(times, "TFJ-037"))
    said.append(Sentence("the conditions of the TFJob have never contradicted each other", "TFJ-032"))
    if counts.epilogue:
        by = "TFJ-030" if counts.outcome == "Failed" else ends.judges
        said += [
            Sentence(counts.epilogue),
            Sentence(f"for 2 seconds the TFJob is {counts.outcome}", by),
            Sentence(f"for 2 seconds {left}", "TFJ-038"),
        ]
    return said


MODEL: Model[TFJobCounts] = Model(
    ActionRule(
        tuple(
            ModelAction("create", numbers, " ".join(words))
            for numbers in product((0, 1), (0, 1, 2), (1, 2, 3))
            for words in product(
                (NEVER, BY_EXIT_CODE, ON_FAILURE), ("None", "Running", "All"), ("Worker0", ALL_WORKERS)
            )
            if not (numbers[0] and words[2] == ALL_WORKERS)
        ),
        _can_be_created,
        _created,
        begins=True,
        traits=_shape,
    ),
    ActionRule(_outcomes("succeed"), _can_end, _ended, _run, traits=_whose_end),
    *(ActionRule(_outcomes(kind), _can_end, _ended, _run, traits=_whose_end) for kind in _EXIT_CODES),
    ActionRule(_outcomes("vanish"), _can_end, _ended, _wait_to_vanish, traits=_whose_end),
    ActionRule(
        tuple(ModelAction("scale", (count,)) for count in range(1, _MOST_REPLICAS + 1)),
        _can_scale,
        _scaled,
        settle,
    ),
    ActionRule((ModelAction("suspend"),), _can_suspend, _suspended, settle),
    ActionRule((ModelAction("resume"),), _can_resume, _suspended, settle),
    ActionRule((ModelAction("annotate"),), _can_annotate, _annotated),
    *fault_rules(
        FAULTS,
        writes=8,
        possible=_can_go_wrong,
        happens=_goes_wrong,
        waits={"block": _run},
    ),
    ActionRule((UNBLOCK,), lambda counts, _: bool(counts.block), _unblocked),
    epilogue(
        "the implementation is killed and started again",
        "the user annotates the TFJob",
        possible=_can_follow_the_end,
    ),
    suffix=lambda counts: " unseen" * bool(counts.block),
    always=("create", "succeed", "unblock", "resume"),
    errors=FAULTS.errors,
    there=lambda counts: counts.there,
    acts=lambda counts: counts.there and not (counts.block or counts.outcome),
    over=_is_over,
    next_to_close=next_to_close,
    conclusion=conclusion,
)


def begin(capabilities: frozenset[str]) -> ModelState[TFJobCounts]:
    """The state before anything: there is no TFJob."""
    return ModelState(MODEL, TFJobCounts(capabilities=capabilities))
