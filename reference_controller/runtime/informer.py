"""A cache of all objects of one kind, kept by list and watch."""

from __future__ import annotations

import asyncio
import logging
import random
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from reference_controller.runtime.client import ApiError

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_controller.runtime.client import ApiClient

log = logging.getLogger(__name__)

FIRST_RETRY_S = 0.8
LONGEST_RETRY_S = 30.0
SHORTEST_WATCH_S = 300


class Versioned(Protocol):
    """What every cached object tells of itself."""

    @property
    def namespace(self) -> str: ...  # noqa: D102
    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def uid(self) -> str: ...  # noqa: D102
    @property
    def version(self) -> int: ...  # noqa: D102


T = TypeVar("T", bound=Versioned)
Key = tuple[str, str]


class Informer(Generic[T]):
    """Objects by namespace and name, parsed once, and a call for each change of one.

    `seen` is the resourceVersion up to which every event has been delivered. The API server orders the
    resourceVersions of one resource, so an own write at or below it is known to be in the cache.
    """

    def __init__(
        self,
        client: ApiClient,
        path: str,
        parse: Callable[[dict[str, Any]], T],
        on_change: Callable[[T | None, T | None], None],
        on_list: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._client = client
        self._path = path
        self._parse = parse
        self._on_change = on_change
        self._on_list = on_list
        self.objects: dict[Key, T] = {}
        self.seen = 0
        self.synced = asyncio.Event()
        self._progressed = False

    async def run(self) -> None:
        """List, then watch for ever; ROB-009: resume a broken watch; ROB-010: list anew when told to."""
        retry_s = FIRST_RETRY_S
        listed = False
        while True:
            self._progressed = False
            try:
                if not listed:
                    await self._list()
                    listed = True
                await self._watch()
                if self._progressed:
                    retry_s = FIRST_RETRY_S
                    continue
            except ApiError as error:
                log.warning("%s: %s", self._path, error)
                listed = listed and not error.gone
            if self._progressed:
                retry_s = FIRST_RETRY_S
            await asyncio.sleep(retry_s * random.uniform(1.0, 1.5))  # noqa: S311 - spreads load, hides nothing
            retry_s = min(retry_s * 2, LONGEST_RETRY_S)

    async def _list(self) -> None:
        # Without a resourceVersion the reply is the newest state (EXP-008).
        reply = await self._client.get(self._path)
        found = {}
        for raw in reply["items"]:
            if (parsed := self._read(raw)) is not None:
                found[parsed.namespace, parsed.name] = parsed
        self.seen = int(reply["metadata"]["resourceVersion"])
        gone = [obj for key, obj in self.objects.items() if key not in found]
        for obj in gone:
            self._deleted(obj)
        for obj in found.values():
            self._stored(obj)
        self._on_list(self.seen)
        self.synced.set()

    async def _watch(self) -> None:
        """Follow one watch to its end.

        Raises:
            ApiError: it was refused or broke, or the server ended it with an error.
        """
        timeout_s = random.randint(SHORTEST_WATCH_S, 2 * SHORTEST_WATCH_S)  # noqa: S311 - spreads load
        path = (
            f"{self._path}?watch=1&allowWatchBookmarks=true"
            f"&resourceVersion={self.seen}&timeoutSeconds={timeout_s}"
        )
        async for events in self._client.watch(path, timeout_s):
            for event in events:
                self._apply(event["type"], event["object"])

    def _apply(self, kind: str, raw: dict[str, Any]) -> None:
        if kind == "ERROR":
            # Whatever the server cannot continue from is answered by a new list.
            raise ApiError(410, f"watch ended: {raw.get('message', raw)}", raw.get("reason", ""))
        version = int(raw["metadata"]["resourceVersion"])
        if kind != "BOOKMARK" and (parsed := self._read(raw)) is not None:
            if kind == "DELETED":
                self._deleted(parsed)
            else:
                self._stored(parsed)
        self.seen = max(self.seen, version)
        self._progressed = True

    def _read(self, raw: dict[str, Any]) -> T | None:
        """ROB-033: an object that makes no sense is reported and passed over."""
        try:
            return self._parse(raw)
        except (KeyError, ValueError, TypeError, AttributeError):
            log.exception("cannot read an object of %s", self._path)
            return None

    def _stored(self, obj: T) -> None:
        """ROB-012: an event that brings no newer version changes nothing."""
        key = obj.namespace, obj.name
        old = self.objects.get(key)
        if old is not None and old.uid != obj.uid:
            self._deleted(old)
            old = None
        if old is not None and old.version >= obj.version:
            return
        self.objects[key] = obj
        self._on_change(old, obj)

    def _deleted(self, obj: T) -> None:
        """ROB-011: also for objects that a new list no longer has."""
        key = obj.namespace, obj.name
        old = self.objects.get(key)
        if old is not None and old.uid == obj.uid:
            del self.objects[key]
            self._on_change(old, None)
