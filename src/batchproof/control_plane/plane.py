"""A control plane that runs, as data: all that a worker needs to use it."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self

import msgspec

from batchproof.api.access import Access
from batchproof.ground import stored
from batchproof.ground.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType


class Traits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the clusters of one provider are like.

    Attributes:
        name: what ``--cluster`` and the results call the provider.
        disposable: the cluster is the run's own and is thrown away with it: nothing in it has to be removed.
        controlled: the controllers of a real cluster run: nodes have to be kept alive, pods need a
            ServiceAccount.
        real_kubelet: a kubelet runs pods on its nodes.
        own_programs: batchproof starts its programs: results list them, an audit notes each request, and no
            other controller is at work in it.
    """

    name: str
    disposable: bool
    controlled: bool
    real_kubelet: bool = False
    own_programs: bool = False


class OwnPlane(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an embedded control plane is made of.

    Attributes:
        binaries: where etcd, kube-apiserver and the controllers are.
        kubernetes_version: the version of kube-apiserver.
        api_server_flags: further flags for it.
        beside: further controllers of kube-controller-manager that run in it, by their names of today.
    """

    binaries: Mapping[str, Path]
    kubernetes_version: str
    api_server_flags: tuple[str, ...]
    beside: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plane(Access):
    """An API server that runs; handed to every worker as JSON.

    Attributes:
        kubernetes_version: what the API server says of itself, without the ``v``.
        traits: what the clusters of its provider are like.
        run_dir: the folder of the run, below which workers may write, and with which processes end.
        audit_log: where the API server notes the client of each write; None: it does not, or not for us.
        taken: capabilities that the cluster itself provides, so that it is unknown which controller did what.
    """

    kubernetes_version: str
    traits: Traits
    run_dir: Path
    audit_log: Path | None = field(default=None, kw_only=True)
    taken: tuple[str, ...] = field(default=(), kw_only=True)

    def to_json(self) -> str:
        """This plane as one line."""
        return stored.encode(self).decode()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The plane that ``to_json`` wrote.

        Raises:
            Mismatch: it is none.
        """
        return stored.decode(text, cls)


class Lifecycle(Protocol):
    """The life of one control plane, from ``start`` to ``stop``; ``with`` does both.

    ``start`` is called once; ``stop`` may be called at any time and more
    than once, and the end of the run does the same. All calls block: call them from a thread in async code.
    """

    @abstractmethod
    def start(self) -> Plane:
        """Bring a control plane up, and return when it serves.

        Raises:
            UserError: it cannot come up with what the user gave.
            HarnessError: it did not come up.
        """
        ...

    @abstractmethod
    def check(self) -> None:
        """Make sure that the control plane still lives.

        Raises:
            HarnessError: it does not; the message says which part died and what it said last.
        """
        ...

    @abstractmethod
    def stop(self) -> None:
        """End it and remove what belongs to it."""
        ...

    def __enter__(self) -> Plane:
        """Start."""
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop."""
        self.stop()


def flag_names(flags: Sequence[str]) -> set[str]:
    """The names that command line flags set: ``--v=2`` sets ``v``."""
    return {flag.lstrip("-").partition("=")[0] for flag in flags}


_READY = "plane.json"
_FAILED = "plane.failed"
_WAIT_S = 90.0
_POLL_S = 0.02


def announce(run_dir: Path, plane: Plane | BaseException) -> None:
    """Let all processes of a run know that its control plane is ready, or why it is not, or no longer is."""
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
