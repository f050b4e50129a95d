"""The verbs about gangs and their objects, in whatever dialect."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from batchproof.api.client import ApiError
from batchproof.cell.belongings import PRIORITIES
from batchproof.descriptor.dialect import filled, merged
from batchproof.errors import HarnessError
from batchproof.judgement.claims import eventually
from batchproof.judgement.facts.groups import group_made
from batchproof.labels import GANG_LABEL, ZONE_LABEL
from batchproof.resources import JOBS, PODS
from batchproof.world.gangs.members import REFUSALS, Gang
from batchproof.world.gangs.trees import Trees

if TYPE_CHECKING:
    from collections.abc import Iterable

    from batchproof.descriptor.dialect import Spelling
    from batchproof.judgement.history import Json
    from batchproof.judgement.things import Thing


class Groups(Trees):
    """The gangs of one scenario.

    Before each claim about a gang its minimum is read back from the implementation's own object: a gang that
    something has changed is not judged.
    """

    def add(
        self,
        name: str,
        minimum: int,
        *,
        queue: str | None = None,
        priority: str | None = None,
        made: bool = True,
        least_cpus: int | None = None,
        tasks: dict[str, int] | None = None,
        whole: bool = False,
        loose: bool = False,
        one_zone: bool = False,
        tree: str | None = None,
    ) -> None:
        """Add a gang without pods; not ``made``: its pods will name a group that does not exist yet."""
        gang = Gang(
            name,
            minimum,
            self._queue_name(queue) if queue else None,
            f"{self._cell.name}-{priority}" if priority else None,
            least_cpus=least_cpus,
            tasks=tasks,
            whole=whole,
            loose=loose,
            one_zone=one_zone,
            tree=tree,
        )
        self._gangs[name] = gang
        if priority and priority not in PRIORITIES:
            raise HarnessError(f"there is no priority {priority!r}; there is {', '.join(PRIORITIES)}")
        if made:
            self.make(name)

    def make(self, name: str) -> None:
        """Create the object of a gang.

        Raises:
            HarnessError: something changed its minimum at once.
        """
        gang, group = self[name], self.dialect.group
        self._world.act(f"creates gang {name} with minimum {gang.minimum}", gang=name, minimum=gang.minimum)
        if group is None:
            return  # its pods make the gang
        body = self._object(gang, group)
        if self.dialect.minimum.of == "group":
            gang.asked[name] = self.dialect.minimum.of_object(body)
        try:
            made = self._world.do(self._cell.api.create(group.resource.path(self._namespace), body))
        except ApiError as error:
            if error.status not in REFUSALS or not self._lacks_queue(gang, error):
                raise
            self._world.act(f"the group of gang {name} is refused: {error}")
            return
        self._made.add(name)
        self._world.do(self._cell.catch_up())
        self._see_minimum(gang, made)
        refused, gang.refused = gang.refused, []
        for pod in refused:
            self._create_member(gang, pod)
        self._world.do(self._cell.catch_up())

    def _object(self, gang: Gang, group: Spelling) -> Json:
        """The object of a gang, with all that it says of its pods.

        Raises:
            HarnessError: the dialect has no word for it.
        """
        spelled = self.dialect.loose if gang.loose else group
        if spelled is None or (gang.one_zone and not self.dialect.domain):
            raise HarnessError("the scenario needs the capability LooseGroups or TopologyConstraint")
        body = spelled.object({"name": gang.name}, **self._values(gang))
        body = merged(body, self.dialect.whole) if gang.whole else body
        body = merged(body, filled(self._tree.child, {"parent": gang.tree})) if gang.tree else body
        return merged(body, filled(self.dialect.domain, {"label": ZONE_LABEL})) if gang.one_zone else body

    def delete(self, name: str) -> None:
        """A user deletes the object of a gang, and nothing holds it back.

        Raises:
            HarnessError: gangs have no object in this dialect.
        """
        path = self._ask_to_delete(name)
        # A finalizer may hold it back, which is not what the scenario is about.
        self._world.do(self._cell.api.patch(path, {"metadata": {"finalizers": None}}, missing_ok=True))
        self._world.do(self._cell.catch_up())

    def ask_to_delete(self, name: str) -> None:
        """A user deletes the object of a gang; a finalizer may hold it back.

        Raises:
            HarnessError: gangs have no object in this dialect.
        """
        self._ask_to_delete(name)
        self._world.do(self._cell.catch_up())

    def _ask_to_delete(self, name: str) -> str:
        group = self.dialect.group
        if group is None:
            raise HarnessError("the pods alone make a gang: the scenario needs GroupObjects")
        self._world.act(f"deletes the group of gang {name}")
        self._made.discard(name)
        path = group.resource.path(self._namespace, name)
        self._world.do(self._cell.api.delete(path))
        return path

    def change_minimum(self, name: str, minimum: int) -> None:
        """A user changes the minimum of a gang in its object.

        Raises:
            HarnessError: the minimum does not stand in an object of the gang.
        """
        gang, group, place = self[name], self.dialect.group, self.dialect.minimum
        if group is None or place.of != "group":
            raise HarnessError("the minimum stands in the pods: the scenario needs ChangeableMinimum")
        self._world.act(f"changes the minimum of gang {name} to {minimum}", gang=name, minimum=minimum)
        gang.minimum = minimum
        gang.asked[name] = place.of_object(group.object({"name": name}, **self._values(gang)))
        change = gang.asked[name]
        for key in reversed(place.path):
            change = {key: change}
        self._world.do(self._cell.api.patch(group.resource.path(self._namespace, name), change))
        self._world.do(self._cell.catch_up())

    def add_job(self, name: str, minimum: int, completions: int) -> None:
        """Create a Job of so many completions whose pods, as many as the minimum at once, are a gang.

        Raises:
            Inconclusive: the implementation makes no group with that minimum: there is no gang to be judged.
        """
        spelled = self.dialect.group
        if self.dialect.job is None or spelled is None:
            raise HarnessError("the dialect has no gang Jobs: the scenario needs the capability GangJobs")
        self._gangs[name] = Gang(name, minimum)
        text = f"creates gang Job {name} of {completions} completions with minimum {minimum}"
        self._world.act(text, gang=name, minimum=minimum)
        before = {group.name for group in self._stored()}
        pod = self._pod(name, {GANG_LABEL: name}, "1", {})
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

    def _stored(self) -> Iterable[Thing]:
        """The group objects that there are."""
        group = self.dialect.group
        return list(self._world.seen.objects(group.resource).values()) if group else []

    def add_twin(self, name: str, count: int, *, running: bool = False) -> None:
        """Create a group of the same name and minimum with so many pods in another namespace.

        Args:
            name: the gang.
            count: how many pods.
            running: somebody has bound them to the scenario's first node, and they run there.
        """
        gang, place = self[name], f"{self._namespace}-twin"
        self._world.act(f"creates a gang of the same name with {count} pods in another namespace")
        self._world.do(self._cell.make_namespace(place))
        self._set_in(place)
        if group := self.dialect.group:
            body = group.object({"name": name}, **self._values(gang))
            self._world.do(self._cell.api.create(group.resource.path(place), body))
        for number in range(count):
            pod = merged(self._pod(f"{name}-twin-{number}", {}, "1", {}), self._membership(gang))
            self._world.do(self._cell.api.create(PODS.path(place), pod))
            if running:
                self._run_elsewhere(place, pod["metadata"]["name"])
        self._world.do(self._cell.catch_up())

    def _run_elsewhere(self, namespace: str, pod: str) -> None:
        """A pod of another namespace is bound to the scenario's first node, and runs."""
        target = {"apiVersion": "v1", "kind": "Node", "name": self.node_name(1)}
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
        for name, gang in self._gangs.items():
            if group := stored.get(gang.group or name):
                self._see_minimum(gang, group.raw)
            elif name in self._made:
                raise HarnessError(f"the group of gang {name} is gone: something has deleted it")
        for pod in self._world.seen.pods:
            if pod.gang in self._gangs:
                self._see_minimum(self._gangs[pod.gang], pod.raw)

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
        group = self.dialect.group
        return {"resource": str(group.resource) if group else "", "counts": dict(self.dialect.counts)}

    @property
    def phases(self) -> Json:
        """Where the status of a group says how far its gang is: for the fact ``in_phase``.

        Raises:
            HarnessError: it says so nowhere.
        """
        group, phases = self.dialect.group, self.dialect.phases
        if group is None or phases is None:
            raise HarnessError("no group tells how far its gang is: the scenario needs GroupPhases")
        return {"resource": str(group.resource), "path": list(phases.path), "phases": dict(phases.values)}

    @property
    def signs(self) -> Json:
        """By which signs a gang is reported as not schedulable: for the fact ``reported``."""
        signs = [asdict(sign) for sign in self.dialect.unschedulable]
        return {"resource": str(self.dialect.told_by or ""), "signs": signs}
