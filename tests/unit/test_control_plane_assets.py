"""Where binaries come from, and that a wrong one is refused before anything starts."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from waiting import HANGS_S

from batchproof.control_plane import assets
from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.build import GoModule
from batchproof.control_plane.embedded import (
    _API_SERVER_FLAGS,
    TRAITS,
    _controller_flags,
    _private_key,
    _replaced,
)
from batchproof.control_plane.plane import Plane
from batchproof.descriptor.implementation import Implementation, load
from batchproof.descriptor.launch import GoProgram
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

CONTROLLERS = GoProgram(module="control_plane", package="k8s.io/kubernetes/cmd/kube-controller-manager")


@pytest.fixture(autouse=True)
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Nothing is built: it is only said what would be."""
    monkeypatch.setenv("BATCHPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("KUBEBUILDER_ASSETS", raising=False)
    asked: list[str] = []

    def ensure_all(module: GoModule, commands: Sequence[str], _progress: object) -> dict[str, Path]:
        asked.extend(commands)
        return {command: Path("/built", module.name, command) for command in commands}

    monkeypatch.setattr(assets, "ensure_all", ensure_all)
    return asked


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A binary may take as long as it will to say its version."""

    def run(*words: Any, check: bool, timeout: float, **more: Any) -> Any:  # noqa: ARG001
        return subprocess.run(*words, check=check, timeout=HANGS_S, **more)

    told = SimpleNamespace(run=run, TimeoutExpired=subprocess.TimeoutExpired)
    monkeypatch.setattr(assets, "subprocess", told)


def folder_with(tmp_path: Path, version: str, *names: str) -> Path:
    folder = tmp_path / "assets"
    folder.mkdir()
    for name in names:
        (folder / name).write_text(f"#!/bin/sh\necho Kubernetes v{version}\n")
        (folder / name).chmod(0o755)
    return folder


ALL = ("etcd", "kube-apiserver", "kube-controller-manager")
MANAGER, DELETION = "kube-controller-manager", "deletion-controllers"


def binaries(folder: Path | None = None) -> Binaries:
    return Binaries(folder, lambda *_: None)


def test_all_is_built_where_nothing_is_given(built: list[str]) -> None:
    assert binaries().control_plane()["etcd"] == Path("/built/control_plane/etcd")
    assert built == ["etcd", "kube-apiserver", "deletion-controllers"]


def test_kube_controller_manager_is_built_where_more_of_its_controllers_are_needed(built: list[str]) -> None:
    assert list(binaries().control_plane(["job-controller"])) == list(ALL) == built


@pytest.mark.parametrize(
    ("given", "beside", "whole", "program"),
    [
        ((), (), False, DELETION),
        ((), ("job-controller",), False, MANAGER),
        ((MANAGER,), (), False, MANAGER),
        ((DELETION,), (), False, DELETION),
        ((DELETION, MANAGER), (), False, DELETION),
        ((DELETION, MANAGER), ("job-controller",), False, MANAGER),
        ((DELETION,), (), True, DELETION),
        ((DELETION,), ("job-controller",), True, MANAGER),
        ((), (), True, MANAGER),
    ],
)
def test_which_program_has_the_controllers(
    tmp_path: Path, given: tuple[str, ...], beside: tuple[str, ...], program: str, *, whole: bool
) -> None:
    folder = folder_with(tmp_path, "1.37.0", *given)
    assert assets.parts(folder, beside, whole=whole) == ("etcd", "kube-apiserver", program)


def test_a_given_folder_is_taken(tmp_path: Path, built: list[str]) -> None:
    folder = folder_with(tmp_path, "1.37.4", *ALL)
    assert binaries(folder).control_plane() == {name: folder / name for name in ALL}
    assert built == []


def test_a_given_folder_must_be_complete(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, "1.37.0", "etcd", "kube-apiserver")
    with pytest.raises(
        UserError, match=r"--assets: there is no kube-controller-manager in .* put 1\.37\.0 there"
    ):
        binaries(folder).control_plane()


def test_what_the_environments_folder_lacks_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, built: list[str]
) -> None:
    folder = folder_with(tmp_path, "1.37.0", "etcd", "kube-apiserver")
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(folder))
    found = binaries().control_plane()
    assert found["etcd"] == folder / "etcd"
    assert built == ["deletion-controllers"]


def test_an_environments_folder_that_does_not_exist_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(tmp_path / "none"))
    with pytest.raises(UserError, match="KUBEBUILDER_ASSETS: there is no etcd in"):
        binaries().control_plane()


def test_a_wrong_version_is_refused_with_both_named(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, "1.31.2", *ALL)
    with pytest.raises(UserError, match=r"kube-apiserver is Kubernetes 1\.31\.2, needed is 1\.37\.0"):
        binaries(folder).control_plane()


def test_a_binary_of_no_version_is_refused(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, "1.37.0", *ALL)
    (folder / "kube-apiserver").write_text("#!/bin/sh\necho hello\n")
    with pytest.raises(UserError, match="does not say which Kubernetes it is"):
        binaries(folder).control_plane()


def test_a_file_that_is_no_program_is_refused(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, "1.37.0", *ALL)
    (folder / "kube-apiserver").chmod(0o644)
    with pytest.raises(UserError, match="cannot be started"):
        binaries(folder).control_plane()


def test_an_implementation_brings_its_binary_or_has_it_built(tmp_path: Path, built: list[str]) -> None:
    program = folder_with(tmp_path, "9", "controller") / "controller"
    assert binaries().of(None) is None
    assert binaries().of(program) == program
    assert binaries().of(CONTROLLERS) == Path("/built/control_plane/kube-controller-manager")
    old = GoProgram(module="kubernetes-1.26", package=CONTROLLERS.package)
    assert binaries().of(old) == Path("/built/kubernetes-1.26/kube-controller-manager")
    assert built == ["kube-controller-manager"] * 2


def test_an_implementation_of_the_control_planes_module_comes_from_the_given_folder(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, "1.37.0", *ALL)
    assert binaries(folder).of(CONTROLLERS) == folder / "kube-controller-manager"


def test_an_implementation_with_no_program_or_module_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="none cannot be started; look at 'binary'"):
        binaries().of(tmp_path / "none")
    with pytest.raises(UserError, match=r"no module volcano to build; there are control_plane, "):
        binaries().of(GoProgram(module="volcano", package="volcano.sh/volcano"))


def test_a_plane_survives_json() -> None:
    plane = Plane("https://127.0.0.1:6443", "secret", "/run/ca.crt", "1.37.0", TRAITS, Path("/run"))
    assert Plane.from_json(plane.to_json()) == plane
    assert '"certificate-authority": "/run/ca.crt"' in plane.kubeconfig()


def test_flags_replace_those_of_their_name() -> None:
    flags = _replaced(_API_SERVER_FLAGS, ["--authorization-mode=AlwaysAllow", "--v=2"])
    assert flags[-2:] == ["--authorization-mode=AlwaysAllow", "--v=2"]
    assert "--authorization-mode=RBAC" not in flags
    assert len(flags) == len(_API_SERVER_FLAGS) + 1


def test_each_key_is_new_and_on_the_curve_that_kubernetes_signs_with() -> None:
    texts = {_private_key(), _private_key()}
    assert len(texts) == 2
    for text in texts:
        assert text.startswith("-----BEGIN EC PRIVATE KEY-----\n")
        key = load_pem_private_key(text.encode(), password=None)
        assert isinstance(key, EllipticCurvePrivateKey)
        assert key.curve.name == "secp256r1"


# -- what a descriptor needs


def implementation(tmp_path: Path, needs: str) -> Implementation:
    path = tmp_path / "mine.yaml"
    head = 'name: mine\nversion: "1"\norganisation: Me\nprofiles: [job]\nstart: {argv: [a]}\n'
    path.write_text(f"{head}control_plane: {needs}\n")
    return load(path)


def test_a_descriptor_gets_the_control_plane_of_today_with_its_flags(tmp_path: Path) -> None:
    needed = binaries().needed(implementation(tmp_path, '{api_server_flags: ["--v=2"]}'))
    assert (needed.kubernetes_version, needed.api_server_flags) == ("1.37.0", ("--v=2",))
    assert needed.binaries["kube-apiserver"] == Path("/built/control_plane/kube-apiserver")


def test_an_older_control_plane_has_the_etcd_of_today(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_with(tmp_path, "1.37.0", *ALL)
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(folder))
    needed = binaries().needed(implementation(tmp_path, '{kubernetes: "1.24"}'))
    assert needed.kubernetes_version == "1.24.17"
    assert needed.binaries == {
        "etcd": folder / "etcd",
        "kube-apiserver": Path("/built/kubernetes-1.24/kube-apiserver"),
        "kube-controller-manager": Path("/built/kubernetes-1.24/kube-controller-manager"),
    }


def test_a_kubernetes_without_an_api_server_in_the_suite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no API server of 1\.26; it has 1\.24, 1\.37\.0"):
        binaries().needed(implementation(tmp_path, '{kubernetes: "1.26"}'))


@pytest.mark.parametrize(
    ("version", "name"),
    [("1.24.17", "garbagecollector,"), ("1.28.0", "garbage-collector-"), ("1.37.0", "garbage-collector-")],
)
def test_controllers_are_called_as_their_version_calls_them(version: str, name: str) -> None:
    assert any(flag.startswith(f"--controllers={name}") for flag in _controller_flags(version, ()))


@pytest.mark.parametrize(("version", "name"), [("1.24.17", "job"), ("1.37.0", "job-controller")])
def test_the_built_in_job_controller_runs_where_it_is_asked_for(version: str, name: str) -> None:
    def controllers(*beside: str) -> list[str]:
        return _controller_flags(version, beside)[-1].removeprefix("--controllers=").split(",")

    assert controllers("job-controller") == [*controllers(), name]
