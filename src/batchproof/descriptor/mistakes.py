"""What is wrong with a descriptor beyond what its schema can say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from batchproof import suite
from batchproof.descriptor import dialect
from batchproof.descriptor.launch import (
    CA_BUNDLE,
    ELECTION_PLACEHOLDER,
    PLACEHOLDER,
    PLACEHOLDERS,
    process_of,
    unusable,
)
from batchproof.documents import Problem, near
from batchproof.labels import BUILT_IN_MANAGER, TRACKING_FINALIZER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from batchproof import documents

Place = tuple[str | int, ...]

MANAGED_BY_SINCE = (1, 32)
FLAGS = frozenset(
    {
        "admission-control-config-file",
        "default-not-ready-toleration-seconds",
        "default-unreachable-toleration-seconds",
        "default-watch-cache-size",
        "delete-collection-workers",
        "disable-admission-plugins",
        "emulated-version",
        "emulation-forward-compatible",
        "enable-admission-plugins",
        "enable-garbage-collector",
        "event-ttl",
        "feature-gates",
        "max-mutating-requests-inflight",
        "max-requests-inflight",
        "min-compatibility-version",
        "min-request-timeout",
        "request-timeout",
        "runtime-config",
        "runtime-config-emulation-forward-compatible",
        "storage-media-type",
        "v",
        "vmodule",
        "watch-cache",
        "watch-cache-sizes",
    }
)
"""Those of kube-apiserver that say what the API is and how it is served. Who writes a descriptor is judged,
so it does not set who may do what, where the server listens, and what it notes of each write."""
RESERVED = (
    f"{TRACKING_FINALIZER} is reserved for the built-in controller (Kubernetes documentation, Jobs, "
    '"Delegation of managing a Job object to external controller")'
)


def _strings(value: Any, place: Place) -> Iterator[tuple[Place, str]]:
    """Every text in a value of YAML, with its place."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _strings(inner, (*place, key))
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from _strings(inner, (*place, position))


def beyond_the_schema(document: documents.Document) -> Iterator[Problem]:
    """What a JSON Schema cannot say: placeholders that exist, names that agree, real dates."""
    content = document.value
    if "start" in content:
        yield from _wrong_texts(document, content["start"], ("start",), "start", binary="binary" in content)
    if "processes" in content:
        yield from _wrong_processes(document)
    if "election" in content:
        yield from _wrong_election(document)
    yield from _wrong_flags(document)
    yield from _wrong_objects(document)
    yield from _missing_files(document)
    yield from dialect.problems(document)
    yield from _wrong_profile(document)
    yield from _wrong_manager(document)


def _wrong_profile(document: documents.Document) -> Iterator[Problem]:
    content = document.value
    if "gang" in content["profiles"] and "dialect" not in content:
        message = "the profile gang needs a 'dialect': how gangs are spelled (docs/certify-a-controller.md)"
        yield Problem(document.path, document.line("profiles"), message)


def _older(kubernetes: str) -> bool:
    """An API server of that version (empty: that of today) has no ``spec.managedBy`` by default."""
    return bool(kubernetes) and tuple(map(int, kubernetes.split("."))) < MANAGED_BY_SINCE


def _wrong_manager(document: documents.Document) -> Iterator[Problem]:
    """The name of the finalizer is free for whoever works by ``spec.managedBy``, and has to be given."""
    content = document.value
    message, place = "", "managed_by"
    if content.get("managed_by") == BUILT_IN_MANAGER:
        message = f"managed_by: {BUILT_IN_MANAGER} is the built-in controller: leave it out, or name another"
    elif "managed_by" in content and "finalizer" not in content:
        message = f"managed_by needs a 'finalizer' of its own, for {RESERVED}"
    elif "finalizer" in content and "managed_by" not in content:
        place = "finalizer"
        message = f"finalizer: leave it out: without managed_by it is {TRACKING_FINALIZER}"
    elif "managed_by" in content and _older(content.get("control_plane", {}).get("kubernetes", "")):
        message = "managed_by: Kubernetes knows it from 1.32 on: leave control_plane.kubernetes out"
    if message:
        yield Problem(document.path, document.line(place), message)


def _wrong_election(document: documents.Document) -> Iterator[Problem]:
    content, election = document.value, document.value["election"]
    if "start" not in content:
        message = "'election' says how replicas of 'start' are started: there is none"
        yield Problem(document.path, document.line("election"), message)
        return
    has_binary, place = "binary" in content, ("election",)
    extra = {ELECTION_PLACEHOLDER}
    yield from _wrong_texts(document, election, place, "election", binary=has_binary, extra=extra)
    if not process_of({"name": "", **election}, "", document.path.parent).uses(ELECTION_PLACEHOLDER):
        message = "election.argv: no word of it is {namespace}, in which the Lease has to be"
        yield Problem(document.path, document.line("election", "argv"), message)


def _wrong_texts(
    document: documents.Document,
    process: Mapping[str, Any],
    place: Place,
    title: str,
    *,
    binary: bool,
    extra: AbstractSet[str] = frozenset(),
) -> Iterator[Problem]:
    for name in sorted({*process.get("env", ())} & {*process.get("pass_env", ())}):
        message = f"{title}.pass_env: env has a value for {name} already: leave one of them out"
        yield Problem(document.path, document.line(*place, "pass_env"), message)
    usable = {*PLACEHOLDERS, *extra} if binary else {*PLACEHOLDERS, *extra} - {"binary"}
    for part in ("argv", "env", "files"):
        for where, text in _strings(process.get(part, ()), (*place, part)):
            for match in PLACEHOLDER.finditer(text):
                if match["name"] and match["name"] not in usable:
                    below = ".".join(map(str, where[len(place) :]))
                    message = f"{title}.{below}: {unusable(match['name'])}"
                    yield Problem(document.path, document.line(*where), message)


def _wrong_processes(document: documents.Document) -> Iterator[Problem]:
    content = document.value
    for other in ("start", "binary"):
        if other in content:
            message = f"{other!r} and 'processes' exclude each other: each process has its own"
            yield Problem(document.path, document.line(other), message)
    rows = content["processes"]
    for position, row in enumerate(rows):
        place = ("processes", position)
        title = f"processes[{row['name']}]"
        yield from _wrong_texts(document, row, place, title, binary="binary" in row)
        if row["name"] in [other["name"] for other in rows[:position]]:
            message = f"processes: the name {row['name']} stands twice"
            yield Problem(document.path, document.line(*place), message)
        port = row.get("ready", {}).get("listens")
        if port and port not in process_of(row, "", document.path.parent).ports:
            message = f"processes[{row['name']}].ready.listens: it is given no {{port:{port}}}"
            yield Problem(document.path, document.line(*place, "ready", "listens"), message)
    if all(row.get("supporting") for row in rows):
        message = "processes: one must not be supporting: that which is judged"
        yield Problem(document.path, document.line("processes"), message)


def _wrong_flags(document: documents.Document) -> Iterator[Problem]:
    for position, flag in enumerate(document.value.get("control_plane", {}).get("api_server_flags", ())):
        name = flag.removeprefix("--").partition("=")[0]
        if name not in FLAGS:
            line = document.line("control_plane", "api_server_flags", position)
            message = (
                f"a descriptor cannot set --{name}{near(name, FLAGS)}; it can: {', '.join(sorted(FLAGS))}"
            )
            yield Problem(document.path, line, f"control_plane.api_server_flags: {message}")


def _wrong_objects(document: documents.Document) -> Iterator[Problem]:
    content = document.value
    rows = content.get("processes", [content["start"]] if "start" in content else [])
    processes = [process_of(row, "", document.path.parent) for row in rows]
    ports = frozenset().union(*(process.ports for process in processes))
    bundle = {CA_BUNDLE} if any(process.uses("tls_dir") for process in processes) else set[str]()
    given = content.get("control_plane", {}).get("objects", ())
    for place, text in _strings(given, ("control_plane", "objects")):
        for match in PLACEHOLDER.finditer(text):
            message = ""
            unknown = match["name"] and match["name"] not in bundle
            if unknown or (match["port"] and match["port"] not in ports):
                names = (*(f"port:{port}" for port in sorted(ports)), *bundle)
                known = ", ".join(f"{{{name}}}" for name in names) or "no placeholder"
                message = f"{match[0]} means nothing here: objects may have {known}, as the processes do"
            elif (match["name"] or match["port"]) and content.get("isolation") != "control-plane":
                message = f"{match[0]} is another one for each instance: say 'isolation: control-plane'"
            if message:
                where = ".".join(map(str, place))
                yield Problem(document.path, document.line(*place), f"{where}: {message}")


def _missing_files(document: documents.Document) -> Iterator[Problem]:
    given = document.value.get("control_plane", {}).get("crds", ())
    for position, each in enumerate(given):
        if isinstance(each, str) and not crd_file(each, document.path.parent).is_file():
            own = document.path.parent / Path(each).expanduser()
            message = f"control_plane.crds: there is no file {own}, and batchproof brings none of that name"
            yield Problem(document.path, document.line("control_plane", "crds", position), message)


def crd_file(given: str, folder: Path) -> Path:
    """A vendor's own file lies beside the descriptor; else it is one of the suite's."""
    own = (folder / Path(given).expanduser()).absolute()
    return own if own.is_file() else suite.fixtures() / given
