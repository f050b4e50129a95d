"""Facts about the Workload and the PodGroup that Kubernetes makes for a Job (KEP-5547), and its pods in that.

Whose they are is said by the owner reference with ``controller: true``, by UID; how they are named is left to
the implementation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.ground.resources import PODS, WORKLOADS, Resource
from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed, Write
from batchproof.judgement.values import counted, in_words, said, stated
from batchproof.profiles.shared.facts.folds import Controlled
from batchproof.profiles.shared.facts.made import each_made
from batchproof.profiles.shared.objects.batch import Job
from batchproof.profiles.shared.objects.workloads import NATIVE_GROUPS, NativeGroup, Workload

if TYPE_CHECKING:
    from collections.abc import Iterable


@fact("{job:job} has one Workload and one PodGroup")
def job_grouped(seen: Observed, *, job: str) -> Finding:
    """It controls one of each; the Workload names the Job, and the PodGroup names the Workload."""
    workloads, groups = _there(seen, job)
    named = [(_named_by(it), it.name) for it in workloads]
    holds = named == [(("batch", "Job", job), it.workload) for it in groups] and len(groups) == 1
    return found(holds, observed=_told(workloads, groups), decisive=_records(workloads, groups))


@fact("the Workload and the PodGroup of {job:job} require {minimum:d} [pod|pods]")
def job_group_minimum(seen: Observed, *, job: str, minimum: int) -> Finding:
    """The one template of its Workload, and its PodGroup, have the policy gang with this minCount."""
    return _with_policy(seen, job, {"gang": {"minCount": minimum}})


@fact("the Workload and the PodGroup of {job:job} require no gang")
def job_group_basic(seen: Observed, *, job: str) -> Finding:
    """The one template of its Workload, and its PodGroup, have the policy basic."""
    return _with_policy(seen, job, {"basic": {}})


@fact("{job:job} has had one Workload only, and has it still", within="now")
def job_workload_kept(seen: Observed, *, job: str) -> Finding:
    """There ever was one Workload that the Job controls; it is there, and no client tried to delete it."""
    ever = {it.uid: it for it in _ever(seen, job, WORKLOADS)}
    kept = [it for it in _there(seen, job)[0] if not it.deleting]
    return found(
        len(ever) == len(kept) == 1,
        observed=said("{made} made, {kept} kept", made=len(ever), kept=len(kept)),
        decisive=_records(ever.values()),
    )


@fact("<a|no> Workload or PodGroup has been made for {job:job}")
def job_grouped_ever(seen: Observed, *, job: str) -> Finding:
    """There ever was one that the Job controls."""
    ever = {it.uid: it for kind in (WORKLOADS, NATIVE_GROUPS) for it in _ever(seen, job, kind)}
    return found(
        ever,
        observed=", ".join(it.name for it in ever.values()) or "none",
        decisive=_records(ever.values()),
    )


@fact("{job:job} has no Workload, and one PodGroup of Workload {workload:name}")
def job_group_of(seen: Observed, *, job: str, workload: str) -> Finding:
    """It never controlled a Workload; it controls one PodGroup, which names that Workload."""
    workloads, groups = _there(seen, job)
    return found(
        not _ever(seen, job, WORKLOADS) and [it.workload for it in groups] == [workload],
        observed=_told(workloads, groups),
        decisive=_records(workloads, groups),
    )


@fact("every pod of {job:job} is in its PodGroup")
def pods_grouped(seen: Observed, *, job: str) -> Finding:
    """There were pods of the Job, and each was created in a PodGroup that the Job controls or controlled.

    A former Job of its name is another Job.
    """
    controlled = seen.versions(NATIVE_GROUPS).fold(Controlled).of

    def wrong(pod: Pod) -> str:
        name = _group_of(pod)
        groups = {it.name for it in controlled.get(pod.controller_uid, {}).values()}
        return (
            ""
            if name in groups
            else f"in the group {in_words(name or None)}, those of the Job are {in_words(sorted(groups))}"
        )

    return each_made(seen, job, wrong)


@fact("every pod of {job:job} is owned by its PodGroup, and controlled by the Job alone")
def pods_owned_by_group(seen: Observed, *, job: str) -> Finding:
    """There were pods of the Job, and each was created with a PodGroup of the Job as its owner, by UID.

    A former Job of its name is another Job.
    """
    controlled = seen.versions(NATIVE_GROUPS).fold(Controlled).of

    def wrong(pod: Pod) -> str:
        groups = controlled.get(pod.controller_uid, {})
        owners = [it for it in pod.metadata["ownerReferences"] if it["uid"] in groups]
        if not owners:
            return "no PodGroup of the Job owns it"
        return "its PodGroup controls it" if any(it.get("controller") for it in owners) else ""

    return each_made(seen, job, wrong)


@fact("every pod of {job:job} is in no group")
def pods_ungrouped(seen: Observed, *, job: str) -> Finding:
    """There were pods of the Job, and each was created without a schedulingGroup."""
    return each_made(seen, job, lambda pod: f"it is in {name}" if (name := _group_of(pod)) else "")


@fact("no pod was requested before there were a Workload and a PodGroup", in_place=False, within="now")
def pods_after_groups(seen: Observed) -> Finding:
    """The first PodGroup was asked for after a Workload was made, and the first pod after a PodGroup was.

    It looks at all that is written, so that it says something of scenarios with one Job only.
    """
    workload, group = _first_made(seen, WORKLOADS), _first_made(seen, NATIVE_GROUPS)
    groups, pods = seen.writes_to(NATIVE_GROUPS, "create"), seen.writes_to(PODS, "create")
    early = [
        write
        for made, writes in ((workload, groups), (group, pods))
        for write in writes
        if made is None or write.number < made.reply_number
    ]
    return found(
        pods and not early,
        observed=f"{early[0].request.resource.plural} asked for too early"
        if early
        else counted(len(pods), "pod"),
        decisive=[early[0].number] if early else [],
    )


def _first_made(seen: Observed, resource: Resource) -> Write | None:
    return next((it for it in seen.writes_to(resource, "create") if it.applied), None)


def _with_policy(seen: Observed, job: str, policy: dict[str, object]) -> Finding:
    workloads, groups = _there(seen, job)
    holds = [it.policies for it in workloads] == [[policy]] and [it.policy for it in groups] == [policy]
    return found(holds, observed=_told(workloads, groups), decisive=_records(workloads, groups))


def _there(seen: Observed, job: str) -> tuple[list[Workload], list[NativeGroup]]:
    """The Workloads and PodGroups that the Job controls now; not those of a former Job of its name."""
    jobs = {it.uid for it in seen.all(Job) if it.name == job}
    return (
        [it for it in seen.all(Workload) if it.controller_uid in jobs],
        [it for it in seen.all(NativeGroup) if it.controller_uid in jobs],
    )


def _ever(seen: Observed, job: str, resource: Resource) -> list[ApiObject]:
    """What the Job ever controlled of a resource, each in the newest version in which it did."""
    ever = seen.versions(resource).fold(Controlled).of
    return [it for uid in seen.uids(Job, job) if uid in ever for it in ever[uid].values()]


def _named_by(workload: Workload) -> tuple[str, str, str]:
    reference = workload.spec.get("controllerRef") or {}
    return (reference.get("apiGroup", ""), reference.get("kind", ""), reference.get("name", ""))


def _group_of(pod: Pod) -> str:
    return str((pod.spec.get("schedulingGroup") or {}).get("podGroupName", ""))


def _told(workloads: list[Workload], groups: list[NativeGroup]) -> str:
    """What there is, for a finding."""
    told = [f"Workload {it.name} of {_named_by(it)[2]} {in_words(it.policies)}" for it in workloads]
    told += [f"PodGroup {it.name} of {it.workload} {in_words(it.policy)}" for it in groups]
    values = {"workloads": [it.name for it in workloads], "groups": [it.name for it in groups]}
    return stated(", ".join(told) or "neither", values)


def _records(*things: Iterable[ApiObject]) -> list[int]:
    return [it.record for some in things for it in some]
