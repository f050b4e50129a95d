"""Events about what a controller works on: repeats are counted, similar ones combined, floods cut off."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field

import orjson

from reference_controller.objects.identity import Topic
from reference_controller.objects.times import timestamp
from reference_controller.runtime import clock
from reference_controller.runtime.client import ApiClient, ApiError

log = logging.getLogger(__name__)

BURST = 25.0
REFILL_S = 300.0
MOST_DISTINCT = 10
WINDOW_S = 600.0
MOST_OBJECTS = 4096
MOST_QUEUED = 1000
WRITERS = 4


@dataclass(slots=True)
class _EventObject:
    """An Event object that exists or is about to."""

    name: str
    first: float
    count: int = 0


@dataclass(slots=True)
class _Subject:
    """What has been written about one object, and how much more may be."""

    tokens: dict[str, tuple[float, float]] = field(default_factory=dict)
    events: dict[tuple[str, str, str], _EventObject] = field(default_factory=dict)
    distinct: dict[tuple[str, str], tuple[float, set[str]]] = field(default_factory=dict)

    def allows(self, reason: str, now: float) -> bool:
        """ROB-035: 25 events of one reason at once, then one in 5 minutes."""
        tokens, since = self.tokens.get(reason, (BURST, now))
        tokens = min(BURST, tokens + (now - since) / REFILL_S)
        allowed = tokens >= 1
        self.tokens[reason] = (tokens - 1 if allowed else tokens, now)
        return allowed

    def combined(self, kind: str, reason: str, message: str, now: float) -> bool:
        """Whether more than 10 different messages of one reason came within 10 minutes."""
        since, messages = self.distinct.get((kind, reason), (now, set()))
        if now - since > WINDOW_S:
            since, messages = now, set()
        if len(messages) < MOST_DISTINCT:
            messages.add(message)
        self.distinct[kind, reason] = since, messages
        return message not in messages


class EventRecorder:
    """Writes Events about objects without ever holding up the caller.

    Args:
        client: the API server.
        component: the component that writes them.
    """

    def __init__(self, client: ApiClient, component: str) -> None:
        self._client = client
        self._component = component
        self._subjects: OrderedDict[str, _Subject] = OrderedDict()
        # One queue a writer: the events of one object keep their order.
        self._queues: list[asyncio.Queue[tuple[str, str, bytes]]] = [
            asyncio.Queue(MOST_QUEUED) for _ in range(WRITERS)
        ]

    def record(self, topic: Topic, kind: str, reason: str, message: str) -> None:
        """Write an Event about an object; `kind` is Normal or Warning. A flood is cut off (ROB-035)."""
        now = clock.now()
        subject = self._subject(topic.uid)
        if not subject.allows(reason, now):
            return
        combined = subject.combined(kind, reason, message, now)
        key = (kind, reason, "" if combined else message)
        event = subject.events.get(key)
        if event is None:
            event = subject.events[key] = _EventObject(f"{topic.name[:230]}.{secrets.token_hex(8)}", now)
        event.count += 1
        text = f"(combined from similar events): {message}" if combined else message
        path = f"/api/v1/namespaces/{topic.namespace}/events"
        if event.count > 1:
            change = {"count": event.count, "lastTimestamp": timestamp(now), "message": text}
            self._put(topic.uid, "PATCH", f"{path}/{event.name}", orjson.dumps(change))
        else:
            self._put(topic.uid, "POST", path, self._event(topic, event, (kind, reason, text)))

    def _event(self, topic: Topic, event: _EventObject, what: tuple[str, str, str]) -> bytes:
        kind, reason, message = what
        return orjson.dumps(
            {
                "apiVersion": "v1",
                "kind": "Event",
                "metadata": {"name": event.name, "namespace": topic.namespace},
                "involvedObject": {
                    "apiVersion": topic.api_version,
                    "kind": topic.kind,
                    "namespace": topic.namespace,
                    "name": topic.name,
                    "uid": topic.uid,
                    "resourceVersion": str(topic.version),
                },
                "type": kind,
                "reason": reason,
                "message": message[:1024],
                "source": {"component": self._component},
                "reportingComponent": self._component,
                "firstTimestamp": timestamp(event.first),
                "lastTimestamp": timestamp(event.first),
                "count": 1,
            }
        )

    def _subject(self, uid: str) -> _Subject:
        subject = self._subjects.get(uid)
        if subject is None:
            subject = self._subjects[uid] = _Subject()
            if len(self._subjects) > MOST_OBJECTS:
                self._subjects.popitem(last=False)
        return subject

    def _put(self, uid: str, method: str, path: str, body: bytes) -> None:
        queue = self._queues[hash(uid) % WRITERS]
        if not queue.full():
            queue.put_nowait((method, path, body))

    async def run(self) -> None:
        """Write what was recorded, for ever."""
        async with asyncio.TaskGroup() as group:
            for queue in self._queues:
                group.create_task(self._write(queue))

    async def _write(self, queue: asyncio.Queue[tuple[str, str, bytes]]) -> None:
        while True:
            method, path, body = await queue.get()
            try:
                if method == "POST":
                    await self._client.post(path, body)
                else:
                    await self._client.patch(path, body)
            except ApiError as error:
                # An event is worth one attempt: what it says is also in the status.
                log.debug("event not written: %s", error)
