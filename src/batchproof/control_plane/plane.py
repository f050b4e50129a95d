"""A control plane that runs, as data: all that a worker needs to use it."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self

from batchproof.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType


@dataclass(frozen=True)
class Plane:
    """Where an API server is and how to be let in; handed to every worker as JSON.

    Attributes:
        server: its URL.
        token: a bearer token that may do everything.
        ca_file: the certificates to trust it by; None where TLS is not verified.
        kubernetes_version: what the API server says of itself, without the ``v``.
        provider: ``embedded``, ``kind`` or ``existing``.
        run_dir: the folder of the run, below which workers may write, and with which processes end.
    """

    server: str
    token: str
    ca_file: str | None
    kubernetes_version: str
    provider: str
    run_dir: Path

    def to_json(self) -> str:
        """This plane as one line."""
        return json.dumps(asdict(self), default=str)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The plane that ``to_json`` wrote."""
        fields = json.loads(text)
        return cls(run_dir=Path(fields.pop("run_dir")), **fields)

    def kubeconfig(self) -> str:
        """A kubeconfig (JSON, which is YAML) that lets a program in."""
        trust = (
            {"insecure-skip-tls-verify": True}
            if self.ca_file is None
            else {"certificate-authority": self.ca_file}
        )
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "batchproof", "cluster": {"server": self.server, **trust}}],
            "users": [{"name": "batchproof", "user": {"token": self.token}}],
            "contexts": [{"name": "batchproof", "context": {"cluster": "batchproof", "user": "batchproof"}}],
            "current-context": "batchproof",
        }
        return json.dumps(config, indent=1) + "\n"


class Provider(Protocol):
    """Where control planes come from.

    A provider is made for one plane. ``start`` is called once; ``stop`` may be called at any time and more
    than once, and the end of the run does the same. All calls block: call them from a thread in async code.
    """

    def start(self) -> Plane:
        """Bring a control plane up, and return when it serves.

        Raises:
            UserError: it cannot come up with what the user gave.
            HarnessError: it did not come up.
        """
        ...

    def check(self) -> None:
        """Make sure that the control plane still lives.

        Raises:
            HarnessError: it does not; the message says which part died and what it said last.
        """
        ...

    def stop(self) -> None:
        """End it and remove what belongs to it."""
        ...

    def __enter__(self) -> Plane:
        """Start."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop."""
        ...


def flag_names(flags: Sequence[str]) -> set[str]:
    """The names that command line flags set: ``--v=2`` sets ``v``."""
    return {flag.lstrip("-").partition("=")[0] for flag in flags}


_READY = "plane.json"
_FAILED = "plane.failed"
_WAIT_S = 90.0
_POLL_S = 0.02


def announce(run_dir: Path, plane: Plane | BaseException) -> None:
    """Tell every process of a run that its control plane is ready, or why it is not, or is not any more."""
    name, text = (_READY, plane.to_json()) if isinstance(plane, Plane) else (_FAILED, str(plane))
    unfinished = run_dir / f"{name}.new"
    unfinished.touch(mode=0o600)
    unfinished.write_text(text, encoding="utf-8")
    unfinished.rename(run_dir / name)


def await_plane(run_dir: Path) -> Plane:
    """The control plane of a run, as soon as it is ready.

    Raises:
        HarnessError: it failed, has died since, or is not ready after a long time.
    """
    end = time.monotonic() + _WAIT_S
    while time.monotonic() < end:
        if (failed := run_dir / _FAILED).exists():
            raise HarnessError(failed.read_text(encoding="utf-8"))
        if (ready := run_dir / _READY).exists():
            return Plane.from_json(ready.read_text(encoding="utf-8"))
        time.sleep(_POLL_S)
    raise HarnessError(f"the control plane was not ready within {_WAIT_S:.0f} s")
