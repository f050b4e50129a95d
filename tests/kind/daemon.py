"""A Docker daemon for the tests: the one that answers, else one of our own for as long as they take."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from image import HANGS_S, folder
from runc_trimmed import LINUX_CAPABILITIES, obtainable

from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.progress import unseen
from batchproof.ground.errors import HarnessError, UserError
from batchproof.processes.environment import ours
from batchproof.processes.programs import run_directory, spawn

if TYPE_CHECKING:
    from collections.abc import Iterator

PROBE: Final = "batchproof.dev/probe:v1"
NEEDED: Final = "apt-get install --no-install-recommends docker.io iptables mmdebstrap"


@contextmanager
def docker() -> Iterator[str]:
    """The address of a daemon (DOCKER_HOST); empty for the one that Docker finds by itself.

    Raises:
        UserError: none answers, and none can be started here; the message says what to do.
    """
    if _answers(""):
        yield os.environ.get("DOCKER_HOST", "")
        return
    if missing := [name for name in ("docker", "dockerd", "iptables") if shutil.which(name) is None]:
        raise UserError(f"there is no {', '.join(missing)}: {NEEDED}")
    if os.geteuid() != 0:
        raise UserError("no Docker daemon answers, and only root may start one")
    with run_directory() as run:
        # Always the same address, for always the same data: what a killed test left is swept by the next.
        address = f"unix://{folder()}/docker.sock"
        trimmed = Path(__file__).with_name("runc_trimmed.py")
        whole = {f"CAP_{name.upper()}" for name in LINUX_CAPABILITIES} <= obtainable()
        runtime = [] if whole else [f"--add-runtime=trimmed={trimmed}", "--default-runtime=trimmed"]
        daemon = spawn(
            [
                *("dockerd", f"--host={address}", f"--pidfile={run.path}/docker.pid"),
                *(f"--exec-root={run.path}/docker", f"--data-root={folder() / 'docker'}", *runtime),
            ],
            run_dir=run.path,
            name="dockerd",
            log=run.path / "dockerd.log",
            env=ours(),
        )
        end = time.monotonic() + HANGS_S
        while not _answers(address):
            if not daemon.alive or time.monotonic() > end:
                raise HarnessError(f"dockerd does not start:\n{daemon.tail(30)}")
            time.sleep(0.1)
        try:
            yield address
        finally:
            daemon.stop(grace_s=30)
            _unmount_below(run.path)


def main() -> int:
    """Say whether a daemon can be had here, and runs a container with the privileges that a node needs."""
    try:
        with docker() as address:
            _see_a_container_run(address)
    except (UserError, HarnessError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _see_a_container_run(address: str) -> None:
    program = Binaries(None, unseen).control_plane()["etcd"]
    env = {**os.environ, **({"DOCKER_HOST": address} if address else {})}

    def run(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(["docker", *arguments], input=given, capture_output=True, env=env, check=False)

    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.add(program.resolve(), "program")
    run("import", "-", PROBE, given=packed.getvalue())
    done = run("run", "--rm", "--privileged", PROBE, "/program", "--version")
    run("image", "rm", "--force", PROBE)
    if done.returncode:
        raise HarnessError(f"no privileged container runs here: {done.stderr.decode(errors='replace')}")


def _answers(address: str) -> bool:
    if shutil.which("docker") is None:
        return False
    env = {**os.environ, "DOCKER_HOST": address} if address else {**os.environ}
    command = ["docker", "info", "--format", "{{.ServerVersion}}"]
    asked = subprocess.run(command, capture_output=True, env=env, check=False, timeout=HANGS_S)
    return asked.returncode == 0 and bool(re.match(rb"\d", asked.stdout))


def _unmount_below(folder: Path) -> None:
    """Let go of the network namespaces that the daemon keeps as mounts."""
    mounted = [line.split()[1] for line in Path("/proc/mounts").read_text("utf-8").splitlines()]
    for place in sorted((one for one in mounted if one.startswith(f"{folder}/")), reverse=True):
        subprocess.run(["umount", place], check=False)


if __name__ == "__main__":
    sys.exit(main())
