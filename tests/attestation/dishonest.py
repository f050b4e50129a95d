"""What a dishonest signer can do: it holds a key that the reader trusts, and signs whatever it has forged.

Nothing here asks ``certify``, which refuses most of it. A forgery is made from the results of a real run. It
carries everything that the forger can compute again: digests, counts, manifests, statements, signatures.
"""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import msgspec
import orjson
import yaml

from batchproof.attestation import bundle, envelope, keys, making, trust
from batchproof.attestation.certificate import Said, statements
from batchproof.attestation.evidence import evidence
from batchproof.attestation.judging import JudgedAgain
from batchproof.attestation.statement import CERTIFICATE, WITNESS
from batchproof.attestation.times import written
from batchproof.attestation.trust import Trust
from batchproof.attestation.verification import VerificationVerdict, VerifyRequest, verify
from batchproof.evidence.replay import heard_from
from batchproof.ground.errors import UserError
from batchproof.report.outcome import judge_run
from batchproof.report.records import ClaimRecord
from batchproof.report.results import FILE_NAME, read_results

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Json = dict[str, Any]
VENDOR: Final = "Example Ltd"
LAB: Final = "Example Lab"


@dataclass
class Forgery:
    """A copy of the results of a run, to be edited.

    Attributes:
        folder: where the copy is.
        lines: the records of the results.
        again: the results of another run of the same.
    """

    folder: Path
    lines: list[Json]
    again: Path

    @classmethod
    def of(cls, run: Path, folder: Path, again: Path) -> Forgery:
        """A copy of a run."""
        folder.mkdir(parents=True)
        shutil.copytree(run / "histories", folder / "histories")
        shutil.copy(run / FILE_NAME, folder / FILE_NAME)
        return cls(folder, read_lines(run), again)

    @property
    def other(self) -> Forgery:
        """The other run, to be read only."""
        return Forgery(self.again, read_lines(self.again), self.again)

    @property
    def header(self) -> Json:
        return self.lines[0]

    @property
    def footer(self) -> Json:
        return self.lines[-1]

    @property
    def scenarios(self) -> list[Json]:
        return self.lines[1:-1]

    def passed(self, wanted: Callable[[Json], bool] = lambda _: True) -> Json:
        """The first passed scenario that is wanted."""
        return next(one for one in self.scenarios if one["verdict"] == "passed" and wanted(one))

    def history(self, one: Json) -> list[Json]:
        """The records of a scenario's history."""
        return [orjson.loads(line) for line in (self.folder / one["history"]).read_bytes().splitlines()]

    def rewrite(self, one: Json, records: list[Json], *, renumber: bool = True) -> None:
        """Write a history again, with numbers that have no gap."""
        for number, record in enumerate(records):
            if renumber:
                record["number"] = number
        (self.folder / one["history"]).write_bytes(
            b"".join(orjson.dumps(record) + b"\n" for record in records)
        )

    def edit(self, one: Json, change: Callable[[list[Json]], list[Json] | None]) -> None:
        """Change a history, and what its record says of it."""
        before = self.history(one)
        records = self.history(one)
        self.rewrite(one, change(records) or records)
        assert self.history(one) != before, "the edit changes nothing"
        try:
            heard = heard_from(self.folder / one["history"], one["requirement"], {})
        except UserError:  # it is damaged so that nothing can be computed from it
            return
        one["claims"] = msgspec.to_builtins([ClaimRecord.of(judged) for judged in heard.judged])
        one["faults"] = msgspec.to_builtins(heard.faults)

    def drop(self, one: Json) -> None:
        """Leave a record out, and its history."""
        self.lines.remove(one)
        if one.get("history"):
            (self.folder / one["history"]).unlink(missing_ok=True)

    def day(self, days: int) -> str:
        """The day that is this number of days after the run."""
        return (moment(self.header["started"]) + timedelta(days=days)).date().isoformat()

    def describe(self, change: Callable[[Json], None]) -> None:
        """Change the descriptor, and its digest wherever it stands."""
        judged = self.header["implementation"]
        said = yaml.safe_load(judged["descriptor_text"])
        change(said)
        judged["descriptor_text"] = yaml.safe_dump(said, sort_keys=False)
        before, after = judged["descriptor_digest"], digest(judged["descriptor_text"].encode())
        judged["descriptor_digest"] = after
        for path in (self.folder / "histories").iterdir():
            path.write_bytes(path.read_bytes().replace(before.encode(), after.encode(), 1))

    def recount(self, *, sealed: bool = True) -> None:
        """Compute again what anybody can compute: the counts in the footer, and the digests of histories."""
        counts: dict[str, int] = {}
        for one in self.scenarios:
            counts[one["verdict"]] = counts.get(one["verdict"], 0) + 1
            if sealed and one.get("history") and (self.folder / one["history"]).is_file():
                one["history_digest"] = digest((self.folder / one["history"]).read_bytes())
        self.footer["counts"] = counts

    def save(self) -> None:
        """Write the results."""
        (self.folder / FILE_NAME).write_bytes(b"".join(orjson.dumps(one) + b"\n" for one in self.lines))


@dataclass
class Scene:
    """A real run, its signer, and a reader who trusts that signer.

    Attributes:
        run: the results of the run.
        again: those of a second run of the same.
        folder: for this test.
        now: the moment.
    """

    run: Path
    again: Path
    folder: Path
    honest: JudgedAgain
    key: keys.PrivateKey
    lab: keys.PrivateKey
    now: datetime

    def forgery(self, name: str = "forged") -> Forgery:
        """A copy of the run."""
        return Forgery.of(self.run, self.folder / name, self.again)

    def said(self, **more: Any) -> Said:
        """What the signer says, true but for what is given."""
        return Said(
            **{
                "id": "f" * 32,
                "issued": written(self.now),
                "not_before": written(self.now),
                "expires": written(self.now + timedelta(days=90)),
                "level": "self",
                "signer": VENDOR,
                **more,
            }
        )

    def bundle(
        self,
        folder: Path | None = None,
        *,
        said: Said | None = None,
        change: Callable[[Json], None] | None = None,
        key: keys.PrivateKey | None = None,
        drop: tuple[str, ...] = (),
    ) -> Path:
        """Sign the results in a folder, whatever they are.

        Args:
            folder: the results; None: the honest ones.
            said: the words of the signer.
            change: an edit of the predicate before it is signed.
            key: the key of the signer; None: the vendor's.
            drop: files that are left out of the bundle.
        """
        folder = folder or self.run
        names = [FILE_NAME, *(f"histories/{one.name}" for one in (folder / "histories").iterdir())]
        files = sorted((name, (folder / name).read_bytes()) for name in names if name not in drop)
        found = evidence(files)
        bodies = statements(judged(folder, self.honest), found, said or self.said(), CERTIFICATE)
        lines = envelope.lines([envelope.sign(edited(body, change), key or self.key) for body in bodies])
        return self.write(lines, making.placed(bundle.FIRST, files))

    def write(self, lines: bytes, files: list[tuple[str, bytes]]) -> Path:
        """A bundle of these statements and files."""
        path = self.folder / f"{hashlib.sha256(lines).hexdigest()[:8]}.tgz"
        path.write_bytes(making.packed(lines, files))
        return path

    def trust(self, rows: list[Json] | None = None, **more: Any) -> Trust:
        """The reader's trust file; unless it is given: the vendor (self) and the lab (witnessed)."""
        standing = [
            {"name": VENDOR, "levels": ["self"], "key": self.key.public.pem},
            {"name": LAB, "levels": ["witnessed"], "key": self.lab.public.pem},
        ]
        path = self.folder / "trust.yaml"
        path.write_text(yaml.safe_dump({"signers": rows if rows is not None else standing, **more}))
        return trust.read(path)

    def verify(self, path: Path, trusted: Trust | None = None, **asked: Any) -> VerificationVerdict:
        """The verdict of the reader."""
        return verify(path, trusted or self.trust(), VerifyRequest(**{"now": self.now, **asked}))


def read_lines(run: Path) -> list[Json]:
    """The records of results."""
    return [orjson.loads(line) for line in (run / FILE_NAME).read_bytes().splitlines()]


def digest(content: bytes) -> str:
    """A digest as the results have it."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def judged(folder: Path, honest: JudgedAgain) -> JudgedAgain:
    """What the forger says that the run comes to: what can be read of it, or what the honest one comes to."""
    try:
        results = read_results(folder)
        return JudgedAgain(results, judge_run(results), len(results.scenarios))
    except (UserError, LookupError, ValueError):
        return honest


def edited(body: bytes, change: Callable[[Json], None] | None) -> bytes:
    """A statement of ours, with its predicate changed; the test result stays as it is."""
    said = msgspec.json.decode(body)
    if change is None or said["predicateType"] not in {CERTIFICATE, WITNESS}:
        return body
    change(said["predicate"])
    return msgspec.json.encode(said)


def moment(text: str) -> datetime:
    """A time of day."""
    return datetime.fromisoformat(text).astimezone(UTC)
