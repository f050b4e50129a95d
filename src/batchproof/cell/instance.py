"""The implementation's process: started, killed, stopped, and watched for an end that nobody asked for."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof import implementation as descriptors
from batchproof.errors import HarnessError
from batchproof.processes import spawn

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from batchproof.implementation import Implementation
    from batchproof.processes import Process
    from batchproof.proxy.transport import Proxy

_KUBECONFIG = """\
apiVersion: v1
kind: Config
clusters: [{{name: batchproof, cluster: {{server: "{server}"}}}}]
users: [{{name: batchproof, user: {{}}}}]
contexts: [{{name: batchproof, context: {{cluster: batchproof, user: batchproof}}}}]
current-context: batchproof
"""
_POLL_S = 0.01


@dataclass(frozen=True, slots=True)
class Program:
    """What a cell runs: an implementation with its binary.

    Attributes:
        binary: what ``{binary}`` in the descriptor stands for, if anything.
        env: variables beside those of the descriptor (a planted defect is found through them).
    """

    implementation: Implementation
    binary: Path | None
    env: Mapping[str, str]


class Instance:
    """One process after the other of the implementation, all behind the cell's proxy.

    Attributes:
        number: how many were started so far; the number of the one that runs.
    """

    def __init__(self, program: Program, proxy: Proxy, run_dir: Path, cell: str) -> None:
        self.program = program
        self._proxy = proxy
        self._run_dir = run_dir
        self._folder = run_dir / cell
        self._process: Process | None = None
        self.number = 0

    @property
    def alive(self) -> bool:
        """The process runs; one that is not ours to start always does."""
        return self._process.alive if self._process else self.program.implementation.start is None

    @property
    def pid(self) -> int | None:
        """The process id, if it was started here."""
        return self._process.pid if self._process else None

    async def start(self) -> None:
        """Start the next process and wait until it watches what its descriptor says.

        Raises:
            HarnessError: it ended, or did not become ready in time; the message blames the descriptor.
        """
        implementation = self.program.implementation
        if implementation.start is None:
            return
        self._proxy.gates.close_watches("")  # those of the dead would make its successor look ready
        self.number += 1
        state = self._folder / f"instance-{self.number}"
        state.mkdir(parents=True)
        kubeconfig = self._folder / "kubeconfig"
        kubeconfig.write_text(_KUBECONFIG.format(server=self._proxy.url), encoding="utf-8")
        kubeconfig.chmod(0o600)
        argv, env = descriptors.command(
            implementation,
            kubeconfig=kubeconfig,
            binary=self.program.binary,
            python=sys.executable,
            state_dir=state,
        )
        name = f"{implementation.name} {implementation.version}"
        self._process = spawn(
            argv,
            run_dir=self._run_dir,
            name=name,
            env={**env, **self.program.env},
            log=self._folder / f"instance-{self.number}.log",
            cwd=state,
        )
        await self._ready(name, self._process)

    async def _ready(self, name: str, process: Process) -> None:
        implementation = self.program.implementation
        assert implementation.start is not None  # noqa: S101 - it was just started
        ready = implementation.start.ready
        missing = list(ready.watches)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + ready.within_s * implementation.time_scale
        while missing := [resource for resource in missing if not self._proxy.watching(resource)]:
            if not process.alive:
                raise HarnessError(
                    f"{name} ended with {process.returncode} before it was ready; look at 'start' in "
                    f"{implementation.descriptor}. Its last words:\n{process.tail()}"
                )
            if loop.time() > deadline:
                raise HarnessError(
                    f"{name} does not watch {', '.join(missing)} after {ready.within_s:g} s; look at "
                    f"'start.ready' in {implementation.descriptor}. Its last words:\n{process.tail()}"
                )
            await asyncio.sleep(_POLL_S)

    def kill(self) -> None:
        """End the process with SIGKILL, at once."""
        if self._process:
            self._process.kill()

    def stop(self) -> None:
        """Ask the process to end, and kill it if it does not."""
        if self._process:
            self._process.stop()

    def last_words(self) -> str:
        """How the process ended and the last lines of its log."""
        if self._process is None:
            return "it was not started here"
        return f"exit code {self._process.returncode}\n{self._process.tail()}"
