"""One look each at a pod that is of no Volcano Job, and at a ReplicaSet or StatefulSet."""

from __future__ import annotations

from typing import assert_never

from reference_controller.decision import Decision
from reference_controller.objects.api_json import deletion
from reference_controller.objects.identity import ObjectKey, key_of
from reference_controller.objects.resources import PODS
from reference_controller.runtime.client import ApiError
from reference_controller.runtime.index import OwnedIndex, UidIndex
from reference_controller.runtime.loop import Loop, Sync
from reference_controller.runtime.runtime import Runtime
from reference_controller.runtime.volcano.known import Known
from reference_controller.volcano.normal_api_json import (
    group_change_of_pod,
    named,
    new_group_of_pod,
    read_normal_pod,
    read_replica_set,
)
from reference_controller.volcano.normal_pods import (
    REPLICA_SETS,
    STATEFUL_SETS,
    CreateGroupOfPod,
    DeleteGroupOfPods,
    NameGroup,
    NormalPod,
    ReplicaSet,
    UpdateGroupOfPod,
    reconcile_pod,
    reconcile_replica_set,
)
from reference_controller.volcano.objects import GROUPS, Group

WORKERS = 5


class NormalPods:
    """Two loops: pods that name no PodGroup, and ReplicaSets with StatefulSets."""

    def __init__(self, runtime: Runtime, known: Known) -> None:
        self.known = known
        self.pods: UidIndex[NormalPod] = UidIndex()
        self.owned_pods: OwnedIndex[NormalPod] = OwnedIndex()
        self.replica_sets: UidIndex[ReplicaSet] = UidIndex()
        self._of_pods: Loop[ObjectKey] = runtime.loop(lambda key: PodSync(self, key), WORKERS)
        self._of_sets: Loop[ObjectKey] = runtime.loop(lambda key: ReplicaSetSync(self, key), WORKERS)
        pods = runtime.informer(PODS, read_normal_pod)
        pods.subscribe(self.pods.change)
        pods.subscribe(self.owned_pods.change)
        pods.subscribe(self._pod_changed)
        for resource in (REPLICA_SETS, STATEFUL_SETS):
            sets = runtime.informer(resource, read_replica_set)
            sets.subscribe(self.replica_sets.change)
            sets.subscribe(self._set_changed)

    def _pod_changed(self, old: NormalPod | None, new: NormalPod | None) -> None:
        if new is not None:
            self._of_pods.queue.add(key_of(new))
        elif old is not None:
            self._of_pods.queue.forget(key_of(old))
        pod = new or old
        owner = self.replica_sets.get(pod.controller.uid) if pod and pod.controller else None
        if owner is not None and not owner.replicas:
            self._of_sets.queue.add(key_of(owner))

    def _set_changed(self, old: ReplicaSet | None, new: ReplicaSet | None) -> None:
        if new is not None:
            self._of_sets.queue.add(key_of(new))
        elif old is not None:
            self._of_sets.queue.forget(key_of(old))

    def group_named(self, namespace: str, name: str) -> Group | None:
        """The PodGroup of this name."""
        groups = self.known.group_index.of(namespace)
        return next((group for group in groups if group.name == name), None)


class PodSync(Sync[NormalPod, "CreateGroupOfPod | UpdateGroupOfPod | NameGroup"]):
    """One sync of one pod."""

    def __init__(self, parts: NormalPods, key: ObjectKey) -> None:
        super().__init__()
        self._of = parts
        self._key = key
        self._done = False

    async def observe(self) -> NormalPod | None:
        """The pod; None once it is gone, or names its PodGroup."""
        return None if self._done else self._of.pods.get(self._key.uid)

    def reconcile(
        self,
        observed: NormalPod,
        now: float,  # noqa: ARG002 - no rule depends on time
    ) -> Decision[CreateGroupOfPod | UpdateGroupOfPod | NameGroup]:
        """See `volcano.normal_pods`."""
        return reconcile_pod(observed, self._of.group_named(observed.namespace, observed.group_name))

    async def carry_out(
        self, action: CreateGroupOfPod | UpdateGroupOfPod | NameGroup, observed: NormalPod
    ) -> None:
        """Make the write; another pod of the same controller may have made the PodGroup."""
        client = self._of.known.client
        match action:
            case CreateGroupOfPod():
                try:
                    await client.post(GROUPS.of(observed.namespace), new_group_of_pod(observed))
                except ApiError as error:
                    if not error.already_exists:
                        raise
            case UpdateGroupOfPod(group):
                await client.merge(GROUPS.path(group), group_change_of_pod(observed, group))
            case NameGroup():
                await client.patch(PODS.path(observed), named(observed))
                self._done = True
            case _:
                assert_never(action)


class ReplicaSetSync(Sync[ReplicaSet, DeleteGroupOfPods]):
    """One sync of one ReplicaSet."""

    def __init__(self, parts: NormalPods, key: ObjectKey) -> None:
        super().__init__()
        self._of = parts
        self._key = key
        self._done = False

    async def observe(self) -> ReplicaSet | None:
        """The ReplicaSet; None once it is gone, or what was to be done is done."""
        return None if self._done else self._of.replica_sets.get(self._key.uid)

    def reconcile(self, observed: ReplicaSet, now: float) -> Decision[DeleteGroupOfPods]:  # noqa: ARG002 - no rule depends on time
        """See `volcano.normal_pods`."""
        group = self._of.group_named(observed.namespace, f"podgroup-{observed.uid}")
        return reconcile_replica_set(observed, group, self._of.owned_pods.owned_by(observed.uid))

    async def carry_out(self, action: DeleteGroupOfPods, observed: ReplicaSet) -> None:  # noqa: ARG002 - the action says it
        """Delete the PodGroup."""
        await self._of.known.client.delete(GROUPS.path(action.group), deletion(action.group.uid))
        self._done = True
