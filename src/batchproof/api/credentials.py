"""Credentials that last as long as a run: renewed before they expire, and when they are refused.

All processes of a run share what one of them has got, by a file in a folder of the run: so a credential
plugin is started once for a renewal, not once for each worker.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from batchproof.api.access import Access, KubeconfigOrigin
from batchproof.ground import stored
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator

_VARIABLE: Final = "KUBECONFIG"
_DEFAULT: Final = "~/.kube/config"
_POD: Final = "KUBERNETES_SERVICE_HOST"
_APART_S: Final = 1.0  # a plugin that gives what is refused is not asked for each request
_RENEW_WITHIN_S: Final = 20.0


def locate(given: Path | None, context: str | None, keep_in: Path) -> KubeconfigOrigin:
    """The kubeconfigs that are meant: the given one, else those of the environment, else the user's own.

    Where there are none, it is the ServiceAccount of the pod that this runs in.

    Args:
        given: the kubeconfig that the user has named, if any.
        context: the name of the context; None for the current one.
        keep_in: a private folder that all processes of the run share.

    Raises:
        UserError: there is none.
    """
    variable = [Path(each).expanduser() for each in os.environ.get(_VARIABLE, "").split(os.pathsep) if each]
    wanted = [given] if given else variable or [Path(_DEFAULT).expanduser()]
    files = tuple(str(path.absolute()) for path in wanted if path.is_file())
    if not files and (given or variable or _POD not in os.environ):
        names = os.pathsep.join(map(str, wanted))
        raise UserError(f"there is no kubeconfig {names}: name one with --kubeconfig FILE")
    return KubeconfigOrigin(files, context or "", str(keep_in))


def read(origin: KubeconfigOrigin) -> Access:
    """The access that an origin gives now. Blocks, for as long as a credential plugin takes.

    Raises:
        UserError: something cannot be read or is missing; the message says what to do.
    """
    from batchproof.api import kubeconfig  # noqa: PLC0415 - it takes 0.6 s, and most runs do without it

    return kubeconfig.read(origin)


@dataclass(frozen=True, slots=True)
class _Got:
    """What the processes of a run have got last.

    Attributes:
        number: how often there was something new.
        access: the newest.
        tried_at: when new ones were last requested, in seconds since the epoch.
        trouble: why there were none; empty if there were.
    """

    number: int
    access: Access
    tried_at: float
    trouble: str


class Credentials:
    """What lets one process in, at any time of its run. Belongs to one event loop.

    Attributes:
        access: the access with the newest credentials that this process knows.
        trouble: why they could not be renewed; empty if they could.
    """

    def __init__(self, access: Access) -> None:
        self.access = access
        self.trouble = ""
        self._number = 0
        self._try_again_at = 0.0
        self._renewal: asyncio.Future[_Got] | None = None

    def current(self) -> Access:
        """The access as it is known now; credentials that will soon expire begin to be renewed."""
        if self.access.due and time.time() >= self._try_again_at:
            self._renew()
        return self.access

    async def refused(self, access: Access) -> bool:
        """The API server has refused this access: whether there are other credentials by now.

        They may be those that another process has got, which are not new for ever; only a client that is
        refused with these too gets new ones. It ends: they are not asked for twice within _APART_S.
        """
        if access.origin and self.access.secrets == access.secrets:
            try:
                async with asyncio.timeout(_RENEW_WITHIN_S):
                    await asyncio.shield(self._renew())
            except TimeoutError:
                self.trouble = f"{access.origin}: no new credentials within {_RENEW_WITHIN_S:.0f} s"
        return self.access.secrets != access.secrets

    def _renew(self) -> asyncio.Future[_Got]:
        """Begin to get new credentials, or go on: however many want them, they are asked for once."""
        if self._renewal is None or self._renewal.done():
            self._renewal = _in_thread(self.access, self._number)
            self._renewal.add_done_callback(self._take)
        return self._renewal

    def _take(self, renewal: asyncio.Future[_Got]) -> None:
        if not renewal.cancelled():
            got = renewal.result()
            self.access, self.trouble, self._number = got.access, got.trouble, got.number
            self._try_again_at = got.tried_at + _APART_S


def _in_thread(known: Access, number: int) -> asyncio.Future[_Got]:
    """Renew in a thread for which the program does not wait at its end: a plugin may wait for a user."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[_Got] = loop.create_future()

    def settle(got: _Got) -> None:
        if not done.done():
            done.set_result(got)

    def work() -> None:
        try:
            got = _next(known, number)
        except OSError as error:  # the folder of the run is full, or gone
            got = _Got(number, known, time.time(), str(error))
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(settle, got)

    threading.Thread(target=work, name="credentials", daemon=True).start()
    return done


def _next(known: Access, number: int) -> _Got:
    """What another process has got meanwhile, else what the origin gives now."""
    origin = known.origin
    assert origin is not None  # noqa: S101 - new ones are requested only where there are some
    file = Path(origin.keep_in) / "credentials.json"
    with _alone_in(file.parent):
        last = _load(file) or _Got(0, known, 0.0, "")
        if (last.number > number and not last.access.due) or time.time() < last.tried_at + _APART_S:
            return last
        try:
            access, trouble = read(origin), ""
        except UserError as error:
            access, trouble = last.access, str(error)
        if access.server != known.server:
            access, trouble = last.access, f"{origin} now names a different API server: {access.server}"
        got = _Got(last.number + (not trouble), access, time.time(), trouble)
        _store(file, got)
    return got


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Let the other processes of the run wait.

    The lock is the folder itself: a lock file in it would bring it back when the run has ended meanwhile.

    Raises:
        OSError: the folder is gone.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _load(file: Path) -> _Got | None:
    if not file.exists():
        return None
    return stored.read(file, _Got, "the credentials of a run")


def _store(file: Path, got: _Got) -> None:
    unfinished = file.with_suffix(".new")
    unfinished.touch(mode=0o600)
    unfinished.write_bytes(stored.encode(got))
    unfinished.rename(file)
