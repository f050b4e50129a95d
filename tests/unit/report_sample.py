# ruff: noqa: E501 - records read best as one line each
"""A rich run for the tests of the reports: every verdict, an outline, a waiver, breaches, preconditions."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import orjson

from batchproof.ground import stored
from batchproof.report.records import Record

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = "<script>alert('x')</script> & \"quotes\" \x1b[31m"

REQUIREMENTS = {
    "BAS-001": ("MUST", "A Job MUST create at most parallelism pods at a time.", None),
    "BAS-002": ("MUST", "A Job MUST be Complete once completions pods have succeeded.", None),
    "FIN-003": ("MUST", "A finished pod MUST be recorded before its finalizer is removed.", None),
    "FIN-004": ("MUST", "No finalizer MUST be removed before the UID of its pod is recorded.", None),
    "FIN-005": ("SHOULD", "A pod that is deleted SHOULD lose its finalizer at once.", None),
    "TTL-001": ("MUST", "A finished Job MUST be deleted after its time to live.", "TTLAfterFinished"),
    "EXP-001": ("MUST", "A restart MUST NOT create a pod twice.", None),
    "EXP-002": ("MUST", "An expectation MUST end when its pod is seen.", None),
    "EXP-003": ("SHOULD", "An expectation SHOULD end after five minutes.", None),
    "ROB-001": ("MUST", "The Job MUST complete though the controller was killed at any write.", None),
}


def header() -> dict[str, Any]:
    """The header of the sample; ``planned`` is empty."""
    return {
        "record": "header",
        "schema": 3,
        "batchproof": "0.2.0",
        "suite": {"digest": "sha256:" + "9f86d081884c7d65" * 4},
        "implementation": {
            "name": "acme-jobs",
            "version": "2.3.1",
            "organisation": "Acme Batch GmbH",
            "profiles": ["job"],
            "capabilities": ["PodFailurePolicy"],
            "descriptor": "acme.yaml",
            "implements": "1.37",
            "deviations": [WAIVER],
        },
        "cluster": {"provider": "embedded", "kubernetes": "1.37.0"},
        "profile": "job",
        "workers": 8,
        "started": "2026-11-21T10:00:00Z",
        "time_scale": 1.0,
        "deadlines": {"reaction": 5.0, "settle": 15.0},
        "required": [name for name, (level, *_) in REQUIREMENTS.items() if level == "MUST"],
        "planned": [],
        "not_in_force": [],
        "requirements": {
            name: {
                "level": level,
                "sentence": sentence,
                "source": "k8s.io/kubernetes v1.37.0 pkg/controller/job/job_controller.go; KEP-2307",
                "capability": capability,
            }
            for name, (level, sentence, capability) in REQUIREMENTS.items()
        },
    }


def read(told: dict[str, Any]) -> Record:
    """The record that a reader makes of it."""
    parsed: Record = stored.decode(orjson.dumps(told), Record)
    return parsed


def scenario(requirement: str, name: str, verdict: str = "passed", **more: Any) -> dict[str, Any]:
    """One scenario record; a failed one has its evidence."""
    example = more.get("example")
    feature = more.pop("feature", f"job/{requirement[:3].lower()}.feature")
    level = REQUIREMENTS.get(requirement, ("MUST",))[0]
    record = {
        "record": "scenario",
        "id": f"{feature}::{name}" + (f"[{example}]" if example else ""),
        "name": name,
        "title": name.replace("<example>", str(example)),
        "feature": feature,
        "example": example,
        "fault": "",
        "end": None,
        "left_out": "",
        "first": None,
        "requirement": requirement,
        "level": level,
        "tags": [requirement],
        "verdict": verdict,
        "reason": "",
        "waived": None,
        "worker": "gw0",
        "started": "2026-11-21T10:00:03Z",
        "duration_s": 2.1,
        "steps": [
            {"keyword": "Given", "text": "a Job with 3 completions and 3 running pods", "outcome": "passed", "at_s": 0.0, "duration_s": 0.41},
            {"keyword": "And", "text": "updates of the Job status are answered with 500", "outcome": "passed", "at_s": 0.41, "duration_s": 0.01},
            {"keyword": "When", "text": "all 3 pods succeed", "outcome": "passed", "at_s": 0.42, "duration_s": 0.05},
            {"keyword": "Then", "text": "no pod loses its tracking finalizer while the fault lasts", "outcome": "failed" if verdict == "failed" else "passed", "at_s": 0.47, "duration_s": 0.9},
            {"keyword": "And", "text": "once the fault ends the Job completes with 3 succeeded pods", "outcome": "not-run" if verdict == "failed" else "passed"},
        ],
        "claims": [
            {"text": "never does a pod lose its tracking finalizer", "requirement": requirement, "outcome": "broken" if verdict == "failed" else "held", "role": "judged", "deadline": None, "limit_s": None, "took_s": 0.9},
            {"text": "eventually the Job is Complete with 3 succeeded", "requirement": requirement, "outcome": "held", "role": "judged", "deadline": "settle", "limit_s": 15.0, "took_s": 1.2},
        ],
        "unmet": unmet(requirement) if verdict == "failed" else None,
        "precondition": None,
        "breaches": [],
        "faults": [{"text": "updates of jobs/status are answered with 500", "fired": 3}],
        "error": None,
        "printed": "",
        "history": f"histories/{requirement}-{name.replace(' ', '-')[:20]}[1].jsonl",
        "history_digest": "",
    }  # fmt: skip
    return {**record, **more}


def unmet(requirement: str) -> dict[str, Any]:
    """The evidence of a failure."""
    return {
        "requirement": requirement,
        "sentence": "no finalizer is removed before its pod's UID is recorded",
        "expected": "pod a-2 keeps batch.kubernetes.io/job-tracking",
        "observed": "removed at +1.204 s; UID recorded: no",
        "speaks_of": [],
        "timeline": [
            {"at_s": 0.911, "subject": "pod/a-2", "what": "phase Succeeded", "here": False, "record": 11},
            {
                "at_s": 1.19,
                "subject": "job/a",
                "what": "PUT status -> 500 (fault)",
                "here": False,
                "record": 15,
            },
            {"at_s": 1.204, "subject": "pod/a-2", "what": "PATCH finalizers", "here": True, "record": 17},
        ],
        "fact": "finalizers_kept",
        "arguments": {"job": "a"},
        "values": {"recorded": False},
    }


def breach(requirement: str, **more: Any) -> dict[str, Any]:
    """A requirement that the history of another one's scenario breaks."""
    return {**unmet(requirement), "waived": None, **more}


def undecided(
    requirement: str, name: str, expected: str, speaks_of: tuple[str, ...], **more: Any
) -> dict[str, Any]:
    """A scenario in which something did not come about that it needs."""
    missing = {
        "step": f"Given {expected}",
        "expected": expected,
        "observed": "none",
        "speaks_of": list(speaks_of),
        "timeline": unmet(requirement)["timeline"],
        "slow": "",
    }
    return scenario(requirement, name, "inconclusive", reason="precondition", precondition=missing, **more)


FIRST_PLAY = {
    "verdict": "inconclusive",
    "why": "no proof of life",
    "history": "histories/FIN-003-first-play.jsonl",
    "history_digest": "",
}

WAIVED = "Pods are recorded first"
WAIVER: dict[str, Any] = {
    "requirement": "FIN-003",
    "scenario": f"job/fin.feature::{WAIVED}",
    "fact": "finalizers_kept",
    "values": [{"recorded": False}],
    "observed": [],
    "reason": "recorded one write too late",
    "issue": "https://github.com/acme/jobs/issues/17",
    "expires": "2027-06-30",
    "sometimes": False,
    "arguments": [],
}


def admitting(*waivers: dict[str, Any]) -> dict[str, Any]:
    """The implementation of the header with these deviations."""
    return {**header()["implementation"], "deviations": list(waivers)}


PRINTED = "gw0-manager-1.log:\npanic: assignment to entry in nil map\n<b>goroutine 1</b>"


def scenarios() -> list[dict[str, Any]]:
    """One scenario of every kind; FIN-004 failed, FIN-003 is waived, TTL-001 not declared."""
    return [
        scenario("BAS-001", "A Job never has more pods than its parallelism"),
        scenario("BAS-002", "A Job completes with its pods"),
        scenario("FIN-003", WAIVED, "skipped", reason="waived", waived=WAIVER, unmet=unmet("FIN-003")),
        scenario("FIN-003", "Pods are recorded once", first=FIRST_PLAY),
        scenario("FIN-004", "Finished pods keep their finalizer while status writes fail", "failed", printed=PRINTED),
        scenario("FIN-004", f"A hostile name {HOSTILE}"),
        scenario("FIN-005", "A deleted pod loses its finalizer", "failed"),
        scenario("TTL-001", "A finished Job is deleted", "skipped", reason="not-declared", steps=[], claims=[], faults=[], history=None, duration_s=0),
        scenario("EXP-001", "A restart creates no pod twice", "inconclusive", reason="fault never triggered: hold watches of pods", faults=[{"text": "hold watches of pods", "fired": 0}]),
        undecided("EXP-003", "An expectation is met", "3 pods of Job a run", ("FIN-004", "BAS-001")),
        undecided("EXP-003", "An expectation runs out", "2 pods of Job a run", ("FIN-004", "BAS-001")),
        scenario("EXP-002", "An expectation ends", "errored", reason="the API server went away", error="Traceback (most recent call last):\n  ...\nHarnessError: the API server went away"),
        *(scenario("ROB-001", "The controller is killed at write <example>", example=str(n), breaches=[breach("FIN-004")]) for n in range(1, 4)),
    ]  # fmt: skip


def passing_scenarios() -> list[dict[str, Any]]:
    """A run without any trouble."""
    return [scenario(name, f"Scenario of {name}") for name in REQUIREMENTS]


def stream(
    records: list[dict[str, Any]],
    *,
    complete: bool = True,
    reason: str = "",
    unrun: list[dict[str, Any]] | None = None,
    **changes: Any,
) -> list[dict[str, Any]]:
    """A whole stream of these scenario records; ``unrun`` are planned without a record."""
    first = {**header(), **changes}
    planned = [*records, *(unrun or [])]
    first["planned"] = [
        {key: one[key] for key in ("id", "name", "title", "feature", "requirement", "example")}
        for one in planned
    ]
    counts: dict[str, int] = {}
    for one in records:
        counts[one["verdict"]] = counts.get(one["verdict"], 0) + 1
    last = {
        "record": "footer",
        "finished": "2026-11-21T10:00:31Z",
        "duration_s": 31.2,
        "complete": complete,
        "reason": reason,
        "counts": counts,
    }
    return deepcopy([first, *records, last])


def write_stream(folder: Path, records: list[dict[str, Any]]) -> Path:
    """Write records as they are, right or wrong."""
    path = folder / "results.jsonl"
    path.write_bytes(b"".join(orjson.dumps(one) + b"\n" for one in records))
    return path
