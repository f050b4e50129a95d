"""Invariants of gang schedulers: what the status of a group never says, and what is made for a gang Job.

A pod names a group by a label or an annotation, whichever its dialect has: each of its values is looked at.
"""

from __future__ import annotations

from batchproof.judgement.finding import Finding
from batchproof.judgement.invariants.rule import against
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.values import counted, in_words, said, stated
from batchproof.profiles.gang.objects import KubeBatchGroup, ReferenceGroup
from batchproof.profiles.shared.changes import ObjectChange, Past, about
from batchproof.profiles.shared.objects.batch import Job
from batchproof.profiles.shared.objects.coscheduling import CoschedulingGroup
from batchproof.profiles.shared.objects.volcano import PodGroup
from batchproof.profiles.shared.objects.workloads import NativeGroup, Workload
from batchproof.profiles.shared.tally import MADE, STARTED

_COUNTS = {"running": "Running", "succeeded": "Succeeded", "failed": "Failed"}
_NEEDS = {"Running": STARTED, "Finished": "Succeeded"}
"""The state in which the minimum of a gang was at some time when its group is in a phase."""


def _excess(past: Past, group: ApiObject, *, anywhere: bool) -> tuple[str, int, int] | None:
    """A count of a group, what it says, and how many pods ever were in that state, which are fewer."""
    for name, state in _COUNTS.items():
        told, ever = int(group.status.get(name) or 0), past.count_naming(group, state, anywhere=anywhere)
        if not 0 <= told <= ever:
            return name, told, ever
    return None


@about("GNG-036", PodGroup, CoschedulingGroup, KubeBatchGroup, ReferenceGroup)
def counts_existed(past: Past, change: ObjectChange[ApiObject]) -> Finding | None:
    """GNG-036: a group counts no more pods in a phase than ever were in it and named the group.

    A history has the pods of one namespace: with a group of that name in another one, GNG-046 is judged.
    """
    elsewhere = any(action.about.get("elsewhere") for _, action in past.seen.actions)
    if elsewhere or not (excess := _excess(past, change.now, anywhere=True)):
        return None
    name, told, ever = excess
    return against(
        change.now, expected=f"0 to {counted(ever, 'pod')} {name}", observed=stated(str(told), {"pods": told})
    )


@about("GNG-046", PodGroup, CoschedulingGroup, KubeBatchGroup, ReferenceGroup)
def counts_of_its_namespace(past: Past, change: ObjectChange[ApiObject]) -> Finding | None:
    """GNG-046: a group counts no pods that name a group of its name in another namespace."""
    excess = _excess(past, change.now, anywhere=False)
    if not excess or _excess(past, change.now, anywhere=True):
        return None
    name, told, ever = excess
    return against(
        change.now,
        expected=f"at most {counted(ever, 'pod')} {name} of its namespace",
        observed=stated(str(told), {"pods": told}),
    )


@about("GNG-045", CoschedulingGroup, ReferenceGroup)
def phase_with_its_minimum(past: Past, change: ObjectChange[ApiObject]) -> Finding | None:
    """GNG-045: a group is only Pending before the minimum of its gang was in the state of its phase."""
    group = change.now
    phase = group.status.get("phase") or "Pending"
    least = min(int(it.spec.get("minMember") or 0) for it in (*past.specs(group), group))
    state = _NEEDS.get(phase, MADE)
    ever = past.count_naming(group, state)
    if phase == "Pending" or ever >= least:
        return None
    return against(
        group,
        expected=f"{phase} with {counted(least, 'pod')} {state}",
        observed=said("{pods} were", pods=ever),
    )


@about("GNG-074", Pod)
def pods_in_the_group_of_their_job(past: Past, change: ObjectChange[Pod]) -> Finding | None:
    """GNG-074: each pod of a Job that has a PodGroup is created in a PodGroup that the Job controls."""
    pod = change.now
    job = past.owner(Job, pod) if change.created and past.made(pod) else None
    names = {it.name for it in past.ever(NativeGroup, job)} if job else set()
    named = (pod.spec.get("schedulingGroup") or {}).get("podGroupName")
    if not names or named in names:
        return None
    return against(pod, expected=f"one of the groups {in_words(names)}", observed=in_words(named))


@about("GNG-077", NativeGroup, Workload)
def one_group_a_job(past: Past, change: ObjectChange[ApiObject]) -> Finding | None:
    """GNG-077: no second Workload is created for a Job, and no PodGroup beside one that is there."""
    it = change.now
    job = past.owner(Job, it) if change.created and past.made(it) else None
    if job is None or past.unheard(type(it)):
        return None
    had = past.ever(type(it), job)
    there = had if isinstance(it, Workload) else [group for group in had if past.known(group)]
    if not there:
        return None
    return against(it, expected=f"{in_words([one.name for one in there])} alone", observed=f"{it.name} too")
