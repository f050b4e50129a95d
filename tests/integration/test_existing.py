"""An existing cluster: an embedded control plane that plays it, and a user with just the rights.

What the suite makes there goes with the run, whatever else there is stays, and what would spoil a verdict is
found before anything is judged.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from clusters import COLLECTIONS, LEASES, Cluster, create
from waiting import HANGS_S, eventually

from batchproof.api.client import Api, ApiError
from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.embedded import CONTROLLERS, EmbeddedControlPlane
from batchproof.control_plane.existing import call
from batchproof.control_plane.manifests import install
from batchproof.control_plane.progress import unseen
from batchproof.control_plane.rights import manifests
from batchproof.descriptor.implementation import find, load
from batchproof.ground.resources import CELL_LABEL
from batchproof.processes.environment import bare
from batchproof.processes.programs import Process, run_directory, spawn
from batchproof.profiles.job import built_in
from batchproof.profiles.needs import needs_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from runs import Start

ROLE = f"{COLLECTIONS['ClusterRole']}/batchproof"
FEW = "(BAS-013 and not real) or BAS-014 or FIN-001 or (FIN-004 and 500) or BAS-046"
LONG = "FIN or BAS or EXP"
GRACE_S = 20
# A real cluster's node lifecycle controller; a node without a heartbeat is not ready for it after the grace.
LIFECYCLE = [
    "--controllers=node-lifecycle-controller",
    f"--node-monitor-grace-period={GRACE_S}s",
    f"--node-startup-grace-period={GRACE_S}s",
]
JOBS = ["--controllers=job-controller,ttl-after-finished-controller"]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    binaries = Binaries(None, unseen).control_plane(built_in.CONTROLLERS)
    with (
        run_directory() as run,
        EmbeddedControlPlane(run.path, binaries, kubernetes_version="1.37.0") as plane,
    ):
        cluster = Cluster(plane, tmp_path_factory.mktemp("cluster"), binaries[CONTROLLERS])
        lifecycle = cluster.runs(LIFECYCLE)
        yield cluster
        assert lifecycle.alive, lifecycle.tail()


@pytest.fixture
def job_controller(cluster: Cluster) -> Iterator[Process]:
    running = cluster.runs(JOBS)
    eventually("the Job controller works", lambda: "Caches are synced" in running.tail(200))
    yield running
    running.kill()


def arguments(cluster: Cluster, *more: str) -> list[str]:
    return ["--cluster", "existing", "--kubeconfig", str(cluster.kubeconfig), *more]


@pytest.mark.parametrize("workers", ["1", "3"])
def test_scenarios_pass_with_just_the_rights_and_leave_nothing(
    cluster: Cluster, start: Start, workers: str
) -> None:
    run = start("run", "-k", FEW, "-n", workers, *arguments(cluster))
    assert run.end() == 0, run.said
    assert set(run.verdicts().values()) == {"passed"}
    told = run.records()[0]["cluster"]
    assert (told["provider"], told["kubernetes"], told["programs"]) == ("existing", "1.37.0", {})
    cluster.nothing_is_left()
    run.nothing_is_left()


def test_another_controller_than_the_reference_works_with_the_same_rights(
    cluster: Cluster, start: Start
) -> None:
    run = start("run", "-i", "kube-controller-manager", "-k", FEW, "-n", "2", *arguments(cluster))
    assert run.end() == 0, run.said
    cluster.nothing_is_left()


def test_the_nodes_of_a_run_stay_alive(cluster: Cluster, start: Start) -> None:
    run = start("run", "-k", LONG, "-n", "2", *arguments(cluster))
    renewed: set[datetime] = set()
    unready: set[str] = set()

    def longer_than_the_grace_period() -> bool:
        nodes = call(cluster.plane, lambda api: api.get(COLLECTIONS["Node"]))["items"]
        for node in nodes:
            ready = [one for one in node["status"].get("conditions", []) if one["type"] == "Ready"]
            ours = CELL_LABEL in node["metadata"].get("labels", {})
            unready.update(node["metadata"]["name"] for one in ready if ours and one["status"] != "True")
        leases = call(cluster.plane, lambda api: api.get(LEASES))["items"]
        renewed.update(datetime.fromisoformat(lease["spec"]["renewTime"]) for lease in leases)
        return bool(renewed) and max(renewed) - min(renewed) > timedelta(seconds=GRACE_S + 5)

    eventually("nodes are renewed for longer than the grace period", longer_than_the_grace_period)
    assert unready == set()
    run.interrupt()
    run.end()


def names(said: str, right: str) -> bool:
    """Whether a line names this right, alone or with other verbs of its resource."""
    verb, _, resource = right.partition(" ")
    line = rf"^  (?:\w+, )*{verb}(?:, \w+)* {re.escape(resource)}$"
    return re.search(line, said, re.MULTILINE) is not None


@pytest.mark.parametrize("right", ["pods/binding", "namespaces"])
def test_a_missing_right_is_named_before_anything_is_judged(
    cluster: Cluster, start: Start, right: str
) -> None:
    role = call(cluster.plane, lambda api: api.get(ROLE))
    fewer = [rule for rule in role["rules"] if right not in rule["resources"]]
    call(cluster.plane, lambda api: api.patch(ROLE, {"rules": fewer}))
    try:
        run = start("run", "-k", FEW, *arguments(cluster))
        assert run.end() == 2, run.said
        assert names(run.said, f"create {right}")
        assert "batchproof rbac | kubectl apply -f -" in run.said
        assert "Traceback" not in run.said
        assert not run.scenarios
        cluster.nothing_is_left()
    finally:
        call(cluster.plane, lambda api: api.patch(ROLE, {"rules": role["rules"]}))


@pytest.mark.usefixtures("job_controller")
def test_a_cluster_whose_own_job_controller_runs_is_refused(cluster: Cluster, start: Start) -> None:
    run = start("run", "-k", FEW, *arguments(cluster))
    assert run.end() == 2, run.said
    assert "a Job controller already runs in this cluster and handles every Job" in run.said
    assert "managed_by: example.com/controller" in run.said
    assert not run.scenarios
    cluster.nothing_is_left()


@pytest.mark.usefixtures("job_controller")
def test_the_clusters_own_job_controller_is_judged_in_place(cluster: Cluster, start: Start) -> None:
    run = start("run", "-i", "cluster-job-controller", "-k", FEW, "-n", "3", *arguments(cluster))
    assert run.end() == 0, run.said
    assert "judging cluster-job-controller 1.37.0 on Kubernetes 1.37.0 (existing, in place)" in run.said
    assert "in what was selected" in run.said
    by_reason = {one["reason"] for one in run.scenarios if one["verdict"] == "skipped"}
    assert by_reason == {"not-applicable in place"}  # nothing is kept apart from it: it deletes finished Jobs
    assert {"passed", "skipped"} == set(run.verdicts().values())
    cluster.nothing_is_left()
    run.nothing_is_left()


def test_what_is_not_installed_is_not_judged_in_place(cluster: Cluster, start: Start) -> None:
    run = start("run", "-i", "cluster-job-controller", "-k", "BAS-014", *arguments(cluster))
    assert run.end() == 2, run.said
    assert "no controller in this cluster reconciles a Job: no pod was created for a probe Job" in run.said
    assert not run.scenarios
    cluster.nothing_is_left()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ([], "name the cluster in which it is installed, with --cluster existing or kind"),
        (["--cluster", "existing", "--faults", "crashes"], "--faults needs a descriptor with 'start'"),
    ],
)
def test_nothing_goes_wrong_on_purpose_in_place(start: Start, options: list[str], why: str) -> None:
    run = start("run", "-i", "cluster-job-controller", "-k", "BAS-014", *options)
    assert run.end() == 2, run.said
    assert why in run.said


@pytest.mark.usefixtures("job_controller")
def test_beside_it_one_that_is_told_apart_is_judged(cluster: Cluster, start: Start) -> None:
    run = start("run", "-i", "reference-managed-by", "-k", FEW, "-n", "3", *arguments(cluster))
    assert run.end() == 0, run.said
    skipped = {(one["feature"], one["reason"]) for one in run.scenarios if one["verdict"] == "skipped"}
    # The cluster deletes finished Jobs, whichever controller manages them.
    assert skipped == {("job/ttl.feature", "not-applicable")}
    assert set(run.verdicts().values()) == {"passed", "skipped"}
    cluster.nothing_is_left()


def test_gangs_are_judged_with_just_the_rights_of_their_dialect(cluster: Cluster, start: Start) -> None:
    gangs = ["-i", "reference-scheduler", "-k", "GNG-001 or GNG-017 or GNG-021 or GNG-024", "-n", "3"]
    unentitled = start("run", *gangs, *arguments(cluster))
    assert unentitled.end() == 2, unentitled.said
    assert names(unentitled.said, "create podgroups.gang.batchproof.dev")
    scheduler = load(find("reference-scheduler"))
    every = list(yaml.safe_load_all(manifests()))
    for manifest in yaml.safe_load_all(manifests(needs_of(scheduler))):
        if manifest not in every:
            create(cluster.plane, manifest)
    undefined = start("run", *gangs, *arguments(cluster))
    assert undefined.end() == 2, undefined.said
    assert (
        "podgroups.gang.batchproof.dev of the descriptor's control_plane is not in this cl" in undefined.said
    )
    call(cluster.plane, lambda api: install(api, Binaries(None, unseen).crds(scheduler), (), make=True))

    run = start("run", *gangs, *arguments(cluster))
    assert run.end() == 0, run.said
    assert set(run.verdicts().values()) == {"passed"}
    cluster.nothing_is_left()
    run.nothing_is_left()
    cut = start("run", *gangs, *arguments(cluster))
    cut.wait_for_scenario()
    os.kill(cut.process.pid, signal.SIGKILL)
    cut.end()
    eventually("nothing is left in the cluster", lambda: not cluster.made())
    cut.nothing_is_left()


def test_ctrl_c_removes_what_was_made(cluster: Cluster, start: Start) -> None:
    run = start("run", "-k", LONG, "-n", "3", *arguments(cluster))
    run.wait_for_scenario()
    assert cluster.made()
    run.interrupt()
    assert run.end() == 1, run.said
    cluster.nothing_is_left()
    run.nothing_is_left()


def test_the_janitor_removes_it_after_kill_9(cluster: Cluster, start: Start) -> None:
    run = start("run", "-k", LONG, "-n", "2", *arguments(cluster))
    run.wait_for_scenario()
    os.kill(run.process.pid, signal.SIGKILL)
    run.end()
    eventually("nothing is left in the cluster", lambda: not cluster.made())
    run.nothing_is_left()


def test_cleanup_removes_it_when_the_janitor_was_killed_too(cluster: Cluster, start: Start) -> None:
    run = start("run", "-k", LONG, "-n", "2", *arguments(cluster))
    run.wait_for_scenario()
    run.until("a node lives", lambda: any(LEASES in place for place in cluster.made()))
    for pid in (*run.pids("janitor.py"), run.process.pid):
        os.kill(pid, signal.SIGKILL)
    run.wipe()
    eventually("no namespace is on its way out", lambda: not cluster.leaving())
    made = cluster.made()
    assert made

    [run_id] = {place.rpartition("/")[2].split("-")[1] for place in made}

    async def stay_young(api: Api) -> None:
        renewed = datetime.now(UTC) + timedelta(seconds=HANGS_S)
        for lease in (await api.get(LEASES))["items"]:
            if lease["metadata"]["name"].startswith(f"bp-{run_id}-"):
                spec = {"renewTime": renewed.isoformat(timespec="microseconds")}
                await api.patch(f"{LEASES}/{lease['metadata']['name']}", {"spec": spec})

    call(cluster.plane, stay_young)  # however long it takes until somebody looks at them
    reach = ["--kubeconfig", str(cluster.kubeconfig)]
    spared = start("cleanup", *reach)
    assert spared.end() == 0, spared.said
    assert f"run {run_id} still lives" in spared.said
    assert cluster.made() == made

    shown = start("cleanup", "--run", run_id, "--dry-run", *reach)
    assert shown.end() == 0, shown.said
    assert shown.said.count("would remove") == len(made)
    listed = start("cleanup", "--run", run_id, "--dry-run", "--json", *reach)
    assert listed.end() == 0, listed.said
    told = json.loads(listed.said)
    assert told["alive"] == []
    assert {(one["run"], one["state"]) for one in told["objects"]} == {(run_id, "would remove")}
    assert {one["path"].rpartition("/")[2] for one in told["objects"]} == {
        place.rpartition("/")[2] for place in made
    }
    assert cluster.made() == made

    removed = start("cleanup", "--run", run_id, *reach)
    assert removed.end() == 0, removed.said
    assert {line.partition(" ")[2] for line in removed.said.splitlines()} == {
        "/".join(place.split("/")[-2:]) for place in made
    }
    cluster.nothing_is_left()
    nothing = start("cleanup", *reach)
    assert nothing.end() == 0
    assert "there is nothing to remove" in nothing.said


def test_an_implementation_cannot_write_outside_its_view(
    cluster: Cluster, start: Start, tmp_path: Path
) -> None:
    (tmp_path / "trespasser.py").write_text(
        "import json, pathlib, runpy, sys, urllib.error, urllib.request\n"
        "from reference_controller.runtime.kubeconfig import load\n"
        "server = load(pathlib.Path(sys.argv[-1]))\n"
        "for path in sys.argv[2].split(','):\n"
        "    body = json.dumps({'metadata': {'name': 'intruder'}}).encode()\n"
        "    head = {'Content-Type': 'application/json', **server.headers}\n"
        "    try:\n"
        "        asked = urllib.request.Request(server.url + path, body, head)\n"
        "        urllib.request.urlopen(asked, context=server.tls)\n"
        "    except urllib.error.HTTPError as error:\n"
        "        open(sys.argv[1], 'a').write(f'{path} {error.code} {error.read().decode()}\\n')\n"
        "del sys.argv[1:3]\n"
        "runpy.run_module('reference_controller', run_name='__main__', alter_sys=True)\n"
    )
    told = tmp_path / "told"
    paths = "/api/v1/namespaces/theirs/pods,/api/v1/namespaces"
    argv = [
        "{python}",
        "{descriptor_dir}/trespasser.py",
        str(told),
        paths,
        "job",
        "--kubeconfig",
        "{kubeconfig}",
    ]
    descriptor = {"name": "trespasser", "version": "1", "organisation": "nobody", "profiles": ["job"]}
    it = {"argv": argv, "ready": {"within_s": HANGS_S}}
    (tmp_path / "it.yaml").write_text(json.dumps({**descriptor, "start": it}))
    run = start("run", "-i", tmp_path / "it.yaml", "-k", "BAS-013 and succeeds", *arguments(cluster))
    assert run.end() == 0, run.said
    refused = told.read_text().splitlines()
    assert len(refused) == 2
    for line in refused:
        assert " 403 " in line
        assert "batchproof does not allow to write outside" in line
    cluster.nothing_is_left()


OBJECTS = "batchproof-objects"
PROFILES = {
    "reference-tfjob": (
        "(TFJ-001 or TFJ-002) and not cap-VolcanoPodGroups",
        "create tfjobs.kubeflow.org",
        "tfjob",
    ),
    "reference-volcano-job": ("VOL-001 or VOL-002", "create jobs.batch.volcano.sh", "volcano"),
}


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_is_judged_with_just_its_rights_and_never_beside_a_rival(
    cluster: Cluster, start: Start, name: str, tmp_path: Path
) -> None:
    selected, right, controller = PROFILES[name]
    judged = ["-i", name, "-k", selected, "-n", "2"]
    unentitled = start("run", *judged, *arguments(cluster))
    assert unentitled.end() == 2, unentitled.said
    assert names(unentitled.said, right)
    assert "batchproof rbac -i DESCRIPTOR | kubectl apply -f -" in unentitled.said

    it = load(find(name))
    more = [one for one in yaml.safe_load_all(manifests(needs_of(it))) if one["metadata"]["name"] == OBJECTS]
    for manifest in more:
        create(cluster.plane, manifest)
    try:
        call(cluster.plane, lambda api: install(api, Binaries(None, unseen).crds(it), (), make=True))
        run = start("run", *judged, *arguments(cluster))
        assert run.end() == 0, run.said
        assert set(run.verdicts().values()) == {"passed"}
        cluster.nothing_is_left()
        sees_a_rival(cluster, start, judged, controller, tmp_path)
    finally:  # the rights of a profile on Secrets are too many for another
        remove(cluster, [f"{COLLECTIONS[manifest['kind']]}/{OBJECTS}" for manifest in more])
    cluster.nothing_is_left()


def remove(cluster: Cluster, places: list[str]) -> None:
    """Delete objects of the cluster."""

    async def delete(api: Api) -> None:
        for place in places:
            await api.delete(place)

    call(cluster.plane, delete)


def sees_a_rival(cluster: Cluster, start: Start, judged: list[str], controller: str, folder: Path) -> None:
    """See that nothing is judged beside a controller that already works on the same objects."""
    admin = folder / "admin.kubeconfig"
    admin.write_text(cluster.plane.kubeconfig())
    rival = spawn(
        [sys.executable, "-m", "reference_controller", controller, "--kubeconfig", admin],
        run_dir=cluster.plane.run_dir,
        name="rival",
        log=folder / "rival.log",
        env=bare(folder),
    )
    try:
        eventually("the rival works", lambda: "caches are complete" in rival.tail(200))
        refused = start("run", *judged, *arguments(cluster))
        assert refused.end() == 2, refused.said
        assert "a controller in this cluster already handles every" in refused.said
        assert not refused.scenarios
    finally:
        rival.kill()


def test_a_user_with_more_rights_than_a_run_needs_is_refused(
    cluster: Cluster, start: Start, tmp_path: Path
) -> None:
    admin = tmp_path / "admin.kubeconfig"
    admin.write_text(cluster.plane.kubeconfig())
    few = ["run", "-k", "BAS-014", "--cluster", "existing", "--kubeconfig", str(admin)]
    refused = start(*few)
    assert refused.end() == 2, refused.said
    for said in (
        "may do more in",
        "\n  * *.*\n",
        "batchproof rbac | kubectl apply -f -",
        "--with-all-my-rights",
    ):
        assert said in refused.said, said
    assert not refused.scenarios
    cluster.nothing_is_left()
    run = start(*few, "--with-all-my-rights")
    assert run.end() == 0, run.said
    cluster.nothing_is_left()


@pytest.mark.parametrize(
    ("rule", "named"),
    [
        ({"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]}, "get secrets"),
        ({"apiGroups": [""], "resources": ["nodes/proxy"], "verbs": ["get"]}, "get nodes/proxy"),
        ({"apiGroups": ["apps"], "resources": ["*"], "verbs": ["create"]}, "create *.apps"),
    ],
)
def test_one_right_too_many_is_named(
    cluster: Cluster, start: Start, rule: dict[str, Any], named: str
) -> None:
    role = call(cluster.plane, lambda api: api.get(ROLE))
    call(cluster.plane, lambda api: api.patch(ROLE, {"rules": [*role["rules"], rule]}))
    try:
        run = start("run", "-k", "BAS-014", *arguments(cluster))
        assert run.end() == 2, run.said
        assert f"with these rights:\n  {named}\n" in run.said
    finally:
        call(cluster.plane, lambda api: api.patch(ROLE, {"rules": role["rules"]}))


def test_the_user_has_no_right_that_is_not_needed(cluster: Cluster) -> None:
    async def secrets(api: Api) -> Any:
        return await api.get("/api/v1/secrets")

    with pytest.raises(ApiError, match="forbidden"):
        call(cluster.user, secrets)
