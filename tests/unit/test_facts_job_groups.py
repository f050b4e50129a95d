"""Facts about the Workload and the PodGroup of a Job."""

from __future__ import annotations

from fact_examples import examples, no, yes
from histories import Story, story

from batchproof.ground.resources import PODS, WORKLOADS, Resource
from batchproof.judgement.facts import FactCall
from batchproof.judgement.history import Json, Reply, Request
from batchproof.profiles.gang.facts.job_groups import (
    job_group_basic,
    job_group_minimum,
    job_group_of,
    job_grouped,
    job_grouped_ever,
    job_workload_kept,
    pods_after_groups,
    pods_grouped,
    pods_owned_by_group,
    pods_ungrouped,
)
from batchproof.profiles.shared.objects.workloads import NATIVE_GROUPS

BASIC: Json = {"basic": {}}
BY_JOB: Json = {"apiVersion": "batch/v1", "kind": "Job", "name": "a", "uid": "uid-a", "controller": True}
GROUP = {"podGroupName": "g"}
BY_JOB_AGAIN: Json = {**BY_JOB, "uid": "uid-a-again"}


def gang(minimum: int) -> Json:
    return {"gang": {"minCount": minimum}}


def workload(
    it: Story,
    name: str = "w",
    *,
    policy: Json = BASIC,
    owner: Json = BY_JOB,
    of: str = "a",
    metadata: Json | None = None,
) -> Story:
    reference = {"apiGroup": "batch", "kind": "Job", "name": of}
    templates = [{"name": "t", "schedulingPolicy": policy}]
    spec = {"controllerRef": reference, "podGroupTemplates": templates}
    return it.stores(
        WORKLOADS, name, {"metadata": {"ownerReferences": [owner], **(metadata or {})}, "spec": spec}
    )


def group(it: Story, name: str = "g", *, policy: Json = BASIC, owner: Json = BY_JOB, of: str = "w") -> Story:
    spec = {"workloadRef": {"workloadName": of, "templateName": "t"}, "schedulingPolicy": policy}
    metadata = {"uid": f"uid-{name}", "ownerReferences": [owner]}
    return it.stores(NATIVE_GROUPS, name, {"metadata": metadata, "spec": spec})


def both(policy: Json = BASIC) -> Story:
    return group(workload(story().job("a"), policy=policy), policy=policy)


def both_again() -> Story:
    """A Job of the name of a deleted one, of which the Workload and the PodGroup are left, has its own."""
    told = both().gone("jobs", "a").job("a")
    return group(workload(told, "v", owner=BY_JOB_AGAIN), "h", owner=BY_JOB_AGAIN, of="v")


def pod(
    it: Story,
    name: str = "a-1",
    *,
    by: Json = BY_JOB,
    owner: Json | None = None,
    second: Json | None = None,
    **spec: Json,
) -> Story:
    metadata = {"ownerReferences": [by, *filter(None, (owner, second))]}
    return it.stores(PODS, name, {"metadata": metadata, "spec": spec, "status": {}})


OTHERS: Json = {**BY_JOB, "name": "b", "uid": "uid-b"}
OWNER: Json = {"kind": "PodGroup", "name": "g", "uid": "uid-g"}


@examples(
    job_grouped(job="a"),
    yes("one of each", both()),
    no("no PodGroup", workload(story().job("a"))),
    no("no Workload", group(story().job("a"))),
    no("two PodGroups", group(both(), "h")),
    no("two Workloads", workload(both(), "v")),
    yes("a PodGroup of another Job beside", group(both(), "h", owner=OTHERS)),
    yes("a former Job of its name had some", both_again()),
    no("only a former Job of its name has them", both().gone("jobs", "a").job("a")),
    no("a PodGroup that the Job only owns"),
    group(workload(story().job("a")), owner={**BY_JOB, "controller": False}),
    no("it names another Job", group(workload(story().job("a"), of="b"))),
    no("it names another Workload", group(workload(story().job("a")), of="v")),
    job_group_minimum(job="a", minimum=3),
    yes("both ask for three", both(gang(3))),
    no("both ask for two", both(gang(2))),
    no("only the Workload asks for three", group(both(gang(3)), policy=gang(2))),
    no("only the PodGroup asks for three", workload(both(gang(3)), policy=gang(2))),
    job_group_basic(job="a"),
    yes("no gang", both()),
    no("a gang of one", both(gang(1))),
    job_workload_kept(job="a"),
    yes("it is changed", workload(both(), policy=gang(2))),
    no("it is gone", both().removes(WORKLOADS, "w")),
    no("it was made anew", workload(both().removes(WORKLOADS, "w"), "v")),
    no("it is being deleted", workload(both(), metadata={"deletionTimestamp": "2026-01-01T00:00:00Z"})),
    no("there never was one", story().job("a")),
    job_grouped_ever(job="a"),
    yes("both were made", both()),
    yes("one was made", group(story().job("a")).removes(NATIVE_GROUPS, "g")),
    no("another Job's", workload(story().job("a"), owner=OTHERS)),
    job_group_of(job="a", workload="w"),
    yes("a PodGroup of another's Workload", group(workload(story().job("a"), owner=OTHERS))),
    no("it has a Workload of its own", both()),
    no("a PodGroup of no such Workload", group(workload(story().job("a"), owner=OTHERS), of="v")),
)
def test_what_is_made_for_a_job(it: FactCall, history: Story, *, holds: bool) -> None:
    finding = it.of(history.seen)

    assert finding.holds == holds, finding


@examples(
    pods_grouped(job="a"),
    yes("in it", pod(both(), schedulingGroup=GROUP)),
    yes("in one that is gone since", pod(both(), schedulingGroup=GROUP).removes(NATIVE_GROUPS, "g")),
    yes("in it, after a former Job of its name"),
    pod(both_again(), by=BY_JOB_AGAIN, schedulingGroup={"podGroupName": "h"}),
    no("in that of a former Job of its name", pod(both_again(), by=BY_JOB_AGAIN, schedulingGroup=GROUP)),
    no("in none", pod(both())),
    no("no pod", both()),
    no("in another", pod(both(), schedulingGroup={"podGroupName": "h"})),
    no("only one of two is in it", pod(pod(both(), schedulingGroup=GROUP), "a-2")),
    pods_owned_by_group(job="a"),
    yes("owned by it", pod(both(), owner=OWNER)),
    no("owned by the Job alone", pod(both())),
    no("owned by that of a former Job of its name", pod(both_again(), by=BY_JOB_AGAIN, owner=OWNER)),
    no("controlled by it", pod(both(), owner={**OWNER, "controller": True})),
    no("owned by two, and controlled by one of them"),
    pod(group(both(), "h"), owner=OWNER, second={**OWNER, "uid": "uid-h", "controller": True}),
    no("owned by an older one of its name", pod(both(), owner={**OWNER, "uid": "uid-old"})),
    pods_ungrouped(job="a"),
    yes("in no group", pod(story().job("a"))),
    no("in a group", pod(story().job("a"), schedulingGroup=GROUP)),
    no("no pod in no group", story().job("a")),
)
def test_the_group_of_a_pod(it: FactCall, history: Story, *, holds: bool) -> None:
    finding = it.of(history.seen)

    assert finding.holds == holds, finding


def asked(*resources: Resource, refused: tuple[Resource, ...] = ()) -> Story:
    """One creation after the other is asked for and answered; those that are refused take no effect."""
    it = story()
    for call, resource in enumerate(resources):
        it.add(Request(call, "create", resource, "", "bp-1-gw0-1", "", None, "test/1", 1))
        it.add(Reply(call, 500 if resource in refused else 201, resource not in refused, "", None))
    return it


IN_ORDER = (WORKLOADS, NATIVE_GROUPS, PODS)


@examples(
    pods_after_groups(),
    yes("in order", asked(*IN_ORDER, PODS)),
    no("a pod too early", asked(WORKLOADS, PODS, NATIVE_GROUPS)),
    no("a PodGroup too early", asked(NATIVE_GROUPS, WORKLOADS, PODS)),
    no("no pod asked for", asked(WORKLOADS, NATIVE_GROUPS)),
    no("a pod alone", asked(PODS)),
    no("PodGroup refused", asked(*IN_ORDER, refused=(NATIVE_GROUPS,))),
    no("the Workload is refused", asked(*IN_ORDER, refused=(WORKLOADS,))),
)
def test_the_order_of_what_is_made(it: FactCall, history: Story, *, holds: bool) -> None:
    finding = it.of(history.seen)

    assert finding.holds == holds, finding
