"""The model of a TFJob: what is said of what happens, and how it has to end.

It knows which replicas there have to be, which of them have succeeded, and by the restart policy what a
failure means. While the implementation can act, a pod of each replica is waited for before anything happens
to one. While a fault keeps it from acting (a *block*), pods may end or the user may change the TFJob once,
but not both; and a pod that has to be replaced is the last that ends.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from batchproof.exploration.program import Action, Sentence, brought_to_end
from batchproof.exploration.tfjob_actions import (
    ALL_WORKERS,
    BLOCKS,
    BY_EXIT_CODE,
    ERRORS,
    EXIT_CODES,
    NEVER,
    THEMES,
    TYPES,
    WORKER,
    theme,
)
from batchproof.exploration.tfjob_counts import CHANGING, FATEFUL, TFJobCounts
from batchproof.exploration.troubles import FAULTY, UNBLOCK, said_of
from batchproof.exploration.wording import listed, some_pods

if TYPE_CHECKING:
    from collections.abc import Sequence

    from batchproof.exploration.tfjob_counts import Replica

_FIRST = Action("create", (0, 0, 1), f"{NEVER} None Worker0")
_IN_THE_END = "in the end "


@dataclass(frozen=True, slots=True, kw_only=True)
class TFJobState(TFJobCounts):
    """The model after some actions: what an action says, and what is so after it."""

    @property
    def themes(self) -> tuple[str, ...]:
        """What not every program is about."""
        return THEMES

    def traits(self, action: Action) -> Sequence[str]:
        """What about this action, where it stands, may matter together with something else."""
        match action.kind:
            case "create":
                chiefs, ps, _ = action.numbers
                return (*action.words.split(), "a Chief" if chiefs else "no Chief", *(["PS"] if ps else []))
            case "crash":
                return (f"killed {action.words} a write",)
            case kind if kind in FATEFUL:
                place = "first" if action.numbers == (0,) else "later"
                return (f"{kind} {place} {action.words}{' unseen' * bool(self.block)}",)
            case _:
                return (theme(action) + " unseen" * bool(self.block),)

    def after(self, action: Action) -> tuple[list[Sentence], TFJobState]:
        """What an action says, with what has to be waited for first, and the state after it."""
        said, state = self._ready_for(action)
        if action.kind in FAULTY:
            state = state.struck(action, ERRORS)
        if action.kind in FATEFUL:
            more, state = state.befallen(action.kind, (action.words, action.numbers[0]))
        elif action.kind in CHANGING:
            more, state = state.changed_by(action)
        else:
            more, state = state.besides(action)
        return said + more, state

    def besides(self, action: Action) -> tuple[list[Sentence], TFJobState]:
        """What happens to neither the replicas nor the spec."""
        match action.kind:
            case "create":
                return self.created(action)
            case "annotate":
                return [Sentence("the user annotates the TFJob")], replace(self, did=self.did | {"annotate"})
            case "epilogue":
                return [], replace(self, epilogue=action.words)
            case _:
                return self.troubled(action)

    def troubled(self, action: Action) -> tuple[list[Sentence], TFJobState]:
        """A fault comes, or ends."""
        if action.kind == "unblock":
            return self._unblocked()
        state = replace(self.disturbed(action), settled=self.settled and action.kind != "restart")
        return [Sentence(said_of(action, BLOCKS), given=not self.there)], state

    def created(self, action: Action) -> tuple[list[Sentence], TFJobState]:
        """The user makes the TFJob."""
        restarts, cleans, succeeds = action.words.split()
        chiefs, ps, workers = action.numbers
        counts = (chiefs, ps, workers)
        replicas = [
            f"{count} {of}{'s' if of == WORKER and count > 1 else ''}"
            for of, count in zip(TYPES, counts, strict=True)
            if count
        ]
        settings = [f"the restartPolicy {restarts}", f"the cleanPodPolicy {cleans}"]
        settings += [f"the successPolicy {ALL_WORKERS}"] if succeeds == ALL_WORKERS else []
        text = f"a TFJob of {listed(replicas)} with {listed(settings)}"
        made = replace(self, counts=counts, restarts=restarts, cleans=cleans, succeeds=succeeds)
        return [Sentence(text, given=True)], made

    # -- what is waited for

    def _ready_for(self, action: Action) -> tuple[list[Sentence], TFJobState]:
        if self.block or not self.there or self.outcome:
            return [], self
        said, state = self.settle() if action.kind in FATEFUL | CHANGING | {"block"} else ([], self)
        runs = action.kind in FATEFUL | {"block"} and not self.suspended
        if runs and not (action.kind == "vanish" and self.restarts != "OnFailure"):
            more, state = state.run()
            said += more
        return said, state

    def settle(self) -> tuple[list[Sentence], TFJobState]:
        """The implementation comes to what is wanted of it."""
        if self.settled:
            return [], self
        state = replace(self, settled=True, lost=frozenset(), owes="TFJ-001")
        if self.suspended:
            return [
                Sentence("in the end the TFJob is Suspended", "TFJ-042"),
                Sentence("in the end the TFJob has 0 pods and as many services", "TFJ-042"),
            ], state
        count = len(self.replicas)
        said = [
            Sentence(f"in the end {of} {index} of the TFJob has an active pod", self.owes)
            for of, index in sorted(self.lost)
        ]
        every = f"the TFJob has one pod for each of its {count} replica{'' if count == 1 else 's'}"
        said.append(Sentence(_IN_THE_END + every, self.owes))
        text = f"in the end the TFJob has {some_pods(count)} and as many services"
        return [*said, Sentence(text, "TFJ-010" if self.owes == "TFJ-010" else "TFJ-002")], state

    def run(self) -> tuple[list[Sentence], TFJobState]:
        """The kubelet runs the pods that have not ended; they are counted, if none has failed before."""
        if self.ran:
            return [], self
        said = [Sentence("its replicas run")]
        if not self.failures:
            done = sum(of == WORKER for of, _ in self.done)
            counts = (
                f"{self.counts[-1] - done} active, {done} succeeded and 0 failed replicas of type {WORKER}"
            )
            said.append(Sentence(f"in the end the TFJob reports {counts}", "TFJ-036"))
        return said, replace(self, ran=True)

    # -- what happens to pods, and to the TFJob

    def befallen(self, kind: str, replica: Replica) -> tuple[list[Sentence], TFJobState]:
        """Something becomes of the pod of a replica."""
        of, index = replica
        if kind == "vanish":
            text = f"the user makes the pod of {of} {index} vanish"
        elif kind == "succeed":
            text = f"{of} {index} of the TFJob succeeds"
        else:
            text = f"{of} {index} of the TFJob fails with exit code {EXIT_CODES[kind]}"
        return [Sentence(text)], self._without(kind, replica)

    def _without(self, kind: str, replica: Replica) -> TFJobState:
        """The state once this has become of the pod of a replica."""
        if kind == "succeed":
            done = self.done | {replica}
            outcome = "Succeeded" if done.issuperset(self.deciders) else ""
            return replace(self, done=done, outcome=outcome, unseen="some" if self.block else "")
        if not self.replaces(kind):
            return replace(self, outcome="Failed")
        by = "TFJ-022" if self.restarts == BY_EXIT_CODE else "TFJ-025"
        if kind == "vanish":
            by = "TFJ-056" if self.ran else "TFJ-018"
        return replace(
            self,
            lost=self.lost | {replica},
            ran=False,
            settled=False,
            failures=self.failures + (kind != "vanish"),
            unseen="lost" if self.block else "",
            owes=by,
        )

    def changed_by(self, action: Action) -> tuple[list[Sentence], TFJobState]:
        """The user changes the TFJob."""
        state = replace(self, settled=False, ran=False, changed=bool(self.block))
        if action.kind == "scale":
            [count] = action.numbers
            text = f"the user changes the TFJob to {count} {WORKER}{'' if count == 1 else 's'}"
            chiefs, ps, _ = self.counts
            return [Sentence(text)], replace(state, counts=(chiefs, ps, count), owes="TFJ-010")
        verb = f"{action.kind}s"
        did = self.did | {"suspend"}
        changed = replace(state, suspended=action.kind == "suspend", did=did, owes="TFJ-042")
        return [Sentence(f"the user {verb} the TFJob")], changed

    def _unblocked(self) -> tuple[list[Sentence], TFJobState]:
        """The implementation can act again; where only a claim can say so, what it has to come to."""
        ends = BLOCKS[self.block].ends
        state = replace(self, block="", unseen="", changed=False, settled=False)
        if ends:
            return [Sentence(ends)], state
        if self.outcome:
            said = [state.end]
        else:
            said, state = state.settle()
        first = replace(said[0], text=f"once the faults end {said[0].text.removeprefix(_IN_THE_END)}")
        return [first, *said[1:]], state

    # -- the end

    def closing(self) -> list[Sentence]:
        """What lets everything come to its end, and claims that end."""
        said, state = brought_to_end(self)
        return [*said, *state.conclusion()]

    @property
    def next_to_close(self) -> Action | None:
        """What is still to happen so that the TFJob comes to its end by itself."""
        if not self.there:
            return _FIRST
        if self.block:
            return UNBLOCK
        if self.outcome:
            return None
        if self.suspended:
            return Action("resume")
        of, index = next(it for it in self.deciders if it not in self.done)
        return Action("succeed", (index,), of)

    @property
    def end(self) -> Sentence:
        """The claim of its end."""
        succeeded = "TFJ-034" if self.counts[0] else "TFJ-035"
        failed = "TFJ-023" if self.restarts == BY_EXIT_CODE else "TFJ-026"
        by = succeeded if self.outcome == "Succeeded" else failed
        return Sentence(f"in the end the TFJob is {self.outcome}", by)

    @property
    def left(self) -> int:
        """How many pods are left when it is cleaned up (TFJ-038)."""
        ended = len(self.done) + (self.outcome == "Failed")
        return {"None": len(self.replicas), "Running": ended}.get(self.cleans, 0)

    def conclusion(self) -> list[Sentence]:
        """The claims about the end."""
        left = f"the TFJob has {some_pods(self.left)} and as many services"
        said = [self.end, Sentence(_IN_THE_END + left, "TFJ-038")]
        if self.outcome == "Succeeded":
            said.append(Sentence("the TFJob has a startTime and a completionTime", "TFJ-037"))
        if "suspend" not in self.did:
            times = "no time in the status of the TFJob has been changed once it was set"
            said.append(Sentence(times, "TFJ-037"))
        said.append(Sentence("the conditions of the TFJob have never contradicted each other", "TFJ-032"))
        if self.epilogue:
            by = "TFJ-030" if self.outcome == "Failed" else self.end.judges
            said += [
                Sentence(self.epilogue),
                Sentence(f"for 2 seconds the TFJob is {self.outcome}", by),
                Sentence(f"for 2 seconds {left}", "TFJ-038"),
            ]
        return said


def begin(capabilities: frozenset[str]) -> TFJobState:
    """The state before anything: there is no TFJob."""
    return TFJobState(capabilities=capabilities)
