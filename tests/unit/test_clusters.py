"""What is said of clusters without one: the choice, the rights, what belongs to a run."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from batchproof.cell.heartbeat import lease_of
from batchproof.control_plane import leftovers
from batchproof.control_plane.choice import ClusterOptions
from batchproof.control_plane.leftovers import LEASES, NAMESPACES, NODES, Leftover, living, summary
from batchproof.control_plane.rights import EVERY_RUN, Right, manifests, needed
from batchproof.control_plane.unneeded_rights import _harmful, _usual
from batchproof.descriptor.implementation import find, load
from batchproof.ground.errors import UserError
from batchproof.ground.resources import CELL_LABEL
from batchproof.profiles import profiles
from batchproof.profiles.needs import needs_of
from batchproof.profiles.records import Profile

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
SCHEDULER = needs_of(load(find("reference-scheduler")))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"kubeconfig": Path("c")}, "--kubeconfig belongs to --cluster existing, not to --cluster embedded"),
        (
            {"cluster": "kind", "context": "c"},
            "--context belongs to --cluster existing, not to --cluster kind",
        ),
        ({"cluster": "existing", "assets": Path()}, "--assets belongs to --cluster embedded"),
        ({"cluster": "existing", "kind_image": "i"}, "--kind-image belongs to --cluster kind"),
        (
            {"cluster": "kind", "kind_image": "i", "kubernetes_version": "1.37.0"},
            "leave out --kubernetes-version",
        ),
    ],
)
def test_an_option_of_another_cluster_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=said):
        ClusterOptions.of(**options)


def test_a_right_is_told_as_the_command_line_of_kubernetes_names_it() -> None:
    rights = {str(right): right for right in needed()}
    assert "create pods/binding" in rights
    assert "deletecollection jobs.batch" in rights
    lease = rights["patch leases.coordination.k8s.io in kube-node-lease"]
    asked = lease.review["spec"]
    assert asked == {
        "resourceAttributes": {
            "verb": "patch",
            "group": "coordination.k8s.io",
            "resource": "leases",
            "subresource": "",
            "namespace": "kube-node-lease",
        }
    }
    status = Right("patch", "", "pods/status", "").review["spec"]
    assert isinstance(status, dict)
    assert status["resourceAttributes"]["subresource"] == "status"


@pytest.mark.parametrize("right", list(needed(SCHEDULER)), ids=str)
def test_no_right_is_a_wildcard(right: Right) -> None:
    assert "*" not in f"{right.verb}{right.group}{right.resource}"
    assert right.resource != "secrets"


def test_gangs_need_the_rights_of_their_dialect_beside_those_of_every_run() -> None:
    every, gangs = ({str(right) for right in needed(needs)} for needs in (EVERY_RUN, SCHEDULER))
    assert every < gangs
    more = gangs - every
    assert {"create podgroups.gang.batchproof.dev", "delete queues.gang.batchproof.dev"} < more
    assert {"watch nodes", "create priorityclasses.scheduling.k8s.io"} < more
    [binding] = [
        each
        for each in yaml.safe_load_all(manifests(SCHEDULER))
        if each["kind"] == "ClusterRoleBinding" and each["metadata"]["name"] == "batchproof-gangs"
    ]
    assert binding["roleRef"]["name"] == "batchproof-gangs"
    assert binding["subjects"] == [
        {"kind": "ServiceAccount", "name": "batchproof", "namespace": "batchproof"}
    ]


def test_what_a_setting_and_a_made_object_need_is_among_the_rights() -> None:
    kueue = {str(right) for right in needed(needs_of(load(find("kueue"))))}
    assert {"create clusterqueues.kueue.x-k8s.io", "patch localqueues.kueue.x-k8s.io"} < kueue
    assert {"watch workloads.kueue.x-k8s.io", "delete workloads.kueue.x-k8s.io"} < kueue
    assert "create workloads.kueue.x-k8s.io" not in kueue


@pytest.mark.parametrize(
    ("name", "more"),
    [
        (
            "training-operator",
            {"create tfjobs.kubeflow.org", "deletecollection tfjobs.kubeflow.org", "create services"},
        ),
        ("training-operator", {"patch tfjobs/status.kubeflow.org", "update tfjobs/finalizers.kubeflow.org"}),
        ("training-operator-volcano", {"delete podgroups.scheduling.volcano.sh"}),
        ("volcano-controllers", {"create jobs.batch.volcano.sh", "delete podgroups.scheduling.volcano.sh"}),
        ("volcano-controllers", {"list priorityclasses.scheduling.k8s.io"}),
        ("volcano-controllers", {"get secrets", "watch queues.scheduling.volcano.sh", "patch configmaps"}),
    ],
)
def test_every_profile_needs_the_rights_on_what_it_records(name: str, more: set[str]) -> None:
    rights = {str(right) for right in needed(needs_of(load(find(name))))}
    assert {str(right) for right in needed()} | more <= rights


@pytest.mark.parametrize("profile", profiles().values(), ids=lambda profile: profile.name)
def test_every_right_on_what_a_profile_records_is_given_once(profile: Profile) -> None:
    needs = needs_of(load(find(profile.reference)))
    rights = [str(right) for right in needed(needs)]
    assert len(rights) == len(set(rights))
    for kept in profile.collections(load(find(profile.reference))):
        of = f"{kept.resource.plural}.{kept.resource.group}".rstrip(".")
        assert {f"list {of}", f"watch {of}"} <= set(rights)
        assert not kept.at_once or f"deletecollection {of}" in rights


@pytest.mark.parametrize(
    ("right", "harmful"),
    [
        (Right("get", "", "secrets", "kube-system"), True),
        (Right("list", "", "secrets", ""), True),
        (Right("*", "*", "*", ""), True),
        (Right("get", "", "nodes/proxy", ""), True),
        (Right("get", "", "pods/exec", ""), True),
        (Right("create", "apps", "daemonsets", "kube-system"), True),
        (Right("impersonate", "", "users", ""), True),
        (Right("escalate", "rbac.authorization.k8s.io", "clusterroles", ""), True),
        (Right("create", "authentication.k8s.io", "tokenreviews", ""), True),
        (Right("get", "", "pods", ""), False),
        (Right("watch", "apps", "deployments", ""), False),
        (Right("create", "acme.example.com", "queues", ""), False),
        (Right("create", "jobset.x-k8s.io", "jobsets", ""), False),
        (Right("create", "authorization.k8s.io", "selfsubjectaccessreviews", ""), False),
        (Right("create", "scheduling.k8s.io", "priorityclasses", ""), False),
    ],
)
def test_a_right_is_too_much_if_it_does_harm_in_other_hands(right: Right, *, harmful: bool) -> None:
    assert (_harmful(right) and not _usual(right)) == harmful


def labelled(name: str, cell: str, **spec: Any) -> dict[str, Any]:
    metadata = {"name": name, "labels": {CELL_LABEL: cell}, "creationTimestamp": "2026-11-21T11:00:00Z"}
    return {"metadata": metadata, "spec": spec}


@pytest.mark.parametrize(
    ("name", "cell", "run"),
    [
        ("bp-1a2b3c-gw0-1", "bp-1a2b3c-gw0", "1a2b3c"),
        ("bp-1a2b3c-smoke-1", "bp-1a2b3c-smoke", "1a2b3c"),
        ("bp-1a2b3c-gw01-1", "bp-1a2b3c-gw0", None),
        ("production", "bp-1a2b3c-gw0", None),
        ("bp-prod-gw0-1", "bp-prod-gw0", None),
        ("team-a-1", "team-a", None),
    ],
)
def test_only_what_has_label_and_name_of_a_cell_is_ours(name: str, cell: str, run: str | None) -> None:
    remnant = leftovers._remnant(NAMESPACES, labelled(name, cell))
    assert (remnant.run if remnant else None) == run


def test_a_run_lives_while_it_renews_the_leases_of_its_nodes() -> None:
    fresh = (NOW - timedelta(seconds=20)).isoformat().replace("+00:00", "Z")
    lease = leftovers._remnant(LEASES, labelled("bp-aaaaaa-gw0-node", "bp-aaaaaa-gw0", renewTime=fresh))
    assert lease
    old = Leftover("bbbbbb", NODES, "bp-bbbbbb-gw0-node", NOW - timedelta(hours=1))
    assert living([lease, old], NOW) == {"aaaaaa"}


def test_remnants_are_counted_by_kind() -> None:
    found = [Leftover("aaaaaa", where, "bp-aaaaaa-gw0-1", NOW) for where in (NAMESPACES, NAMESPACES, NODES)]
    assert summary(found) == "2 namespaces, 1 nodes"
    assert str(found[0]) == "namespaces/bp-aaaaaa-gw0-1"
    assert found[0].path == "/api/v1/namespaces/bp-aaaaaa-gw0-1"


def test_a_lease_goes_with_its_node() -> None:
    lease = lease_of({"metadata": {"name": "bp-aaaaaa-gw0-node", "uid": "u1"}}, "bp-aaaaaa-gw0")
    assert lease["metadata"]["name"] == lease["spec"]["holderIdentity"] == "bp-aaaaaa-gw0-node"
    assert lease["metadata"]["ownerReferences"][0]["uid"] == "u1"
    assert lease["spec"]["renewTime"].endswith("Z")
