"""The audit of a cell: which client has written in a scenario, if not the harness, the proxy or Kubernetes.

An API server that batchproof has started notes every write in a log, with the id that the request carried.
Those of the harness and of the proxy carry a stamp of the cell, each another one. A write in the scenario
with no stamp was made around the proxy. So was one with a stamp that the log has already, for a reader of
the log can copy it. Such a write triggers no fault and no record has it: the scenario has shown nothing.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any, Final

import orjson

from batchproof.api.client import Api
from batchproof.api.stamps import Stamps
from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import Resource
from batchproof.judgement.history import WrittenAround

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_POLL_S: Final = 0.01
_LATE_S: Final = 20.0
_MARK: Final = "selfsubjectaccessreviews"
_REVIEWS: Final = f"/apis/authorization.k8s.io/v1/{_MARK}"
_REVIEW: Final = {"spec": {"nonResourceAttributes": {"path": "/", "verb": "get"}}}
_REFUSED: Final = 400
_ID: Final = re.compile(rb'"auditID":"([^"]*)"')
"""Found without parsing: most lines of the log are of other cells."""


class Audit:
    """What an audit log says of one cell, from scenario to scenario.

    Args:
        log: where the API server writes it; None: there is none, and nothing is found.
        cell: the name of the cell, with which its namespaces and its own objects begin.
        stamps: those of its requests.
    """

    def __init__(self, log: Path | None, cell: str, stamps: Stamps) -> None:
        self._log = log
        self._cell = cell
        self._stamps = stamps
        self._read_to = 0
        self._used: set[int] = set()

    @property
    def kept(self) -> bool:
        """There is a log."""
        return self._log is not None

    def begin(self) -> None:
        """Drop what was written up to now, but for the stamps that are used."""
        if self._log and self._log.exists():
            for _ in self._new(self._log):
                pass

    async def found(self, api: Api) -> list[WrittenAround]:
        """The writes around the proxy since the last time.

        Raises:
            HarnessError: the log does not come to the present within the limit.
        """
        if self._log is None:
            return []
        since, found = self._stamps.newest, []
        await api.create(
            _REVIEWS, _REVIEW
        )  # it changes nothing, and is in the log behind all that was before
        try:
            async with asyncio.timeout(_LATE_S):
                while True:
                    events = list(self._new(self._log))
                    found += [_written(event) for event, number in events if self._around(event, number)]
                    if any(_marks(event, number, since) for event, number in events):
                        return found
                    await asyncio.sleep(_POLL_S)
        except TimeoutError as error:
            raise HarnessError(f"the audit log of the API server is {_LATE_S:g} s behind") from error

    def _new(self, log: Path) -> Iterator[tuple[Any, int | None]]:
        """The events since the last time that may be of the cell, each with the number of its stamp."""
        with log.open("rb") as file:
            file.seek(self._read_to)
            for line in file:
                if not line.endswith(b"\n"):  # the rest of it is being written
                    return
                self._read_to += len(line)
                number = self._stamped(line)
                if self._cell.encode() in line or _MARK.encode() in line:
                    yield orjson.loads(line), number

    def _stamped(self, line: bytes) -> int | None:
        """The number of the stamp of an event; None if it has none, or one that was used before."""
        id_ = _ID.search(line)
        number = self._stamps.number(id_[1].decode(errors="replace")) if id_ else None
        if number is None or number in self._used:
            return None
        self._used.add(number)
        return number

    def _around(self, event: Any, number: int | None) -> bool:
        """A write that had an effect in the cell, and that is neither the harness's nor the proxy's."""
        of = _of(event)
        place = of.get("namespace") or of.get("name") or ""
        accepted = event.get("responseStatus", {}).get("code", 0) < _REFUSED
        return place.startswith(f"{self._cell}-") and accepted and number is None


def _marks(event: Any, number: int | None, since: int) -> bool:
    return number is not None and number > since and _of(event).get("resource") == _MARK


def _of(event: Any) -> dict[str, str]:
    of: dict[str, str] = event.get("objectRef") or {}
    return of


def _written(event: Any) -> WrittenAround:
    of = _of(event)
    return WrittenAround(
        verb=event["verb"],
        resource=Resource(of.get("apiGroup", ""), of.get("apiVersion", ""), of.get("resource", "")),
        subresource=of.get("subresource", ""),
        namespace=of.get("namespace", ""),
        name=of.get("name", ""),
        agent=event.get("userAgent", ""),
        user=event.get("user", {}).get("username", ""),
        at=event["requestReceivedTimestamp"],
    )
