"""Claims of storage: where they are reached, and those that are for one pod at a time."""

from __future__ import annotations

from typing import Any

import pytest
from scheduler_builders import bound, group, node, pod, pods, running, snapshot

from reference_controller.objects.labels import Requirement
from reference_controller.scheduler import api_json
from reference_controller.scheduler.objects import Claim, NodeTerm, Volume
from reference_controller.scheduler.storage import Storage

USES = {"claims": frozenset({("ns", "c")})}
HERE = (NodeTerm((Requirement("kubernetes.io/hostname", "In", frozenset({"here"})),)),)


def storage(*, exclusive: bool = True, bound_to: str = "v", terms: Any = None) -> Storage:
    claim = Claim("ns", "c", "c", 1, volume=bound_to, exclusive=exclusive)
    return Storage({("ns", "c"): claim}, {("", "v"): Volume("v", "v", 1, node_terms=terms)})


@pytest.mark.parametrize(("exclusive", "expected"), [(True, 0), (False, 2)])
def test_two_pods_of_a_gang_share_only_what_is_not_for_one(*, exclusive: bool, expected: int) -> None:
    known = storage(exclusive=exclusive)
    seen = snapshot([node()], pods(2, "a", asks=USES), [group("a", 2)], storage=known)
    assert len(bound(seen)) == expected


def test_a_pod_waits_for_another_that_runs_with_its_claim() -> None:
    it = node()
    others = running(1, None, it, asks=USES)
    assert bound(snapshot([it], [*others, pod(asks=USES)], storage=storage())) == {}


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        pytest.param(storage(), {"here"}, id="bound to a volume"),
        pytest.param(storage(bound_to=""), set(), id="bound to none yet"),
        pytest.param(storage(bound_to="other"), set(), id="bound to one that is not known"),
        pytest.param(storage(terms=HERE), {"here"}, id="a volume of this node"),
        pytest.param(storage(terms=()), set(), id="a volume of no node"),
        pytest.param(Storage(), set(), id="no such claim"),
    ],
)
def test_a_pod_goes_where_its_storage_is(known: Storage, expected: set[str]) -> None:
    seen = snapshot([node(name="here")], [pod(asks=USES)], storage=known)
    assert {*bound(seen).values()} == expected


def test_a_claim_has_a_volume_once_it_is_bound_for_good() -> None:
    metadata = {"namespace": "ns", "name": "c", "uid": "u", "resourceVersion": "1"}
    spec = {"volumeName": "v", "accessModes": ["ReadWriteOncePod"]}
    assert api_json.read_claim({"metadata": metadata, "spec": spec}) == Claim(
        "ns", "c", "u", 1, exclusive=True
    )
    bound_for_good = {**metadata, "annotations": {"pv.kubernetes.io/bind-completed": "yes"}}
    assert api_json.read_claim({"metadata": bound_for_good, "spec": spec}).volume == "v"


def test_a_volume_says_which_nodes_reach_it() -> None:
    metadata = {"name": "v", "uid": "u", "resourceVersion": "1"}
    here = {"key": "kubernetes.io/hostname", "operator": "In", "values": ["here"]}
    affinity = {"required": {"nodeSelectorTerms": [{"matchExpressions": [here]}]}}
    assert api_json.read_volume({"metadata": metadata, "spec": {}}).node_terms is None
    read = api_json.read_volume({"metadata": metadata, "spec": {"nodeAffinity": affinity}})
    assert read.node_terms is not None
    assert [term.labels[0].matches({"kubernetes.io/hostname": "here"}) for term in read.node_terms] == [True]


def test_a_pod_is_read_with_its_claims() -> None:
    spec = {"volumes": [{"name": "s", "persistentVolumeClaim": {"claimName": "c"}}]}
    assert api_json.read_shape("ns", spec).claims == {("ns", "c")}
