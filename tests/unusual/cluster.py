"""What the unusual programs share: requests to an API server, and two ways of knowing what is there.

``Polled`` lists and never watches; ``Watched`` keeps a cache. All else is the business of each program.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import socket
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

import urllib3
from kubernetes import config

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Json = dict[str, Any]
View = dict[str, list[Json]]

_PATCHES = {
    "merge": "application/merge-patch+json",
    "json": "application/json-patch+json",
    "apply": "application/apply-patch+yaml",
}
_UNANSWERED_S = 30.0


class RefusedError(Exception):
    """A request that was not carried out as far as is known; ``status`` 0: there was no reply."""

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(f"{status} {reason}: {message}")
        self.status, self.reason = status, reason


class Client:
    """Plain requests, each waited for."""

    def __init__(self, kubeconfig: str) -> None:
        client = config.new_client_from_config(config_file=kubeconfig)
        self._pool: urllib3.PoolManager = client.rest_client.pool_manager
        self._host: str = client.configuration.host
        credentials = client.configuration.auth_settings().values()
        self._headers: dict[str, str] = {it["key"]: it["value"] for it in credentials if it["in"] == "header"}

    def get(self, path: str) -> Json:
        """Read one object, or a list."""
        return self._ask("GET", path)

    def create(self, path: str, body: Json) -> Json:
        """POST."""
        return self._ask("POST", path, body)

    def replace(self, path: str, body: Json) -> Json:
        """PUT; 409 if the body names a resourceVersion that is not the newest."""
        return self._ask("PUT", path, body)

    def patch(self, path: str, body: Any, kind: str = "merge") -> Json:
        """PATCH of one of the kinds ``merge``, ``json`` and ``apply``."""
        asked = "?fieldManager=unusual&force=true" if kind == "apply" else ""
        return self._ask("PATCH", path + asked, body, _PATCHES[kind])

    def delete(self, path: str, uid: str = "", propagation: str = "") -> None:
        """DELETE; what is gone already, or is another one by now, is as good as deleted."""
        with gone_or_there(404, 409):
            self.remove(path, uid, propagation)

    def remove(self, path: str, uid: str = "", propagation: str = "") -> None:
        """DELETE; 404 if it is gone already, 409 if it is another one by now."""
        options: Json = {"kind": "DeleteOptions", "apiVersion": "v1"}
        if uid:
            options["preconditions"] = {"uid": uid}
        if propagation:
            options["propagationPolicy"] = propagation
        self._ask("DELETE", path, options)

    def watch(self, path: str, version: str) -> Iterable[Json]:
        """The events after that version, until the server ends the watch."""
        sign = "&" if "?" in path else "?"
        asked = f"{path}{sign}watch=true&allowWatchBookmarks=true&resourceVersion={version}"
        response = self._send("GET", asked, None, {}, urllib3.Timeout(connect=5, read=None))
        if response.status != 200:
            raise _refused(response.status, response.read())
        rest = b""
        try:
            for chunk in response.stream(65536, decode_content=True):
                *lines, rest = (rest + chunk).split(b"\n")
                yield from (json.loads(line) for line in lines if line.strip())
        finally:
            response.close()

    def _ask(self, method: str, path: str, body: Any = None, content: str = "application/json") -> Json:
        timeout = urllib3.Timeout(connect=5, read=_UNANSWERED_S)
        response = self._send(method, path, body, {"content-type": content}, timeout)
        try:
            read = response.read()
        except urllib3.exceptions.HTTPError as error:
            raise RefusedError(0, "NoReply", str(error)) from error
        finally:
            response.release_conn()
        if response.status >= 300:
            raise _refused(response.status, read)
        answer: Json = json.loads(read)
        return answer

    def _send(
        self, method: str, path: str, body: Any, headers: dict[str, str], timeout: urllib3.Timeout
    ) -> urllib3.BaseHTTPResponse:
        try:
            return self._pool.request(
                method,
                self._host + path,
                body=None if body is None else json.dumps(body),
                headers={**self._headers, **headers, "accept": "application/json"},
                timeout=timeout,
                retries=False,
                preload_content=False,
            )
        except urllib3.exceptions.HTTPError as error:
            raise RefusedError(0, "NoReply", str(error)) from error


def _refused(status: int, body: bytes) -> RefusedError:
    try:
        said = json.loads(body)
        return RefusedError(status, said.get("reason", ""), said.get("message", ""))
    except ValueError:
        return RefusedError(status, "", body.decode(errors="replace"))


@contextlib.contextmanager
def gone_or_there(*statuses: int) -> Iterator[None]:
    """What is refused with one of these is as it is to be already."""
    try:
        yield
    except RefusedError as error:
        if error.status not in statuses:
            raise


class Source(Protocol):
    """Where a program gets what it sees."""

    def start(self, client: Client, paths: dict[str, str]) -> None:
        """Begin; ``paths`` of collections by the names that the program has for them."""

    def look(self) -> View:
        """All objects, after the time or the change that the program waits for."""


@dataclass
class Polled:
    """It lists everything again and again, and watches nothing. A list may be as old as a cache has it."""

    every_s: float
    _client: Client = field(init=False)
    _paths: dict[str, str] = field(init=False, default_factory=dict)
    _looked: float = 0.0

    def start(self, client: Client, paths: dict[str, str]) -> None:
        """See ``Source``."""
        self._client, self._paths = client, paths

    def look(self) -> View:
        """See ``Source``."""
        time.sleep(max(0.0, self._looked + self.every_s - time.monotonic()))
        self._looked = time.monotonic()
        return {
            name: self._client.get(f"{path}?resourceVersion=0")["items"] for name, path in self._paths.items()
        }


@dataclass
class Watched:
    """It watches, and looks when something has changed, or every ``resync_s`` seconds.

    Attributes:
        gather_s: how long it waits after a change before it looks.
        heeds_changes: a change makes it look; else only the time does.
    """

    resync_s: float = 1.0
    gather_s: float = 0.0
    heeds_changes: bool = True
    _cache: dict[str, dict[str, Json]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _changed: threading.Event = field(default_factory=threading.Event)

    def start(self, client: Client, paths: dict[str, str]) -> None:
        """See ``Source``."""
        for name, path in paths.items():
            threading.Thread(target=self._follow, args=(client, name, path), daemon=True).start()
        while len(self._cache) < len(paths):
            time.sleep(0.02)

    def look(self) -> View:
        """See ``Source``."""
        if not self.heeds_changes:
            time.sleep(self.resync_s)
        elif self._changed.wait(self.resync_s):
            time.sleep(self.gather_s)
        self._changed.clear()
        with self._lock:
            return {name: [*objects.values()] for name, objects in self._cache.items()}

    def _follow(self, client: Client, name: str, path: str) -> None:
        while True:
            try:
                listed = client.get(path)
                with self._lock:
                    self._cache[name] = {it["metadata"]["uid"]: it for it in listed["items"]}
                self._changed.set()
                self._keep_up(client, name, path, listed["metadata"]["resourceVersion"])
            except (RefusedError, urllib3.exceptions.HTTPError, ValueError):
                time.sleep(0.2)

    def _keep_up(self, client: Client, name: str, path: str, version: str) -> None:
        for event in client.watch(path, version):
            seen, it = event["type"], event["object"]
            if seen == "ERROR":
                return
            with self._lock:
                if seen == "DELETED":
                    self._cache[name].pop(it["metadata"]["uid"], None)
                elif seen != "BOOKMARK":
                    self._cache[name][it["metadata"]["uid"]] = it
            self._changed.set()


def run(source: Source, paths: dict[str, str], work: Callable[[Client, View], None]) -> None:
    """Look and work, for ever; what could not be read or written is met again at the next look."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kubeconfig", required=True)
    parser.add_argument("--port", type=int, default=0, help="accept connections there once all can be read")
    told = parser.parse_args()
    client = Client(told.kubeconfig)
    while True:
        try:
            for path in paths.values():
                client.get(path)
            break
        except RefusedError:
            time.sleep(0.2)
    source.start(client, paths)
    listener = socket.create_server(("127.0.0.1", told.port)) if told.port else None
    while listener or not told.port:
        try:
            work(client, source.look())
        except RefusedError as error:
            print(error, flush=True)  # noqa: T201  (the log of a program)
            time.sleep(0.2)


# -- what objects say of themselves


def now() -> str:
    """The time, as the API spells it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def seconds(text: str) -> float:
    """A time of the API, since the epoch."""
    return datetime.fromisoformat(text).timestamp()


def key(it: Json) -> tuple[str, str]:
    """Namespace and name."""
    return it["metadata"].get("namespace", ""), it["metadata"]["name"]


def deleting(it: Json) -> bool:
    """It is being deleted."""
    return "deletionTimestamp" in it["metadata"]


def phase(pod: Json) -> str:
    """The phase of a pod."""
    return str((pod.get("status") or {}).get("phase") or "Pending")


def ended(pod: Json) -> bool:
    """The pod has succeeded or failed."""
    return phase(pod) in {"Succeeded", "Failed"}


def labels(it: Json) -> dict[str, str]:
    """Its labels."""
    return it["metadata"].get("labels") or {}


def notes(it: Json) -> dict[str, str]:
    """Its annotations."""
    return it["metadata"].get("annotations") or {}


def controlled_by(it: Json, owner: Json) -> bool:
    """The owner controls it."""
    references = it["metadata"].get("ownerReferences") or []
    return any(ref.get("controller") and ref["uid"] == owner["metadata"]["uid"] for ref in references)


def controller_reference(owner: Json, version: str, kind: str) -> Json:
    """The reference by which an owner controls what it makes."""
    return {
        "apiVersion": version,
        "kind": kind,
        "name": owner["metadata"]["name"],
        "uid": owner["metadata"]["uid"],
        "controller": True,
        "blockOwnerDeletion": True,
    }


def exit_code(pod: Json, container: str) -> int | None:
    """With which code a container of a pod ended; None if that is not known."""
    for it in (pod.get("status") or {}).get("containerStatuses") or []:
        if it["name"] == container:
            code = ((it.get("state") or {}).get("terminated") or {}).get("exitCode")
            return None if code is None else int(code)
    return None


def restarts(pod: Json) -> int:
    """How often its containers were started again."""
    containers = (pod.get("status") or {}).get("containerStatuses") or []
    return sum(int(it.get("restartCount") or 0) for it in containers)
