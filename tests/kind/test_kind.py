"""Ephemeral kind clusters for real: they serve, they are like other clusters, and nothing of them is left."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest
from clusters import there
from installed import installed
from waiting import eventually

from batchproof.control_plane.kind_record import recorded

if TYPE_CHECKING:
    from pathlib import Path

    from runs import Run, Start

FEW = "BAS-013 or FAIL-002 or BAS-046 or FIN-001 or (FIN-004 and 500)"
LONG = "FIN or BAS or EXP"
FEW_OF_GANGS = "GNG-001 or GNG-002 or GNG-003 or GNG-008"
GANGS_SWITCHED_ON = """\
kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
featureGates: {GenericWorkload: true}
runtimeConfig: {scheduling.k8s.io/v1beta1: "true", scheduling.k8s.io/v1alpha3: "true"}
"""


def left() -> list[str]:
    """The containers, networks and volumes that Docker has of runs."""
    asked = {
        "container": ["ps", "--all", "--format", "{{.Names}}"],
        "network": ["network", "ls", "--format", "{{.Name}}"],
        "volume": ["volume", "ls", "--format", "{{.Name}}"],
    }
    found = []
    for what, words in asked.items():
        told = subprocess.run(["docker", *words], capture_output=True, check=True, text=True).stdout.split()
        found += [f"{what} {name}" for name in told if what == "volume" or name.startswith("batchproof-")]
    return found


def arguments(image: str, *more: str) -> list[str]:
    return ["run", "--cluster", "kind", "--kind-image", image, *more]


def wait_for_node(run: Run) -> None:
    run.until("a node is made", lambda: any("container" in one for one in left()))


def nothing_is_left(run: Run) -> None:
    eventually(f"all of the cluster is gone: {left()}", lambda: not left())
    eventually("its record is gone", lambda: not recorded())
    run.nothing_is_left()


def test_scenarios_pass_also_on_the_real_kubelet(start: Start, image: str) -> None:
    run = start(*arguments(image, "-k", FEW, "-n", "3"))
    assert run.end() == 0, run.said
    assert set(run.verdicts().values()) == {"passed"}  # none is skipped: its own controllers are switched off
    assert set(run.verdicts()) >= {"BAS-013.1", "FAIL-002.2"}  # those of real-kubelet.feature
    told = run.records()[0]["cluster"]
    assert (told["provider"], told["kubernetes"], told["programs"]) == ("kind", "1.37.0", {})
    nothing_is_left(run)


def test_a_configuration_of_kind_is_used(start: Start, image: str, tmp_path: Path) -> None:
    """It may undo what batchproof needs: that the cluster's own Job controller runs is found out then."""
    config = tmp_path / "kind.yaml"
    patch = "kind: ClusterConfiguration\ncontrollerManager:\n  extraArgs: [{name: controllers, value: '*'}]\n"
    indented = patch.replace("\n", "\n      ")
    config.write_text(
        "kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n"
        f"  - role: control-plane\n    kubeadmConfigPatches:\n    - |\n      {indented}\n"
    )
    run = start(*arguments(image, "-k", FEW, "--kind-config", str(config)))
    assert run.end() == 2, run.said
    assert "a Job controller already runs in this cluster" in run.said
    nothing_is_left(run)


@pytest.mark.parametrize(
    ("what", "few"), [("cluster-job-controller", FEW), ("cluster-scheduler", FEW_OF_GANGS)]
)
def test_what_comes_with_a_cluster_is_judged_in_place(
    start: Start, image: str, tmp_path: Path, what: str, few: str
) -> None:
    config = tmp_path / "kind.yaml"
    config.write_text(GANGS_SWITCHED_ON)
    run = start(*arguments(image, "-i", what, "-k", few, "--kind-config", str(config)))
    assert run.end() == 0, run.said
    assert "(kind, in place)" in run.said
    assert "passed" in run.verdicts().values()
    nothing_is_left(run)


def test_what_its_owner_has_installed_is_judged_in_place(start: Start, image: str) -> None:
    with installed("volcano", image) as cluster:
        before = there(cluster.plane)
        where = ("--cluster", "existing", "--kubeconfig", cluster.kubeconfig)
        run = start("run", "-i", cluster.descriptor, *where, "-k", FEW_OF_GANGS)
        assert run.end() == 0, run.said
        assert "(existing, in place)" in run.said
        assert "passed" in run.verdicts().values()
        assert there(cluster.plane) == before
        run.nothing_is_left()
    eventually(f"all of the cluster is gone: {left()}", lambda: not left())


@pytest.mark.parametrize("moment", ["creating", "judging"])
def test_ctrl_c_deletes_the_cluster(start: Start, image: str, moment: str) -> None:
    run = start(*arguments(image, "-k", LONG, "-n", "2"))
    wait_for_node(run) if moment == "creating" else run.wait_for_scenario()
    run.interrupt()
    assert run.end() in {1, 130}, run.said
    assert "Traceback" not in run.said
    nothing_is_left(run)


@pytest.mark.parametrize("moment", ["creating", "judging"])
def test_the_janitor_deletes_it_after_kill_9(start: Start, image: str, moment: str) -> None:
    run = start(*arguments(image, "-k", LONG, "-n", "2"))
    wait_for_node(run) if moment == "creating" else run.wait_for_scenario()
    os.kill(run.process.pid, signal.SIGKILL)
    run.end()
    nothing_is_left(run)


def test_the_next_run_deletes_it_when_the_janitor_was_killed_too(start: Start, image: str) -> None:
    run = start(*arguments(image, "-k", LONG, "-n", "2"))
    wait_for_node(run)
    for pid in (*run.pids("janitor.py"), run.process.pid):
        os.kill(pid, signal.SIGKILL)
    run.wipe()
    assert left()
    following = start(*arguments(image, "-k", "BAS-013"))
    assert following.end() == 0, following.said
    assert "which a run that was killed has left" in following.said
    nothing_is_left(following)


def test_a_missing_docker_is_named(start: Start, tmp_path: Path) -> None:
    (tmp_path / "kind").symlink_to("/bin/true")
    run = start(*arguments("any"), env={"PATH": str(tmp_path)})
    assert run.end() == 2, run.said
    assert "needs docker, and there is none on the PATH" in run.said
    assert "--cluster embedded" in run.said


def test_a_daemon_that_does_not_answer_is_named(start: Start) -> None:
    run = start(*arguments("any"), env={"DOCKER_HOST": "unix:///nowhere/docker.sock"})
    assert run.end() == 2, run.said
    assert "the Docker daemon does not answer" in run.said
    assert "/nowhere/docker.sock" in run.said


def test_an_image_that_cannot_be_had_is_named(start: Start) -> None:
    run = start(*arguments("localhost:1/no-such-node:v1"))
    assert run.end() == 2, run.said
    assert "Docker has no image localhost:1/no-such-node:v1, and cannot pull it" in run.said
    assert not left()


def test_a_configuration_that_is_none_is_refused(start: Start, image: str, tmp_path: Path) -> None:
    config = tmp_path / "kind.yaml"
    config.write_text("kind: Pod\n")
    run = start(*arguments(image, "--kind-config", str(config)))
    assert run.end() == 2, run.said
    assert "is no configuration of kind" in run.said
