"""Time and memory to judge a history of 1,000, 10,000 and 100,000 pod events, with claims and all invariants.

Each history is that of a Job whose pods are created, run, end, are recorded, released and counted, 500 at a
time, with every request and Event; each is judged in a process of its own, as ``batchproof replay`` does it::

    python benchmarks/judgement.py
    python benchmarks/judgement.py --events 1000 --rounds 1
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any

from batchproof.evidence.replay import judge_history
from batchproof.ground.resources import EVENTS, JOBS, PODS, TRACKING_FINALIZER, Resource
from batchproof.judgement.claims import Claim, always, eventually, never
from batchproof.judgement.conclusion import Verdict
from batchproof.judgement.history import (
    Action,
    Change,
    ClaimClosed,
    ClaimOpened,
    Entry,
    History,
    HistoryHeader,
    Json,
    Reply,
    Request,
    Saved,
)
from batchproof.profiles.job.facts.conditions import one_ending
from batchproof.profiles.job.facts.counting import counted_in_three_writes, counted_once, counts_are_true
from batchproof.profiles.job.facts.jobs import job_complete
from batchproof.profiles.job.facts.pods import (
    active_pods_exactly,
    controller_changed,
    counted_and_released,
    more_created_pods,
    surplus_created,
)
from batchproof.profiles.job.facts.tracking import pod_tracked
from batchproof.profiles.shared.facts.events import pods_have_events

if TYPE_CHECKING:
    from collections.abc import Iterator

_SIZES = (1_000, 10_000, 100_000)
_EVENTS_OF_A_POD = 4  # created, running, succeeded, released
_AT_ONCE = 500  # as many UIDs as a controller records at once
_NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
_STEP_S = 0.001
_MEBI = 1024
_ALLOWED = 1.2


class Life:
    """The life of a Job of many pods, entry by entry."""

    def __init__(self, pods: int) -> None:
        self._pods = pods
        self._revision = count(100)
        self._call = count(1)
        self._status: Json = {}

    def entries(self) -> Iterator[Entry]:
        """All of it, with claims that are judged from the beginning to the end."""
        yield Action(f"creates Job a of {self._pods} pods", {"clock": _NOON.isoformat()})
        claims = list(enumerate(_claims(self._pods), 1))
        for number, claim in claims:
            yield ClaimOpened(number, claim.scaled(1.0, "BAS-002").to_json())
        yield self._job("ADDED")
        for first in range(0, self._pods, _AT_ONCE):
            yield from self._batch(range(first, min(first + _AT_ONCE, self._pods)))
        yield from self._end()
        yield from (ClaimClosed(number) for number, _ in claims)

    def _batch(self, pods: range) -> Iterator[Entry]:
        for pod in pods:
            made = _pod(pod, "Pending")
            yield from self._written("create", PODS, "", _pod(pod, "Pending"), made)
            yield self._changed("ADDED", PODS, made)
            yield self._changed("ADDED", EVENTS, _event(pod))
        for phase in ("Running", "Succeeded"):
            for pod in pods:
                yield self._changed("MODIFIED", PODS, _pod(pod, phase))
        uids = [_uid(pod) for pod in pods]
        yield from self._counts(pods.start, uids)
        for pod in pods:
            released = _pod(pod, "Succeeded", tracked=False)
            patch = {"metadata": {"$deleteFromPrimitiveList/finalizers": [TRACKING_FINALIZER]}}
            yield from self._written("patch", PODS, _name(pod), patch, released)
            yield self._changed("MODIFIED", PODS, released)
        yield from self._counts(pods.stop, [])

    def _counts(self, succeeded: int, recorded: list[str]) -> Iterator[Entry]:
        uncounted = {"uncountedTerminatedPods": {"succeeded": recorded}}
        yield from self._stored({"succeeded": succeeded, "startTime": _time(0), **uncounted})

    def _end(self) -> Iterator[Entry]:
        met = _condition("SuccessCriteriaMet")
        yield from self._stored({**self._status, "conditions": [met]})
        ended = {"conditions": [met, _condition("Complete")], "completionTime": _time(1)}
        yield from self._stored({**self._status, **ended})

    def _stored(self, status: Json) -> Iterator[Entry]:
        self._status = status
        change = self._job("MODIFIED")
        yield from self._written("update", JOBS, "a", change.object, change.object, "status")
        yield change

    def _job(self, kind: str) -> Change:
        spec = {"parallelism": _AT_ONCE, "completions": self._pods, "backoffLimit": 6}
        metadata = {"name": "a", "namespace": "bp", "uid": "uid-a"}
        return self._changed(kind, JOBS, {"metadata": metadata, "spec": spec, "status": self._status})

    def _changed(self, kind: str, of: Resource, body: Json) -> Change:
        metadata = {**body["metadata"], "resourceVersion": str(next(self._revision))}
        return Change(kind, of, {**body, "metadata": metadata})

    def _written(  # noqa: PLR0917 - verb, resource, name, body: as a request has it
        self, verb: str, of: Resource, name: str, body: Json, made: Json, subresource: str = ""
    ) -> Iterator[Entry]:
        call = next(self._call)
        yield Request(call, verb, of, subresource, "bp", name, body, "benchmark/1", 1)
        yield Reply(call, 201 if verb == "create" else 200, effect=True, fault="", body=made)


def _claims(pods: int) -> list[Claim]:
    return [
        eventually(job_complete(job="a", succeeded=pods)),
        eventually(counts_are_true(job="a")),
        eventually(counted_in_three_writes(job="a", count=pods)),
        eventually(pods_have_events(job="a", kind="Normal", reason="SuccessfulCreate", what="created")),
        never(active_pods_exactly(job="a", count=_AT_ONCE + 1)),
        never(pod_tracked(pod="another")),
        always(counted_once(job="a", most=pods)),
        never(surplus_created(job="a")),
        never(more_created_pods(job="a", count=pods)),
        never(controller_changed()),
        never(one_ending(job="another")),
        never(counted_and_released(job="a", succeeded=pods + 1)),
    ]


def _name(pod: int) -> str:
    return f"a-{pod:05}"


def _uid(pod: int) -> str:
    return f"5f0c1f9e-0000-4000-8000-{pod:012}"


def _time(seconds: int) -> str:
    return (_NOON + timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")


def _condition(kind: str) -> Json:
    return {"type": kind, "status": "True", "reason": "CompletionsReached", "lastTransitionTime": _time(1)}


def _event(pod: int) -> Json:
    about = {"kind": "Job", "name": "a", "uid": "uid-a"}
    words = {"type": "Normal", "reason": "SuccessfulCreate", "message": f"Created pod: {_name(pod)}"}
    metadata = {"name": f"a.{pod}", "uid": f"event-{_uid(pod)}"}
    return {"metadata": metadata, "involvedObject": about, "count": 1, **words}


def _pod(pod: int, phase: str, *, tracked: bool = True) -> Json:
    """A pod of the size that the API server gives it."""
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": "a", "uid": "uid-a"}
    labels = {"batch.kubernetes.io/controller-uid": "uid-a", "batch.kubernetes.io/job-name": "a"}
    token = {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}}
    mount = {"name": "kube-api-access", "readOnly": True, "mountPath": "/var/run/secrets/serviceaccount"}
    container = {
        "name": "main",
        "image": "batchproof.dev/simulated",
        "resources": {},
        "volumeMounts": [mount],
        "terminationMessagePath": "/dev/termination-log",
        "imagePullPolicy": "Always",
    }
    lost = [
        {"key": f"node.kubernetes.io/{what}", "operator": "Exists", "effect": "NoExecute"}
        for what in ("not-ready", "unreachable")
    ]
    ready = {"type": "Ready", "status": str(phase == "Running"), "lastTransitionTime": _time(0)}
    return {
        "metadata": {
            "name": _name(pod),
            "namespace": "bp",
            "uid": _uid(pod),
            "creationTimestamp": _time(0),
            "labels": labels,
            "finalizers": [TRACKING_FINALIZER] if tracked else [],
            "ownerReferences": [{**owner, "controller": True, "blockOwnerDeletion": True}],
        },
        "spec": {
            "volumes": [{"name": "kube-api-access", "projected": {"sources": [token]}}],
            "containers": [container],
            "restartPolicy": "Never",
            "terminationGracePeriodSeconds": 30,
            "dnsPolicy": "ClusterFirst",
            "nodeName": "" if phase == "Pending" else "node",
            "tolerations": lost,
        },
        "status": {"phase": phase, "conditions": [ready], "qosClass": "BestEffort"},
    }


def _judge(path: Path) -> None:
    """Judge one history and print what it took."""
    began, cpu = monotonic(), process_time()
    conclusion = judge_history(Saved(path), "BAS-002", None)
    assert conclusion.verdict is Verdict.PASSED, conclusion  # noqa: S101 - the Job lives as it should
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _MEBI
    taken = {"s": monotonic() - began, "cpu_s": process_time() - cpu, "MiB": used}
    assert not conclusion.breaches, conclusion  # noqa: S101 - and breaks no invariant
    print(json.dumps(taken))


def _measure(events: int, folder: Path, rounds: int) -> dict[str, Any]:
    path = folder / f"{events}.jsonl"
    ticks = count()
    history = History(lambda: next(ticks) * _STEP_S, HistoryHeader(version="benchmark"), path)
    for entry in Life(events // _EVENTS_OF_A_POD).entries():
        history.append(entry)
    records = len(history)
    history.close()
    command = [sys.executable, __file__, "--judge", str(path)]
    taken = [
        json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        for _ in range(rounds)
    ]
    best = min(taken, key=lambda one: float(one["cpu_s"]))
    return {**best, "events": events, "records": records, "megabytes": path.stat().st_size / 1e6}


def main() -> None:
    """Measure and print a table; fails if the time grows faster than the history by more than a fifth."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--events", type=int, nargs="+", default=_SIZES)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--judge", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.judge:
        _judge(chosen.judge)
        return
    print("| pod events | records | MB | seconds | CPU s | CPU µs a record | growth | MiB |")
    print("|---|---|---|---|---|---|---|---|")
    before: dict[str, Any] | None = None
    fast = False
    with tempfile.TemporaryDirectory() as folder:
        for events in chosen.events:
            it = _measure(events, Path(folder), chosen.rounds)
            growth = 1.0
            if before:
                growth = it["cpu_s"] / before["cpu_s"] / (it["records"] / before["records"])
            fast |= growth > _ALLOWED
            print(
                f"| {events:,} | {it['records']:,} | {it['megabytes']:.0f} | {it['s']:.1f} "
                f"| {it['cpu_s']:.2f} | {it['cpu_s'] / it['records'] * 1e6:.0f} | {growth:.2f} "
                f"| {it['MiB']:.0f} |",
                flush=True,
            )
            before = it
    if fast:
        raise SystemExit("the time grows faster than the history")


if __name__ == "__main__":
    main()
