"""The audit of a cell: who has written in a scenario, if not the harness, the proxy or Kubernetes itself.

An API server that batchproof has started notes every write in a log, with the id that the request carried.
Those of the harness and of the proxy carry a stamp of the cell. A write in the scenario without one was made
around the proxy: no fault strikes it and no record has it, so the scenario has shown nothing.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import orjson

from batchproof.errors import HarnessError
from batchproof.judgement.history import WrittenAround
from batchproof.resources import Resource

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from batchproof.api.client import Api
    from batchproof.api.stamps import Stamps

_POLL_S: Final = 0.01
_LATE_S: Final = 20.0
_MARK: Final = "selfsubjectaccessreviews"
_REVIEWS: Final = f"/apis/authorization.k8s.io/v1/{_MARK}"
_REVIEW: Final = {"spec": {"nonResourceAttributes": {"path": "/", "verb": "get"}}}
_REFUSED: Final = 400


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

    @property
    def kept(self) -> bool:
        """There is a log."""
        return self._log is not None

    def begin(self) -> None:
        """Forget what was written up to now."""
        if self._log and self._log.exists():
            self._read_to = self._log.stat().st_size

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
                    found += [_written(event) for event in events if self._around(event)]
                    if any(self._marks(event, since) for event in events):
                        return found
                    await asyncio.sleep(_POLL_S)
        except TimeoutError as error:
            raise HarnessError(f"the audit log of the API server is {_LATE_S:g} s behind") from error

    def _new(self, log: Path) -> Iterator[Any]:
        """The events since the last time that speak of the cell, or carry a stamp."""
        with log.open("rb") as file:
            file.seek(self._read_to)
            for line in file:
                if not line.endswith(b"\n"):  # the rest of it is being written
                    return
                self._read_to += len(line)
                if self._cell.encode() in line or _MARK.encode() in line:
                    yield orjson.loads(line)

    def _marks(self, event: Any, since: int) -> bool:
        number = self._stamps.number(event["auditID"])
        return number is not None and number > since and _of(event).get("resource") == _MARK

    def _around(self, event: Any) -> bool:
        """A write that had an effect in the cell, and that is neither the harness's nor the proxy's."""
        of = _of(event)
        place = of.get("namespace") or of.get("name") or ""
        accepted = event.get("responseStatus", {}).get("code", 0) < _REFUSED
        ours = self._stamps.number(event["auditID"]) is not None
        return place.startswith(f"{self._cell}-") and accepted and not ours


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
