"""Facts about PodGroups of pods of no Volcano Job: each true in one history, untrue in another."""

from __future__ import annotations

from typing import Any

from fact_examples import examples, no, yes
from histories import Story, story

from batchproof.ground.resources import PODS
from batchproof.judgement.facts import FactCall
from batchproof.judgement.history import Json
from batchproof.profiles.shared.objects.volcano import PODGROUPS, QUEUES
from batchproof.profiles.volcano_job.facts.pods import (
    no_group_left,
    no_group_made,
    pod_grouped,
    pod_in_group,
    pod_queued,
    pod_ranked,
    pods_share_group,
    pods_share_group_of,
)

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
    pod_grouped(name="plain", amount=2),
    yes("a group of its own", OWN),
    pod_grouped(name="plain", amount=1),
    no("with other resources", OWN),
    pod_grouped(name="plain", amount=2),
    no("another's group", group(pod(story()), "uid-x")),
    no("none", pod(story(), group="")),
    pod_queued(name="plain"),
    yes("its queue", group(pod(story().stores(QUEUES, "q", {})))),
    no("another queue", group(pod(story().stores(QUEUES, "q", {})), queue="default")),
    pod_ranked(name="plain"),
    yes("its priority", group(pod(story(), priority="high"), priorityClassName="high")),
    no("another priority", group(pod(story(), priority="high"), priorityClassName="low")),
    no("no priority", OWN),
    no("nothing to have one", pod(story(), priority="high")),
    pod_in_group(name="plain"),
    yes("in a group", OWN),
    no("in none", pod(story(), group="")),
    no("in that of another", group(pod(story(), group=""), "uid-x")),
    pods_share_group(count=2),
    yes("one for two", shared("g", "g")),
    no("two for two", shared("g", "h")),
    pods_share_group_of(count=2, amount=2),
    yes("one for two, with what a pod requests", shared("g", "g")),
    no("two for two, each with what a pod requests", shared("g", "h")),
    pods_share_group_of(count=2, amount=3),
    no("one for two, with what the pods requested before", shared("g", "g")),
    no_group_left(),
    yes("the last one is gone", group(story()).removes(PODGROUPS, "g")),
    no("one is left", group(story())),
    no_group_made(),
    yes("one of a user, without an owner", story().stores(PODGROUPS, "lone", {})),
    no("there was one with an owner", group(story()).removes(PODGROUPS, "g")),
)
def test_a_fact_about_groups_of_pods(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
