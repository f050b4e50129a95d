"""Writes around the proxy: what an audit log says of them, and what a history with them comes to."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from histories import headed_story
from hypothesis import given
from hypothesis import strategies as st

from batchproof.api.stamps import Stamps
from batchproof.cell.audit import Audit
from batchproof.evidence.replay import judge_history
from batchproof.ground.resources import NODES, PODS
from batchproof.judgement.claims import eventually
from batchproof.judgement.conclusion import AROUND, Verdict
from batchproof.judgement.history import WrittenAround
from batchproof.profiles.job.facts.jobs import job_complete

if TYPE_CHECKING:
    from pathlib import Path

CELL = "bp-1-gw1"
COMPLETE = eventually(job_complete(job="a", succeeded=0)).scaled(1, "BAS-002")


def event(id_: str, *, namespace: str = f"{CELL}-3", code: int = 201, **of: str) -> dict[str, Any]:
    reference = {"resource": "pods", "apiVersion": "v1", "name": "a", "namespace": namespace, **of}
    return {
        "auditID": id_,
        "verb": "create",
        "objectRef": {key: value for key, value in reference.items() if value},
        "responseStatus": {"code": code},
        "userAgent": "curl/8",
        "user": {"username": "batchproof"},
        "requestReceivedTimestamp": "2026-11-25T22:00:00.000000Z",
    }


class _Server:
    """The API server's part: what comes before the mark of the harness, and the mark."""

    def __init__(self, log: Path, stamps: Stamps) -> None:
        self.log = log
        self.stamps = stamps
        self.before: list[dict[str, Any]] = []

    async def create(self, path: str, _: Any) -> None:
        mark = event(self.stamps.new(), namespace="", name="", resource=path.rpartition("/")[2])
        with self.log.open("ab") as log:
            for one in (*self.before, mark):
                log.write(orjson.dumps(one) + b"\n")
        self.before = []


def found(folder: Path, *events: dict[str, Any], stamps: Stamps) -> list[WrittenAround]:
    log = folder / "audit.log"
    log.unlink(missing_ok=True)
    server: Any = _Server(log, stamps)
    server.before = list(events)
    return asyncio.run(Audit(log, CELL, stamps).found(server))


@pytest.mark.parametrize(
    ("of", "around"),
    [
        pytest.param({}, True, id="in the scenario"),
        pytest.param({"subresource": "status"}, True, id="a part of an object"),
        pytest.param(
            {"namespace": "", "resource": "nodes", "name": f"{CELL}-node"}, True, id="a node of the cell"
        ),
        pytest.param({"code": 403}, False, id="what was refused"),
        pytest.param({"namespace": "bp-1-gw10-3"}, False, id="in another cell"),
        pytest.param({"namespace": "default"}, False, id="elsewhere"),
        pytest.param(
            {"namespace": "", "resource": "nodes", "name": "worker"}, False, id="a node of nobody's"
        ),
    ],
)
def test_a_write_without_a_stamp_is_found(tmp_path: Path, of: dict[str, Any], *, around: bool) -> None:
    stamps = Stamps()
    assert bool(found(tmp_path, event("0c9f0d9a-1", **of), stamps=stamps)) == around
    assert not found(tmp_path, event(stamps.new(), **of), stamps=stamps)


def test_a_stamp_that_the_log_has_already_is_no_stamp(tmp_path: Path) -> None:
    stamps, log = Stamps(), tmp_path / "audit.log"
    before, within, elsewhere = stamps.new(), stamps.new(), stamps.new()
    log.write_bytes(orjson.dumps(event(before)) + b"\n")
    server: Any = _Server(log, stamps)
    audit = Audit(log, CELL, stamps)
    audit.begin()
    server.before = [event(within), event(elsewhere, namespace="default")]
    assert asyncio.run(audit.found(server)) == []
    server.before = [event(one, name=one) for one in (before, within, elsewhere)]
    assert [write.name for write in asyncio.run(audit.found(server))] == [before, within, elsewhere]


def test_what_is_found_says_who_wrote_what(tmp_path: Path) -> None:
    [write] = found(tmp_path, event("x", subresource="binding"), stamps=Stamps())
    assert str(write) == f"create pods/binding {CELL}-3/a by curl/8 as batchproof"
    assert write.resource == PODS


def test_what_was_before_the_scenario_is_not_of_it(tmp_path: Path) -> None:
    stamps, log = Stamps(), tmp_path / "audit.log"
    log.write_bytes(orjson.dumps(event("before")) + b"\n")
    server: Any = _Server(log, stamps)
    audit = Audit(log, CELL, stamps)
    audit.begin()
    server.before = [event("within")]
    assert len(asyncio.run(audit.found(server))) == 1
    assert asyncio.run(audit.found(server)) == []


def test_without_a_log_nothing_is_found_and_nothing_is_asked() -> None:
    nobody: Any = None
    assert asyncio.run(Audit(None, CELL, Stamps()).found(nobody)) == []


@given(st.text())
def test_nobody_else_makes_a_stamp(guessed: str) -> None:
    stamps, others = Stamps(), Stamps()
    own, foreign = stamps.new(), others.new()
    assert stamps.number(own) == 1
    assert stamps.number(foreign) is None
    assert stamps.number(guessed) is None
    assert stamps.number("1-" + guessed) in {None, 1}
    assert stamps.number(f"{own}{guessed}") == (None if guessed else 1)


AROUND_IT = WrittenAround(
    "create", PODS, "", f"{CELL}-3", "a", "curl/8", "batchproof", "2026-11-25T22:00:00Z"
)


@pytest.mark.parametrize("holds", [True, False])
def test_a_scenario_that_was_written_in_around_the_proxy_shows_nothing(*, holds: bool) -> None:
    told = headed_story().job("a").claims(1, COMPLETE)
    told = (told.complete("a", succeeded=0) if holds else told).closes(1)
    verdict = Verdict.PASSED if holds else Verdict.FAILED
    assert judge_history(told.records, "BAS-002").verdict is verdict
    told.add(AROUND_IT)
    told.add(
        WrittenAround("delete", NODES, "", "", f"{CELL}-node", "", "system:admin", "2026-11-25T22:00:01Z")
    )
    conclusion = judge_history(told.records, "BAS-002")
    assert conclusion.verdict is Verdict.ERRORED
    assert conclusion.reason.startswith(
        f"{AROUND}: create pods {CELL}-3/a by curl/8 as batchproof, and 1 more. Neither batchproof nor"
    )
