"""The results stream ``results.jsonl``: a header, one record a scenario, a footer; each line one JSON object.

It is written while the run goes on, so that a run that was killed leaves what it had judged. What has no
footer was cut and proves nothing: reading it fails, as does everything else that a report could be misled by.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Self

import msgspec

from batchproof import __version__
from batchproof.ground import files, stored
from batchproof.ground.errors import HarnessError, UserError
from batchproof.ground.stored import Mismatch
from batchproof.judgement.values import in_words
from batchproof.report.records import SCHEMA_VERSION, Footer, Header, Record, ScenarioRecord
from batchproof.report.wording import count

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

FILE_NAME = "results.jsonl"
_OLD_WAIVERS = (
    "the deviations of this run say only what was expected ('finding'), not what was observed, and could "
    "cover any failure: convert them in the descriptor, and record the run again"
)
_CUT = "the run was interrupted, so its results cannot be used; run it again"


class InvalidResults(UserError):  # noqa: N818 - reads as what it is
    """A results stream cannot be believed; the message begins with the file and, if known, the line.

    Attributes:
        line: the number of the line, counted from 1; None where no single line is to blame.
    """

    def __init__(self, path: Path, line: int | None, text: str) -> None:
        super().__init__(f"{path}:{line}: {text}" if line else f"{path}: {text}")
        self.line = line


class NoHeader(InvalidResults):
    """The first record is not a header."""


class NoFooter(InvalidResults):
    """The stream was cut: the run did not come to its end."""


class WrongSchema(InvalidResults):
    """The stream was written in another version of the format."""


class MalformedLine(InvalidResults):
    """A line is not a record: no JSON, an unknown kind, a missing, unknown or wrong field."""


class DuplicateScenario(InvalidResults):
    """Two records are of the same scenario."""


class MissingScenario(InvalidResults):
    """A run that calls itself complete lacks scenarios that it had planned."""


class Contradiction(InvalidResults):
    """The records do not agree: a scenario was not planned, the footer counts something else."""


@dataclass(frozen=True, slots=True)
class Results:
    """A whole run as it was recorded; the scenarios stand in the order of the plan, not of their ends."""

    header: Header
    scenarios: tuple[ScenarioRecord, ...]
    footer: Footer


class ResultsStream:
    """Writes a results stream, record by record; each reaches the file before ``write`` returns.

    A context manager. Left without a footer, the stream stays cut, and says so to every reader.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = files.stream(path.parent, path.name)
        self._last: type[Record] | None = None

    def write(self, record: Record) -> None:
        """Append a record.

        Raises:
            HarnessError: it contradicts itself, it comes out of order, or the file cannot be written.
        """
        try:
            _check_values(record)
        except Mismatch as error:
            raise HarnessError(f"a record of the results is malformed: {error}") from error
        if (self._last is None) != isinstance(record, Header) or self._last is Footer:
            name, last = type(record).__name__, self._last.__name__ if self._last else "nothing"
            raise HarnessError(f"a {name} cannot follow {last} in the results")
        try:
            _write_all(self._file, stored.encode(record) + b"\n")
        except OSError as error:
            raise HarnessError(f"{self.path} cannot be written: {error.strerror}") from error
        self._last = type(record)

    def close(self) -> None:
        """Close the file; harmless when it is closed."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _write_all(file: IO[bytes], line: bytes) -> None:
    """Write a line to an unbuffered file, which may take a part of it at a time."""
    left = memoryview(line)
    while left:
        left = left[file.write(left) :]


def read_results(path: Path) -> Results:
    """The results of a run, from its folder or from its ``results.jsonl``.

    Raises:
        UserError: there is no such file.
        InvalidResults: the stream is cut, malformed or contradicts itself; one subclass for each way.
    """
    path = path / FILE_NAME if path.is_dir() else path
    if not path.is_file():
        raise UserError(f"{path} does not exist: give the output folder of a run")
    header: Header | None = None
    footer: Footer | None = None
    scenarios: dict[str, ScenarioRecord] = {}
    number = 0
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            record = _read_line(path, number, line)
            if footer is not None:
                raise MalformedLine(path, number, "a record after the footer")
            if isinstance(record, Header):
                if header is not None:
                    raise MalformedLine(path, number, "a second header")
                header = record
            elif isinstance(record, Footer):
                footer = record
            elif record.id in scenarios and not _second_play(scenarios[record.id], record):
                raise DuplicateScenario(path, number, f"a second record of scenario {record.id}")
            else:
                scenarios[record.id] = record
    if header is None:
        raise NoHeader(path, None, "the file is empty: no run wrote its header here")
    if footer is None:
        raise NoFooter(path, number, f"the stream ends without a footer: {_CUT}")
    _check_whole(path, header, scenarios, footer)
    order = {planned.id: place for place, planned in enumerate(header.planned)}
    return Results(header, tuple(sorted(scenarios.values(), key=lambda one: order[one.id])), footer)


def _second_play(before: ScenarioRecord, after: ScenarioRecord) -> bool:
    """Whether a second record of a scenario is that of its second play, which replaces the first."""
    if after.first is None or before.first is not None:
        return False
    return (after.first.verdict, after.first.history) == (before.verdict, before.history)


def _read_line(path: Path, number: int, line: bytes) -> Record:
    """One line as record; a line with no newline was cut in the middle of being written."""
    if number == 1:
        _check_first(path, line)
    try:
        record: Record = stored.decode(line, Record)
        _check_values(record)
    except Mismatch as error:
        if not line.endswith(b"\n"):
            raise NoFooter(path, number, f"the stream ends in this line: {_CUT}") from error
        raise MalformedLine(path, number, str(error)) from error
    return record


def _check_first(path: Path, line: bytes) -> None:
    """The header says which schema the rest is in, so it is asked before anything else is decoded."""
    try:
        first = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return  # the decoder of the line finds the same, and says what it is
    if not isinstance(first, dict) or first.get("record") != "header":
        raise NoHeader(path, 1, "the first record is not a header")
    if (schema := first.get("schema")) != SCHEMA_VERSION:
        reads = f"in schema {schema!r}, this batchproof {__version__} reads schema {SCHEMA_VERSION}"
        raise WrongSchema(path, 1, f"{reads}: record the run again")
    implementation = first.get("implementation")
    waivers = implementation.get("deviations") if isinstance(implementation, dict) else None
    rows = waivers if isinstance(waivers, list) else []
    if any("finding" in row for row in rows if isinstance(row, dict)):
        raise WrongSchema(path, 1, _OLD_WAIVERS)


def _check_values(record: Record) -> None:
    """What types alone do not say: times are times, verdicts have their evidence, histories lie below."""
    time = record.finished if isinstance(record, Footer) else record.started
    if time is not None:
        _check_time(time)
    if not isinstance(record, ScenarioRecord):
        return
    if record.verdict == "failed" and record.unmet is None:
        raise Mismatch("the verdict is failed, but unmet is null: a failure needs its evidence")
    if record.verdict == "passed" and (record.unmet or record.error):
        raise Mismatch("the verdict is passed, but unmet or error says otherwise")
    if record.first is not None and record.first.verdict not in {"inconclusive", "errored"}:
        raise Mismatch(f"first.verdict is {record.first.verdict}: a scenario with a verdict is not retried")
    if (record.reason == "precondition") != (record.precondition is not None):
        raise Mismatch("the reason 'precondition' and a precondition that did not hold belong together")
    if own := [one for one in record.breaches if one.requirement == record.requirement]:
        raise Mismatch(f"{own[0].requirement} is the scenario's own: it belongs to unmet, not to breaches")
    for history in (record.history, record.first.history if record.first else None):
        if history is not None and not _below(history):
            raise Mismatch(f"history {history!r} is not a path below the folder of the results")


def _below(text: str) -> bool:
    """Whether a path may be linked to: it neither leaves the folder nor names a scheme (``javascript:``)."""
    parts = PurePosixPath(text).parts
    return bool(parts) and parts[0] != "/" and ".." not in parts and ":" not in parts[0] and "\\" not in text


def _check_time(text: str) -> None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise Mismatch(f"{text!r} is not a time as RFC 3339 writes it") from error
    if moment.tzinfo is None:
        raise Mismatch(f"{text!r} has no time zone")


def _check_whole(path: Path, header: Header, scenarios: Mapping[str, ScenarioRecord], footer: Footer) -> None:
    """The plan, the records and the footer must agree."""
    planned = Counter(one.id for one in header.planned)
    if twice := [name for name, times in planned.items() if times > 1]:
        raise DuplicateScenario(path, 1, f"scenario {twice[0]} is planned twice")
    if unplanned := sorted(set(scenarios) - set(planned)):
        raise Contradiction(path, None, f"scenario {unplanned[0]} was not planned")
    missing = [name for name in planned if name not in scenarios]
    if footer.complete and missing:
        raise MissingScenario(
            path,
            None,
            "the run calls itself complete, but there is no record of "
            f"{count(len(missing), 'planned scenario')}, the first: {missing[0]}",
        )
    counted = Counter(one.verdict for one in scenarios.values())
    stated = {verdict: count for verdict, count in footer.counts.items() if count}
    if stated != dict(counted):
        raise Contradiction(
            path, None, f"the footer counts {in_words(stated)}, the records are {in_words(counted)}"
        )
