"""Facts about PodGroups of pods of no Volcano Job: each true in one history, untrue in another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fact_examples import examples
from histories import Story, story

from batchproof.profiles.shared.objects.volcano import PODGROUPS, QUEUES
from batchproof.profiles.volcano_job.facts.pods import (
    no_group_left,
    no_group_made,
    pod_grouped,
    pod_in_group,
    pod_queued,
    pod_ranked,
    pods_share_group,
)
from batchproof.resources import PODS

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall
    from batchproof.judgement.history import Json

SET = {"uid": "uid-owner", "controller": True}


def pod(
    history: Story, name: str = "plain", group: str = "g", owner: Json | None = None, priority: str = ""
) -> Story:
    """A pod that names a PodGroup, and its priority if it has one."""
    metadata: Json = {"annotations": {"scheduling.k8s.io/group-name": group} if group else {}}
    if owner:
        metadata["ownerReferences"] = [owner]
    spec = {"priorityClassName": priority} if priority else {}
    return history.stores(PODS, name, {"metadata": metadata, "spec": spec})


def group(history: Story, owner: str = "uid-plain", name: str = "g", **spec: Any) -> Story:
    """A PodGroup that something controls."""
    metadata = {"ownerReferences": [{"uid": owner, "controller": True}]}
    body = {"minMember": 1, "minResources": {"cpu": "2"}, "queue": "q", **spec}
    return history.stores(PODGROUPS, name, {"metadata": metadata, "spec": body})


def shared(*groups: str) -> Story:
    """Pods of a ReplicaSet, each with the PodGroup that it names."""
    history = story()
    for name in dict.fromkeys(groups):
        history = group(history, owner="uid-owner", name=name)
    for number, name in enumerate(groups):
        history = pod(history, f"owner-{number}", name, SET)
    return history


OWN = group(pod(story()))


@examples(
    [
        pytest.param(pod_grouped(name="plain", amount=2), OWN, True, id="a group of its own"),
        pytest.param(pod_grouped(name="plain", amount=1), OWN, False, id="with other resources"),
        pytest.param(
            pod_grouped(name="plain", amount=2), group(pod(story()), "uid-x"), False, id="another's group"
        ),
        pytest.param(pod_grouped(name="plain", amount=2), pod(story(), group=""), False, id="none"),
        pytest.param(
            pod_queued(name="plain"), group(pod(story().stores(QUEUES, "q", {}))), True, id="its queue"
        ),
        pytest.param(
            pod_queued(name="plain"),
            *(group(pod(story().stores(QUEUES, "q", {})), queue="default"), False),
            id="another queue",
        ),
        pytest.param(
            pod_ranked(name="plain"),
            group(pod(story(), priority="high"), priorityClassName="high"),
            *(True,),
            id="its priority",
        ),
        pytest.param(
            pod_ranked(name="plain"),
            group(pod(story(), priority="high"), priorityClassName="low"),
            *(False,),
            id="another priority",
        ),
        pytest.param(pod_ranked(name="plain"), OWN, False, id="no priority"),
        pytest.param(
            pod_ranked(name="plain"), pod(story(), priority="high"), False, id="nothing to have one"
        ),
        pytest.param(pod_in_group(name="plain"), OWN, True, id="in a group"),
        pytest.param(pod_in_group(name="plain"), pod(story(), group=""), False, id="in none"),
        pytest.param(
            pod_in_group(name="plain"), group(pod(story(), group=""), "uid-x"), False, id="in that of another"
        ),
        pytest.param(pods_share_group(count=2), shared("g", "g"), True, id="one for two"),
        pytest.param(pods_share_group(count=2), shared("g", "h"), False, id="two for two"),
        pytest.param(
            no_group_left(), group(story()).removes(PODGROUPS, "g"), True, id="the last one is gone"
        ),
        pytest.param(no_group_left(), group(story()), False, id="one is left"),
        pytest.param(
            no_group_made(), story().stores(PODGROUPS, "lone", {}), True, id="one of a user, without an owner"
        ),
        pytest.param(
            no_group_made(), group(story()).removes(PODGROUPS, "g"), False, id="there was one with an owner"
        ),
    ]
)
def test_a_fact_about_groups_of_pods(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
