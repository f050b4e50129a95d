"""The verbs about gangs and their objects, in whatever dialect."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from batchproof.api.client import ApiError
from batchproof.cell.cluster_objects import PRIORITIES
from batchproof.descriptor.dialect import Spelling, filled, merged
from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import EVENTS, GANG_LABEL, JOBS, LEASES, PODS, ZONE_LABEL
from batchproof.judgement.claims import eventually
from batchproof.judgement.faults import Effect, Fault, LoseReply, On, answer
from batchproof.judgement.history import Json
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.values import counted
from batchproof.profiles.gang import sentences
from batchproof.profiles.gang.facts.gangs import nothing_in_part
from batchproof.profiles.gang.facts.groups import group_made
from batchproof.profiles.gang.specs import Amounts, GangSpec, PodSpec
from batchproof.profiles.gang.verbs.gang import Gang, KnownGangs
from batchproof.profiles.gang.verbs.nodes import Nodes
from batchproof.profiles.gang.verbs.pods import REFUSALS, GangPods
from batchproof.profiles.gang.verbs.queues import SHARED, Queues
from batchproof.profiles.gang.verbs.setting import Setting, dialect_of
from batchproof.profiles.gang.verbs.trees import Trees
from batchproof.profiles.gang.verbs.unseen import UNSEEN, Seen, changing
from batchproof.profiles.shared.objects.pods import gang_of
from batchproof.specification.verbs import verb
from batchproof.world import World

if TYPE_CHECKING:
    from collections.abc import Iterable

NOTHING_IN_PART = "GNG-003"
"""Judged at the end of every gang scenario: when all has come to rest, no gang is bound in part."""
REFUSED = "requests of the implementation go wrong"
"""Why scenarios with faults cannot be judged in place."""


class Gangs:
    """The gangs of one scenario.

    Before each claim about a gang its minimum is read back from the implementation's own object: a gang that
    something has changed is not judged.

    Attributes:
        dialect: how the implementation expresses gangs.
    """

    def __init__(self, world: World) -> None:
        self._world, self._cell, self._namespace = world, world.cell, world.scene.namespace
        self.dialect = dialect_of(world)
        self._setting = world.verbs(Setting)
        self._nodes = world.verbs(Nodes)
        self._queues = world.verbs(Queues)
        self._trees = world.verbs(Trees)
        self._gangs = world.verbs(KnownGangs)
        self._pods = world.verbs(GangPods)
        world.before_accusing(self._see_all_as_made)
        world.before_the_end(self.settle)

    def _see_all_as_made(self) -> None:
        """Something may have changed a gang's minimum since it was last read back."""
        self._world.do(self._cell.catch_up())
        self.see_minimums()

    @verb(sentences.GANG_IS)
    def add(self, gang: GangSpec) -> None:
        """Add a gang, with the pods that it has from the beginning.

        Raises:
            HarnessError: there is no such priority.
        """
        if gang.later:
            self._world.let_pass(1.2)  # creationTimestamp knows whole seconds only
        if gang.priority and gang.priority not in PRIORITIES:
            raise HarnessError(f"there is no priority {gang.priority!r}; there is {', '.join(PRIORITIES)}")
        queue = self._queues.full_name(gang.queue) if gang.queue else None
        priority = f"{self._cell.name}-{gang.priority}" if gang.priority else None
        self._gangs.all[gang.name] = Gang(gang, gang.minimum, queue, priority)
        if gang.made:
            self.make(gang.name)
        if gang.pods:
            self._pods.add_pods(gang.name, gang.pods)

    @verb("queue {queue:word} gets {count:d} gangs of a pod each{asking:with_memory}", not_in_place=SHARED)
    def add_small(self, queue: str, count: int, asking: Amounts) -> None:
        """Add gangs of one pod each to a queue."""
        for number in range(count):
            pods = PodSpec(asking=asking)
            self.add(GangSpec(name=f"{queue}-{number}", minimum=1, queue=queue, pods=pods))

    @verb(sentences.GROUP_CREATED)
    def make(self, name: str) -> None:
        """Create the object of a gang.

        Raises:
            HarnessError: something changed its minimum at once.
        """
        gang, group = self._gangs[name], self.dialect.group
        self._world.act(f"creates gang {name} with minimum {gang.minimum}", gang=name, minimum=gang.minimum)
        if group is None:
            return  # its pods make the gang
        body = self._object(gang, group)
        if self.dialect.minimum.of == "group":
            gang.asked[name] = self.dialect.minimum.of_object(body)
        try:
            made = self._world.do(self._cell.api.create(group.resource.path(self._namespace), body))
        except ApiError as error:
            if error.status not in REFUSALS or not self._pods.lacks_queue(gang, error):
                raise
            self._world.act(f"the group of gang {name} is refused: {error}")
            return
        self._gangs.made.add(name)
        self._world.do(self._cell.see(group.resource, [made]))
        self._see_minimum(gang, made)
        self._pods.create_refused(gang)

    def _object(self, gang: Gang, group: Spelling) -> Json:
        """The object of a gang, with all that it says of its pods.

        Raises:
            HarnessError: the dialect has no word for it.
        """
        spec = gang.spec
        spelled = self.dialect.loose if spec.loose else group
        if spelled is None or (spec.one_zone and not self.dialect.domain):
            raise HarnessError("the scenario needs the capability LooseGroups or TopologyConstraint")
        body = spelled.object({"name": gang.name}, **self._pods.values(gang))
        body = merged(body, self.dialect.whole) if spec.whole else body
        body = merged(body, filled(self._trees.spelled.child, {"parent": spec.tree})) if spec.tree else body
        return merged(body, filled(self.dialect.domain, {"label": ZONE_LABEL})) if spec.one_zone else body

    @verb("the group of gang {name:gang} is deleted")
    def delete(self, name: str) -> None:
        """A user deletes the object of a gang, and nothing holds it back.

        Raises:
            HarnessError: gangs have no object in this dialect.
        """
        path = self._ask_to_delete(name)
        self._world.release(path)
        self._world.do(self._cell.catch_up())

    @verb("the group of gang {name:gang} is replaced by one with minimum {minimum:d}")
    @verb(
        "the implementation sees late that the group of gang {name:gang} is replaced by one"
        " with minimum {minimum:d}",
        not_in_place=UNSEEN,
        seen="late",
    )
    @verb(
        "the implementation misses that the group of gang {name:gang} is replaced by one"
        " with minimum {minimum:d}",
        not_in_place=UNSEEN,
        seen="missed",
    )
    def replace(self, name: str, minimum: int, seen: Seen = "") -> None:
        """The object of a gang is deleted, and another of its name is created.

        Raises:
            HarnessError: gangs have no object in this dialect.
        """
        group = self.dialect.group
        if group is None:
            raise HarnessError("the pods alone make a gang: the scenario needs GroupObjects")
        with changing(self._world, group.resource, seen):
            self.delete(name)
            self._gangs[name].minimum = minimum
            self.make(name)

    @verb("a user deletes the group of gang {name:gang}")
    def ask_to_delete(self, name: str) -> None:
        """A user deletes the object of a gang; a finalizer may hold it back.

        Raises:
            HarnessError: gangs have no object in this dialect.
        """
        self._ask_to_delete(name)

    def _ask_to_delete(self, name: str) -> str:
        group = self.dialect.group
        if group is None:
            raise HarnessError("the pods alone make a gang: the scenario needs GroupObjects")
        self._world.act(f"deletes the group of gang {name}")
        self._gangs.made.discard(name)
        path = group.resource.path(self._namespace, name)
        self._world.do(self._cell.api.delete(path))
        return path

    @verb(sentences.MINIMUM_LOWERED)
    @verb("the minimum of gang {name:gang} is raised to {minimum:d}")
    def change_minimum(self, name: str, minimum: int) -> None:
        """A user changes the minimum of a gang in its object.

        Raises:
            HarnessError: the minimum does not stand in an object of the gang.
        """
        gang, group, place = self._gangs[name], self.dialect.group, self.dialect.minimum
        if group is None or place.of != "group":
            raise HarnessError("the minimum stands in the pods: the scenario needs ChangeableMinimum")
        self._world.act(f"changes the minimum of gang {name} to {minimum}", gang=name, minimum=minimum)
        gang.minimum = minimum
        gang.asked[name] = place.of_object(group.object({"name": name}, **self._pods.values(gang)))
        change = gang.asked[name]
        for key in reversed(place.path):
            change = {key: change}
        self._world.do(self._cell.api.patch(group.resource.path(self._namespace, name), change))

    @verb("a user changes the tasks of gang {name:gang} to {tasks:tasks}")
    def change_tasks(self, name: str, tasks: tuple[tuple[str, int], ...]) -> None:
        """A user changes the minimum of each task of a gang in its object.

        Raises:
            HarnessError: gangs have no object in this dialect.
        """
        gang = self._gangs[name]
        without = {task: None for task, _ in gang.spec.tasks}
        gang.spec = replace(gang.spec, tasks=tasks)
        said = f"changes the tasks of gang {name} to {', '.join(f'{it} {task}' for task, it in tasks)}"
        self._change(name, said, tasks={**without, **dict(tasks)})

    @verb("a user changes the minimum resources of gang {name:gang} to {least_cpus:d} [CPU|CPUs]")
    def change_least(self, name: str, least_cpus: int) -> None:
        """A user changes the minimum resources of a gang in its object.

        Raises:
            HarnessError: gangs have no object in this dialect.
        """
        self._gangs[name].spec = replace(self._gangs[name].spec, least_cpus=least_cpus)
        self._change(name, f"changes the minimum resources of gang {name} to {counted(least_cpus, 'CPU')}")

    @verb("a user moves gang {name:gang} to queue {queue:word}", not_in_place=SHARED)
    def move(self, name: str, queue: str) -> None:
        """A user names another queue in the object of a gang.

        Raises:
            HarnessError: gangs have no object in this dialect.
        """
        gang = self._gangs[name]
        gang.queue = self._queues.full_name(queue)
        self._pods.move(gang, queue)
        if name in self._gangs.made:
            self._change(name, f"moves gang {name} to queue {queue}")
            self._pods.create_refused(gang)
        else:  # admission has refused its group, as its queue did not exist
            self.make(name)

    def _change(self, name: str, said: str, **values: object) -> None:
        """Change what the object of a gang says to what is asked for now, and to these values."""
        gang, group = self._gangs[name], self.dialect.group
        if group is None:
            raise HarnessError("the pods alone make a gang: the scenario needs GroupObjects")
        body = group.object({"name": name}, **{**self._pods.values(gang), **values})
        change = {key: value for key, value in body.items() if key != "metadata"}
        self._world.act(said)
        self._world.do(self._cell.api.patch(group.resource.path(self._namespace, name), change))

    @verb("gang Job {name:gang} with minimum {minimum:d} and {completions:d} completions is created")
    def add_job(self, name: str, minimum: int, completions: int) -> None:
        """Create a Job with the given completions whose pods, as many as the minimum at once, are a gang.

        Raises:
            Inconclusive: the implementation makes no group with that minimum: there is no gang to be judged.
        """
        spelled = self.dialect.group
        if self.dialect.job is None or spelled is None:
            raise HarnessError("the dialect has no gang Jobs: the scenario needs the capability GangJobs")
        self._gangs.all[name] = Gang(GangSpec(name=name, minimum=minimum), minimum)
        text = f"creates gang Job {name} of {counted(completions, 'completion')} with minimum {minimum}"
        self._world.act(text, gang=name, minimum=minimum)
        before = {group.name for group in self._stored()}
        pod = self._pods.body(name, {GANG_LABEL: name}, PodSpec())
        template = {"metadata": {"labels": pod["metadata"]["labels"]}, "spec": pod["spec"]}
        spec = {"completions": completions, "parallelism": minimum, "completionMode": "Indexed"}
        body = {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": {"name": name},
            "spec": {**spec, "template": template},
        }
        path = JOBS.path(self._namespace)
        self._world.do(
            self._cell.api.create(path, merged(body, filled(self.dialect.job, {"minimum": minimum})))
        )
        made = group_made(resource=str(spelled.resource), path=self.dialect.minimum.path, minimum=minimum)
        self._world.claim(eventually(made, precondition=True))
        gang = self._gangs[name]
        gang.group = next(
            group.name
            for group in self._stored()
            if group.name not in before and self.dialect.minimum.of_object(group.raw) == minimum
        )
        gang.asked[gang.group] = minimum

    def _stored(self) -> Iterable[ApiObject]:
        """The group objects that there are."""
        group = self.dialect.group
        return list(self._world.seen.objects(group.resource).values()) if group else []

    @verb("a gang of the same name has {count:d} pods in another namespace", name="a")
    @verb("a gang of the same name has {count:d} pods that run in another namespace", name="a", running=True)
    def add_twin(self, name: str, count: int, *, running: bool = False) -> None:
        """Create a group of the same name and minimum with the given number of pods in another namespace.

        Args:
            name: the gang.
            count: how many pods.
            running: a client has bound them to the scenario's first node, and they run there.
        """
        gang, place = self._gangs[name], f"{self._namespace}-twin"
        pods = counted(count, "pod")
        self._world.act(f"creates a gang of the same name with {pods} in another namespace", elsewhere=True)
        self._world.do(self._cell.make_namespace(place))
        self._setting.set_in(place)
        if group := self.dialect.group:
            body = group.object({"name": name}, **self._pods.values(gang))
            self._world.do(self._cell.api.create(group.resource.path(place), body))
        for number in range(count):
            pod = merged(self._pods.body(f"{name}-twin-{number}", {}, PodSpec()), self._pods.membership(gang))
            self._world.do(self._cell.api.create(PODS.path(place), pod))
            if running:
                self._run_elsewhere(place, pod["metadata"]["name"])

    def _run_elsewhere(self, namespace: str, pod: str) -> None:
        """A pod of another namespace is bound to the scenario's first node, and runs."""
        target = {"apiVersion": "v1", "kind": "Node", "name": self._nodes.node_name(1)}
        body = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": pod}, "target": target}
        self._world.do(self._cell.api.create(PODS.path(namespace, pod, "binding"), body))
        self._world.do(
            self._cell.api.patch(PODS.path(namespace, pod, "status"), {"status": {"phase": "Running"}})
        )

    def see_minimums(self) -> None:
        """See that every gang still has the minimum that it was given.

        Raises:
            HarnessError: one has not: nothing can be said of it.
        """
        stored = {group.name: group for group in self._stored()}
        for name, gang in self._gangs.all.items():
            if group := stored.get(gang.group or name):
                self._see_minimum(gang, group.raw)
            elif name in self._gangs.made:
                raise HarnessError(f"the group of gang {name} is gone: something has deleted it")
        for pod in self._world.seen.pods:
            if gang_of(pod) in self._gangs.all:
                self._see_minimum(self._gangs[gang_of(pod)], pod.raw)

    def _see_minimum(self, gang: Gang, thing: Json) -> None:
        """See that what stands for the minimum in an object is as it was made, if that says it."""
        name, minimum = thing["metadata"]["name"], self.dialect.minimum
        if name not in gang.asked:
            return
        effective = minimum.of_object(thing)
        if effective != gang.asked[name]:
            raise HarnessError(
                f"gang {gang.name} was created with minimum {gang.minimum}, but {minimum.place} of its "
                f"{thing.get('kind', 'Pod')} is {effective}: something (a webhook?) has changed it"
            )

    @property
    def counts(self) -> Json:
        """Where the status of a group counts its pods: for the fact ``pods_counted``."""
        return self.dialect.counting

    @property
    def phases(self) -> Json:
        """Where the status of a group says how far its gang is: for the fact ``in_phase``.

        Raises:
            HarnessError: it says so nowhere.
        """
        if not (phasing := self.dialect.phasing):
            raise HarnessError("no group reports the phase of its gang: the scenario needs GroupPhases")
        return phasing

    @verb("the next {times:d} reports about gangs are answered with {status:d}", not_in_place=REFUSED)
    def refuse_reports(self, times: int, status: int) -> None:
        """The next writes fail by which the implementation reports a gang, in its group or in its pods."""
        self._fail_reports(f"the next {times} reports are answered with {status}", times, answer(status))

    @verb(
        "the next {times:d} reports about gangs are applied but their replies are lost", not_in_place=REFUSED
    )
    def lose_replies(self, times: int) -> None:
        """The next writes by which the implementation reports a gang are applied, and not answered."""
        self._fail_reports(f"the replies to the next {times} reports are lost", times, LoseReply())

    def _fail_reports(self, text: str, times: int, do: Effect) -> None:
        of = {"pod": PODS, "group": self.dialect.status_resource}
        told = {of[sign.of] for sign in self.dialect.unschedulable}
        others = frozenset({*self._cell.recorded, EVENTS, LEASES} - told)
        on = On(verbs=frozenset({"update", "patch"}), ignoring=others)
        self._world.faults.arm(Fault(text, on, do, times=times))

    @property
    def signs(self) -> Json:
        """By which signs a gang is reported as not schedulable: for the fact ``reported``."""
        return self.dialect.reporting

    @property
    def shares(self) -> Json:
        """What the share of each queue follows from: for the fact ``shares_given``."""
        return self._queues.shares(self._nodes.cpus)

    def settle(self) -> None:
        """Wait until no gang is bound in part: GNG-003 speaks of what is so when all has come to rest."""
        if not self._gangs.all:
            return
        self.see_minimums()
        self._world.claim(msgspec.structs.replace(eventually(nothing_in_part()), requirement=NOTHING_IN_PART))
