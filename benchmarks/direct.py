"""An implementation with nothing between it and the API server: what it costs by itself."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from batchproof.api.certificates import write_certificates
from batchproof.control_plane.plane import Plane
from batchproof.descriptor.implementation import Implementation
from batchproof.descriptor.launch import LaunchContext, ProcessSpec, command
from batchproof.processes.environment import bare
from batchproof.processes.programs import Process, spawn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@contextlib.contextmanager
def direct(
    implementation: Implementation,
    binaries: Mapping[str, Path],
    plane: Plane,
    ports: Mapping[str, int],
    *,
    instead: Mapping[str, str] | None = None,
) -> Iterator[list[Process]]:
    """Its processes for the length of a block, but for supporting ones; perhaps they are not ready yet.

    Args:
        implementation: what is started.
        binaries: what ``{binary}`` stands for, by the name of the process.
        plane: the API server that it connects to, with the rights of the harness.
        ports: the numbers of the ports that its descriptor names.
        instead: words of its command lines that are replaced.
    """
    folder = plane.run_dir / f"{implementation.name}-{secrets.token_hex(3)}"
    started: list[Process] = []
    try:
        for spec in implementation.processes:
            if not spec.supporting:
                around = _surroundings(folder / spec.name, spec, binaries, plane, ports)
                started.append(_start(implementation, spec, around, plane.run_dir, instead or {}))
        yield started
    finally:
        for process in started:
            process.kill()


def _surroundings(
    folder: Path, spec: ProcessSpec, binaries: Mapping[str, Path], plane: Plane, ports: Mapping[str, int]
) -> LaunchContext:
    around = LaunchContext(
        kubeconfig=folder / "kubeconfig",
        binary=binaries.get(spec.name),
        python=sys.executable,
        folder=folder,
        tls_dir=folder / "tls",
        ports=ports,
    )
    for inner in (around.state_dir, around.files_dir, around.home):
        inner.mkdir(parents=True)
    around.kubeconfig.touch(mode=0o600)
    around.kubeconfig.write_text(_whole(plane.kubeconfig()), encoding="utf-8")
    if spec.uses("tls_dir"):
        write_certificates(around.tls_dir)
    return around


def _whole(kubeconfig: str) -> str:
    """A kubeconfig that names no other file: a program with a /tmp of its own would not find it."""
    config = json.loads(kubeconfig)
    for each in config["clusters"]:
        if file := each["cluster"].pop("certificate-authority", None):
            certificate = base64.b64encode(Path(file).read_bytes()).decode("ascii")
            each["cluster"]["certificate-authority-data"] = certificate
    return json.dumps(config)


def _start(
    implementation: Implementation,
    spec: ProcessSpec,
    around: LaunchContext,
    run_dir: Path,
    instead: Mapping[str, str],
) -> Process:
    what = command(spec, around, implementation.descriptor, os.environ)
    for name, text in what.files.items():
        (around.files_dir / name).write_text(text, encoding="utf-8")
    return spawn(
        [instead.get(word, word) for word in what.argv],
        run_dir=run_dir,
        name=f"{spec.name} of {implementation.name}",
        env=bare(around.home, what.env),
        log=around.folder / "log",
        cwd=around.state_dir,
    )
