"""A cluster as its owner has it: an implementation is at work in it before batchproof comes.

The processes of a bundled descriptor are pods of the node, as kind's own control plane is: kubelet starts
them from files. So it does not matter that their webhooks judge pods, too.
"""

from __future__ import annotations

import base64
import json
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import yaml
from archive import Image, of_files, pack
from waiting import eventually

from batchproof.api.certificates import write_certificates
from batchproof.api.client import ApiError
from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.competing import ImplementationRole
from batchproof.control_plane.existing import call
from batchproof.control_plane.kind import KindCluster
from batchproof.control_plane.manifests import install
from batchproof.control_plane.plane import Plane
from batchproof.control_plane.progress import unseen
from batchproof.descriptor.implementation import Implementation, find, load, objects
from batchproof.descriptor.launch import LaunchContext, ProcessSpec, command
from batchproof.ground.resources import PODS
from batchproof.processes.programs import run_directory

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ADMIN: Final = "/etc/kubernetes/admin.conf"
MANIFESTS: Final = "/etc/kubernetes/manifests"
PLACE: Final = Path("/opt/installed")
PROGRAM: Final = "/program"
PORTS_FROM: Final = 21000
NOBODY: Final = ImplementationRole(witnesses=(), managed_by=None, dialect=None, installed=True)
STARTS: Final = ("start", "processes", "binary", "isolation", "control_plane")


@dataclass(frozen=True)
class Installed:
    """A cluster with something in it.

    Attributes:
        plane: its API server.
        kubeconfig: that of its owner.
        descriptor: of what is installed, as its owner writes it: without a word on how it is started.
    """

    plane: Plane
    kubeconfig: Path
    descriptor: Path


@contextmanager
def installed(name: str, image: str) -> Iterator[Installed]:
    """A kind cluster with the implementation that this bundled descriptor starts elsewhere.

    It is there as long as the block takes; its webhooks answer, the rest of it may still be starting.
    """
    binaries, given = Binaries(None, unseen), find(name)
    implementation = load(given)
    with run_directory() as run:
        cluster = KindCluster(
            run.path,
            binaries.kind(),
            image=image,
            config=None,
            api_server_flags=implementation.control_plane.api_server_flags,
            part=NOBODY,
            run=run.path.name,
            say=print,
        )
        with cluster as plane:
            _install(implementation, binaries, plane, run.path)
            eventually("pods are admitted", lambda: _admitted(plane))
            descriptor = run.path / "installed.yaml"
            content = yaml.safe_load(given.read_text("utf-8"))
            kept = {key: value for key, value in content.items() if key not in STARTS}
            descriptor.write_text(yaml.safe_dump(kept), "utf-8")
            yield Installed(plane, run.path / "kind.kubeconfig", descriptor)


def _install(implementation: Implementation, binaries: Binaries, plane: Plane, run_dir: Path) -> None:
    node = f"{run_dir.name}-control-plane"
    ports = {port: PORTS_FROM + place for place, port in enumerate(sorted(implementation.ports))}
    programs = binaries.of_processes(implementation)
    here = run_dir / "installed"
    write_certificates(here / "tls")
    authority = base64.b64encode((here / "tls" / "ca.crt").read_bytes()).decode()
    made = objects(implementation, ports, ca_bundle=authority)
    call(plane, lambda api: install(api, binaries.crds(implementation), made, make=True))
    images = run_dir / "images.tar"
    pack((_image(name, program) for name, program in programs.items()), images)
    _run(str(binaries.kind()), "load", "image-archive", str(images), "--name", run_dir.name)
    manifests = here / "manifests"
    manifests.mkdir()
    for process in implementation.processes:
        around = LaunchContext(
            kubeconfig=Path(ADMIN),
            binary=Path(PROGRAM),
            python="",
            folder=PLACE / process.name,
            tls_dir=PLACE / "tls",
            ports=ports,
        )
        what = command(process, around, implementation.descriptor, {})
        for folder in ("files", "state"):
            (here / process.name / folder).mkdir(parents=True)
        for name, text in what.files.items():
            (here / process.name / "files" / name).write_text(text, "utf-8")
        pod = _pod(process, what.argv, what.env)
        (manifests / f"{process.name}.yaml").write_text(json.dumps(pod), "utf-8")
    _run("docker", "cp", str(here), f"{node}:{PLACE}")
    _run("docker", "exec", node, "sh", "-c", f"mv {PLACE}/manifests/* {MANIFESTS}")


def _admitted(plane: Plane) -> bool:
    """Whether a pod may be created: a webhook that does not answer yet refuses each."""
    container = {"name": "main", "image": "batchproof.dev/simulated"}
    pod = {"kind": "Pod", "metadata": {"name": "try"}, "spec": {"containers": [container]}}
    try:
        call(plane, lambda api: api.create(f"{PODS.path('default')}?dryRun=All", pod))
    except ApiError:
        return False
    return True


def _image(name: str, program: Path) -> Image:
    return of_files(_image_name(name), PROGRAM, {PROGRAM: program})


def _image_name(process: str) -> str:
    return f"batchproof.dev/{process}:installed"


def _pod(process: ProcessSpec, argv: list[str], env: Mapping[str, str]) -> dict[str, Any]:
    """One process, in the network of its node: so 127.0.0.1 is the same for it and for the API server."""
    places = [ADMIN, str(PLACE)]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": process.name, "namespace": "kube-system"},
        "spec": {
            "hostNetwork": True,
            "priorityClassName": "system-node-critical",
            "containers": [
                {
                    "name": process.name,
                    "image": _image_name(process.name),
                    "imagePullPolicy": "Never",
                    "command": argv,
                    "env": [{"name": name, "value": value} for name, value in env.items()],
                    "volumeMounts": [
                        {"name": f"place-{number}", "mountPath": place} for number, place in enumerate(places)
                    ],
                }
            ],
            "volumes": [
                {"name": f"place-{number}", "hostPath": {"path": place}}
                for number, place in enumerate(places)
            ],
        },
    }


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
