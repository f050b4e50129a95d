"""Time to judge a history of 1,000 and 10,000 pods: of a TFJob, a Volcano Job and a gang Job.

Each history has the requests, replies and changes of all pods, and a status of their owner after each 500.
It is judged with claims about all that ever happened and with all invariants, in a process of its own::

    python benchmarks/profiles.py
    python benchmarks/profiles.py --pods 500 --rounds 1 --profile tfjob
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

from batchproof.evidence.replay import judge_history
from batchproof.ground.resources import JOBS, PODS, WORKLOADS, Resource
from batchproof.judgement.claims import Claim, eventually, never
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
from batchproof.profiles.gang.facts.job_groups import job_grouped_ever, job_workload_kept
from batchproof.profiles.shared.objects.volcano import PODGROUPS
from batchproof.profiles.shared.objects.workloads import NATIVE_GROUPS
from batchproof.profiles.tfjob.facts.groups import tfjob_group_ended, tfjob_grouped, tfjob_template_scheduled
from batchproof.profiles.tfjob.facts.status import tfjob_failed_no_sooner, tfjob_has_been, tfjob_resumed
from batchproof.profiles.tfjob.facts.tfjobs import tfjob_replica_pods_at_most
from batchproof.profiles.tfjob.objects import TFJOBS
from batchproof.profiles.volcano_job.facts.jobs import (
    command_taken_first,
    volcano_group_anew,
    volcano_group_gone,
    volcano_job_begins,
    volcano_pods_marked,
)
from batchproof.profiles.volcano_job.facts.life import (
    volcano_job_path,
    volcano_job_was,
    volcano_pods_since,
    volcano_pods_versions,
    volcano_version_risen,
)
from batchproof.profiles.volcano_job.facts.plugins import volcano_all_made, volcano_extras_first
from batchproof.profiles.volcano_job.facts.pods import no_group_left
from batchproof.profiles.volcano_job.objects import VOLCANO_JOBS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SIZES = (1_000, 10_000)
_AT_ONCE = 500
_STEP_S = 0.001
_ALLOWED = 1.2
_NOON = "2026-11-21T12:00:00+00:00"


@dataclass(frozen=True)
class Owner:
    """What has the pods of a profile's history, and what is claimed of it.

    Attributes:
        requirement: what the history is judged by.
        resource: whose object it is.
        kind: what its pods call it.
        spec: its spec, by the number of its pods.
        status: its status, by how many pods have succeeded.
        pod: the name, labels and annotations of a pod, and its spec.
        groups: what is made for it besides.
        claims: what is claimed, by the number of pods.
    """

    requirement: str
    resource: Resource
    kind: str
    spec: Callable[[int], Json]
    status: Callable[[int], Json]
    pod: Callable[[int], tuple[str, Json, Json]]
    groups: tuple[Resource, ...]
    claims: Callable[[int], list[Claim]]


_CONTAINER: Json = {"name": "tensorflow", "image": "batchproof.dev/simulated", "env": [{"name": "TF_CONFIG"}]}


def _of_volcano(pod: int) -> tuple[str, Json, Json]:
    marks = {f"volcano.sh/{key}": value for key, value in (("job-name", "a"), ("task-spec", "work"))}
    marks |= {"volcano.sh/job-version": "0", "scheduling.k8s.io/group-name": "a"}
    return f"a-work-{pod}", {"annotations": marks}, {"schedulerName": "volcano", "containers": [_CONTAINER]}


def _of_tensorflow(pod: int) -> tuple[str, Json, Json]:
    prefix = "training.kubeflow.org/"
    told = {"job-name": "a", "replica-type": "worker", "replica-index": str(pod), "operator-name": "t"}
    labels = {f"{prefix}{key}": value for key, value in told.items()}
    labels |= {f"{prefix}job-role": "master"} if pod == 0 else {}
    marks = {"scheduling.k8s.io/group-name": "a", "volcano.sh/task-spec": "worker"}
    spec = {"restartPolicy": "Never", "containers": [_CONTAINER]}
    return f"a-worker-{pod}", {"labels": labels, "annotations": marks}, spec


def _of_kubernetes(pod: int) -> tuple[str, Json, Json]:
    return f"a-{pod}", {}, {"schedulingGroup": {"podGroupName": "a"}, "containers": [_CONTAINER]}


OWNERS = {
    "volcano-job": Owner(
        "VOL-012",
        VOLCANO_JOBS,
        "Job",
        lambda pods: {
            "minAvailable": 1,
            "queue": "default",
            "schedulerName": "volcano",
            "tasks": [{"name": "work", "replicas": pods, "template": {}}],
        },
        lambda done: {
            "state": {"phase": "Running" if done else "Pending"},
            "conditions": [{"status": "Pending"}],
            "minAvailable": 1,
            "succeeded": done,
        },
        _of_volcano,
        (PODGROUPS,),
        lambda pods: [
            eventually(volcano_job_path(phases=["Pending", "Running"])),
            eventually(volcano_job_begins()),
            never(volcano_job_was(phase="Failed")),
            never(volcano_pods_since(count=pods + 1, phase="Pending")),
            eventually(volcano_pods_since(count=pods, phase="Pending")),
            never(volcano_version_risen()),
            eventually(volcano_pods_versions()),
            eventually(volcano_pods_marked()),
            never(volcano_extras_first()),
            never(volcano_all_made()),
            never(volcano_group_gone()),
            never(volcano_group_anew()),
            never(no_group_left()),
            never(command_taken_first(phase="Running")),
        ],
    ),
    "tfjob": Owner(
        "TFJ-012",
        TFJOBS,
        "TFJob",
        lambda pods: {"tfReplicaSpecs": {"Worker": {"replicas": pods, "template": {}}}},
        lambda done: {
            "conditions": [{"type": "Running", "status": "True", "reason": "TFJobRunning"}],
            "replicaStatuses": {"Worker": {"succeeded": done}},
        },
        _of_tensorflow,
        (PODGROUPS,),
        lambda _: [
            eventually(tfjob_has_been(condition="Running", reason="TFJobRunning")),
            eventually(tfjob_grouped()),
            eventually(tfjob_template_scheduled()),
            never(tfjob_replica_pods_at_most(kind="Master", index=0, count=1)),
            never(tfjob_group_ended()),
            never(tfjob_resumed()),
            never(tfjob_failed_no_sooner(least_s=0)),
        ],
    ),
    "gang": Owner(
        "GNG-077",
        JOBS,
        "Job",
        lambda pods: {"completions": pods, "parallelism": pods},
        lambda done: {"succeeded": done},
        _of_kubernetes,
        (WORKLOADS, NATIVE_GROUPS),
        lambda _: [
            eventually(job_workload_kept(job="a")),
            eventually(job_grouped_ever(job="a")),
            never(job_grouped_ever(job="b")),
        ],
    ),
}


class Life:
    """The history of an owner of many pods, entry by entry."""

    def __init__(self, owner: Owner, pods: int) -> None:
        self._owner = owner
        self._pods = pods
        self._revision = count(100)
        self._call = count(1)
        named = {"apiVersion": owner.resource.api_version, "kind": owner.kind, "name": "a", "uid": "uid-a"}
        self._reference = {**named, "controller": True, "blockOwnerDeletion": True}

    def entries(self) -> Iterator[Entry]:
        """All of it, with claims that are judged from the beginning to the end."""
        yield Action(f"creates a of {self._pods} pods", {"clock": _NOON})
        yield self._stored("ADDED", self._owner.resource, "a", {}, self._owner.spec(self._pods), {})
        yield from self._grouped()
        yield self._told(0)
        claims = list(enumerate(self._owner.claims(self._pods), 1))
        for number, claim in claims:
            yield ClaimOpened(number, claim.scaled(1.0, self._owner.requirement).to_json())
        for first in range(0, self._pods, _AT_ONCE):
            last = min(first + _AT_ONCE, self._pods)
            yield from self._batch(range(first, last))
            yield self._told(last)
        yield from (ClaimClosed(number) for number, _ in claims)

    def _grouped(self) -> Iterator[Entry]:
        for resource in self._owner.groups:
            least = 1 if self._owner.resource == VOLCANO_JOBS else self._pods
            spec = {"minMember": least, "queue": "default"}
            yield from self._made(resource, "a", {}, spec, {"phase": "Inqueue"})

    def _batch(self, pods: range) -> Iterator[Entry]:
        for pod in pods:
            name, metadata, spec = self._owner.pod(pod)
            yield from self._made(PODS, name, metadata, spec, {"phase": "Pending"})
        for phase in ("Running", "Succeeded"):
            for pod in pods:
                name, metadata, spec = self._owner.pod(pod)
                yield self._stored("MODIFIED", PODS, name, self._owned(metadata), spec, {"phase": phase})

    def _told(self, done: int) -> Entry:
        spec, status = self._owner.spec(self._pods), self._owner.status(done)
        return self._stored("MODIFIED", self._owner.resource, "a", {}, spec, status)

    def _owned(self, metadata: Json) -> Json:
        return {**metadata, "ownerReferences": [self._reference]}

    def _made(self, of: Resource, name: str, metadata: Json, spec: Json, status: Json) -> Iterator[Entry]:
        call = next(self._call)
        change = self._stored("ADDED", of, name, self._owned(metadata), spec, status)
        yield Request(call, "create", of, "", "bp", "", change.object, "benchmark/1", 1)
        yield Reply(call, 201, effect=True, fault="", body=change.object)
        yield change

    def _stored(  # noqa: PLR0917 - what a change has
        self, kind: str, of: Resource, name: str, metadata: Json, spec: Json, status: Json
    ) -> Change:
        uid = "uid-a" if of == self._owner.resource else f"uid-{of.plural}-{name}"
        own = {"name": name, "namespace": "bp", "uid": uid, "resourceVersion": str(next(self._revision))}
        return Change(kind, of, {"metadata": {**metadata, **own}, "spec": spec, "status": status})


def _judge(path: Path, requirement: str) -> None:
    """Judge one history and print what it took."""
    began = process_time()
    conclusion = judge_history(Saved(path), requirement, None)
    assert conclusion.verdict is Verdict.PASSED, conclusion  # noqa: S101 - all goes as it should
    print(json.dumps({"cpu_s": process_time() - began}))


def _measure(profile: str, pods: int, folder: Path, rounds: int) -> dict[str, Any]:
    path, owner = folder / f"{profile}-{pods}.jsonl", OWNERS[profile]
    ticks = count()
    history = History(lambda: next(ticks) * _STEP_S, HistoryHeader(version="benchmark"), path)
    for entry in Life(owner, pods).entries():
        history.append(entry)
    records = len(history)
    history.close()
    command = [sys.executable, __file__, "--judge", str(path), "--requirement", owner.requirement]
    taken = [
        json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["cpu_s"]
        for _ in range(rounds)
    ]
    return {"records": records, "cpu_s": min(taken)}


def main() -> None:
    """Measure and print a table; fails if the time grows faster than the history by more than a fifth."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pods", type=int, nargs="+", default=_SIZES)
    parser.add_argument("--profile", nargs="+", choices=OWNERS, default=[*OWNERS])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--judge", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--requirement", default="", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.judge:
        _judge(chosen.judge, chosen.requirement)
        return
    print("| profile | pods | records | CPU s | CPU µs a record | growth |\n|---|---|---|---|---|---|")
    fast = False
    with tempfile.TemporaryDirectory() as folder:
        for profile in chosen.profile:
            before = 0.0
            for pods in chosen.pods:
                it = _measure(profile, pods, Path(folder), chosen.rounds)
                each = it["cpu_s"] / it["records"]
                growth = each / before if before else 1.0
                fast |= growth > _ALLOWED
                told = f"{it['cpu_s']:.2f} | {each * 1e6:.0f} | {growth:.2f}"
                print(f"| {profile} | {pods:,} | {it['records']:,} | {told} |", flush=True)
                before = each
    if fast:
        raise SystemExit("the time grows faster than the history")


if __name__ == "__main__":
    main()
