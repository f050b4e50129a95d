"""Caches of objects, kept by list and watch: one watch for each resource, however many caches it feeds."""

from __future__ import annotations

import asyncio
import logging
import random
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from reference_controller.objects.api_json import Json
from reference_controller.objects.identity import Versioned
from reference_controller.objects.resources import Resource
from reference_controller.runtime.client import ApiClient, ApiError

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

FIRST_RETRY_S = 0.8
LONGEST_RETRY_S = 30.0
SHORTEST_WATCH_S = 300

T = TypeVar("T", bound=Versioned)
Key = tuple[str, str]


class Watch:
    """The objects of one resource as JSON, handed to the caches that want them.

    `seen` is the resourceVersion up to which every event has been delivered. The API server orders the
    resourceVersions of one resource, so an own write at or below it is known to be in the caches.
    """

    def __init__(self, client: ApiClient, resource: Resource) -> None:
        self._client = client
        self._path = resource.everywhere
        self._informers: list[Informer[Any]] = []
        self.seen = 0
        self.synced = asyncio.Event()
        self._progressed = False

    def informer(self, parse: Callable[[Json], T]) -> Informer[T]:
        """The cache of what `parse` makes of the objects: one for each `parse`. Ask before the watch runs."""
        for informer in self._informers:
            if informer.parse == parse:
                return informer
        informer = Informer(self, parse)
        self._informers.append(informer)
        return informer

    async def run(self) -> None:
        """List, then watch for ever; ROB-009: resume a broken watch; ROB-010: list again when asked to."""
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
        self.seen = int(reply["metadata"]["resourceVersion"])
        for informer in self._informers:
            informer.replace(reply["items"])
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

    def _apply(self, kind: str, raw: Json) -> None:
        if kind == "ERROR":
            # Whatever the server cannot continue from is answered by a new list.
            raise ApiError(410, f"watch ended: {raw.get('message', raw)}", raw.get("reason", ""))
        version = int(raw["metadata"]["resourceVersion"])
        if kind != "BOOKMARK":
            for informer in self._informers:
                informer.apply(kind, raw)
        self.seen = max(self.seen, version)
        self._progressed = True


class Informer(Generic[T]):
    """Objects by namespace and name, parsed once, and a call for each change of one."""

    def __init__(self, watch: Watch, parse: Callable[[Json], T]) -> None:
        self._watch = watch
        self.parse = parse
        self.objects: dict[Key, T] = {}
        self._on_change: list[Callable[[T | None, T | None], None]] = []
        self._on_list: list[Callable[[int], None]] = []

    @property
    def seen(self) -> int:
        """The resourceVersion up to which every event has been delivered."""
        return self._watch.seen

    def subscribe(
        self,
        on_change: Callable[[T | None, T | None], None],
        on_list: Callable[[int], None] | None = None,
    ) -> None:
        """Have changes reported: `on_change` gets the object before and after, None where there is none.

        `on_list` is called with `seen` after each new list. The first subscriber is called first.
        """
        self._on_change.append(on_change)
        if on_list is not None:
            self._on_list.append(on_list)

    def replace(self, items: list[Json]) -> None:
        """A new list has come: nothing but its items exists."""
        found = {}
        for raw in items:
            if (parsed := self._read(raw)) is not None:
                found[parsed.namespace, parsed.name] = parsed
        gone = [obj for key, obj in self.objects.items() if key not in found]
        for obj in gone:
            self._deleted(obj)
        for obj in found.values():
            self._stored(obj)
        for listener in self._on_list:
            listener(self.seen)

    def apply(self, kind: str, raw: Json) -> None:
        """One event of the watch: ADDED, MODIFIED or DELETED."""
        if (parsed := self._read(raw)) is None:
            return
        if kind == "DELETED":
            self._deleted(parsed)
        else:
            self._stored(parsed)

    def _read(self, raw: Json) -> T | None:
        """ROB-033: an object that makes no sense is reported and passed over."""
        try:
            return self.parse(raw)
        except (KeyError, ValueError, TypeError, AttributeError):
            log.exception("cannot read %s", raw.get("metadata", raw))
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
        self._changed(old, obj)

    def _deleted(self, obj: T) -> None:
        """ROB-011: also for objects that a new list no longer has."""
        key = obj.namespace, obj.name
        old = self.objects.get(key)
        if old is not None and old.uid == obj.uid:
            del self.objects[key]
            self._changed(old, None)

    def _changed(self, old: T | None, new: T | None) -> None:
        for listener in self._on_change:
            listener(old, new)
