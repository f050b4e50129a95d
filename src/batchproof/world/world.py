"""The World of a scenario: what is claimed in it, how it ends, and the objects of any resource in it."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, Self, TypeVar

from msgspec.structs import replace

from batchproof.api.client import MERGE_PATCH, Api
from batchproof.cell import Cell, ScenarioRun
from batchproof.cell.witness import Witnesses
from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import CELL_LABEL, SCENE_LABEL, Resource
from batchproof.judgement.claims import Claim, Judged, Judgement, Role, explain, now, proof
from batchproof.judgement.conclusion import Conclusion, Verdict, conclude, evaded
from batchproof.judgement.facts.actions import step_finds
from batchproof.judgement.facts.writes import works_on
from batchproof.judgement.finding import Excused, FactBroke, Finding, Inconclusive, Unmet, nothing_excused
from batchproof.judgement.forms import Quantifier
from batchproof.judgement.history import (
    ALL_FAULTS_END,
    LACKS,
    VAIN,
    Change,
    ClaimClosed,
    ClaimOpened,
    Ended,
    Json,
    Origin,
    ProcessChange,
    Record,
    StepBegan,
)
from batchproof.judgement.invariants import breaches
from batchproof.judgement.observed import Observed, observe
from batchproof.processes.scheduling import Queued, queued_since
from batchproof.world.faults import Faults
from batchproof.world.process import ProcessVerbs

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Mapping
    from pathlib import Path

T = TypeVar("T")
_ENDINGS = 50
_WORTH_S = 0.1
"""A wait is not extended by less."""
_FOR_ANSWERS = 10
"""How many tries the end waits for an unanswered write: one that a fault holds is never answered."""


@dataclass(frozen=True, slots=True)
class _Pending:
    """A claim that is not closed yet.

    Attributes:
        number: of the claim in the history.
        opened_s: when it was made.
        forget: ends its look at each record.
        queued: how long each thread had waited for a processor when it was made (``Cell.queued``).
    """

    number: int
    judgement: Judgement
    opened_s: float
    forget: Callable[[], None]
    queued: Queued


class World:
    """What one scenario can do and see: its history, its claims and their verdict, objects of any resource.

    All verbs block until they are done; only ``claim`` waits for the implementation.

    Attributes:
        requirement: the id that the scenario tests.
        scale: the factor of all deadlines.
        step: the step that runs, as it is written.
        sets_up: it is a Given or a When: what it claims are preconditions.
        judged: every claim so far with its finding.
        conclusion: what all was found to come to; None before the end.
        ended: how many records there were when all was judged; None before.
        faults: what goes wrong on purpose.
        process: the implementation's process.
    """

    def __init__(
        self,
        cell: Cell,
        *,
        requirement: str,
        sentences: Mapping[str, str],
        scale: float,
        witnesses: Witnesses | None = None,
        spool: Path | None = None,
        needed_s: Mapping[str, float] | None = None,
        longest_backoff_s: float = 0.0,
        most_s: float | None = None,
        origin: Origin | None = None,
        excused: Excused = nothing_excused,
    ) -> None:
        """Begin a scenario in a cell.

        Args:
            cell: where it plays.
            requirement: the id that the scenario tests.
            sentences: the sentence of every requirement that the implementation is judged by.
            scale: the factor of all deadlines.
            witnesses: on what the implementation shows that it is alive; None: the steps see to that.
            spool: where the history is written as it happens; None: it is kept in memory.
            needed_s: how long each claim took the sound implementation of which this is a wrong copy.
            longest_backoff_s: how long the implementation may wait before it retries.
            most_s: how long a claim waits at most, where an answer that may be wrong will do.
            origin: of what the history is.
            excused: whether a deviation covers a breach.
        """
        self._excused = excused
        self._cell = cell
        self._witnesses = witnesses
        self._owes_proof = False
        self._sentences = sentences
        self.requirement = requirement
        self.scale = scale
        self._needed_s = needed_s or {}
        self._longest_backoff_s = longest_backoff_s
        self._most_s = most_s
        self.step = ""
        self.sets_up = False
        self.judged: list[Judged] = []
        self.conclusion: Conclusion | None = None
        self.ended: int | None = None
        self._claims = itertools.count(1)
        self._given_up: asyncio.Future[None] | None = None
        self._marks: dict[str, int] = {}
        self._attending: set[asyncio.Task[Any]] = set()
        self._staying: list[_Pending] = []
        self._verbs: dict[Callable[..., Any], Any] = {}
        self._before_accusing: list[Callable[[], None]] = []
        self._before_the_end: list[Callable[[], None]] = []
        self._scene = self.do(cell.begin(time_scale=scale, spool=spool, origin=origin))
        self.faults = Faults(cell, self._scene)
        self.process = ProcessVerbs(cell, self._scene, self.lack)

    def do(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the cell and wait for it."""
        return self._cell.call(coroutine)

    def verbs(self, make: Callable[[Self], T]) -> T:
        """The verbs of a profile in this scenario, which ``make`` makes at the first call."""
        if make not in self._verbs:
            self._verbs[make] = make(self)
        made: T = self._verbs[make]
        return made

    def before_accusing(self, see: Callable[[], None]) -> None:
        """Call this before a claim that does not hold accuses: it sees that all is as the steps made it."""
        self._before_accusing.append(see)

    def before_the_end(self, settle: Callable[[], None]) -> None:
        """Call this before the whole history is judged: it waits for what has to come to rest."""
        self._before_the_end.append(settle)

    @property
    def cell(self) -> Cell:
        """Where the scenario plays."""
        return self._cell

    @property
    def scene(self) -> ScenarioRun:
        """The scenario's history, namespace and faults."""
        return self._scene

    @property
    def api(self) -> Api:
        """The harness's own way to the API server, for what no other verb does; its requests go to ``do``."""
        return self._cell.api

    @property
    def seen(self) -> Observed:
        """What was observed so far."""
        return self._scene.seen

    def begin_step(self, text: str, *, sets_up: bool) -> None:
        """Begin a step; what a Given or a When changes, no claim from before has to outlast.

        Watches of two resources are not equally quick: the Job may be observed as suspended while a pod that
        was deleted before still looks active. A Given or a When would choose that pod, and a Then would begin
        with it. So the recorder catches up before each Given and When, and before the first Then after one:
        what a verb changes need not be waited for at its end.

        Args:
            text: the step as it is written.
            sets_up: it is a Given or a When.
        """
        if sets_up:
            self.do(self._close_staying())
        if self.step and (sets_up or self.sets_up):
            self.do(self._cell.catch_up())
        self.step, self.sets_up = text, sets_up
        self.do(self._note(StepBegan(text)))

    async def _note(self, entry: StepBegan | Ended) -> None:
        self._scene.history.append(entry)

    def claim(self, claim: Claim) -> None:
        """Wait until a claim about the implementation is decided; one that has to stay is decided later.

        Raises:
            Unmet: it does not hold, and speaks of the scenario's own requirement.
            Inconclusive: it does not hold, but is no failure: it is a precondition, or what it rests on has
                not arisen; or it was given up.
            HarnessError: the harness or the cluster broke meanwhile, or a gang is not what it was made as.
        """
        if not claim.waits or claim.limit == "now":
            self.do(self._cell.catch_up())  # else it would be judged by what was before the last step
        made = self._made(claim)
        capped = made.capped(self._needed_s.get(made.text)).at_most(self._most_s)
        patient = capped == made
        if claim.quantifier is Quantifier.STAYS:
            judged, waited = self.do(self._claim_to_stay(capped, patient=patient)), True
            self._owes_proof = True  # what stays so has to stay so until then
        else:
            judged, waited = self.do(self._claim(capped, patient=patient))
        if judged is None:
            return
        self.judged.append(judged)
        if judged.outcome == "held":
            if judged.claim.role is Role.JUDGED and not waited:
                self._ask_for_proof(judged.claim)
            return
        for see in self._before_accusing:
            see()
        concluded = self.concluded()
        if concluded.verdict is not Verdict.PASSED:  # what breaks another requirement ends no scenario
            raise self._ended(concluded)

    def wait(self, claim: Claim, patience: float = 1.0) -> Judged:
        """Wait for a claim without judging by it, for ``patience`` times its limit."""
        made = self._made(replace(claim, role=Role.WAITED))
        patient = replace(made, limit_s=made.limit_s * patience)
        judged, _ = self.do(self._claim(patient, patient=True))
        self.judged.append(judged)
        return judged

    def _made(self, claim: Claim) -> Claim:
        """The claim with its limit in seconds, as the step that runs makes it and the history keeps it."""
        scaled = claim.as_kept().scaled(self.scale, self.requirement, self._longest_backoff_s)
        return scaled.of_step(self.step, precondition=self.sets_up)

    def _ask_for_proof(self, claim: Claim) -> None:
        """See that the implementation is alive where nothing had to happen for a claim to hold (ADR 0010).

        After a window it has to show that at once, if it can: while it is killed, waits for a reply or is not
        shown what there is, it can work on nothing. Then, and after any other claim, the end is soon enough.

        Raises:
            Inconclusive: it does not.
        """
        if not self._witnesses:
            return
        window = claim.quantifier in {Quantifier.ALWAYS, Quantifier.NEVER}
        if window and self._witnesses.can_be_seen() and not self._scene.holding:
            self._see_alive(self._witnesses)
        else:
            self._owes_proof = True

    def _see_alive(self, witnesses: Witnesses) -> None:
        name, watching = self.do(witnesses.call(self._scene))
        try:
            self.claim(proof(works_on(witness=name)))
        finally:
            self.do(witnesses.dismiss(name, watching))
        self._owes_proof = False

    async def _let_all_pass(self) -> None:
        """No fault is in force any more, the views catch up, and what a step has killed runs again."""
        self._scene.act(ALL_FAULTS_END)
        self._scene.lift_all()
        self._cell.proxy.let_all_pass()
        if not self._cell.alive and not self._cell.exited:
            await self._cell.start()

    async def _claim(self, claim: Claim, *, patient: bool) -> tuple[Judged, bool]:
        """The claim with its finding, and whether something had to happen for it to hold."""
        pending, waited = await self._until_decided(claim, patient=patient)
        return await self._close(pending), waited

    async def _claim_to_stay(self, claim: Claim, *, patient: bool) -> Judged | None:
        """The claim with its finding; None while it has come about and has to stay so."""
        pending, _ = await self._until_decided(claim, patient=patient)
        if pending.judgement.came_s is None:
            return await self._close(pending)
        self._staying.append(pending)
        return None

    async def _until_decided(self, claim: Claim, *, patient: bool) -> tuple[_Pending, bool]:
        """The claim when it is decided, has come about or is over, and whether it had to be waited for.

        Where there was no processor for a while, any claim is waited for that much longer.

        Args:
            claim: what is waited for.
            patient: pods that are rightfully delayed are waited for beyond its limit.
        """
        scene, number = self._scene, next(self._claims)
        before = self._cell.queued() if claim.waits else {}
        judgement = Judgement(claim, len(scene.history))
        decided: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def look(_: object) -> None:
            if judgement.finding is None:
                judgement.look(scene.seen)
            if not decided.done() and (judgement.finding or judgement.came_s is not None):
                decided.set_result(None)

        forget = scene.history.listen(look)
        opened = scene.history.append(ClaimOpened(number, claim.to_json()))
        waited = claim.waits and not decided.done()
        self._given_up = asyncio.get_running_loop().create_future()
        either = (decided, scene.trouble, self._given_up)
        limit_s = claim.limit_s
        while not await self._in_time(claim, limit_s, either):
            limit_s = self._longer_s(judgement, before)
            if limit_s < _WORTH_S:
                limit_s = judgement.due_s(scene.seen) - scene.history.now_s if patient else 0.0
                if limit_s <= 0:
                    break
        if self._given_up.done() and not decided.done():
            forget()
            scene.act("gives up waiting")
            scene.history.append(ClaimClosed(number))
            raise Inconclusive(f"not waited for any longer: {claim.sentence}")
        return _Pending(number, judgement, opened.at_s, forget, before), waited

    def _longer_s(self, judgement: Judgement, before: Queued) -> float:
        """For how much longer to wait, as until now there was no processor for so long (ADR 0035)."""
        if not judgement.claim.waits:
            return 0.0
        given_s = judgement.extended_s
        judgement.starved_s = round(queued_since(before, self._cell.queued()), 3)
        return judgement.extended_s - given_s

    async def _close(self, pending: _Pending) -> Judged:
        """A claim with its finding, when its window ends here."""
        scene, judgement = self._scene, pending.judgement
        pending.forget()
        closed = scene.history.append(ClaimClosed(pending.number, judgement.starved_s))
        self._see_trouble()
        finding = explain(judgement, scene.seen, self._sentence_of(judgement.claim))
        if not finding.holds:
            await self._cell.check()
        return Judged.of(judgement, finding, scene.seen, opened_s=pending.opened_s, closed_s=closed.at_s)

    async def _close_staying(self) -> None:
        """Decide the claims that had to stay so until now."""
        if not self._staying:
            return
        await self._cell.catch_up()
        while self._staying:
            pending = self._staying.pop(0)
            await self._let_settle(pending)
            self.judged.append(await self._close(pending))

    async def _let_settle(self, pending: _Pending) -> None:
        """Wait until what has to be so in the end is so, if it is not: for what is left of its time."""
        judgement, scene = pending.judgement, self._scene
        if not judgement.claim.settles:
            return
        settled: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def look(_: object) -> None:
            if not settled.done() and not judgement.in_vain:
                settled.set_result(None)

        forget = scene.history.listen(look)
        look(None)
        over_s = max(judgement.due_s(scene.seen), pending.opened_s + judgement.claim.limit_s)
        left_s = max(0.0, over_s - scene.history.now_s)
        while not await self._in_time(judgement.claim, left_s, (settled, scene.trouble)):
            left_s = self._longer_s(judgement, pending.queued)
            if left_s < _WORTH_S:
                break
        forget()

    def give_up(self) -> None:
        """Wait no longer for the claim that is waited for, if one is; to be called in the cell's loop."""
        if self._given_up and not self._given_up.done():
            self._given_up.set_result(None)

    async def _in_time(self, claim: Claim, limit_s: float, either: Iterable[asyncio.Future[Any]]) -> bool:
        """Wait until one of these is done, or the time of the claim is over; returns whether one is.

        What has to come about is waited for from when the implementation is ready: a fault may kill it, and
        how long the next one takes to start is no reaction. Its caller sees to it that this ends.
        """
        clock, processes = asyncio.get_running_loop().time, self._scene.seen.processes
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limit_s) as timer:

                def look(record: Record) -> None:
                    match record.entry:
                        case ProcessChange(what="started"):
                            timer.reschedule(None)
                        case ProcessChange(what="ready"):
                            timer.reschedule(clock() + claim.limit_s)

                forget = None
                if claim.waits and claim.limit_s:
                    forget = self._scene.history.listen(look)
                    if processes and processes[-1][1].what == "started":
                        timer.reschedule(None)
                try:
                    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    if forget:
                        forget()
        return any(one.done() for one in either)

    def _sentence_of(self, claim: Claim) -> str:
        return self._sentences.get(claim.requirement, "")

    def _see_trouble(self) -> None:
        """End the scenario as errored if the harness broke meanwhile, a fact for instance."""
        if not self._scene.trouble.done():
            return
        trouble = self._scene.trouble.result()
        if isinstance(trouble, FactBroke):
            raise trouble
        raise HarnessError(f"the harness broke: {trouble}") from trouble

    def concluded(self, breaches: Iterable[Finding] = ()) -> Conclusion:
        """What all claims so far, and these breaches of invariants, come to."""
        if around := evaded(self.seen.around):
            return around
        return conclude(self.requirement, self.judged, breaches, self._scene.unfired, self._excused)

    def _ended(self, concluded: Conclusion) -> Unmet | Inconclusive:
        if concluded.unmet:
            return Unmet(concluded.unmet)
        return Inconclusive(concluded.reason)

    def finish(self, *, stopped: bool) -> None:
        """Judge what needs no claim: the invariants over the whole history, and that faults were triggered.

        Args:
            stopped: a claim has ended the scenario already.

        Raises:
            Unmet: an invariant of the scenario's own requirement is broken.
            Inconclusive: a fault was never triggered, so that the scenario has shown nothing.
            HarnessError: the harness or the cluster broke.
        """
        self.step, self.sets_up = "", False
        if not stopped:
            for settle in self._before_the_end:
                settle()
        if self._witnesses and self._owes_proof and not stopped:
            self.do(self._let_all_pass())
            with contextlib.suppress(Inconclusive):  # what the history breaks weighs more
                self._see_alive(self._witnesses)
        self.do(self._close_staying())
        self.do(self._cell.check())
        self.ended = self.do(self._end())
        self._see_trouble()
        seen = observe(self._scene.history.until(self.ended))
        self.conclusion = self.concluded(breaches(seen, self._sentences, self._excused))
        if self.conclusion.verdict is Verdict.ERRORED:
            raise HarnessError(self.conclusion.reason)
        if not stopped and self.conclusion.verdict is not Verdict.PASSED:
            raise self._ended(self.conclusion)

    async def _end(self) -> int:
        """The end of what is judged.

        Pods and jobs are recorded by two watches: the history may not end where a change of the one is in and
        an earlier one of the other is not, nor where of a write only the answer is in, or only the change. An
        implementation that writes on and on is not waited for.
        """
        await self._cell.last_look()
        await self._cell.audit()
        scene = self._scene
        for tried in range(_ENDINGS):
            whole_to = await self._cell.catch_up()
            newest = [
                max(self.seen.newest_revision(it), scene.newest_written(it)) for it in self._cell.recorded
            ]
            if max(newest, default=0) <= whole_to and (tried > _FOR_ANSWERS or not scene.writing):
                break
        await self._note(Ended())
        return len(self._scene.history)

    def mark(self, name: str) -> None:
        """Remember the present moment under a name."""
        self._marks[name] = self.seen.last

    def since(self, name: str) -> int:
        """The number of the newest record at a remembered moment; the beginning if there was none."""
        return self._marks.get(name, -1)

    def resource(self, name: str) -> Resource:
        """The resource that a scenario means by a plural (``pods``): one of those whose changes are recorded.

        Raises:
            HarnessError: there is none: the sentence names something else.
        """
        found = [resource for resource in self._cell.recorded if resource.named(name)]
        if len(found) != 1:
            known = ", ".join(resource.plural for resource in self._cell.recorded)
            raise HarnessError(f"a scenario cannot name {name!r}: it is one of {known}")
        return found[0]

    def path(self, resource: Resource, name: str = "") -> str:
        """The URL path of a resource, or of an object of it, in the scenario's namespace."""
        return resource.path(self._scene.namespace, name)

    def create(self, resource: Resource, body: Json) -> Json:
        """Create an object in the scenario's namespace; returns it as it is stored."""
        made: Json = self.do(self._cell.api.create(self.path(resource), body))
        self.do(self._cell.see(resource, [made]))
        return made

    def create_in_cluster(self, resource: Resource, name: str, body: Json) -> str:
        """Create a cluster-scoped object of the scenario's own; returns its full name.

        The cell's name in it and the labels show it to the cell's implementation and to no other one.
        """
        full = f"{self._scene.namespace}-{name}"
        labels = {CELL_LABEL: self._cell.name, SCENE_LABEL: self._scene.namespace}
        whole = {**body, "metadata": {"name": full, "labels": labels}}
        self.do(self._cell.belongings.make(resource.path(), whole))
        return full

    def patch(self, resource: Resource, name: str, change: Json, *, content_type: str = MERGE_PATCH) -> None:
        """Change an object of the scenario's namespace by a patch of that type.

        Raises:
            Inconclusive: it is gone: the implementation, or a time to live, was quicker than the step.
        """
        path = self.path(resource, name)
        made = self.do(self._cell.api.patch(path, change, content_type=content_type, missing_ok=True))
        self.found(made or None, f"{resource.plural}/{name}")
        self.do(self._cell.see(resource, [made]))

    def remove(self, resource: Resource, name: str, *, propagation: str = "") -> None:
        """Delete an object of the scenario's namespace; Foreground: once what it owns is gone."""
        options = {"propagationPolicy": propagation} if propagation else {}
        self.do(self._cell.api.delete(self.path(resource, name), **options))
        self.do(self._cell.catch_up(resource))

    def release(self, path: str) -> None:
        """Take the finalizers off a deleted object: what holds it back is not what the scenario is about."""
        self.do(self._cell.api.patch(path, {"metadata": {"finalizers": None}}, missing_ok=True))

    def attend(self, resource: Resource, answer: Callable[[], Json | None]) -> None:
        """Change each object of a resource as soon as it is made, as another controller would.

        Args:
            resource: one whose changes are recorded.
            answer: the change, as a JSON merge patch; None: there is none now.
        """

        def look(record: Record) -> None:
            match record.entry:
                case Change(type="ADDED", resource=of, object=made) if of == resource and (it := answer()):
                    path = self.path(resource, made["metadata"]["name"])
                    task = asyncio.create_task(self._cell.api.patch(path, it, missing_ok=True))
                    self._attending.add(task)
                    task.add_done_callback(self._attending.discard)

        self._scene.history.listen(look)

    def records(self, resource: Resource) -> bool:
        """Whether changes of a resource are in the scenario's history."""
        return resource in self._cell.recorded

    def act(self, text: str, **about: Any) -> None:
        """Record what a step makes happen."""

        async def act() -> None:
            self._scene.act(text, **about)

        self.do(act())

    def found(self, thing: T | None, what: str) -> T:
        """What a step is about, where it is there.

        Raises:
            Inconclusive: it is not: the implementation did not bring it about, or has taken it away.
        """
        if thing is None:
            self.lack(what)
        return thing

    def lack(self, what: str) -> NoReturn:
        """End the scenario, as a step looks in vain for what the implementation was to bring about.

        Raises:
            Inconclusive: always, unless what was seen until now says more.
        """
        self.act(f"{VAIN}{what}", **{LACKS: what})
        self.claim(now(step_finds(what=what), precondition=True))
        raise Inconclusive(f"a step does not find {what}")

    def let_pass(self, seconds: float) -> None:
        """Let time pass, where time itself is what happens (a deadline, the full second of a timestamp)."""
        self.do(self._scene.let_pass(seconds))
