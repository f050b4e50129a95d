"""The arguments by which pytest spreads its tests over workers that are forks of one process."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from batchproof.ground.errors import HarnessError
from batchproof.running.alone import AUTOLOAD
from batchproof.running.workers import ask, server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_XDIST: Final = "xdist.plugin"


@contextmanager
def spread(run_dir: Path, what: Path, workers: int) -> Iterator[list[str]]:
    """Arguments of pytest, for the length of a block in which workers can be had.

    Args:
        run_dir: the folder of the run.
        what: the features that are played, which are read before the first worker is forked.
        workers: in how many processes; 1: in that of pytest itself, and there are no arguments.

    Raises:
        HarnessError: the process that forks the workers could not load what they need.
    """
    if workers == 1:
        yield []
        return
    serve = [sys.executable, "-u", "-m", server.__name__, str(run_dir), str(what)]
    env = {**os.environ, AUTOLOAD: "1"}  # a worker has the variables of the server
    with subprocess.Popen(serve, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env) as serving:
        said = serving.stdout.readline() if serving.stdout else b""
        if said != server.READY:
            serving.communicate()
            raise HarnessError(
                "the process that forks the workers of the run could not load what they need "
                f"(exit code {serving.returncode}). The cause is above, on the standard error: if it names "
                "no file of yours, install batchproof again"
            )
        asked = shlex.join([sys.executable, "-I", "-S", ask.__file__, str(run_dir / server.SOCKET)])
        yield [
            *("-p", _XDIST, "--dist=load", "--maxschedchunk=1"),
            *("--tx", f"{workers}*popen//python={asked}"),
        ]
