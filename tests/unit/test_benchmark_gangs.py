"""The benchmark of gangs fails for a gang that is bound in part, and for a node that has too much."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from batchproof.ground.resources import GANG_LABEL, NODES, PODS, Resource
from batchproof.judgement.claims import eventually
from batchproof.judgement.history import Action, Change, ClaimClosed, ClaimOpened, History, HistoryHeader
from batchproof.profiles.gang.facts.gangs import nothing_in_part

if TYPE_CHECKING:
    from collections.abc import Iterable

_BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "gangs.py"
_PODGROUPS = Resource("scheduling.k8s.io", "v1beta1", "podgroups")


def _meta(name: str, revision: int) -> dict[str, Any]:
    return {"name": name, "namespace": "bp", "uid": f"uid-{name}", "resourceVersion": str(revision)}


def _node(cpus: int) -> Change:
    amounts = {"cpu": str(cpus), "memory": "64Gi", "pods": "110"}
    status = {"allocatable": amounts, "conditions": [{"type": "Ready", "status": "True"}]}
    metadata = {"name": "node", "uid": "uid-node", "resourceVersion": "1"}
    return Change("ADDED", NODES, {"metadata": metadata, "spec": {}, "status": status})


def _group() -> Change:
    spec = {"schedulingPolicy": {"gang": {"minCount": 2}}}
    return Change("ADDED", _PODGROUPS, {"metadata": _meta("gang", 2), "spec": spec})


def _pod(kind: str, number: int, revision: int, node: str = "") -> Change:
    container = {"name": "main", "resources": {"requests": {"cpu": "1"}}}
    spec = {"schedulingGroup": {"podGroupName": "gang"}, "containers": [container], "nodeName": node}
    metadata = {**_meta(f"pod-{number}", revision), "labels": {GANG_LABEL: "gang"}}
    body = {"metadata": metadata, "spec": spec, "status": {"phase": "Pending"}}
    return Change(kind, PODS, body)


def _broken(folder: Path, changes: Iterable[Change]) -> list[str]:
    ticks = count()
    path = folder / "history.jsonl"
    history = History(lambda: next(ticks) * 0.1, HistoryHeader(version="benchmark"), path)
    history.append(Action("creates gang gang with minimum 2", {"gang": "gang", "minimum": 2}))
    for change in changes:
        history.append(change)
    history.append(ClaimOpened(1, eventually(nothing_in_part()).scaled(1.0, "GNG-001").to_json()))
    history.append(ClaimClosed(1))
    history.close()
    command = [sys.executable, str(_BENCHMARK), "--judge", str(path)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    broken: list[str] = json.loads(said)["broken"]
    return broken


@pytest.mark.parametrize(
    ("cpus", "pods", "bound", "expected"),
    [
        pytest.param(4, 2, 2, [], id="a whole gang"),
        pytest.param(4, 2, 1, ["GNG-001: failed"], id="a gang in part"),
        pytest.param(1, 2, 2, ["GNG-002 is broken", "GNG-009 is broken"], id="a node that has too much"),
        pytest.param(4, 1, 1, ["GNG-001: failed"], id="a gang that is not there yet"),
    ],
)
def test_what_is_broken_is_said(
    tmp_path: Path, cpus: int, pods: int, bound: int, expected: list[str]
) -> None:
    made = [_pod("ADDED", number, 10 + number) for number in range(pods)]
    moved = [_pod("MODIFIED", number, 20 + number, "node") for number in range(bound)]
    assert _broken(tmp_path, [_node(cpus), _group(), *made, *moved]) == expected
