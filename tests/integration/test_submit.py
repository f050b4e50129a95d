"""A submitted run up to its pods: the API server takes its objects, and Ctrl-C leaves none of them.

The Job controller of Kubernetes makes the pods; what runs them is the kind cluster of tests/kind.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from clusters import COLLECTIONS, create
from waiting import eventually

from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.embedded import EmbeddedControlPlane
from batchproof.control_plane.existing import call
from batchproof.control_plane.plane import Plane
from batchproof.control_plane.progress import unseen
from batchproof.control_plane.rights import Right, allowed_of, each_of
from batchproof.processes.programs import run_directory
from batchproof.profiles.job import built_in
from batchproof.submitting.manifests import RUN_LABEL
from batchproof.submitting.rights import NAMESPACE, manifests

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from runs import Run, Start

ROLES = COLLECTIONS["Role"].format(namespace=NAMESPACE)
OBJECTS = {
    "Job": f"/apis/batch/v1/namespaces/{NAMESPACE}/jobs",
    "ConfigMap": f"/api/v1/namespaces/{NAMESPACE}/configmaps",
    "Pod": f"/api/v1/namespaces/{NAMESPACE}/pods",
}
FEW = ("-i", "reference", "-k", "BAS-014 or FIN-001", "--image", "batchproof.dev/batchproof:none")
RULES = next(one["rules"] for one in yaml.safe_load_all(manifests()) if one["kind"] == "Role")
RIGHTS = [right for rule in RULES for right in each_of(rule, NAMESPACE)]


@dataclass
class Cluster:
    """A cluster whose Job controller works, and a user with just the rights of ``rbac --submit``."""

    plane: Plane
    user: Plane
    kubeconfig: Path

    def there(self, kind: str) -> list[dict[str, Any]]:
        """The objects of a kind that belong to submitted runs."""
        path = f"{OBJECTS[kind]}?labelSelector={RUN_LABEL}"
        found: list[dict[str, Any]] = call(self.plane, lambda api: api.get(path))["items"]
        return found

    def submit(self, start: Start, *more: str | Path) -> Run:
        return start("submit", "--kubeconfig", self.kubeconfig, *more)

    def delete(self, path: str) -> None:
        options = {"propagationPolicy": "Background", "gracePeriodSeconds": 0}  # no kubelet ends a bound pod
        call(self.plane, lambda api: api.delete(path, **options))

    def nothing_is_left(self) -> None:
        eventually("all objects are gone", lambda: not any(map(self.there, OBJECTS)))

    def give(self, rights: list[Right]) -> None:
        """Let the user have these rights, and wait until the API server knows."""
        rules = [
            {"apiGroups": [one.group], "resources": [one.resource], "verbs": [one.verb]} for one in rights
        ]
        call(self.plane, lambda api: api.patch(f"{ROLES}/batchproof-submit", {"rules": rules}))
        wanted = [one in rights for one in RIGHTS]
        eventually(
            "the rights are known", lambda: call(self.user, lambda api: allowed_of(api, RIGHTS)) == wanted
        )


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    binaries = Binaries(None, unseen)
    with run_directory() as run:
        made = EmbeddedControlPlane(
            run.path,
            binaries.control_plane(built_in.CONTROLLERS),
            kubernetes_version=binaries.kubernetes_version,
            beside=built_in.CONTROLLERS,
        )
        with made as plane:
            for manifest in yaml.safe_load_all(manifests()):
                create(plane, manifest)
            accounts = COLLECTIONS["ServiceAccount"].format(namespace=NAMESPACE)
            asked = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
            given = call(plane, lambda api: api.create(f"{accounts}/batchproof-submit/token", asked))
            user = replace(plane, token=given["status"]["token"])
            kubeconfig = tmp_path_factory.mktemp("user") / "kubeconfig"
            kubeconfig.write_text(user.kubeconfig())
            yield Cluster(plane, user, kubeconfig)


@pytest.fixture(autouse=True)
def clean(cluster: Cluster) -> Iterator[None]:
    yield
    for kind in ("Job", "ConfigMap", "Pod"):
        for one in cluster.there(kind):
            cluster.delete(f"{OBJECTS[kind]}/{one['metadata']['name']}")
    cluster.give(RIGHTS)
    cluster.nothing_is_left()


def running(cluster: Cluster, run: Run, pods: int = 2) -> list[dict[str, Any]]:
    """The pods, once all are there, and the ConfigMap that they mount: it is created after the Job."""
    run.until("the plan is there", lambda: cluster.there("ConfigMap"))
    return run.until("the Job has pods", lambda: found if len(found := cluster.there("Pod")) == pods else [])


def test_the_cluster_takes_the_job_and_its_pods_have_the_plan(cluster: Cluster, start: Start) -> None:
    judged = ("--implementation-image", "example.org/mine:1", "--shards", "3", "-k", "FIN-001")
    run = cluster.submit(start, *FEW, *judged, "--detach")
    assert run.end() == 0, run.said
    [job], [given] = cluster.there("Job"), cluster.there("ConfigMap")
    name = job["metadata"]["name"]
    assert run.said.splitlines()[-1] == name
    assert f"submitted 3 scenarios in 3 shards as the Job {name} in {NAMESPACE}" in run.said
    assert given["metadata"]["ownerReferences"][0]["uid"] == job["metadata"]["uid"]
    pods = eventually("three pods", lambda: found if len(found := cluster.there("Pod")) == 3 else [])
    assert {one["metadata"]["annotations"]["batch.kubernetes.io/job-completion-index"] for one in pods} == {
        *"012"
    }
    assert all("image" in {key for volume in one["spec"]["volumes"] for key in volume} for one in pods)


def test_ctrl_c_removes_all_of_it(cluster: Cluster, start: Start) -> None:
    run = cluster.submit(start, *FEW)
    running(cluster, run)
    run.interrupt()
    assert run.end() == 130, run.said
    assert "Traceback" not in run.said
    assert not any(map(cluster.there, OBJECTS))
    run.nothing_is_left()


def test_who_was_cut_off_attaches_again_and_ctrl_c_removes_it_then(cluster: Cluster, start: Start) -> None:
    first = cluster.submit(start, *FEW)
    running(cluster, first)
    first.process.kill()
    first.end()
    [job] = cluster.there("Job")
    second = cluster.submit(start, "--attach", job["metadata"]["name"])
    second.until("it is attached", lambda: list(second.temporary.glob("runs/*/shards")))
    second.interrupt()
    assert second.end() == 130, second.said
    assert not any(map(cluster.there, OBJECTS))


def test_a_pod_that_only_claims_to_be_of_the_run_is_refused(cluster: Cluster, start: Start) -> None:
    run = cluster.submit(start, *FEW)
    running(cluster, run)
    [job] = [one["metadata"] for one in cluster.there("Job")]
    forged = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "forged", "labels": {RUN_LABEL: job["name"]}},
        "spec": {"containers": [{"name": "shard", "image": "example.org/forged"}]},
    }
    call(cluster.plane, lambda api: api.create(OBJECTS["Pod"], forged))
    assert run.end() == 2, run.said
    assert f"foreign: the pod forged has the labels of {job['name']}, but its Job does not own it" in run.said
    assert f"batchproof submit --attach {job['name']}" in run.said
    assert cluster.there("Job")


@pytest.mark.parametrize("right", RIGHTS, ids=str)
def test_each_right_is_needed_and_a_missing_one_is_named(
    cluster: Cluster, start: Start, right: Right
) -> None:
    cluster.give([one for one in RIGHTS if one != right])
    if (right.verb, right.resource) == ("get", "configmaps"):  # only the command that attaches reads the plan
        submitted = cluster.submit(start, *FEW, "--detach")
        assert submitted.end() == 0, submitted.said
        run = cluster.submit(start, "--attach", submitted.said.split()[-1])
    else:
        run = cluster.submit(start, *FEW)
    if right.resource == "pods/log":
        [pod, _] = running(cluster, run)
        name = pod["metadata"]["name"]
        state = {"name": "shard", "image": "", "imageID": "", "ready": True, "restartCount": 0}
        state["state"] = {"running": {"startedAt": "2026-11-21T10:00:00Z"}}
        status = {"status": {"phase": "Running", "containerStatuses": [state]}}
        bound = {"target": {"apiVersion": "v1", "kind": "Node", "name": "none"}, "metadata": {"name": name}}
        call(cluster.plane, lambda api: api.create(f"{OBJECTS['Pod']}/{name}/binding", bound))
        call(cluster.plane, lambda api: api.patch(f"{OBJECTS['Pod']}/{name}/status", status))
    if right.verb == "delete":
        running(cluster, run)
        run.interrupt()
    assert run.end() == 2, run.said
    assert "was answered with 403" in run.said
    assert f"`batchproof rbac --submit {NAMESPACE} | kubectl apply -f -`" in run.said
