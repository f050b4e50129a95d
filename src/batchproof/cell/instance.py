"""The implementation's processes: started, killed, stopped, and watched for an unexpected exit."""

from __future__ import annotations

import asyncio
import base64
import os
import socket
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from batchproof.api.certificates import write_certificates
from batchproof.cell.logs import shorten
from batchproof.descriptor.implementation import Implementation
from batchproof.descriptor.launch import LaunchContext, ProcessSpec, command
from batchproof.ground.errors import HarnessError
from batchproof.processes.environment import bare
from batchproof.processes.programs import Process, free_ports, outside, spawn
from batchproof.proxy.transport import Endpoint, Proxy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_KUBECONFIG = """\
apiVersion: v1
kind: Config
clusters: [{{name: batchproof, cluster: {{server: "{server}", certificate-authority-data: {authority}}}}}]
users: [{{name: batchproof, user: {{token: {token}}}}}]
contexts: [{{name: batchproof, context: {{cluster: batchproof, user: batchproof}}}}]
current-context: batchproof
"""
_IN_AN_EMPTY_FOLDER = "It is started in an empty folder: name your own files by {descriptor_dir}."
_POLL_S = 0.01
_KNOCK_S = 0.2


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """What a cell runs: an implementation with all that was found or built for it.

    Attributes:
        binaries: what ``{binary}`` stands for, by the name of the process.
        crds: files with the CustomResourceDefinitions that it needs.
        env: variables beside those of the descriptor (a mutant is found through them).
        logs: the folder that keeps what its processes print; None: it goes with the run.
    """

    implementation: Implementation
    binaries: Mapping[str, Path]
    crds: Sequence[Path]
    env: Mapping[str, str]
    logs: Path | None = None

    def replica(self, position: int) -> LaunchPlan:
        """The program of one of several replicas that elect a leader.

        Raises:
            HarnessError: the descriptor does not say how one is started.
        """
        spec = self.implementation.election
        if spec is None:
            raise HarnessError(
                f"{self.implementation.descriptor} has no 'election': how are replicas started?"
            )
        name = f"{spec.name}-{position}"
        alone = replace(self.implementation, processes=(replace(spec, name=name),))
        binaries = {name: self.binaries[spec.name]} if spec.name in self.binaries else {}
        return replace(self, implementation=alone, binaries=binaries)


class Instance:
    """The implementation started once and again, all its processes behind the cell's proxy.

    What is said here of an instance holds for the processes that are judged. Supporting ones are started with
    the first instance, outlive it, and are only started again if they have died, or with another program.

    Attributes:
        number: that of the one that runs, counted over all that the cell has started; 0 before the first.
        ports: the numbers of the ports that the descriptor names.
        namespace: that of the scenario, for a replica that elects a leader there.
    """

    def __init__(self, program: LaunchPlan, proxy: Proxy, run_dir: Path, cell: str) -> None:
        self.program = program
        self._proxy = proxy
        self._run_dir = run_dir
        self._folder = outside(run_dir) / cell
        self._doors: dict[str, Endpoint] = {}
        self._processes: dict[str, Process] = {}
        names = sorted(program.implementation.ports)
        self.ports = dict(zip(names, free_ports(len(names)), strict=True))
        self.namespace = ""
        self.number = 0

    @property
    def _specs(self) -> tuple[ProcessSpec, ...]:
        return self.program.implementation.processes

    @property
    def _judged(self) -> list[str]:
        return [spec.name for spec in self._specs if not spec.supporting]

    @property
    def alive(self) -> bool:
        """All its processes run; what is not ours to start always does."""
        return all(self._runs(spec.name) for spec in self._specs)

    def _runs(self, name: str) -> bool:
        return name in self._processes and self._processes[name].alive

    @property
    def ca_bundle(self) -> str:
        """The authority of its certificates, as a webhook configuration names it; "" if it uses none."""
        if not any(spec.uses("tls_dir") for spec in self._specs):
            return ""
        return base64.b64encode((self._certify() / "ca.crt").read_bytes()).decode()

    @property
    def pids(self) -> list[int]:
        """The ids of the processes that were started here and not killed."""
        return [process.pid for process in self._processes.values()]

    @property
    def judged_pids(self) -> list[int]:
        """The ids of those of them that are judged."""
        return [self._processes[name].pid for name in self._judged if name in self._processes]

    @property
    def last_words(self) -> str:
        """What each of its processes has printed last."""
        return "\n".join(f"{it.name} said last:\n{it.tail()}" for it in self._processes.values())

    async def start(self, number: int) -> None:
        """Start the instance of that number, one process after the other, and wait until each is ready.

        Raises:
            HarnessError: one ended, or was not ready in time; the message blames the descriptor.
        """
        if not self._specs:
            return
        self.kill()
        self._proxy.gates.close_watches(
            of=self._doors
        )  # those of the dead would make its successor look ready
        self.number = number
        for spec in self._specs:
            if not self._runs(spec.name):
                await self._start(spec)

    async def _start(self, spec: ProcessSpec) -> None:
        descriptor = self.program.implementation.descriptor
        around = await self._surroundings(spec)
        what = command(spec, around, descriptor, os.environ)
        for name, text in what.files.items():
            (around.files_dir / name).write_text(text, encoding="utf-8")
        process = spawn(
            what.argv,
            run_dir=self._run_dir,
            name=self._title(spec),
            env=bare(around.home, {**what.env, **self.program.env}),
            log=self._log(spec, around.folder),
            cwd=around.state_dir,
            trusted=False,
        )
        self._processes[spec.name] = process
        await self._ready(spec, process)

    def _log(self, spec: ProcessSpec, folder: Path) -> Path:
        """Where a process prints: a file a start, ``gw0-scheduler-3.log`` for the third of that worker."""
        if not (logs := self.program.logs):
            return folder / "log"
        logs.mkdir(exist_ok=True)
        worker = self._folder.name.split("-", 2)[2]  # of bp-run-worker, and what distinguishes the cell
        log = logs / f"{worker}-{spec.name}-{self.number}.log"
        log.unlink(missing_ok=True)  # of an earlier run
        return log

    async def _surroundings(self, spec: ProcessSpec) -> LaunchContext:
        """Make what the placeholders of a process stand for."""
        if spec.name not in self._doors:
            self._doors[spec.name] = await self._proxy.open_door(
                spec.name, lambda: self.number, supporting=spec.supporting
            )
        folder = self._folder / f"{spec.name}-{self.number}"
        around = LaunchContext(
            kubeconfig=folder / "kubeconfig",
            binary=self.program.binaries.get(spec.name),
            python=sys.executable,
            folder=folder,
            tls_dir=self._folder / "tls",
            ports=self.ports,
            namespace=self.namespace,
        )
        for inner in (around.state_dir, around.files_dir, around.home):
            inner.mkdir(parents=True)
        around.kubeconfig.touch(mode=0o600)
        around.kubeconfig.write_text(_kubeconfig(self._doors[spec.name]), encoding="utf-8")
        if spec.uses("tls_dir"):
            self._certify()
        return around

    def _certify(self) -> Path:
        """The folder of the certificates of this instance, which it has from the first time on."""
        folder = self._folder / "tls"
        if not folder.exists():
            write_certificates(folder)
        return folder

    def _title(self, spec: ProcessSpec) -> str:
        """What a process is called in messages."""
        implementation = self.program.implementation
        title = f"{implementation.name} {implementation.version}"
        return title if len(self._specs) == 1 else f"{spec.name} of {title}"

    async def _ready(self, spec: ProcessSpec, process: Process) -> None:
        implementation = self.program.implementation
        door = self._doors[spec.name]
        loop = asyncio.get_running_loop()
        deadline = loop.time() + spec.ready.within_s * implementation.time_scale
        missing = list(spec.ready.watches)
        silent = spec.ready.listens
        while True:
            missing = [resource for resource in missing if not door.watching(resource)]
            if silent and await _accepts(self.ports[silent]):
                silent = ""
            if not missing and not silent:
                return
            if not process.alive:
                raise HarnessError(
                    f"{process.name} ended with {process.returncode} before it was ready; look at "
                    f"'{spec.place}' in {implementation.descriptor}. {_IN_AN_EMPTY_FOLDER} It said:\n"
                    f"{process.said()}"
                )
            if loop.time() > deadline:
                lacks = f"listen at {{port:{silent}}}"
                if missing:
                    watched = ", ".join(sorted(it.plural for it in door.watched)) or "nothing"
                    lacks = f"watch {', '.join(missing)}, but {watched},"
                raise HarnessError(
                    f"{process.name} does not {lacks} after {spec.ready.within_s:g} s; look at "
                    f"'{spec.place}.ready' in {implementation.descriptor}. Its last words:\n{process.tail()}"
                )
            await asyncio.sleep(_POLL_S)

    def kill(self) -> None:
        """End the judged processes with SIGKILL, at once."""
        for name in self._judged:
            if process := self._processes.pop(name, None):
                process.kill()

    def run_another(self, program: LaunchPlan) -> None:
        """End all processes, supporting ones too: from now on they are those of another program."""
        for process in self._processes.values():
            process.kill()
        self._processes.clear()
        self.program = program

    def cut_off(self, *, whether: bool) -> None:
        """Let its judged processes not reach the API server, or again; what they watch ends."""
        names = set(self._judged)
        if whether:
            self._proxy.cut_off |= names
            self._proxy.gates.close_watches(of=names)
        else:
            self._proxy.cut_off -= names

    def pause(self) -> None:
        """Let its judged processes stand still, as on a machine that is frozen, until ``wake``."""
        for name in self._judged:
            self._processes[name].pause()

    def wake(self) -> None:
        """Let its judged processes go on."""
        for name in self._judged:
            self._processes[name].wake()

    def stop(self) -> None:
        """Ask every process to end, the last first, and kill it if it does not."""
        for spec in reversed(self._specs):
            if process := self._processes.pop(spec.name, None):
                process.stop()

    def shorten_logs(self) -> None:
        """Keep what its processes print within bounds."""
        for process in self._processes.values():
            shorten(process.log)

    def ended(self) -> list[tuple[Process, bool]]:
        """The processes that ended without having been killed or stopped, and whether they are supporting."""
        return [
            (self._processes[spec.name], spec.supporting)
            for spec in self._specs
            if spec.name in self._processes and not self._processes[spec.name].alive
        ]


def _kubeconfig(door: Endpoint) -> str:
    """How a process reaches its door, and is let in."""
    authority = base64.b64encode(door.authority).decode()
    return _KUBECONFIG.format(server=door.url, authority=authority, token=door.token)


async def _accepts(port: int) -> bool:
    """A process accepts connections at that port of 127.0.0.1."""
    try:
        async with asyncio.timeout(_KNOCK_S):
            _, writer = await asyncio.open_connection("127.0.0.1", port, family=socket.AF_INET)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True
