"""kind's configuration: the user's, and what a run needs beside it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from batchproof.control_plane.kind import _node_names, configuration
from batchproof.control_plane.kind_record import KindRecord, recorded
from batchproof.control_plane.providers.kind import node_image
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path


def patches(config: dict[str, Any]) -> list[dict[str, Any]]:
    return [json.loads(one) for one in config["kubeadmConfigPatches"] if one.startswith("{")]


def configured(path: Path | None = None, **options: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {"old_cgroups": False, "api_server_flags": (), "without": ()}
    return configuration(path, **{**plain, **options})


def test_without_needs_nothing_is_patched() -> None:
    assert configured()["kubeadmConfigPatches"] == []


def test_kubelet_is_told_to_work_with_old_cgroups() -> None:
    assert patches(configured(old_cgroups=True)) == [{"kind": "KubeletConfiguration", "failCgroupV1": False}]


def test_the_own_job_controller_makes_room_in_the_words_of_each_kubeadm() -> None:
    newer, older = patches(configured(without=["job-controller", "ttl-after-finished-controller"]))
    [argument] = newer["controllerManager"]["extraArgs"]
    assert newer["apiVersion"] == "kubeadm.k8s.io/v1beta4"
    assert argument["name"] == "controllers"
    assert argument["value"].endswith(",-job-controller,-ttl-after-finished-controller")
    assert older["apiVersion"] == "kubeadm.k8s.io/v1beta3"
    assert older["controllerManager"]["extraArgs"]["controllers"].endswith(",-job,-ttl-after-finished")


def test_flags_of_the_api_server_are_passed_on() -> None:
    newer, older = patches(configured(api_server_flags=["--feature-gates=A=true,B=false"]))
    assert newer["apiServer"]["extraArgs"] == [{"name": "feature-gates", "value": "A=true,B=false"}]
    assert older["apiServer"]["extraArgs"] == {"feature-gates": "A=true,B=false"}
    assert "controllerManager" not in newer


def test_the_users_configuration_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "kind.yaml"
    path.write_text("kind: Cluster\nname: theirs\nkubeadmConfigPatches: ['kind: InitConfiguration']\n")
    config = configured(path, old_cgroups=True)
    assert config["name"] == "theirs"
    assert config["kubeadmConfigPatches"][0] == "kind: InitConfiguration"
    assert len(config["kubeadmConfigPatches"]) == 2


@pytest.mark.parametrize("text", ["kind: Pod", "[]", "a: ["])
def test_what_is_no_configuration_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "kind.yaml"
    path.write_text(text)
    with pytest.raises(UserError, match=r"kind\.yaml"):
        configured(path)


@pytest.mark.parametrize(
    ("roles", "names"),
    [
        ([], ["c-control-plane"]),
        (["control-plane", "worker", "worker"], ["c-control-plane", "c-worker", "c-worker2"]),
        (["control-plane"] * 2, ["c-control-plane", "c-control-plane2", "c-external-load-balancer"]),
    ],
)
def test_nodes_are_called_as_kind_calls_them(roles: list[str], names: list[str]) -> None:
    assert [*_node_names("c", {"nodes": [{"role": role} for role in roles]})] == names


def test_a_version_means_the_node_image_of_kind() -> None:
    assert node_image({"kubernetes_version": "v1.37.0"}) == "kindest/node:v1.37.0"
    assert node_image({"kind_image": "own:1"}) == "own:1"
    assert node_image({}) is None


def test_a_record_is_found_by_the_next_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATCHPROOF_CACHE", str(tmp_path))
    assert recorded() == []
    record = KindRecord(
        "batchproof-1", "kind", "/run", "/run/kubeconfig", "", ("batchproof-1-control-plane",)
    )
    record.write()
    assert recorded() == [record]
