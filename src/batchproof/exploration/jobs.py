"""The model of a Job: what is possible now, and how it has to end.

It counts what its user wants and what its pods did, and no more: how many pods are active for sure, how
many have succeeded and failed, and whether the implementation can act on that. While it can, its pods are
waited for before anything else happens to them. While a fault keeps it from acting (a *block*), pods that
are there may end or the user may change the Job, but not both: which of them it sees first would decide.

The end that it claims is the one that the counts leave: a Job whose pods have succeeded as often as it
asks for is Complete, one of which more have failed than backoffLimit says is Failed. What could end in
both ways is not played.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from batchproof.exploration.job_actions import BLOCKS, CREATION_LOST, ERRORS, THEMES
from batchproof.exploration.job_counts import FATEFUL, SPECIFYING, WORK_QUEUE, JobCounts
from batchproof.exploration.job_traits import traits
from batchproof.exploration.program import Action, Sentence, brought_to_end
from batchproof.exploration.troubles import FAULTY, UNBLOCK, kills, said_of
from batchproof.exploration.wording import be, some_pods


@dataclass(frozen=True, slots=True)
class JobState(JobCounts):
    """The model of a Job after some actions: what an action says, and what is so after it."""

    # -- what happens

    @property
    def themes(self) -> tuple[str, ...]:
        """What not every program is about."""
        return THEMES

    def traits(self, action: Action) -> tuple[str, ...]:
        """What about this action, where it stands, may matter together with something else."""
        return traits(self, action)

    def after(self, action: Action) -> tuple[list[Sentence], JobState]:
        """What an action says, with what has to be waited for first, and the state after it."""
        said, state = self._ready_for(action)
        if action.kind in FAULTY:
            state = state.struck(action, ERRORS)
        number = action.numbers[0] if action.numbers else 1
        if action.kind in FAULTY or action.kind == "unblock":
            more, state = state.troubled(action)
        elif action.kind in SPECIFYING:
            more, state = state.respecified(action.kind, number)
        elif action.kind in FATEFUL:
            more, state = state.ended(action.kind, number)
        elif action.kind == "create":
            more, state = state.created(action)
        else:
            more, state = state.besides(action)
        return said + more, state

    def besides(self, action: Action) -> tuple[list[Sentence], JobState]:
        """What changes neither what the Job wants nor what its pods did."""
        match action.kind:
            case "clear":
                return [Sentence("the user deletes the finished pod")], self.once("clear")
            case "hold":
                return [Sentence("deleted pods stay terminating")], replace(self, held=True)
            case "label":
                return [Sentence("another client labels the Job")], self.once("label")
            case "remove":
                how = "" if action.words == "background" else f" with {action.words} propagation"
                return [Sentence(f"the user deletes the Job{how}")], replace(self, removed=action.words)
            case _:
                return [], replace(self, epilogue=action.words)

    def created(self, action: Action) -> tuple[list[Sentence], JobState]:
        """The user makes the Job."""
        completions, parallelism, limit = action.numbers
        queue = action.words == WORK_QUEUE
        spec = [] if queue else [f"{completions} completion{'' if completions == 1 else 's'}"]
        spec += [f"parallelism {parallelism}", f"backoffLimit {limit}"]
        article = {"Indexed": "an Indexed Job", WORK_QUEUE: "a work-queue Job"}.get(action.words, "a Job")
        owes = "BAS-024" if queue else "BAS-016" if parallelism > completions else "BAS-015"
        text = f"{article} with {', '.join(spec[:-1])} and {spec[-1]}"
        return [Sentence(text, given=True)], replace(
            self, kind=action.words, completions=completions, parallelism=parallelism, limit=limit, owes=owes
        )

    def _ready_for(self, action: Action) -> tuple[list[Sentence], JobState]:
        """Wait for what has to be so before an action, if the implementation can act."""
        if self.block or not self.kind or self.over:
            return [], self
        match action.kind:
            case kind if kind in FATEFUL:
                return self.settle()
            case kind if kind in SPECIFYING or kind == "remove":
                return self._count_and_settle()
            case "block":  # so that there are pods to which something can happen meanwhile
                return self.settle()
            case _:
                return [], self

    def settle(self) -> tuple[list[Sentence], JobState]:
        """The implementation comes to what is wanted of it."""
        if self.settled:
            return [], self
        wanted = self.wanted
        text = f"{self._patiently}{some_pods(wanted)} {be(wanted)} active"
        state = replace(self, settled=True, changed=False, active=wanted, owes="BAS-015")
        return [Sentence(text, self.owes)], state

    def _count_and_settle(self) -> tuple[list[Sentence], JobState]:
        """What ended is counted, so that a pod which is deleted now is none of them."""
        said, state = self.settle()
        if self.counted:
            return said, state
        return [*said, self._counts()], replace(state, counted=True)

    def _counts(self) -> Sentence:
        text = f"{self._patiently}the Job counts {self.succeeded} succeeded and {self.failed} failed pods"
        return Sentence(text, "FIN-036" if self.died else "FIN-003")

    @property
    def _patiently(self) -> str:
        """What was disturbed needs the time of a recovery."""
        return "in the end " if self.faults or "delete" in self.done else ""

    def ended(self, kind: str, number: int) -> tuple[list[Sentence], JobState]:
        """Something happens to pods."""
        texts = {
            "run": f"{some_pods(number)} {be(number)} running and ready",
            "lose": "the node of 1 pod is lost",
            "succeed": f"{some_pods(number)} succeed{'s' if number == 1 else ''}",
            "fail": f"{some_pods(number)} fail{'s' if number == 1 else ''}",
            "delete": "the user deletes 1 pod",
        }
        if kind in {"run", "lose"}:
            return [Sentence(texts[kind])], self.once("lose") if kind == "lose" else self
        success = kind == "succeed"
        unseen = self.unseen | {"succeed" if success else "fail"} if self.block else self.unseen
        state = replace(
            self,
            succeeded=self.succeeded + number * success,
            failed=self.failed + number * (not success),
            active=self.active - number,
            settled=False,
            counted=False,
            unseen=unseen,
            owes=self._owed_after(kind),
        )
        said = [Sentence(texts[kind])]
        if self.held and not self.block and state.doomed and state.active:
            running = f"{some_pods(self.active)} are running and ready"  # one without a node does not linger
            said, state = [Sentence(running), *said], replace(state, lingering=True)
        return said, state.once("delete") if kind == "delete" else state

    def _owed_after(self, kind: str) -> str:
        """The requirement that says how many pods there are in the end, once this has happened to some."""
        if kind == "delete":
            return "BAS-022"
        if self.kind != WORK_QUEUE:
            return "BAS-015"
        return "BAS-025" if self.succeeded or kind == "succeed" else "BAS-024"

    def respecified(self, kind: str, number: int) -> tuple[list[Sentence], JobState]:
        """The user changes the Job."""
        changed = self.changed_to(kind, number)
        match kind:
            case "parallelism":
                text, owes = f"the Job is changed to parallelism {number}", "BAS-019" if number else "BAS-017"
            case "suspend":
                text, owes = "the user suspends the Job", "BAS-029"
            case "resume":
                text, owes = "the user resumes the Job", "BAS-031"
            case _:
                return [Sentence(f"the Job is changed to backoffLimit {number}")], changed.once("limit")
        return [Sentence(text)], replace(changed, settled=False, changed=True, owes=owes).once("change")

    def once(self, what: str) -> JobState:
        """What may happen once has happened."""
        return replace(self, done=self.done | {what})

    # -- faults

    def troubled(self, action: Action) -> tuple[list[Sentence], JobState]:
        """A fault comes, or ends."""
        if action.kind == "unblock":
            return self._unblocked()
        state = replace(self.disturbed(action), died=self.died or kills(action))
        if action.words == CREATION_LOST:
            state = state.once("lost")
        if action.kind == "restart":
            owes = self.owes if self.owes != "BAS-015" else "EXP-007"
            state = replace(state, settled=False, owes=owes)
        return [Sentence(said_of(action, BLOCKS), given=not self.kind)], state

    def _unblocked(self) -> tuple[list[Sentence], JobState]:
        """The implementation can act again; where only a claim can say so, what it has to come to."""
        state = replace(
            self, block="", heading=0, unseen=frozenset(), settled=self.settled and not self.unseen
        )
        if ends := BLOCKS[self.block].ends:
            return [Sentence(ends)], state
        claim, state = state.first_claim()
        return [replace(claim, text=f"once the faults end {claim.text.removeprefix('in the end ')}")], state

    def first_claim(self) -> tuple[Sentence, JobState]:
        """What can be claimed first when the faults have ended."""
        if self.removed:
            return Sentence("the Job is gone", _LET_GO[self.removed]), self
        if self.doomed:
            return Sentence("0 pods are active", "FAIL-004"), self
        if self.complete:
            return Sentence(f"the Job reports {some_pods(self.succeeded, 'succeeded')}", "FIN-003"), self
        claims, state = replace(self, settled=False).settle()
        return claims[0], state

    # -- the end

    def closing(self) -> list[Sentence]:
        """What lets everything come to its end, and claims that end."""
        said, state = brought_to_end(self)
        return [*said, *state.conclusion()]

    @property
    def next_to_close(self) -> Action | None:
        """What is still to happen so that the Job comes to its end by itself."""
        if not self.kind:
            return _ANY_JOB
        if self.block:
            return UNBLOCK
        if self.over:
            return None
        if self.suspended:
            return Action("resume")
        return Action("succeed", (self.reach,)) if self.reach else Action("parallelism", (1,))

    def conclusion(self) -> list[Sentence]:
        """The claims about the end."""
        said = [Sentence("for 2 seconds the Job does not finish", "BAS-057")] if self.lingering else []
        said += [Sentence("the terminating pods end")] if self.held else []
        if self.removed:
            by = _LET_GO[self.removed]
            gone = [
                Sentence("in the end the Job is gone", by),
                Sentence("in the end no pod of the Job is left", by),
            ]
            return [*said, *gone]
        if self.doomed:
            by = "FAIL-001" if self.limit else "FAIL-002"
            said.append(Sentence("in the end the Job fails with reason BackoffLimitExceeded", by))
        else:
            by = {"Indexed": "IDX-005", WORK_QUEUE: "BAS-026"}.get(self.kind, "BAS-013")
            pods = some_pods(self.succeeded, "succeeded")
            said.append(Sentence(f"in the end the Job completes with {pods}", by))
            said.append(self._counts())
            if not (self.failed or self.faults or self.done - {"label", "limit"} or self.kind == WORK_QUEUE):
                count, have = some_pods(self.succeeded), "has" if self.succeeded == 1 else "have"
                said.append(Sentence(f"{count} {have} been created in all", "EXP-002"))
        said.append(Sentence("no finished pod of the Job has the tracking finalizer", "FIN-021"))
        if self.epilogue:
            said.append(Sentence(self.epilogue))
            said.append(Sentence("for 2 seconds the Job keeps its one terminal condition", "BAS-059"))
        return said


_LET_GO = {"background": "FIN-026", "foreground": "FIN-027"}
_ANY_JOB = Action("create", (1, 1, 1), "Job")


def begin(_: frozenset[str]) -> JobState:
    """The state before anything: there is no Job."""
    return JobState()
