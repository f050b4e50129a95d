"""A kind cluster as it is recorded, and how it is deleted: in the same way by each command.

Three may have to: the end of the run; its janitor (``kill -9`` of the run), by ``python -m`` this module with
the record; and the next run (the janitor was killed too), which finds the record in the cache.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from batchproof.ground import files, places, stored
from batchproof.ground.errors import HarnessError, UserError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NETWORK_VARIABLE: Final = "KIND_EXPERIMENTAL_DOCKER_NETWORK"
DAEMON_VARIABLE: Final = "DOCKER_HOST"
_DELETE_LIMIT_S: Final = 120.0
_POLL_S: Final = 0.5


class KindRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind cluster that is there, or is being made.

    Attributes:
        name: its name, and that of its network.
        kind: the program kind.
        run_dir: the folder of its run.
        kubeconfig: how to reach it.
        daemon: DOCKER_HOST of the Docker daemon that has it.
        nodes: the names of its containers.
    """

    name: str
    kind: str
    run_dir: str
    kubeconfig: str
    daemon: str
    nodes: tuple[str, ...]

    @property
    def file(self) -> Path:
        """Where the next run finds it."""
        return folder() / f"{self.name}.json"

    @property
    def environment(self) -> dict[str, str]:
        """The variables that kind needs for it.

        The network is its own: the one that kind shares between clusters would stay behind.
        """
        variables = {NETWORK_VARIABLE: self.name, "KIND_EXPERIMENTAL_PROVIDER": "docker"}
        return {**variables, DAEMON_VARIABLE: self.daemon} if self.daemon else variables

    def write(self) -> None:
        """Keep it."""
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        files.write_to(self.file, stored.encode(self))

    @classmethod
    def read(cls, file: Path) -> KindRecord:
        """The record that ``write`` kept.

        Raises:
            UserError: others could have written it, so the command in it is not run; or it is no record.
        """
        for path in (file.parent, file):
            found = path.lstat()
            if found.st_uid != os.geteuid() or found.st_mode & 0o022 or path.is_symlink():
                raise UserError(f"{path} could be written by others, so nothing in it is run: remove it")
        return stored.read(file, cls, "the record of a kind cluster")

    def delete(self) -> None:
        """Delete the cluster and its record.

        A Docker daemon makes a container to its end even if its client is dead, and does not list it before:
        while it does, no other container can have its name.

        Raises:
            HarnessError: that did not work.
        """
        end = time.monotonic() + _DELETE_LIMIT_S
        self._delete_nodes()
        while self._being_made():
            if time.monotonic() > end:
                raise HarnessError(
                    f"the Docker daemon is still making a node of the kind cluster {self.name}"
                )
            time.sleep(_POLL_S)
            self._delete_nodes()
        self._docker("network", "rm", self.name)
        self.file.unlink(missing_ok=True)

    def _delete_nodes(self) -> None:
        command = [self.kind, "delete", "cluster", "--name", self.name, "--kubeconfig", self.kubeconfig]
        done = run(command, _DELETE_LIMIT_S, self.environment)
        if done.returncode:
            raise HarnessError(
                f"the kind cluster {self.name} could not be deleted: {words(done)}\n"
                f"delete it with `kind delete cluster --name {self.name}`"
            )

    def _being_made(self) -> bool:
        """Whether the daemon has promised the name of a node to a container, be it listed or not."""
        [*images] = self._docker("image", "ls", "--quiet").stdout.decode().split()
        for node in self.nodes if images else ():
            taken = self._docker("create", "--name", node, images[0], "true")
            if taken.returncode and b"already in use" in taken.stderr:
                return True
            self._docker("rm", "--force", "--volumes", node)
        return False

    def _docker(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        return run(["docker", *arguments], _DELETE_LIMIT_S, self.environment)


def folder() -> Path:
    """Where records are kept."""
    return places.cache_folder() / "kind" / "clusters"


def recorded() -> list[KindRecord]:
    """All clusters that are recorded, of living and of dead runs."""
    return [KindRecord.read(file) for file in sorted(folder().glob("*.json"))]


def run(
    command: Sequence[str], limit_s: float, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a program to its end.

    Raises:
        subprocess.TimeoutExpired: it took longer than the limit.
    """
    return subprocess.run(
        command,
        capture_output=True,
        check=False,
        timeout=limit_s,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **(env or {})},
    )


def words(done: subprocess.CompletedProcess[bytes]) -> str:
    """What a program has said, errors first."""
    return (done.stderr or done.stdout).decode(errors="replace").strip()


if __name__ == "__main__":
    KindRecord.read(Path(sys.argv[1])).delete()
