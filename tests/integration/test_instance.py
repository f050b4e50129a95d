"""An implementation of several processes on a control plane of its own: a webhook, and what is judged."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest
from waiting import eventually

from batchproof.cell import Cell
from batchproof.control_plane.choice import ClusterOptions
from batchproof.control_plane.manifests import install
from batchproof.descriptor.implementation import load
from batchproof.ground.errors import HarnessError, UserError
from batchproof.ground.resources import PODS
from batchproof.profiles.shared.collections import WITH_JOBS
from batchproof.running.environment import staged

if TYPE_CHECKING:
    from collections.abc import Iterator

# An https server in one line stands for a webhook: it listens with the certificates that it is given.
LISTENS = """\
import pathlib, socketserver, ssl, sys
server = socketserver.TCPServer(("127.0.0.1", int(sys.argv[1])), socketserver.BaseRequestHandler)
tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
tls.load_cert_chain(sys.argv[2] + "/tls.crt", sys.argv[2] + "/tls.key")
server.socket = tls.wrap_socket(server.socket, server_side=True)
assert pathlib.Path(sys.argv[3]).read_text() == "port " + sys.argv[1]
server.serve_forever()
"""
DESCRIPTOR = """\
name: mine
version: "1"
organisation: Me
profiles: [job]
processes:
  - name: webhook
    supporting: true
    argv: ["{python}", "{descriptor_dir}/listens.py", "{port:hooks}", "{tls_dir}", "{files_dir}/told"]
    files: {told: "port {port:hooks}"}
    ready: {listens: hooks, within_s: 900}  # it only ends a hang
  - name: controller
    argv: ["{python}", "-m", "reference_controller", "job", "--kubeconfig", "{kubeconfig}"]
    ready: {within_s: 900}
control_plane:
  crds: [gangs.yaml]
  objects:
    - {apiVersion: example.com/v1alpha1, kind: Gang, metadata: {name: ours}, url: "https://127.0.0.1:{port:hooks}"}
    - {apiVersion: v1, kind: Namespace, metadata: {name: mine-system}}
isolation: control-plane
"""
GANGS = """\
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: gangs.example.com}
spec:
  group: example.com
  names: {kind: Gang, plural: gangs}
  scope: Namespaced
  version: v1alpha1
"""


@pytest.fixture(scope="module")
def cell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cell]:
    """A cell with its instance started, on a control plane of its own."""
    folder = tmp_path_factory.mktemp("mine")
    for name, text in {"mine.yaml": DESCRIPTOR, "gangs.yaml": GANGS, "listens.py": LISTENS}.items():
        (folder / name).write_text(text)
    mine = load(folder / "mine.yaml")
    with staged(mine, ClusterOptions(), lambda _: None) as stage, stage.plane() as plane:
        cell = Cell("bp-test-several", plane, stage.program, WITH_JOBS)
        cell.call(cell.open())
        cell.call(cell.start())
        yield cell
        cell.shut()


def pid_of(cell: Cell, process: str) -> int:
    return cell.instance._processes[process].pid


def test_what_it_needs_is_there_before_it_starts(cell: Cell) -> None:
    told = cell.call(cell.api.get("/apis/example.com/v1alpha1/namespaces/default/gangs/ours"))
    assert told["url"] == f"https://127.0.0.1:{cell.instance.ports['hooks']}"
    assert cell.call(cell.api.get("/api/v1/namespaces/mine-system"))


def test_what_is_there_already_is_left_as_it_is(cell: Cell) -> None:
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "mine-system"}}
    cell.call(install(cell.api, cell.instance.program.crds, [namespace], make=True))
    cell.call(install(cell.api, cell.instance.program.crds, [namespace], make=False))


@pytest.mark.parametrize(
    ("thing", "make", "error"),
    [
        (("v1", "Namespace"), False, "Namespace other .* not ours to change so: make it first"),
        (("v1", "Nonsense"), True, "the API server does not serve v1 Nonsense"),
        (("example.org/v1", "Gang"), True, "does not serve example.org/v1 Gang"),
    ],
)
def test_what_cannot_be_made_is_named(cell: Cell, thing: tuple[str, str], make: bool, error: str) -> None:
    api_version, kind = thing
    body = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "other"}}
    with pytest.raises((UserError, HarnessError), match=error):
        cell.call(install(cell.api, (), [body], make=make))


def test_each_process_has_a_door_of_its_own(cell: Cell) -> None:
    doors = cell.instance._doors
    assert doors["controller"].watching("jobs")
    assert not doors["webhook"].watching("jobs")
    assert doors["controller"].url != doors["webhook"].url


def test_a_kill_spares_what_is_supporting(cell: Cell) -> None:
    webhook, controller = pid_of(cell, "webhook"), pid_of(cell, "controller")
    cell.instance.kill()
    assert not cell.instance.alive
    cell.call(cell.start())
    assert pid_of(cell, "webhook") == webhook
    assert pid_of(cell, "controller") != controller


def test_nothing_is_left_in_any_namespace_of_a_scenario(cell: Cell) -> None:
    scene = cell.call(cell.begin())
    further = f"{scene.namespace}-further"
    cell.call(cell.make_namespace(further))
    spec = {"containers": [{"name": "main", "image": "none"}], "nodeName": "somewhere"}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "runs"}, "spec": spec}
    for namespace in (scene.namespace, further):
        made = cell.call(cell.api.create(PODS.path(namespace), pod))
        status = {"status": {"phase": "Running"}}
        cell.call(cell.api.patch(PODS.path(namespace, made["metadata"]["name"], "status"), status))

    cell.call(cell.finish(disturbed=False))

    def empty() -> bool:
        return not any(cell.call(cell.api.get(PODS.path(one)))["items"] for one in (scene.namespace, further))

    eventually("both are empty", empty)


def test_the_end_of_a_supporting_process_is_trouble_of_its_scenario_and_is_mended(cell: Cell) -> None:
    scene = cell.call(cell.begin())
    webhook = pid_of(cell, "webhook")
    os.kill(webhook, signal.SIGKILL)
    eventually("its end is noted", scene.trouble.done)
    assert isinstance(scene.trouble.result(), HarnessError)
    assert str(scene.trouble.result()).startswith(
        "a part of the harness ended unexpectedly: webhook of mine 1: exit code -9"
    )
    assert not [change for _, change in scene.seen.processes if "exited" in change.what]  # none is accused
    cell.call(cell.finish(disturbed=False))
    cell.call(cell.begin())
    assert cell.instance.alive
    assert pid_of(cell, "webhook") != webhook
