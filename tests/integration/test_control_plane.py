"""The embedded control plane for real: it serves, it tidies up as a cluster does, nothing of it is left."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest
from command import COMMAND
from runs import listened_on, listening
from waiting import HANGS_S, eventually

from batchproof.control_plane import embedded
from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.embedded import EmbeddedControlPlane
from batchproof.control_plane.plane import Plane
from batchproof.control_plane.progress import unseen
from batchproof.ground.errors import HarnessError, UserError
from batchproof.processes.programs import free_ports, gone, run_directory

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION = "1.37.0"
STRANGER = secrets.token_urlsafe()


@pytest.fixture(scope="module")
def binaries() -> dict[str, Path]:
    return Binaries(None, unseen).control_plane()


@pytest.fixture(scope="module")
def run() -> Iterator[Path]:
    with run_directory() as run:
        yield run.path


def a_plane(run: Path, binaries: dict[str, Path], **options: Any) -> EmbeddedControlPlane:
    return EmbeddedControlPlane(run, binaries, kubernetes_version=VERSION, **options)


@pytest.fixture(scope="module")
def plane(run: Path, binaries: dict[str, Path]) -> Iterator[Plane]:
    with a_plane(run, binaries) as plane:
        yield plane


def call(
    plane: Plane, method: str, path: str, body: dict[str, Any] | None = None, token: str | None = None
) -> Any:
    request = urllib.request.Request(  # noqa: S310 - https only
        plane.server + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {token or plane.token}", "Content-Type": "application/json"},
    )
    trust = ssl.create_default_context(cafile=plane.ca_file)
    with urllib.request.urlopen(request, context=trust, timeout=HANGS_S) as response:  # noqa: S310 - https only
        return json.load(response)


def status(*arguments: Any, **options: Any) -> int:
    try:
        call(*arguments, **options)
    except urllib.error.HTTPError as error:
        return error.code
    return 200


def config_map(name: str, **metadata: Any) -> dict[str, Any]:
    return {"metadata": {"name": name, **metadata}}


def test_it_serves_the_version_that_is_asked_for(plane: Plane) -> None:
    assert call(plane, "GET", "/version")["gitVersion"] == f"v{VERSION}"
    assert plane.kubernetes_version == VERSION


def test_only_the_token_is_let_in(plane: Plane) -> None:
    assert status(plane, "GET", "/api/v1/namespaces", token=STRANGER) == 401


@pytest.mark.usefixtures("plane")
def test_secrets_are_for_the_owner_only(run: Path) -> None:
    for path in run.glob("plane-*/*"):
        if path.suffix in {".csv", ".key"} or path.name == "kubeconfig":
            assert path.stat().st_mode & 0o077 == 0, path


def test_a_deleted_namespace_goes_away_with_what_is_in_it(plane: Plane) -> None:
    call(plane, "POST", "/api/v1/namespaces", {"metadata": {"name": "short-lived"}})
    call(plane, "POST", "/api/v1/namespaces/short-lived/configmaps", config_map("inside"))
    call(plane, "DELETE", "/api/v1/namespaces/short-lived")
    eventually("it is gone", lambda: status(plane, "GET", "/api/v1/namespaces/short-lived") == 404)


def test_what_is_owned_goes_away_with_its_owner(plane: Plane) -> None:
    maps = "/api/v1/namespaces/default/configmaps"
    owner = call(plane, "POST", maps, config_map("owner"))["metadata"]
    reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": owner["uid"]}
    call(plane, "POST", maps, config_map("owned", ownerReferences=[reference]))
    call(plane, "DELETE", f"{maps}/owner")
    eventually("it is gone too", lambda: status(plane, "GET", f"{maps}/owned") == 404)


def test_planes_with_other_flags_live_side_by_side(
    plane: Plane, run: Path, binaries: dict[str, Path]
) -> None:
    flags = ["--emulated-version=1.34", "--feature-gates=JobManagedBy=false"]
    with a_plane(run, binaries, api_server_flags=flags, with_controllers=False) as other:
        assert other.server != plane.server
        assert status(plane, "GET", "/api/v1/namespaces", token=other.token) == 401
        assert call(other, "GET", "/version")["emulationMinor"] == "34"
        assert status(plane, "GET", "/version") == 200


def test_a_taken_port_is_left_to_its_owner(
    run: Path, binaries: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        expect_the_second_port(run, binaries, monkeypatch, taken.getsockname()[1])


def test_the_port_of_another_plane_is_left_to_it(
    plane: Plane, run: Path, binaries: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    expect_the_second_port(run, binaries, monkeypatch, int(plane.server.rpartition(":")[2]))


def expect_the_second_port(
    run: Path, binaries: dict[str, Path], monkeypatch: pytest.MonkeyPatch, taken: int
) -> None:
    offered: list[int] = []

    def offer(count: int) -> list[int]:
        """The taken port first; a later one may also be taken, by somebody else in the meantime."""
        offered.extend(free_ports(count) if offered else [taken])
        return [offered[-1]]

    monkeypatch.setattr(embedded, "free_ports", offer)
    with a_plane(run, binaries) as plane:
        assert len(offered) > 1
        assert plane.server == f"https://127.0.0.1:{offered[-1]}" != f"https://127.0.0.1:{taken}"


@pytest.mark.parametrize("part", ["etcd", "kube-apiserver", "deletion-controllers"])
def test_a_part_that_died_is_named(run: Path, binaries: dict[str, Path], part: str) -> None:
    provider = a_plane(run, binaries)
    with provider:
        provider.check()
        process = next(each for each in provider._parts if each.name == part)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(HANGS_S)
        with pytest.raises(HarnessError, match=f"{part} ended with -9"):
            provider.check()


def test_the_part_that_the_others_died_of_is_named(run: Path, binaries: dict[str, Path]) -> None:
    provider = a_plane(run, binaries)
    with provider:
        for process in provider._parts:
            os.kill(process.pid, signal.SIGKILL)
            process.wait(HANGS_S)
        with pytest.raises(HarnessError, match="etcd ended with -9"):
            provider.check()


def test_refused_flags_are_shown_with_the_last_words(run: Path, binaries: dict[str, Path]) -> None:
    with pytest.raises(HarnessError, match=r"--no-such-flag=1\)(.|\n)*unknown flag"):
        a_plane(run, binaries, api_server_flags=["--no-such-flag=1"]).start()


def test_another_version_is_refused_with_both_named(run: Path, binaries: dict[str, Path]) -> None:
    provider = EmbeddedControlPlane(run, binaries, kubernetes_version="1.36.1")
    with pytest.raises(UserError, match=r"is Kubernetes 1\.37\.0, needed is 1\.36\.1"):
        provider.start()


def test_stop_leaves_nothing(run: Path, binaries: dict[str, Path]) -> None:
    before = set(run.glob("plane-*"))
    provider = a_plane(run, binaries)
    provider.start()
    pids = [part.pid for part in provider._parts]
    provider.stop()
    provider.stop()
    assert all(gone(pid, HANGS_S) for pid in pids)
    assert set(run.glob("plane-*")) == before


STARTS_A_PLANE = dedent("""
    import sys, time
    from batchproof.control_plane.assets import Binaries
    from batchproof.control_plane.embedded import EmbeddedControlPlane
    from batchproof.control_plane.progress import unseen
    from batchproof.processes.programs import run_directory
    if sys.argv[1] == "starting":  # and is starting still when it is killed
        EmbeddedControlPlane._await_ready = lambda *_: time.sleep(3600)
    with run_directory() as run:
        provider = EmbeddedControlPlane(
            run.path, Binaries(None, unseen).control_plane(), kubernetes_version="1.37.0"
        )
        print(run.path, flush=True)
        with provider as plane:
            print(plane.to_json(), flush=True)
            time.sleep(3600)
""")


@pytest.mark.parametrize("ready", [True, False], ids=["ready", "starting"])
def test_nothing_is_left_after_kill_9(binaries: dict[str, Path], ready: bool) -> None:
    del binaries  # built before, so that the other process finds them
    moment = "ready" if ready else "starting"
    command = [sys.executable, "-c", STARTS_A_PLANE, moment]
    parent = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    folder = Path(parent.stdout.readline().strip())
    if ready:
        assert Plane.from_json(parent.stdout.readline()).server

    def registered() -> list[int]:
        names = [path.name for path in (folder / "processes").iterdir()]
        return [int(name) for name in names if name.isdigit()]

    eventually("all its parts run", lambda: len(registered()) == (3 if ready else 2))
    pids = registered()
    sockets = listened_on(pids)
    assert sockets or not ready
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert all(gone(pid, HANGS_S) for pid in pids)
    eventually("its folder is removed", lambda: not folder.exists())
    eventually("no process listens any more", lambda: not listening() & sockets)


def test_up_runs_until_it_is_interrupted(binaries: dict[str, Path]) -> None:
    del binaries
    up = subprocess.Popen(
        [*COMMAND, "control-plane", "up"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert up.stdout is not None
    try:
        kubeconfig = Path(up.stdout.readline().strip())
        assert json.loads(kubeconfig.read_text())["kind"] == "Config"
        up.send_signal(signal.SIGINT)
        assert up.wait(HANGS_S) == 0
        assert not kubeconfig.parent.exists()
    finally:
        up.kill()
        up.stdout.close()
