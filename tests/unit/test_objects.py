"""What a timeline shows of each object beside its name, and that no kind of object is left out."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from batchproof.ground.resources import JOBS, WORKLOADS, Resource
from batchproof.judgement.objects import ApiObject, thing_of
from batchproof.judgement.objects.api_object import KINDS
from batchproof.profiles.gang.objects import KUBE_BATCH_GROUPS, REFERENCE_GROUPS
from batchproof.profiles.shared.objects.coscheduling import COSCHEDULING_GROUPS
from batchproof.profiles.shared.objects.services import SERVICES
from batchproof.profiles.shared.objects.volcano import PODGROUPS, QUEUES
from batchproof.profiles.shared.objects.workloads import NATIVE_GROUPS
from batchproof.profiles.tfjob.objects import TFJOBS
from batchproof.profiles.volcano_job.objects import COMMANDS, VOLCANO_JOBS

WORKER = {"active": 1, "succeeded": 0, "selector": "x"}
SHOWN: list[tuple[Resource, dict[str, Any], list[str]]] = [
    (JOBS, {"status": {"active": 2, "succeeded": 0}}, ["active=2"]),
    (TFJOBS, {}, [""]),
    (
        TFJOBS,
        {
            "status": {
                "conditions": [
                    {"type": "Created", "status": "True"},
                    {"type": "Running", "status": "True"},
                    {"type": "Succeeded", "status": "False"},
                ],
                "replicaStatuses": {"Worker": WORKER},
            }
        },
        ["Created,Running", "Worker.active=1"],
    ),
    (
        SERVICES,
        {"spec": {"clusterIP": "None", "ports": [{"port": 20}, {"port": 3}]}},
        ["headless", "3", "20"],
    ),
    (SERVICES, {"spec": {"clusterIP": "10.0.0.1"}}, [""]),
    (PODGROUPS, {"spec": {"minMember": 2}}, ["Pending", "minMember=2"]),
    (PODGROUPS, {"status": {"phase": "Inqueue"}}, ["Inqueue", "minMember=none"]),
    (QUEUES, {}, [""]),
    (
        QUEUES,
        {"status": {"state": "Open", "pending": 1, "inqueue": 0, "running": 3}},
        ["Open", "pending=1", "running=3"],
    ),
    (VOLCANO_JOBS, {}, [""]),
    (
        VOLCANO_JOBS,
        {"status": {"state": {"phase": "Running"}, "running": 2, "failed": 0, "retryCount": 1}},
        ["Running", "running=2", "retryCount=1"],
    ),
    (COMMANDS, {"action": "AbortJob", "target": {"kind": "Job", "name": "a"}}, ["AbortJob", "Job a"]),
    (COSCHEDULING_GROUPS, {"spec": {"minMember": 3}}, ["minMember=3"]),
    (REFERENCE_GROUPS, {"spec": {"minMember": 3}}, ["minMember=3"]),
    (KUBE_BATCH_GROUPS, {}, ["minMember=none"]),
    (
        WORKLOADS,
        {"spec": {"podGroupTemplates": [{"schedulingPolicy": {"basic": {}}}]}},
        ["policies (basic)"],
    ),
    (NATIVE_GROUPS, {"spec": {"schedulingPolicy": {}}}, ["policy none"]),
]


ALSO_SHOWN = [import_module(path.stem).SHOWN for path in Path(__file__).parent.glob("test_objects_*.py")]
"""The tables of the profiles that have one in a file of their own."""


@pytest.mark.parametrize(("resource", "raw", "shown"), SHOWN)
def test_what_is_shown_of_an_object(resource: Resource, raw: dict[str, Any], shown: list[str]) -> None:
    assert thing_of(resource, {"metadata": {"name": "x"}, **raw}).words == shown


def test_each_object_of_a_profile_is_shown() -> None:
    thing_of(TFJOBS, {})  # as the kernel does, it loads all
    of_profiles = {
        it for it in KINDS if ".profiles." in KINDS[it].__module__ and KINDS[it].words is not ApiObject.words
    }

    assert of_profiles == {resource for table in (SHOWN, *ALSO_SHOWN) for resource, _, _ in table}
