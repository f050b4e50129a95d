"""Results in the hands of a forger: read, changed, and made to fit again.

The forger knows the format: the digests, the counts and the numbers of the records are computed again.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import sys
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, Any
from unittest import mock

import msgspec
import orjson
import pytest

from batchproof.cli import main
from batchproof.evidence.bound import Bound
from batchproof.evidence.replay import heard_from
from batchproof.evidence.verdicts import concluded
from batchproof.ground import stored
from batchproof.report import REPORTS
from batchproof.report.records import ClaimRecord, Header

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Json = dict[str, Any]


def replayed(folder: Path, *options: str) -> tuple[int, str]:
    """What ``batchproof replay`` says of a folder: its exit code, and all that it prints."""
    said = io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["batchproof", "replay", str(folder), *options]),
        redirect_stdout(said),
        redirect_stderr(said),
        pytest.raises(SystemExit) as ended,
    ):
        main()
    return ended.value.code if isinstance(ended.value.code, int) else 0, said.getvalue()


class Forgery:
    """A copy of the results of a run that can be changed.

    Attributes:
        folder: the copy.
        header: the first record of the results.
        scenarios: the records of scenarios, by id.
        footer: the last record.
    """

    def __init__(self, original: Path, folder: Path) -> None:
        shutil.copytree(original, folder)
        self.folder = folder
        lines = [orjson.loads(line) for line in (folder / "results.jsonl").read_bytes().splitlines()]
        self.header: Json = lines[0]
        # They stand there as they ended, which is another order in each run.
        self.scenarios: dict[str, Json] = {
            one["id"]: one for one in sorted(lines[1:-1], key=lambda one: one["id"])
        }
        self.footer: Json = lines[-1]

    # -- scenarios

    def passed(self, *, with_fault: bool = False) -> Json:
        """A scenario that passed: the first, or the first that arms a fault."""
        return next(
            one
            for one in self.scenarios.values()
            if one["verdict"] == "passed" and (one["faults"] or not with_fault)
        )

    def two_passed(self) -> tuple[Json, Json]:
        """Two scenarios of different requirements that passed."""
        first = self.passed()
        return first, next(
            one
            for one in self.scenarios.values()
            if one["verdict"] == "passed" and one["requirement"] != first["requirement"]
        )

    def records(self, scenario: Json) -> list[Json]:
        """The history of a scenario."""
        path = self.folder / scenario["history"]
        return [orjson.loads(line) for line in path.read_bytes().splitlines()]

    def rewrite(self, scenario: Json, records: list[Json]) -> None:
        """Give a scenario another history, numbered without a gap, and its digest."""
        for number, record in enumerate(records):
            record["number"] = number
        content = b"".join(orjson.dumps(one) + b"\n" for one in records)
        (self.folder / scenario["history"]).write_bytes(content)
        scenario["history_digest"] = f"sha256:{hashlib.sha256(content).hexdigest()}"

    def change(self, scenario: Json, keep: Callable[[Json], bool]) -> None:
        """Leave out of a history what is not kept."""
        self.rewrite(scenario, [one for one in self.records(scenario) if keep(one["entry"])])

    def digest(self, scenario: Json) -> None:
        """Make the digest of a history fit the file."""
        content = (self.folder / scenario["history"]).read_bytes()
        scenario["history_digest"] = f"sha256:{hashlib.sha256(content).hexdigest()}"

    # -- the whole

    def without_reports(self) -> None:
        """Leave out what is made of the results: after an edit it is made again."""
        for name in REPORTS:
            path = self.folder / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    def only(self, ids: set[str]) -> None:
        """Keep of the scenarios only some."""
        self.scenarios = {id_: one for id_, one in self.scenarios.items() if id_ in ids}
        self.header["planned"] = [one for one in self.header["planned"] if one["id"] in ids]

    def save(self) -> Path:
        """Write the results, with counts that agree; returns the folder."""
        counts = Counter(one["verdict"] for one in self.scenarios.values())
        self.footer["counts"] = {name: counts[name] for name in self.footer["counts"]}
        records = [self.header, *self.scenarios.values(), self.footer]
        content = b"".join(orjson.dumps(one) + b"\n" for one in records)
        (self.folder / "results.jsonl").write_bytes(content)
        return self.folder


# -- histories of which the record says what they come to


def plain(value: object) -> Any:
    return orjson.loads(msgspec.json.encode(value))


def bound_of(it: Forgery) -> Bound:
    return Bound.by(stored.decode(orjson.dumps(it.header), Header), it.footer["finished"])


def fit(it: Forgery, one: Json, records: list[Json]) -> None:
    """Give a scenario another history, and a record that says what this comes to."""
    it.rewrite(one, records)
    bound = bound_of(it)
    heard = heard_from(it.folder / one["history"], one["requirement"], bound.sentences)
    one |= plain(concluded(heard.conclusion, one["id"], bound.waivers))
    one |= {"claims": plain(tuple(map(ClaimRecord.of, heard.judged))), "faults": plain(heard.faults)}


def opened(records: list[Json], **wanted: object) -> Json:
    """The last claim that has these fields."""
    claims = [one for one in records if one["entry"]["kind"] == "claim-opened"]
    return [one for one in claims if wanted.items() <= one["entry"]["claim"].items()][-1]


def closed(records: list[Json], claim: Json) -> Json:
    number = claim["entry"]["claim_number"]
    return next(
        one
        for one in records
        if one["entry"]["kind"] == "claim-closed" and one["entry"]["claim_number"] == number
    )


def edited(id_: str, edit: Callable[[list[Json]], list[Json] | None]) -> Callable[[Forgery], None]:
    """A forgery of the history of one scenario."""

    def forge(it: Forgery) -> None:
        one = it.scenarios[id_]
        records = it.records(one)
        fit(it, one, edit(records) or records)

    forge.__name__ = edit.__name__
    return forge
