"""What a descriptor says of the processes that are started."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from batchproof.descriptor.launch import (
    ELECTION_PLACEHOLDER,
    PLACEHOLDER,
    PLACEHOLDERS,
    ProcessSpec,
    process_of,
    unusable,
)
from batchproof.descriptor.reading import Place, Reading, texts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet


def processes(reading: Reading) -> tuple[ProcessSpec, ...]:
    """What is started; ``start`` is short for one process with the name of the implementation."""
    alone, several = _alone(reading), _several(reading)
    if several and reading.usable("start", "binary"):
        for other in {"start", "binary"} & reading.content.keys():
            message = f"{other!r} and 'processes' exclude each other: each process has its own"
            reading.wrong(message, other)
    return several or alone


def _alone(reading: Reading) -> tuple[ProcessSpec, ...]:
    start = reading.part("start", None)
    if start is None:
        return ()
    if reading.usable("binary"):
        _see_texts(reading, start, ("start",), "start", binary="binary" in reading.content)
    row = {"name": reading.part("name", ""), **start, "binary": reading.part("binary", {})}
    return (process_of(row, "start", reading.folder),)


def _several(reading: Reading) -> tuple[ProcessSpec, ...]:
    rows = reading.part("processes", ())
    found: list[ProcessSpec] = []
    for position, row in enumerate(rows):
        place, title = ("processes", position), f"processes[{row['name']}]"
        process = process_of(row, title, reading.folder)
        _see_texts(reading, row, place, title, binary="binary" in row)
        if process.name in [other.name for other in found]:
            reading.wrong(f"processes: the name {process.name} appears twice", *place)
        port = process.ready.listens
        if port and port not in process.ports:
            message = f"{title}.ready.listens: it is given no {{port:{port}}}"
            reading.wrong(message, *place, "ready", "listens")
        found.append(process)
    if found and all(process.supporting for process in found):
        reading.wrong("processes: one must not be supporting: that which is judged", "processes")
    return tuple(found)


def election(reading: Reading) -> ProcessSpec | None:
    """How a replica is started: as ``start`` says, with other arguments; a standby watches nothing."""
    given = reading.part("election", None)
    if given is None or not reading.usable("start", "binary"):
        return None
    content = reading.content
    if "start" not in content:
        reading.wrong("'election' says how replicas of 'start' are started: there is none", "election")
        return None
    extra = {ELECTION_PLACEHOLDER}
    _see_texts(reading, given, ("election",), "election", binary="binary" in content, extra=extra)
    if not process_of({"name": "", **given}, "", reading.folder).uses(ELECTION_PLACEHOLDER):
        message = "election.argv: no word of it is {namespace}, in which the Lease has to be"
        reading.wrong(message, "election", "argv")
    replica = {**content["start"], **given, "name": reading.part("name", ""), "ready": {"watches": []}}
    return process_of({**replica, "binary": content.get("binary", {})}, "election", reading.folder)


def _see_texts(
    reading: Reading,
    process: Mapping[str, Any],
    place: Place,
    title: str,
    *,
    binary: bool,
    extra: AbstractSet[str] = frozenset(),
) -> None:
    """See that the texts of a process have placeholders that there are, and no variable has two values."""
    for name in sorted({*process.get("env", ())} & {*process.get("pass_env", ())}):
        message = f"{title}.pass_env: env has a value for {name} already: leave one of them out"
        reading.wrong(message, *place, "pass_env")
    usable = {*PLACEHOLDERS, *extra} if binary else {*PLACEHOLDERS, *extra} - {"binary"}
    given = {part: process[part] for part in ("argv", "env", "files") if part in process}
    for where, text in texts(given, place):
        for match in PLACEHOLDER.finditer(text):
            if match["name"] and match["name"] not in usable:
                below = ".".join(map(str, where[len(place) :]))
                reading.wrong(f"{title}.{below}: {unusable(match['name'])}", *where)
