"""The World: what one scenario can do and see. Steps parse a sentence and call one verb of it."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING, Any, TypeVar

from batchproof.errors import HarnessError
from batchproof.judgement.claims import Judged, Judgement, Role, eventually, explain, grounded, proof
from batchproof.judgement.conclusion import conclude
from batchproof.judgement.facts.pods import active_pods
from batchproof.judgement.facts.writes import works_on
from batchproof.judgement.faults import view_fault, watches_fault
from batchproof.judgement.finding import FactBroke, Inconclusive, Unmet
from batchproof.judgement.forms import Quantifier
from batchproof.judgement.history import ClaimClosed, ClaimOpened
from batchproof.judgement.invariants import breaches
from batchproof.judgement.observed import observe
from batchproof.judgement.template import JOB
from batchproof.judgement.verdict import Verdict
from batchproof.labels import CELL_LABEL, SCENE_LABEL, SIMULATED_SCHEDULER, TRACKING_FINALIZER
from batchproof.proxy.transport import GONE
from batchproof.resources import JOBS, PODS
from batchproof.world.gangs import Gangs

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable, Mapping
    from pathlib import Path

    from batchproof.cell import Cell, Scene
    from batchproof.cell.witness import Witnesses
    from batchproof.judgement.claims import Claim
    from batchproof.judgement.conclusion import Conclusion
    from batchproof.judgement.faults import Fault
    from batchproof.judgement.finding import Finding
    from batchproof.judgement.history import Json
    from batchproof.judgement.observed import Observed
    from batchproof.judgement.things.batch import Job
    from batchproof.judgement.things.core import Pod
    from batchproof.resources import Resource

T = TypeVar("T")
_ENDINGS = 50


class World:
    """The verbs of the steps. All block until they are done; only ``claim`` waits for the implementation.

    Attributes:
        requirement: the id that the scenario tests.
        scale: the factor of all deadlines.
        step: the step that runs, as it is written.
        sets_up: it is a Given or a When: what it claims are preconditions.
        judged: every claim so far with its finding.
        conclusion: what all was found to come to; None before the end.
        ended: how many records there were when all was judged; None before.
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
        """
        self._cell = cell
        self._witnesses = witnesses
        self._owes_proof = False
        self._sentences = sentences
        self.requirement = requirement
        self.scale = scale
        self._needed_s = needed_s or {}
        self.step = ""
        self.sets_up = False
        self.judged: list[Judged] = []
        self.conclusion: Conclusion | None = None
        self.ended: int | None = None
        self._claims = itertools.count(1)
        self._gangs: Gangs | None = None
        self._marks: dict[str, int] = {}
        self._scene = self.do(cell.begin(time_scale=scale, spool=spool))

    def do(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the cell and wait for it."""
        return self._cell.call(coroutine)

    @property
    def scene(self) -> Scene:
        """The scenario's history, namespace and faults."""
        return self._scene

    @property
    def seen(self) -> Observed:
        """What was observed so far."""
        return self._scene.seen

    @property
    def gangs(self) -> Gangs:
        """The verbs about nodes, gangs and queues.

        Raises:
            HarnessError: the implementation's descriptor has no dialect.
        """
        if self._gangs is None:
            if self._cell.dialect is None:
                raise HarnessError("the descriptor has no dialect: how is a gang spelled for it?")
            self._gangs = Gangs(self, self._cell, self._cell.dialect)
        return self._gangs

    # -- claims

    def claim(self, claim: Claim) -> None:
        """Wait until a claim about the implementation is decided.

        Raises:
            Unmet: it does not hold, and speaks of the scenario's own requirement.
            Inconclusive: it does not hold, but accuses nobody: it is a precondition, or what it rests on has
                not arisen.
            HarnessError: the harness or the cluster broke meanwhile, or a gang is not what it was made as.
        """
        made = claim.scaled(self.scale, self.requirement).of_step(self.step, precondition=self.sets_up)
        judged, waited = self.do(self._claim(made.hurried(self._needed_s.get(made.text))))
        self.judged.append(judged)
        if judged.outcome == "held":
            if judged.claim.role is Role.JUDGED and not waited:
                self._ask_for_proof(judged.claim)
            return
        if self._gangs:  # something may have changed a minimum since it was last read back
            self.do(self._cell.catch_up())
            self._gangs.see_minimums()
        concluded = self.concluded()
        if concluded.verdict is not Verdict.PASSED:  # what breaks another requirement ends no scenario
            raise self._ended(concluded)

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
        self._scene.act("all faults end")
        self._scene.lift_all()
        self._cell.proxy.reachable = True
        self._cell.proxy.gates.reset()
        if not self._cell.instance.alive and not self._cell.exited:
            await self._cell.start()

    async def _claim(self, claim: Claim) -> tuple[Judged, bool]:
        """The claim with its finding, and whether something had to happen for it to hold."""
        scene, number = self._scene, next(self._claims)
        judgement = Judgement(claim, len(scene.history))
        decided: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def look(_: object) -> None:
            if not decided.done() and judgement.look(scene.seen):
                decided.set_result(None)

        forget = scene.history.listen(look)
        opened = scene.history.append(ClaimOpened(number, claim.to_json()))
        waited = claim.quantifier is Quantifier.EVENTUALLY and not decided.done()
        either: tuple[asyncio.Future[Any], ...] = (decided, scene.trouble)
        await asyncio.wait(either, timeout=claim.limit_s, return_when=asyncio.FIRST_COMPLETED)
        forget()
        closed, struck = scene.history.append(ClaimClosed(number)), grounded(scene.seen)
        self._see_trouble()
        finding = explain(judgement, scene.seen, self._sentence_of(claim))
        if not finding.holds:
            await self._cell.check()
        return Judged(claim, finding, opened.at_s, closed.at_s, struck), waited

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
        return conclude(self.requirement, self.judged, breaches, self._scene.unfired)

    def _ended(self, concluded: Conclusion) -> Unmet | Inconclusive:
        if concluded.unmet:
            return Unmet(concluded.unmet)
        return Inconclusive(concluded.reason)

    def finish(self, *, stopped: bool) -> None:
        """Judge what needs no asking: the invariants over the whole history, and that each fault struck.

        Args:
            stopped: a claim has ended the scenario already.

        Raises:
            Unmet: an invariant of the scenario's own requirement is broken.
            Inconclusive: a fault never struck, so that the scenario has shown nothing.
            HarnessError: the harness or the cluster broke.
        """
        self.step, self.sets_up = "", False
        if self._gangs and not stopped:
            self._gangs.settle()
        if self._witnesses and self._owes_proof and not stopped:
            self.do(self._let_all_pass())
            self._see_alive(self._witnesses)
        self.do(self._cell.check())
        self.ended = self.do(self._end())
        self._see_trouble()
        seen = observe(self._scene.history.until(self.ended))
        self.conclusion = self.concluded(breaches(seen, self._sentences))
        if not stopped and self.conclusion.verdict is not Verdict.PASSED:
            raise self._ended(self.conclusion)

    async def _end(self) -> int:
        """The end of what is judged.

        Pods and jobs are recorded by two watches: the history may not end where a change of the one is in and
        an earlier one of the other is not. An implementation that writes on and on is not waited for.
        """
        await self._cell.last_look()
        for _ in range(_ENDINGS):
            whole_to = await self._cell.catch_up()
            if all(self.seen.newest_revision(it) <= whole_to for it in self._cell.recorded):
                break
        return len(self._scene.history)

    # -- marks: what is claimed "since then"

    def mark(self, name: str) -> None:
        """Remember the present moment under a name."""
        self._marks[name] = self.seen.last

    def since(self, name: str) -> int:
        """The number of the newest record at a remembered moment; the beginning if there was none."""
        return self._marks.get(name, -1)

    # -- objects

    def resource(self, name: str) -> Resource:
        """The resource that a scenario means by a plural (``pods``): one of those whose changes are recorded.

        Raises:
            HarnessError: there is none: the sentence names something else.
        """
        found = [resource for resource in self._cell.recorded if resource.named(name)]
        if len(found) != 1:
            known = ", ".join(resource.plural for resource in self._cell.recorded)
            raise HarnessError(f"a scenario cannot speak of {name!r}: it is one of {known}")
        return found[0]

    def _path(self, resource: Resource, name: str = "") -> str:
        return resource.path(self._scene.namespace, name)

    def create(self, resource: Resource, body: Json) -> Json:
        """Create an object in the scenario's namespace; returns it as it is stored."""
        made: Json = self.do(self._cell.api.create(self._path(resource), body))
        self.do(self._cell.catch_up())
        return made

    def create_in_cluster(self, resource: Resource, name: str, body: Json) -> str:
        """Create a cluster-scoped object of the scenario's own; returns its full name.

        The cell's name in it and the labels show it to the cell's implementation and to nobody else's.
        """
        full = f"{self._scene.namespace}-{name}"
        labels = {CELL_LABEL: self._cell.name, SCENE_LABEL: self._scene.namespace}
        whole = {**body, "metadata": {"name": full, "labels": labels}}
        self.do(self._cell.belongings.make(resource.path(), whole))
        return full

    def patch(self, resource: Resource, name: str, change: Json) -> None:
        """Change an object of the scenario's namespace by a JSON merge patch."""
        self.do(self._cell.api.patch(self._path(resource, name), change))
        self.do(self._cell.catch_up())

    def remove(self, resource: Resource, name: str) -> None:
        """Delete an object of the scenario's namespace."""
        self.do(self._cell.api.delete(self._path(resource, name)))
        self.do(self._cell.catch_up())

    def create_job(
        self,
        name: str = JOB,
        *,
        restart_policy: str = "Never",
        selector: str = "",
        finalizer: str = "",
        pod: Json | None = None,
        **spec: Any,
    ) -> None:
        """Create a Job; ``spec`` is in the words of the API (``completions=3``).

        With a ``selector`` the Job knows its pods by that group, as other Jobs may too, not by its own UID.
        With a ``finalizer`` of another client it stays there while it is being deleted. ``pod`` replaces
        fields of the pod template's spec.
        """
        pod_spec = {
            "restartPolicy": restart_policy,
            "terminationGracePeriodSeconds": 30,
            "schedulerName": SIMULATED_SCHEDULER,
            "containers": [{"name": "main", "image": "batchproof.dev/simulated"}],
            "tolerations": [{"key": "batchproof.dev/simulated", "operator": "Exists"}],
        }
        pod_spec |= pod or {}
        group = {"batchproof.dev/group": selector} if selector else {}
        if selector:
            spec |= {"manualSelector": True, "selector": {"matchLabels": group}}
        if manager := self._cell.managed_by:
            spec["managedBy"] = manager
        template = {"metadata": {"labels": {"app": name, **group}}, "spec": pod_spec}
        body = {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": {"name": name, "finalizers": [finalizer] if finalizer else []},
            "spec": {"template": template, **spec},
        }
        fields = ", ".join(f"{key}={value}" for key, value in spec.items())
        self.act(f"creates Job {name} {fields}".rstrip())
        self.do(self._cell.api.create(self._path(JOBS), body))

    def create_real_job(self, count: int, *, succeeds: bool) -> None:
        """Create a Job whose pods a real kubelet runs: ``count`` at once, and no second try."""
        image = self.do(self._cell.belongings.real_image())
        command = ["/pause", "-v"] if succeeds else ["/there-is-no-such-program"]
        container = {"name": "main", "image": image, "command": command, "imagePullPolicy": "Never"}
        pod = {
            "schedulerName": "default-scheduler",
            "automountServiceAccountToken": False,
            "tolerations": [],
            "containers": [container],
        }
        self.create_job(pod=pod, completions=count, parallelism=count, backoffLimit=0)

    def patch_job(self, name: str = JOB, **spec: Any) -> None:
        """Change a Job's spec."""
        fields = ", ".join(f"{key}={value}" for key, value in spec.items())
        self.act(f"changes Job {name}: {fields}")
        self.do(self._cell.api.patch(self._path(JOBS, name), {"spec": spec}))

    def label_job(self, name: str, labels: Json) -> None:
        """Change labels of a Job: another client's write that raises its resourceVersion."""
        self.act(f"labels Job {name}")
        self.do(self._cell.api.patch(self._path(JOBS, name), {"metadata": {"labels": labels}}))

    def delete_job(self, name: str = JOB, *, propagation: str = "Background") -> None:
        """Delete a Job with a propagation policy: Background, Foreground or Orphan."""
        self.act(f"deletes Job {name} ({propagation})")
        self.do(self._cell.api.delete(self._path(JOBS, name), propagationPolicy=propagation))

    def create_pod(self, name: str, **metadata: Any) -> None:
        """Create a pod that no controller made, with labels, finalizers, ownerReferences as given."""
        spec = {
            "restartPolicy": "Never",
            "schedulerName": SIMULATED_SCHEDULER,
            "containers": [{"name": "main", "image": "batchproof.dev/simulated"}],
        }
        body = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name, **metadata},
            "spec": spec,
        }
        self.act(f"creates pod {name}")
        self.do(self._cell.api.create(self._path(PODS), body))
        self.do(self._cell.catch_up())

    def give_pod(self, name: str, *, job: str = JOB) -> None:
        """Create a pod and make a Job its controller, as if the implementation had made and tracked it."""
        owner = self.job(job)
        self.create_pod(name, labels=owner.spec["template"]["metadata"]["labels"])
        reference: Json = {"apiVersion": "batch/v1", "kind": "Job", "name": job, "uid": owner.uid}
        reference |= {"controller": True, "blockOwnerDeletion": True}
        metadata = {"ownerReferences": [reference], "finalizers": [TRACKING_FINALIZER]}
        self.do(self._cell.api.patch(self._path(PODS, name), {"metadata": metadata}))

    def patch_pod(self, pod: Pod, metadata: Json) -> None:
        """Change a pod's metadata as a user would."""
        self.act(f"changes pod {pod.name}: {metadata}")
        self.do(self._cell.api.patch(self._path(PODS, pod.name), {"metadata": metadata}))

    def add_finalizer(self, pods: list[Pod], finalizer: str) -> None:
        """Put another client's finalizer on pods as they are observed; a pod that has changed is refused."""
        for pod in pods:
            version = pod.metadata["resourceVersion"]
            self.patch_pod(pod, {"resourceVersion": version, "finalizers": [*pod.finalizers, finalizer]})
        self.do(self._cell.catch_up())

    def delete_pods(self, pods: list[Pod], *, grace_s: int | None = None) -> None:
        """Delete pods as a user would."""
        options = {} if grace_s is None else {"gracePeriodSeconds": grace_s}
        for pod in pods:
            self.act(f"deletes pod {pod.name}")
            self.do(self._cell.api.delete(self._path(PODS, pod.name), **options))
        self.do(self._cell.catch_up())

    def wipe_pods(self, pods: list[Pod]) -> None:
        """Make pods vanish as a user can who insists: finalizers taken off, deleted without grace."""
        for pod in pods:
            self.patch_pod(pod, {"finalizers": None})
        self.delete_pods(pods, grace_s=0)

    def act(self, text: str, **about: Any) -> None:
        """Record what a step makes happen."""

        async def act() -> None:
            self._scene.act(text, **about)

        self.do(act())

    def let_pass(self, seconds: float) -> None:
        """Let time pass, where time itself is what happens (a deadline, the full second of a timestamp)."""

        async def wait() -> None:
            self._scene.act(f"{seconds:g} s pass")
            await asyncio.sleep(seconds)

        self.do(wait())

    # -- pods

    def job(self, name: str = JOB) -> Job:
        """The Job as it is observed now.

        Raises:
            HarnessError: there is none: a step of the scenario is missing.
        """
        found = self.seen.job(name)
        if found is None:
            raise HarnessError(f"the scenario has no Job {name} now")
        return found

    def active(self, count: int | None = None, *, job: str = JOB) -> list[Pod]:
        """The oldest ``count`` active pods of a Job (all if None); waits until there are so many.

        Raises:
            Inconclusive: the implementation does not provide them in time.
        """
        if count is not None:
            self.claim(eventually(active_pods(job=job, at_least=count), precondition=True))
        pods = [pod for pod in self.seen.pods_of(self.seen.job(job)) if pod.active]
        return pods[:count]

    def pod(self, name: str) -> Pod:
        """The pod of that name as it is observed now.

        Raises:
            HarnessError: there is none: a step of the scenario is missing.
        """
        found = [pod for pod in self.seen.pods if pod.name == name]
        if not found:
            raise HarnessError(f"the scenario has no pod {name} now")
        return found[-1]

    def finished(self, count: int, *, job: str = JOB) -> list[Pod]:
        """The oldest ``count`` finished pods of a Job that are still there.

        Raises:
            HarnessError: there are not so many: a step of the scenario is missing.
        """
        return self._chosen(count, "finished", [p for p in self._pods_of(job) if p.finished])

    def terminating(self, count: int, *, job: str = JOB) -> list[Pod]:
        """The oldest ``count`` terminating pods of a Job.

        Raises:
            HarnessError: there are not so many: a step of the scenario is missing.
        """
        return self._chosen(count, "terminating", [p for p in self._pods_of(job) if p.terminating])

    def _pods_of(self, job: str) -> list[Pod]:
        return self.seen.pods_of(self.seen.job(job))

    def _chosen(self, count: int, what: str, pods: list[Pod]) -> list[Pod]:
        if len(pods) < count:
            raise HarnessError(f"the scenario has {len(pods)} {what} pods now, not {count}")
        return pods[:count]

    def run_pods(self, count: int | None = None, *, ready: bool = False, job: str = JOB) -> None:
        """The kubelet starts pods of a Job."""
        self._play(
            "start running", self.active(count, job=job), lambda pod: self._kubelet.run(pod, ready=ready)
        )

    def succeed_pods(self, count: int | None = None, *, job: str = JOB) -> None:
        """The kubelet reports active pods of a Job as Succeeded."""
        self._play("succeed", self.active(count, job=job), lambda pod: self._kubelet.end(pod, 0))

    def fail_pods(self, count: int | None = None, *, exit_code: int = 1, job: str = JOB) -> None:
        """The kubelet reports active pods of a Job as Failed."""
        self._play("fail", self.active(count, job=job), lambda pod: self._kubelet.end(pod, exit_code))

    def start_pods(self, pods: list[Pod]) -> None:
        """The kubelet starts particular pods; they are ready."""
        self._play("start running", pods, lambda pod: self._kubelet.run(pod, ready=True))

    def end_pods(self, pods: list[Pod], *, exit_code: int) -> None:
        """The kubelet reports the end of particular pods, also of some that are being deleted."""
        self._play(
            "succeed" if exit_code == 0 else "fail", pods, lambda pod: self._kubelet.end(pod, exit_code)
        )

    def lose_pods(self, count: int, *, job: str = JOB) -> None:
        """The node of pods is lost: their phase is Unknown."""
        self._play("become Unknown", self.active(count, job=job), self._kubelet.unknown)

    def hold_terminations(self) -> None:
        """Pods that are deleted stay terminating until ``terminate_pods``."""
        self._kubelet.terminates = False

    def terminate_pods(self) -> None:
        """The kubelet ends all pods that are being deleted."""
        self.act("pods that are being deleted end")
        self.do(self._kubelet.terminate_all())

    def keep_time(self) -> None:
        """The node's clock is right from now on (see ``kubelet.BEHIND_S``)."""
        self._kubelet.behind_s = 0

    @property
    def _kubelet(self) -> Any:
        return self._cell.kubelet

    def _play(self, what: str, pods: list[Pod], verb: Any) -> None:
        async def play() -> None:
            self._scene.act(f"{len(pods)} pods {what}: {', '.join(pod.name for pod in pods[:5])}")
            gate = asyncio.Semaphore(20)

            async def one(pod: Pod) -> None:
                async with gate:
                    await verb(pod)

            await asyncio.gather(*map(one, pods))
            await self._cell.catch_up()  # else the next step would take the same pods for active ones

        self.do(play())

    # -- the implementation

    def kill(self) -> None:
        """Kill the implementation with SIGKILL."""

        async def kill() -> None:
            self._cell.kill()

        self.do(kill())

    def start(self) -> None:
        """Start the implementation again."""
        self.do(self._cell.start())

    def keep_running(self) -> None:
        """Start the implementation again whenever it is killed from now on."""

        async def keep() -> None:
            self._cell.keep_running()

        self.do(keep())

    def restart(self) -> None:
        """Kill the implementation and start it again."""
        self.kill()
        self.start()

    # -- faults

    def arm(self, fault: Fault) -> int:
        """Put a fault of requests in force; returns its number."""

        async def arm() -> int:
            return self._scene.arm(fault)

        return self.do(arm())

    def lift(self, *numbers: int) -> None:
        """Take faults of requests out of force (all if none is named); what they hold goes on."""

        async def lift() -> None:
            for number in numbers:
                self._scene.lift(number)
            if not numbers:
                self._scene.lift_requests()

        self.do(lift())

    def freeze(self, resource: Resource) -> None:
        """The implementation's view of a resource stands still until ``thaw``."""
        text = f"the view of {resource.plural} is frozen"
        self.do(self._withhold(text, resource, frozen=True, delay_s=0.0))

    def delay(self, resource: Resource, delay_s: float) -> None:
        """The implementation sees a resource late."""
        text = f"{resource.plural} are seen {delay_s:g} s late"
        self.do(self._withhold(text, resource, frozen=False, delay_s=delay_s))

    async def _withhold(self, text: str, resource: Resource, *, frozen: bool, delay_s: float) -> None:
        gate, scene = self._cell.proxy.gates.of(resource), self._scene
        number = scene.withhold(text, resource, view_fault(resource, frozen=frozen, delay_s=delay_s))
        gate.withheld = lambda: scene.fired(number)
        gate.delay_s = delay_s
        if frozen:
            gate.freeze()

    def thaw(self, resource: Resource) -> None:
        """The implementation's view of a resource catches up."""

        async def thaw() -> None:
            self._scene.act(f"the view of {resource.plural} catches up")
            self._scene.thaw(resource)
            self._cell.proxy.gates.of(resource).thaw()

        self.do(thaw())

    def close_watches(self, resource: Resource | None = None, *, gone: bool = False) -> None:
        """The server ends the watches of a resource (None: of all), with 410 Gone if ``gone``."""

        async def close() -> None:
            text = f"the server ends the watches{' of ' + resource.plural if resource else ''}"
            number = self._scene.announce(text, watches_fault(resource, gone=gone))
            if self._cell.proxy.gates.close_watches(resource, GONE if gone else b""):
                self._scene.fired(number)

        self.do(close())
