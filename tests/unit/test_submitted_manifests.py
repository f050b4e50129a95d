"""The Job of a submitted run: its pods may do nothing, are retried for themselves, and leave nothing."""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Any

from test_submitted_plan import PLAN

from batchproof.ground import stored
from batchproof.submitting.manifests import Wanted, config_map, job, plan_in
from batchproof.submitting.plan import Plan

WANTED = Wanted("batchproof-12", "example.org/batchproof:1")


def pod(wanted: Wanted = WANTED) -> dict[str, Any]:
    found: dict[str, Any] = job(PLAN, wanted, ["mine.yaml", "crds/a.yaml"])["spec"]["template"]["spec"]
    return found


def containers(spec: dict[str, Any]) -> list[dict[str, Any]]:
    return [*spec.get("initContainers", []), *spec["containers"]]


def test_a_pod_has_no_rights_in_the_cluster_nor_on_its_node() -> None:
    """What the restricted Pod Security Standard asks for, and no token."""
    old = replace(WANTED, implementation_image="example.org/mine:1", programs=["/bin/mine"], version=(1, 35))
    for spec in (pod(), pod(old)):
        assert spec["automountServiceAccountToken"] is False
        assert spec["securityContext"]["runAsNonRoot"] is True
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        for one in containers(spec):
            assert one["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
        assert all({*one} & {"emptyDir", "configMap", "image"} for one in spec["volumes"])
        assert not {"hostNetwork", "hostPID", "hostIPC"} & {*spec}


def test_each_index_is_retried_for_itself_but_not_what_refuses_its_plan() -> None:
    spec = job(PLAN, WANTED, [])["spec"]
    assert (spec["completionMode"], spec["completions"], spec["parallelism"]) == ("Indexed", 2, 2)
    assert (spec["backoffLimitPerIndex"], spec["maxFailedIndexes"]) == (2, 0)
    disruption, refusal = spec["podFailurePolicy"]["rules"]
    assert disruption == {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]}
    assert (refusal["action"], refusal["onExitCodes"]["values"]) == ("FailIndex", [2])
    assert spec["ttlSecondsAfterFinished"] > 0
    assert spec["template"]["spec"]["restartPolicy"] == "Never"


def test_a_queue_is_passed_on_to_kueue_which_starts_the_job() -> None:
    made = job(PLAN, replace(WANTED, queue="night"), [])
    assert made["metadata"]["labels"]["kueue.x-k8s.io/queue-name"] == "night"
    assert made["spec"]["suspend"] is True
    assert "suspend" not in job(PLAN, WANTED, [])["spec"]


def test_what_is_judged_comes_as_an_image_volume_or_is_copied_before_that() -> None:
    judged = replace(WANTED, implementation_image="example.org/mine:1", programs=["/bin/mine"])
    [volume] = [one for one in pod(judged)["volumes"] if one["name"] == "implementation"]
    assert volume["image"]["reference"] == "example.org/mine:1"
    assert [one["name"] for one in pod(judged)["initContainers"]] == ["prepare"]
    old = pod(replace(judged, version=(1, 35)))
    _, copying = old["initContainers"]
    assert copying["command"] == ["cp", "-a", "--parents", "/bin/mine", "/implementation"]
    for spec in (old, pod(judged)):
        mounts = {
            one["mountPath"]: one.get("readOnly", False) for one in spec["containers"][0]["volumeMounts"]
        }
        assert mounts["/implementation"] is True
    assert "/implementation" not in {one["mountPath"] for one in pod()["containers"][0]["volumeMounts"]}


def test_the_pods_find_the_plan_and_the_files_where_they_look_for_them() -> None:
    files = {"mine.yaml": b"name: mine", "crds/a.yaml": b"kind: A"}
    owner = {"metadata": {"name": WANTED.name, "uid": "1-2"}}
    given = config_map(PLAN, WANTED, files, owner)
    [volume] = [one for one in pod()["volumes"] if one["name"] == "given"]
    there = {
        one["path"]: base64.b64decode(given["binaryData"][one["key"]]) for one in volume["configMap"]["items"]
    }
    assert there == {
        "plan.json": PLAN.text,
        "files/mine.yaml": b"name: mine",
        "files/crds/a.yaml": b"kind: A",
    }
    assert stored.decode(plan_in(given), Plan) == PLAN
    assert given["metadata"]["ownerReferences"][0]["uid"] == "1-2"  # it goes with the Job
    assert job(PLAN, WANTED, [])["metadata"]["annotations"]["batchproof.dev/plan"] == PLAN.digest


def test_what_a_shard_writes_lies_in_folders_that_no_other_user_can_exchange() -> None:
    """An emptyDir has the mode 0777 without the sticky bit: below it a run makes no private folder."""
    [preparing] = pod()["initContainers"]
    mounts = {one["mountPath"]: one for one in pod()["containers"][0]["volumeMounts"]}
    for name in ("tmp", "results"):
        assert mounts[f"/{name}"]["subPath"] == name
        assert f"os.mkdir('/writable/{name}', 0o700)" in preparing["command"][-1]


def test_a_claim_is_mounted_for_what_the_shards_keep() -> None:
    spec = pod(replace(WANTED, claim="kept", claim_path="nightly/1"))
    assert {"name": "kept", "persistentVolumeClaim": {"claimName": "kept"}} in spec["volumes"]
    [shard] = spec["containers"]
    assert {"name": "kept", "mountPath": "/kept"} in shard["volumeMounts"]
    assert shard["args"] == ["shard", "/submitted", "--keep", "/kept/nightly/1/batchproof-12"]
    assert spec["securityContext"]["fsGroup"] == 65532  # else no one but root writes there
    assert "fsGroup" not in pod()["securityContext"]
