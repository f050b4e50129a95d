"""Gang scenarios: of kube-scheduler, of one that knows no gangs, of one that is stopped, of changed gangs."""

from __future__ import annotations

import json
from collections import Counter
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from waiting import HANGS_S

from batchproof.descriptor.implementation import bundled

if TYPE_CHECKING:
    from pathlib import Path

    from runs import Run, Start

LOWERED = """
    # Every PodGroup is made with minCount 1, whatever is asked for, as by a mutating webhook.
    import asyncio

    from batchproof.cell.cell import Cell

    ADMISSION = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolic"
    GROUPS = "/apis/scheduling.k8s.io/v1beta1/namespaces/default/podgroups?dryRun=All"
    GROUP = {"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "PodGroup", "metadata": {"name": "trial"},
             "spec": {"schedulingPolicy": {"gang": {"minCount": 3}}}}

    def admission(kind, spec):
        return {"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind,
                "metadata": {"name": "lowered.example.com"}, "spec": spec}

    RULE = {"apiGroups": ["scheduling.k8s.io"], "apiVersions": ["*"], "operations": ["CREATE"],
            "resources": ["podgroups"]}
    LOWER = '[JSONPatch{op: "replace", path: "/spec/schedulingPolicy/gang/minCount", value: 1}]'
    POLICY = {"matchConstraints": {"resourceRules": [RULE]}, "failurePolicy": "Fail",
              "reinvocationPolicy": "Never",
              "mutations": [{"patchType": "JSONPatch", "jsonPatch": {"expression": LOWER}}]}

    opened = Cell.open

    async def open(self):
        await opened(self)
        await self.api.create(ADMISSION + "ies", admission("MutatingAdmissionPolicy", POLICY))
        binding = admission("MutatingAdmissionPolicyBinding", {"policyName": "lowered.example.com"})
        await self.api.create(ADMISSION + "ybindings", binding)
        # The API server knows a policy only after a moment. A worker that hangs is ended.
        while (await self.api.create(GROUPS, GROUP))["spec"]["schedulingPolicy"]["gang"]["minCount"] != 1:
            await asyncio.sleep(0.1)

    Cell.open = open
"""
LOWERED_LATER = """
    # Another client lowers the minimum of gang a in the middle of the window in which it has to wait.
    from batchproof.profiles.gang.verbs import GangClaims, Gangs

    alive = GangClaims.claim_gangs_bound

    def lower(self):
        alive(self)
        group = self._world.verbs(Gangs).dialect.group
        path = group.resource.path(self._namespace, "a")
        lowered = {"spec": {"schedulingPolicy": {"gang": {"minCount": 1}}}}
        self._world.do(self._world.api.patch(path, lowered))

    GangClaims.claim_gangs_bound = lower
"""
IDLE = """
    # Watches all that a gang scheduler watches, and does nothing.
    import pathlib, sys, threading, urllib.request
    from reference_controller.runtime.kubeconfig import load

    server = load(pathlib.Path(sys.argv[1]))

    def watch(path):
        asked = urllib.request.Request(server.url + path + "?watch=1", headers=server.headers)
        while True:
            for _ in urllib.request.urlopen(asked, context=server.tls):
                pass

    core, groups = "/api/v1/", "/apis/scheduling.k8s.io/v1beta1/podgroups"
    for path in (core + "pods", core + "nodes", groups):
        threading.Thread(target=watch, args=(path,)).start()
"""


def like_kube_scheduler(path: Path, argv: list[str], *changes: tuple[str, str], watches: list[str]) -> Path:
    """A descriptor of something else in the place of kube-scheduler; returns its path."""
    told: dict[str, Any] = yaml.safe_load(bundled()["kube-scheduler"].read_text())
    argv = argv or told["start"]["argv"]
    for before, after in changes:
        assert before in argv
        argv = [after if word == before else word for word in argv]
    told["start"] |= {"argv": argv, "ready": {"watches": watches, "within_s": HANGS_S}}
    path.write_text(yaml.safe_dump(told | {"name": path.stem}))
    return path


def declared(run: Run) -> list[dict[str, Any]]:
    """The scenarios of a run that the descriptor does not rule out, as some need a capability."""
    return [one for one in run.scenarios if one["reason"] != "not-declared"]


def minimums(run: Run, scenario: dict[str, Any]) -> set[int]:
    """What a scenario asked of its gangs as their minimums."""
    lines = (run.output / scenario["history"]).read_text("utf-8").splitlines()
    actions = (one["entry"] for one in map(json.loads, lines) if one.get("entry", {}).get("kind") == "action")
    return {action["about"]["minimum"] for action in actions if "minimum" in action.get("about", {})}


def test_gangs_are_judged_side_by_side(start: Start) -> None:
    run = start("run", "-i", "kube-scheduler", "-k", "GNG-002 or GNG-006 or GNG-022 or GNG-024", "-n", "4")
    assert run.end() == 0, run.said
    verdicts = [(one["requirement"], one["verdict"], one["reason"]) for one in run.scenarios]
    assert {verdict for requirement, verdict, _ in verdicts if requirement != "GNG-024"} == {"passed"}
    undeclared = {(verdict, reason) for requirement, verdict, reason in verdicts if requirement == "GNG-024"}
    assert undeclared == {("skipped", "not-declared")}
    assert len({one["worker"] for one in run.scenarios}) == 4
    again = start("replay", run.output)
    assert again.end() == 0, again.said
    assert "all as recorded" in again.said
    run.nothing_is_left()


@pytest.mark.parametrize(
    ("how", "gangs", "scenarios"),
    [
        pytest.param(
            LOWERED,
            "GNG-001 or GNG-002 or GNG-005 or GNG-006 or GNG-015 or GNG-018 or GNG-021 or GNG-022",
            19,
            id="when it is made",
        ),
        pytest.param(LOWERED_LATER, "GNG-001 and fewer", 1, id="while it waits"),
    ],
)
def test_a_gang_whose_minimum_is_changed_is_not_judged(
    start: Start, tmp_path: Path, how: str, gangs: str, scenarios: int
) -> None:
    (tmp_path / "lowered.py").write_text(dedent(how))
    env = {"PYTEST_PLUGINS": "lowered", "PYTHONPATH": str(tmp_path)}
    run = start("run", "-i", "kube-scheduler", "-k", gangs, "-n", "1", env=env)
    assert run.end() == 1, run.said
    changed = [one for one in declared(run) if minimums(run, one) != {1}]
    assert len(changed) >= scenarios
    for one in changed:
        assert one["verdict"] == "errored", one
        assert "spec.schedulingPolicy.gang.minCount of its PodGroup is 1: something" in one["error"], one
        assert one["unmet"] is None
    assert run.report["verdict"]["conformity"] == "not-proven"


REPLACED = ("a group that was created again", "of a new group")
"""What titles say of scenarios in which a gang must be bound before its group is replaced."""


def test_a_scheduler_that_does_nothing_is_not_believed_to_wait(start: Start, tmp_path: Path) -> None:
    (tmp_path / "idle.py").write_text(dedent(IDLE))
    argv = ["{python}", "{descriptor_dir}/idle.py", "{kubeconfig}"]
    idle = like_kube_scheduler(tmp_path / "idle.yaml", argv, watches=["pods", "nodes", "podgroups"])
    run = start("run", "-i", idle, "-k", "GNG-001 or GNG-002 or (GNG-014 and other)", "-n", "4")
    assert run.end() == 1, run.said
    verdicts = {one["name"]: one["verdict"] for one in declared(run)}
    first = ("wait", "another scheduler", "as soon as", "once its minimum", "watch")
    waiting = {name for name in verdicts if any(words in name for words in first)}
    assert len(waiting) > 5
    for one in declared(run):
        if one["name"] in waiting:
            assert (one["verdict"], one["unmet"]) == ("inconclusive", None), one
            if any(words in one["name"] for words in REPLACED):  # another gang must be bound first
                assert one["reason"] == "precondition"
                continue
            probe = "probe-1" if "another scheduler" in one["name"] else "probe-1-0"  # of a gang
            assert one["reason"] == f"no proof of life: needs pod {probe} is bound; observed not bound"
        else:
            assert (one["verdict"], one["error"]) == ("failed", None)
    again = start("replay", run.output)
    assert again.end() == 1
    assert "all as recorded" in again.said, again.said


def test_a_scheduler_that_knows_no_gangs_fails(start: Start, tmp_path: Path) -> None:
    off = ("--feature-gates=GenericWorkload=true", "--feature-gates=GenericWorkload=false")
    alone = like_kube_scheduler(tmp_path / "alone.yaml", [], off, watches=["pods", "nodes"])
    run = start("run", "-i", alone, "-k", "GNG-001 or GNG-002", "-n", "4")
    assert run.end() == 1, run.said
    [later] = [one for one in run.scenarios if "as soon as" in one["name"]]
    assert later["verdict"] == "failed"  # it had to wait first, as in every history
    assert later["unmet"]["requirement"] == later["requirement"]
    waits = [one for one in declared(run) if "wait" in one["name"]]
    waited = ("no pod of gang a is bound", "1 pod of gang b is bound", "exactly 2 pods of gang a are bound")
    claimed = (
        "no pod of gang a is bound",
        "exactly 2 pods of gang a are bound",
        "no pod of a gang bound before",
    )
    for one in waits:
        assert one["error"] is None
        if one["verdict"] == "inconclusive":  # it should have waited before, or watched the groups
            assert one["reason"].startswith(("precondition", "fault never triggered")), one
            lacked = [claim["text"] for claim in one["claims"] if claim["outcome"] != "held"]
            assert all(any(words in text for words in waited) for text in lacked), lacked
            continue
        assert one["verdict"] == "failed"
        assert one["unmet"]["requirement"] == one["requirement"]
        assert one["unmet"]["expected"].startswith(claimed)
        assert any(moment["here"] for moment in one["unmet"]["timeline"])
    failed = {one["id"] for one in waits if one["verdict"] == "failed"}
    assert {"GNG-001.1", "GNG-001.3", "GNG-002.1", "GNG-002.2", "GNG-002.3", "GNG-002.4"} <= failed
    assert {"GNG-001", "GNG-002"} <= set(run.report["verdict"]["failed"])


@pytest.mark.parametrize(
    ("scheduler", "verdicts"),
    [
        ("kube-scheduler-with-jobs", {"passed": 1, "skipped": 3}),
        ("reference-scheduler-with-jobs", {"passed": 4}),
    ],
)
def test_a_gang_job_ends_or_the_deviation_is_real(
    start: Start, scheduler: str, verdicts: dict[str, int]
) -> None:
    run = start("run", "-i", scheduler, "-k", "GNG-079", "-n", "3")
    assert run.end() == 0, run.said
    assert Counter(one["verdict"] for one in run.scenarios) == verdicts
    for one in run.scenarios:
        if one["verdict"] == "skipped":
            assert one["reason"] == "waived"
            pods = 6 if one["id"] == "GNG-079.4" else 5
            assert one["unmet"]["expected"] == f"{pods} pods of gang a are bound"
            assert one["unmet"]["observed"] == "4 bound"
