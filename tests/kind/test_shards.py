"""Submitted runs on a kind cluster, whose kubelet runs the shards: nothing is lost, forged, or left."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml
from archive import of_files, pack
from clusters import create
from installed import NOBODY
from planted import wrong
from runs import Run, started
from test_image import DESCRIPTOR
from waiting import eventually

from batchproof.api.client import Api, ApiError
from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.existing import call
from batchproof.control_plane.kind import KindCluster
from batchproof.control_plane.plane import Plane
from batchproof.control_plane.progress import unseen
from batchproof.ground import stored
from batchproof.ground.errors import HarnessError
from batchproof.processes.programs import run_directory
from batchproof.profiles.job import built_in
from batchproof.report.matrix import load
from batchproof.submitting.frames import Reader
from batchproof.submitting.manifests import IMPLEMENTATION, RUN_LABEL, plan_in
from batchproof.submitting.messages import ScenarioFinished, decode
from batchproof.submitting.plan import Plan, key_of
from batchproof.submitting.rights import NAMESPACE, manifests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from runs import Start

FEW: Final = "BAS-013 or BAS-014 or FIN-001 or (FIN-004 and 500) or FAIL-002"
LONG: Final = "finalizers"
PROGRAM: Final = "/manager"
JUDGED: Final = "batchproof.dev/manager:judged"
CORE: Final = f"/api/v1/namespaces/{NAMESPACE}"
OBJECTS: Final = {
    "Job": f"/apis/batch/v1/namespaces/{NAMESPACE}/jobs",
    "ConfigMap": f"{CORE}/configmaps",
    "Pod": f"{CORE}/pods",
}
FAULT: Final = "conflicts"
MUTANTS: Final = "pods-without-finalizer or finalizer-removed-before-status"
WRONG: Final = "batchproof.dev/wrong:judged"
DEFECT, BREAKS = "pods-without-finalizer", "FIN-001"
KIND: Final = {"kind": "Cluster", "apiVersion": "kind.x-k8s.io/v1alpha4"}
ROTATES: Final = {
    "kind": "KubeletConfiguration",
    "containerLogMaxSize": "200Ki",
    "containerLogMonitorInterval": "3s",
}
"""A kubelet that rotates a log fifty times as early as by default."""
# All shards fit on one node with two processors.
SMALL: Final = ("--cpu", "100m", "--memory", "1500Mi", "-n", "2")


@dataclass
class Cluster:
    """A kind cluster that has the image, and a user with just the rights of ``batchproof rbac --submit``."""

    plane: Plane
    kubeconfig: Path
    image: str
    node: str
    wrong: Path

    def on_node(self, *words: str) -> str:
        """Run a program on the node."""
        done = subprocess.run(
            ["docker", "exec", self.node, *words], capture_output=True, text=True, check=True
        )
        return done.stdout

    def submit(self, start: Start, *more: str | Path) -> Run:
        return start("submit", "--kubeconfig", self.kubeconfig, *more)

    def judge(self, start: Start, expression: str, *more: str | Path) -> Run:
        selected = ("-k", expression) if expression else ()
        return self.submit(start, "--image", self.image, *selected, *SMALL, *more)

    def there(self, kind: str) -> list[dict[str, Any]]:
        """The objects of a kind that belong to submitted runs."""
        path = f"{OBJECTS[kind]}?labelSelector={RUN_LABEL}"
        found: list[dict[str, Any]] = call(self.plane, lambda api: api.get(path))["items"]
        return found

    def metadata(self, kind: str) -> list[dict[str, Any]]:
        return [one["metadata"] for one in self.there(kind)]

    def names(self, kind: str) -> list[str]:
        return [one["name"] for one in self.metadata(kind)]

    def nothing_is_left(self) -> None:
        assert not [name for kind in OBJECTS for name in self.names(kind)]

    def delete(self, path: str, **options: Any) -> None:
        call(self.plane, lambda api: api.delete(path, **options))

    def remove_all(self) -> None:
        """Remove what stays for the user to look at."""
        for name in self.names("Job"):
            self.delete(f"{OBJECTS['Job']}/{name}", propagationPolicy="Foreground")
        eventually("all is gone", lambda: not any(map(self.there, OBJECTS)))

    def claim(self, name: str, path: str) -> None:
        """A claim on a folder of the node."""
        self.on_node("mkdir", "-p", "-m", "0777", path)
        size = {"storage": "1Gi"}
        every: dict[str, Any] = {"accessModes": ["ReadWriteMany"], "storageClassName": ""}
        volume = {**every, "capacity": size, "hostPath": {"path": path}}
        wish = {**every, "volumeName": name, "resources": {"requests": size}}
        for kind, where, spec in (
            ("PersistentVolume", {}, volume),
            ("PersistentVolumeClaim", {"namespace": NAMESPACE}, wish),
        ):
            told = {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, **where}, "spec": spec}
            create(self.plane, told)

    def drain(self, pod: str) -> None:
        """Drain the node of a pod, and let it serve again when the pod is gone."""
        wish = {
            "apiVersion": "policy/v1",
            "kind": "Eviction",
            "metadata": {"name": pod, "namespace": NAMESPACE},
        }
        node = f"/api/v1/nodes/{self.node}"
        call(self.plane, lambda api: api.patch(node, {"spec": {"unschedulable": True}}))
        call(self.plane, lambda api: api.create(f"{CORE}/pods/{pod}/eviction", wish))
        eventually("the pod is gone", lambda: pod not in self.names("Pod"))
        call(self.plane, lambda api: api.patch(node, {"spec": {"unschedulable": None}}))

    def plan(self) -> Plan:
        [given] = self.there("ConfigMap")
        found: Plan = stored.decode(plan_in(given), Plan)
        return found

    def judged(self, pod: str, shard: int) -> int:
        """How many verdicts a pod has printed by now."""
        reader, plan = Reader(key_of(self.plan(), shard)), self.plan()
        assert shard < len(plan.shards)

        async def read(api: Api) -> int:
            try:
                lines = [line async for line in api.lines(f"{CORE}/pods/{pod}/log")]
            except HarnessError:  # it has not started yet
                return 0
            messages = [decode(one) for line in lines for one in reader.read(line)]
            return sum(isinstance(one, ScenarioFinished) for one in messages)

        return call(self.plane, read)

    def halfway(self, run: Run, shard: int = 0) -> str:
        """The pod of a shard, as soon as it has judged something and has something left."""

        def found() -> str:
            names = [
                one["metadata"]["name"]
                for one in self.there("Pod")
                if one["metadata"]["annotations"]["batch.kubernetes.io/job-completion-index"] == str(shard)
            ]
            return next((name for name in names if self.judged(name, shard)), "")

        return run.until(f"shard {shard} has judged something", found)


@pytest.fixture(scope="module")
def cluster(image: str, batchproof: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("cluster")
    binaries = Binaries(None, unseen)
    config = folder / "kind.yaml"
    config.write_text(yaml.safe_dump({**KIND, "kubeadmConfigPatches": [yaml.safe_dump(ROTATES)]}))
    descriptor = wrong(folder, DEFECT)
    descriptor.write_text(descriptor.read_text().replace("{descriptor_dir}", IMPLEMENTATION))
    planted = {
        f"/planted/{path.relative_to(folder / 'planted')}": path
        for path in (folder / "planted").rglob("*.py")
    }
    manager, program = (
        folder / "manager.tar",
        binaries.control_plane(built_in.CONTROLLERS)["kube-controller-manager"],
    )
    pack([of_files(JUDGED, PROGRAM, {PROGRAM: program}), of_files(WRONG, "/none", planted)], manager)
    with run_directory() as run:
        kind = binaries.kind()
        made = KindCluster(
            run.path,
            kind,
            image=image,
            config=config,
            api_server_flags=(),
            part=NOBODY,
            run=run.path.name,
            say=print,
        )
        with made as plane:
            for what in (("docker-image", batchproof), ("image-archive", str(manager))):
                subprocess.run(
                    [kind, "load", *what, "--name", run.path.name], check=True, capture_output=True
                )
            for manifest in yaml.safe_load_all(manifests()):
                create(plane, manifest)
            asked = {
                "apiVersion": "authentication.k8s.io/v1",
                "kind": "TokenRequest",
                "spec": {"expirationSeconds": 7200},
            }
            account = f"{CORE}/serviceaccounts/batchproof-submit/token"
            token = call(plane, lambda api: api.create(account, asked))["status"]["token"]
            user = replace(plane, token=token, certificate_file=None)
            (folder / "kubeconfig").write_text(user.kubeconfig())
            eventually("the namespace has its account", lambda: _has_account(plane))
            yield Cluster(
                plane, folder / "kubeconfig", batchproof, f"{run.path.name}-control-plane", descriptor
            )


def _has_account(plane: Plane) -> bool:
    """Whether pods can be made: the account of a new namespace is made a little later."""
    try:
        return bool(call(plane, lambda api: api.get(f"{CORE}/serviceaccounts/default")))
    except ApiError:
        return False


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """The same scenarios on this machine alone."""
    starting = started(tmp_path_factory)
    run = next(starting)("run", "-k", FEW, "-n", "2")
    assert run.end() == 0, run.said
    yield run
    next(starting, None)


@pytest.mark.parametrize("shards", [2, 4])
def test_shards_come_to_what_one_machine_comes_to(
    cluster: Cluster, start: Start, alone: Run, shards: int
) -> None:
    run = cluster.judge(start, FEW, "-i", "reference", "--shards", str(shards))
    assert run.end() == 0, run.said
    assert f"in {shards} shards as the Job" in run.said
    assert run.verdicts() == alone.verdicts()
    workers = {one["worker"].partition("-")[0] for one in run.scenarios if one["verdict"] == "passed"}
    assert workers == {*map(str, range(shards))}
    mine, its = run.records()[0], alone.records()[0]
    assert [one["id"] for one in mine["planned"]] == [one["id"] for one in its["planned"]]
    assert mine["required"] == its["required"]
    for command in ("replay", "report"):
        again = start(command, run.output)
        assert again.end() == 0, again.said
    compared = start("diff", alone.output, run.output)
    assert compared.end() == 0, compared.said
    assert "nothing changed" in compared.said
    cluster.nothing_is_left()
    run.nothing_is_left()


def test_a_whole_run_in_shards_has_one_progress_and_is_certified(
    cluster: Cluster, start: Start, tmp_path: Path
) -> None:
    run = cluster.judge(start, "", "--profile", "jobset", "-i", "reference-jobset", "--shards", "4")
    assert run.end() == 0, run.said
    planned = len(run.records()[0]["planned"])
    assert re.search(rf"^{planned} of {planned} done, 0 running, 0 failed", run.said, re.MULTILINE)
    assert "the run is complete: CONFORMANT" in run.said
    key, bundle = tmp_path / "key.pem", tmp_path / "it.batchproof.tgz"
    for words in (("--new-key", key), (run.output, "--key", key, "--signer", "Example Ltd", "-o", bundle)):
        certified = start("certify", *words)
        assert certified.end() == 0, certified.said
    trust = tmp_path / "trust.yaml"
    trust.write_text("signers: [{name: Example Ltd, levels: [self], key_file: key.pem.pub}]\n")
    verified = start("verify", bundle, "--trust", trust)
    assert verified.end() == 0, verified.said
    cluster.nothing_is_left()


def test_the_fault_grid_comes_to_what_one_machine_comes_to(cluster: Cluster, start: Start) -> None:
    grid = ("-k", "FIN-001 or BAS-014", "--faults", FAULT)
    run = cluster.judge(start, "", "-i", "reference", "--shards", "2", *grid)
    assert run.end() == 0, run.said
    one = start("run", *grid, "-n", "2")
    assert one.end() == 0, one.said
    assert run.verdicts() == one.verdicts()
    assert len(run.verdicts()) > 2
    cluster.nothing_is_left()


def test_mutants_in_shards_are_the_matrix_of_one_machine(cluster: Cluster, start: Start) -> None:
    few = ("--profile", "job", "-k", MUTANTS)
    run = cluster.judge(start, "", "--mutants", "--shards", "2", *few)
    assert run.end() == 0, run.said
    assert "2 of 2 mutants killed" in run.said
    one = start("mutants", *few, "-n", "2")
    assert one.end() == 0, one.said
    mine, its = (load(each.output / "mutants") for each in (run, one))
    assert mine.planned == its.planned
    assert [(row.defect, row.verdict) for row in mine.rows] == [(row.defect, row.verdict) for row in its.rows]
    for row in mine.rows:
        again = start("replay", run.output / "mutants" / row.defect)
        assert again.end() == 1, again.said  # as it was killed
    cluster.nothing_is_left()


def test_an_exploration_in_shards_is_one_report(cluster: Cluster, start: Start, tmp_path: Path) -> None:
    explored = ("--explore", "5s", "--seed", "1", "--shards", "2", "-o", tmp_path / "found")
    judged = ("-i", cluster.wrong, "--implementation-image", WRONG)
    run = cluster.judge(start, "", *judged, *explored)
    assert run.end() == 1, run.said
    summary = json.loads((tmp_path / "found" / "explored.json").read_text())
    assert summary["seeds"] == [1, 2]
    [found] = [one for one in summary["found"] if one["requirement"] == BREAKS]
    assert found["confirmed"]
    assert (tmp_path / "found" / found["history"]).stat().st_size
    here = wrong(tmp_path / "here", DEFECT)  # the same controller
    again = start("run", "-i", here, "--feature", tmp_path / "found" / f"{BREAKS}.feature", "-n", "1")
    assert again.end() == 1, again.said
    cluster.nothing_is_left()


def test_what_is_in_another_image_is_judged_there(cluster: Cluster, start: Start, tmp_path: Path) -> None:
    descriptor = tmp_path / "controller.yaml"
    descriptor.write_text(DESCRIPTOR.replace("/my/manager", f"/implementation{PROGRAM}"))
    judged = ("-i", descriptor, "--implementation-image", JUDGED, "--shards", "2")
    run = cluster.judge(start, "BAS-014 or FIN-001", *judged)
    assert run.end() == 0, run.said
    assert set(run.verdicts().values()) == {"passed"}
    assert run.records()[0]["implementation"]["name"] == "my-controller"
    cluster.nothing_is_left()


@pytest.mark.parametrize("how", ["deleted", "drained"])
def test_a_shard_that_is_lost_with_its_pod_is_played_again(cluster: Cluster, start: Start, how: str) -> None:
    run = cluster.judge(start, LONG, "-i", "reference", "--shards", "2")
    pod = cluster.halfway(run)
    planned = sum(map(len, cluster.plan().shards))
    match how:
        case "deleted":
            cluster.delete(f"{CORE}/pods/{pod}", gracePeriodSeconds=0)
        case "drained":
            cluster.drain(pod)
    assert run.end() == 0, run.said
    assert re.search(f"shard 0 was lost with its pod {pod}( .*exit code 137.)?: it is retried", run.said)
    assert len(run.verdicts()) == planned
    assert run.footer["complete"]
    cluster.nothing_is_left()


def test_a_shard_without_enough_memory_fails_with_a_clear_sentence(cluster: Cluster, start: Start) -> None:
    little = ("--memory", "96Mi", "--cpu", "100m", "-n", "1", "--shards", "1")
    run = cluster.submit(start, "--image", cluster.image, "-k", "BAS-014", "-i", "reference", *little)
    assert run.end() == 3, run.said
    assert run.said.count("was lost with its pod") == 3  # backoffLimitPerIndex: 2
    assert re.search(
        r"shard 0 was lost with its pod \S+ \(OOMKilled, exit code \d+\): it is retried", run.said
    )
    assert re.search(r"the Job \S+ has failed: (MaxFailedIndexesExceeded|FailedIndexes): ", run.said)
    cluster.remove_all()


def test_a_log_that_rotates_is_read_whole_by_who_follows_it(cluster: Cluster, start: Start) -> None:
    run = cluster.judge(start, LONG, "-i", "reference", "--shards", "1")
    pod = cluster.halfway(run)
    logs = f"/var/log/pods/{NAMESPACE}_{pod}_*/shard"
    rotated = eventually(
        "the log rotates", lambda: cluster.on_node("sh", "-c", f"ls {logs} | grep -v '^0.log$' || :")
    )
    assert run.end() == 0, run.said + rotated
    assert set(run.verdicts().values()) <= {"passed", "skipped"}
    cluster.nothing_is_left()


def test_what_a_rotated_log_lacks_is_in_the_volume(cluster: Cluster, start: Start, tmp_path: Path) -> None:
    """No one was attached: the first frames are in a file that the kubelet gives to no one."""
    cluster.claim("kept", "/var/kept")
    results = ("--results", "pvc:kept/nightly", "--detach")
    run = cluster.judge(start, LONG, "-i", "reference", "--shards", "1", *results)
    assert run.end() == 0, run.said
    name = run.said.split()[-1]
    eventually("it is done", lambda: cluster.there("Job")[0]["status"].get("succeeded"))
    [planned] = cluster.plan().shards
    attached = cluster.submit(start, "--attach", name)
    assert attached.end() == 2, attached.said
    assert "missing: shard 0" in attached.said
    assert "the node has rotated it" in attached.said
    cluster.remove_all()
    kept = tmp_path / "kept"
    subprocess.run(["docker", "cp", f"{cluster.node}:/var/kept/nightly/{name}", kept], check=True)
    merged = start("submit", "--merge", kept)
    assert merged.end() == 0, merged.said
    assert len(merged.verdicts()) == len(planned)
    assert set(merged.verdicts().values()) <= {"passed", "skipped"}


def test_who_was_cut_off_attaches_again(cluster: Cluster, start: Start) -> None:
    first = cluster.judge(start, LONG, "-i", "reference", "--shards", "2")
    cluster.halfway(first)
    os.kill(first.process.pid, signal.SIGKILL)
    first.end()
    [job] = cluster.there("Job")
    planned = sum(map(len, cluster.plan().shards))
    second = cluster.submit(start, "--attach", job["metadata"]["name"])
    assert second.end() == 0, second.said
    assert len(second.verdicts()) == planned
    cluster.nothing_is_left()


def test_ctrl_c_leaves_nothing(cluster: Cluster, start: Start) -> None:
    run = cluster.judge(start, LONG, "-i", "reference", "--shards", "2")
    cluster.halfway(run)
    run.interrupt()
    assert run.end() == 130, run.said
    assert "Traceback" not in run.said
    cluster.nothing_is_left()
    run.nothing_is_left()


def test_a_shard_refuses_the_plan_of_another_suite(cluster: Cluster, start: Start, tmp_path: Path) -> None:
    """The submitter has another suite than the image: its plan is refused at once, and is not retried."""
    here = Path(__file__).parents[2]
    for name in ("src", "features", "steps", "suites", "fixtures", "reports", "reference_controller"):
        shutil.copytree(here / name, tmp_path / name)
    shutil.copytree(here / "tests" / "mutants", tmp_path / "tests" / "mutants")
    with (tmp_path / "steps" / "time.py").open("a") as file:
        file.write("# changed\n")
    words = ("--image", cluster.image, "-k", "FIN-001", *SMALL, "-i", "reference")
    run = start(
        *("submit", "--kubeconfig", cluster.kubeconfig, *words), env={"PYTHONPATH": str(tmp_path / "src")}
    )
    assert run.end() == 3, run.said
    assert "submit with the batchproof that is in the image" in run.said
    [job] = [one["metadata"]["name"] for one in cluster.there("Job")]
    assert job in run.said
    attached = cluster.submit(start, "--attach", job)  # which fails for the same reason, and removes nothing
    assert attached.end() == 3, attached.said
    cluster.remove_all()
