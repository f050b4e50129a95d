"""Facts about the Workload and the PodGroup of a Job."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fact_examples import examples
from histories import Story, story

from batchproof.judgement.history import Reply, Request
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
from batchproof.resources import PODS, WORKLOADS

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall
    from batchproof.judgement.history import Json
    from batchproof.resources import Resource

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
    [
        pytest.param(job_grouped(job="a"), both(), True, id="one of each"),
        pytest.param(job_grouped(job="a"), workload(story().job("a")), False, id="no PodGroup"),
        pytest.param(job_grouped(job="a"), group(story().job("a")), False, id="no Workload"),
        pytest.param(job_grouped(job="a"), group(both(), "h"), False, id="two PodGroups"),
        pytest.param(job_grouped(job="a"), workload(both(), "v"), False, id="two Workloads"),
        pytest.param(
            job_grouped(job="a"),
            group(both(), "h", owner=OTHERS),
            True,
            id="a PodGroup of another Job beside",
        ),
        pytest.param(job_grouped(job="a"), both_again(), True, id="a former Job of its name had some"),
        pytest.param(
            job_grouped(job="a"),
            *(both().gone("jobs", "a").job("a"), False),
            id="only a former Job of its name has them",
        ),
        pytest.param(
            job_grouped(job="a"),
            *(group(workload(story().job("a")), owner={**BY_JOB, "controller": False}), False),
            id="a PodGroup that the Job only owns",
        ),
        pytest.param(
            job_grouped(job="a"), group(workload(story().job("a"), of="b")), False, id="it names another Job"
        ),
        pytest.param(
            job_grouped(job="a"),
            group(workload(story().job("a")), of="v"),
            False,
            id="it names another Workload",
        ),
        pytest.param(job_group_minimum(job="a", minimum=3), both(gang(3)), True, id="both ask for three"),
        pytest.param(job_group_minimum(job="a", minimum=3), both(gang(2)), False, id="both ask for two"),
        pytest.param(
            job_group_minimum(job="a", minimum=3),
            *(group(both(gang(3)), policy=gang(2)), False),
            id="only the Workload asks for three",
        ),
        pytest.param(
            job_group_minimum(job="a", minimum=3),
            *(workload(both(gang(3)), policy=gang(2)), False),
            id="only the PodGroup asks for three",
        ),
        pytest.param(job_group_basic(job="a"), both(), True, id="no gang"),
        pytest.param(job_group_basic(job="a"), both(gang(1)), False, id="a gang of one"),
        pytest.param(job_workload_kept(job="a"), workload(both(), policy=gang(2)), True, id="it is changed"),
        pytest.param(job_workload_kept(job="a"), both().removes(WORKLOADS, "w"), False, id="it is gone"),
        pytest.param(
            job_workload_kept(job="a"),
            *(workload(both().removes(WORKLOADS, "w"), "v"), False),
            id="it was made anew",
        ),
        pytest.param(
            job_workload_kept(job="a"),
            *(workload(both(), metadata={"deletionTimestamp": "2026-01-01T00:00:00Z"}), False),
            id="it is being deleted",
        ),
        pytest.param(job_workload_kept(job="a"), story().job("a"), False, id="there never was one"),
        pytest.param(job_grouped_ever(job="a"), both(), True, id="both were made"),
        pytest.param(
            job_grouped_ever(job="a"),
            group(story().job("a")).removes(NATIVE_GROUPS, "g"),
            True,
            id="one was made",
        ),
        pytest.param(
            job_grouped_ever(job="a"), workload(story().job("a"), owner=OTHERS), False, id="another Job's"
        ),
        pytest.param(
            job_group_of(job="a", workload="w"),
            *(group(workload(story().job("a"), owner=OTHERS)), True),
            id="a PodGroup of another's Workload",
        ),
        pytest.param(job_group_of(job="a", workload="w"), both(), False, id="it has a Workload of its own"),
        pytest.param(
            job_group_of(job="a", workload="w"),
            *(group(workload(story().job("a"), owner=OTHERS), of="v"), False),
            id="a PodGroup of no such Workload",
        ),
    ]
)
def test_what_is_made_for_a_job(it: FactCall, history: Story, *, holds: bool) -> None:
    finding = it.of(history.seen)

    assert finding.holds == holds, finding


@examples(
    [
        pytest.param(pods_grouped(job="a"), pod(both(), schedulingGroup=GROUP), True, id="in it"),
        pytest.param(
            pods_grouped(job="a"),
            *(pod(both(), schedulingGroup=GROUP).removes(NATIVE_GROUPS, "g"), True),
            id="in one that is gone since",
        ),
        pytest.param(
            pods_grouped(job="a"),
            *(pod(both_again(), by=BY_JOB_AGAIN, schedulingGroup={"podGroupName": "h"}), True),
            id="in it, after a former Job of its name",
        ),
        pytest.param(
            pods_grouped(job="a"),
            *(pod(both_again(), by=BY_JOB_AGAIN, schedulingGroup=GROUP), False),
            id="in that of a former Job of its name",
        ),
        pytest.param(pods_grouped(job="a"), pod(both()), False, id="in none"),
        pytest.param(pods_grouped(job="a"), both(), False, id="no pod"),
        pytest.param(
            pods_grouped(job="a"), pod(both(), schedulingGroup={"podGroupName": "h"}), False, id="in another"
        ),
        pytest.param(
            pods_grouped(job="a"),
            *(pod(pod(both(), schedulingGroup=GROUP), "a-2"), False),
            id="only one of two is in it",
        ),
        pytest.param(pods_owned_by_group(job="a"), pod(both(), owner=OWNER), True, id="owned by it"),
        pytest.param(pods_owned_by_group(job="a"), pod(both()), False, id="owned by the Job alone"),
        pytest.param(
            pods_owned_by_group(job="a"),
            *(pod(both_again(), by=BY_JOB_AGAIN, owner=OWNER), False),
            id="owned by that of a former Job of its name",
        ),
        pytest.param(
            pods_owned_by_group(job="a"),
            *(pod(both(), owner={**OWNER, "controller": True}), False),
            id="controlled by it",
        ),
        pytest.param(
            pods_owned_by_group(job="a"),
            *(
                pod(group(both(), "h"), owner=OWNER, second={**OWNER, "uid": "uid-h", "controller": True}),
                False,
            ),
            id="owned by two, and controlled by one of them",
        ),
        pytest.param(
            pods_owned_by_group(job="a"),
            *(pod(both(), owner={**OWNER, "uid": "uid-old"}), False),
            id="owned by an older one of its name",
        ),
        pytest.param(pods_ungrouped(job="a"), pod(story().job("a")), True, id="in no group"),
        pytest.param(
            pods_ungrouped(job="a"), pod(story().job("a"), schedulingGroup=GROUP), False, id="in a group"
        ),
        pytest.param(pods_ungrouped(job="a"), story().job("a"), False, id="no pod in no group"),
    ]
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
    [
        pytest.param(pods_after_groups(), asked(*IN_ORDER, PODS), True, id="in order"),
        pytest.param(pods_after_groups(), asked(WORKLOADS, PODS, NATIVE_GROUPS), False, id="a pod too early"),
        pytest.param(
            pods_after_groups(), asked(NATIVE_GROUPS, WORKLOADS, PODS), False, id="a PodGroup too early"
        ),
        pytest.param(pods_after_groups(), asked(WORKLOADS, NATIVE_GROUPS), False, id="no pod asked for"),
        pytest.param(pods_after_groups(), asked(PODS), False, id="a pod alone"),
        pytest.param(
            pods_after_groups(),
            asked(*IN_ORDER, refused=(NATIVE_GROUPS,)),
            False,
            id="PodGroup refused",
        ),
        pytest.param(
            pods_after_groups(), asked(*IN_ORDER, refused=(WORKLOADS,)), False, id="the Workload is refused"
        ),
    ]
)
def test_the_order_of_what_is_made(it: FactCall, history: Story, *, holds: bool) -> None:
    finding = it.of(history.seen)

    assert finding.holds == holds, finding
