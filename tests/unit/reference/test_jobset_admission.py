"""What is filled into a JobSet, and what is refused."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from reference_controller.jobset.admission import with_defaults, wrong_change, wrong_jobset

Json = dict[str, Any]


def replicated(name: str, **other: Any) -> Json:
    """A replicated job with an Indexed Job of two pods."""
    pods = {"spec": {"containers": [{"name": "main"}]}}
    spec = {"completions": 2, "completionMode": "Indexed", "template": pods}
    return {"name": name, "replicas": 2, "template": {"spec": spec}, **other}


def jobset(*jobs: Json, name: str = "a", **spec: Any) -> Json:
    """A JobSet as a user asks for it."""
    return {
        "metadata": {"namespace": "n", "name": name},
        "spec": {"replicatedJobs": list(jobs or (replicated("d"), replicated("w"))), **spec},
    }


def test_what_is_left_open_is_filled_in() -> None:
    bare = {"name": "d", "template": {"spec": {"template": {"spec": {}}}}}
    asked = jobset(
        bare, failurePolicy={"rules": [{"action": "FailJobSet"}, {"name": "own", "action": "FailJobSet"}]}
    )
    before = deepcopy(asked)
    spec = with_defaults(asked)
    assert asked == before
    assert spec["successPolicy"] == {"operator": "All"}
    assert spec["startupPolicy"] == {"startupPolicyOrder": "AnyOrder"}
    assert spec["network"] == {"enableDNSHostnames": True, "publishNotReadyAddresses": True}
    job = spec["replicatedJobs"][0]["template"]["spec"]
    assert (job["completionMode"], job["template"]["spec"]) == ("Indexed", {"restartPolicy": "OnFailure"})
    assert [rule["name"] for rule in spec["failurePolicy"]["rules"]] == ["failurePolicyRule0", "own"]


def test_what_is_said_stays() -> None:
    said = jobset(network={"enableDNSHostnames": False}, successPolicy={"operator": "Any"})
    spec = with_defaults(said)
    assert spec["network"] == {"enableDNSHostnames": False, "publishNotReadyAddresses": True}
    assert spec["successPolicy"] == {"operator": "Any"}
    assert "failurePolicy" not in spec


RULE = {"name": "r", "action": "FailJobSet"}
LEADER = {"replicatedJob": "w", "jobIndex": 1, "podIndex": 1}


@pytest.mark.parametrize(
    "of",
    [
        jobset(),
        jobset(replicated("d"), replicated("w", dependsOn=[{"name": "d", "status": "Ready"}])),
        jobset(successPolicy={"operator": "All", "targetReplicatedJobs": ["w"]}),
        jobset(
            failurePolicy={
                "rules": [RULE, {**RULE, "name": "s", "onJobFailureReasons": ["DeadlineExceeded"]}]
            }
        ),
        jobset(coordinator=LEADER),
        jobset(network={"subdomain": "d"}),
        jobset(managedBy="example.com/controller"),
        {"metadata": {"generateName": "a-"}, "spec": {"replicatedJobs": [replicated("w")]}},
    ],
)
def test_what_may_be_stored(of: Json) -> None:
    assert list(wrong_jobset(of)) == []


@pytest.mark.parametrize(
    ("of", "what"),
    [
        (jobset(name="a" * 60), "'aaaa"),
        (jobset(name="a" * 52), "-abcde' is no name"),
        (jobset(name="1"), "'1-d-1"),
        (jobset(replicated("d", dependsOn=[{"name": "w", "status": "Ready"}]), replicated("w")), "before it"),
        (jobset(replicated("d", dependsOn=[{"name": "d", "status": "Ready"}])), "before it"),
        (jobset(successPolicy={"operator": "All", "targetReplicatedJobs": ["x"]}), "names x"),
        (jobset(failurePolicy={"rules": [{**RULE, "targetReplicatedJobs": ["x"]}]}), "names x"),
        (jobset(failurePolicy={"rules": [{**RULE, "onJobFailureReasons": ["Tired"]}]}), "because of Tired"),
        (jobset(failurePolicy={"rules": [RULE, RULE]}), "several rules"),
        (jobset(failurePolicy={"rules": [{**RULE, "name": "1"}]}), "no name of a rule"),
        (jobset(coordinator={**LEADER, "replicatedJob": "x"}), "of x"),
        (jobset(coordinator={**LEADER, "jobIndex": 2}), "Job 2 of 2"),
        (jobset(coordinator={**LEADER, "podIndex": 2}), "pod 2 of 2"),
        (jobset(network={"subdomain": "d.e"}), "subdomain"),
        (jobset(managedBy="me"), "managedBy"),
        (jobset(managedBy=f"example.com/{'x' * 60}"), "managedBy"),
    ],
)
def test_what_is_refused(of: Json, what: str) -> None:
    assert any(what in wrong for wrong in wrong_jobset(of))


def changed(of: Json, *, suspend: bool = False, **pods: Any) -> Json:
    """The JobSet with another pod template for its first replicated job."""
    new = deepcopy(of)
    new["spec"]["suspend"] = suspend
    template = new["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]
    template["metadata"] = {"labels": pods.pop("labels", {})}
    template["spec"] |= pods
    return new


@pytest.mark.parametrize(
    ("old", "new", "refused"),
    [
        (jobset(), jobset(suspend=True), False),
        (jobset(), changed(jobset(), nodeSelector={"a": "b"}), True),
        (jobset(suspend=True), changed(jobset(), nodeSelector={"a": "b"}, labels={"a": "b"}), False),
        (jobset(), changed(jobset(), suspend=True, tolerations=[{"key": "a"}]), False),
        (jobset(suspend=True), changed(jobset(), suspend=True, restartPolicy="Never"), True),
        (jobset(suspend=True), jobset(replicated("d"), suspend=True), True),
        (jobset(), jobset(managedBy="example.com/x"), True),
    ],
)
def test_which_changes_are_refused(old: Json, new: Json, refused: bool) -> None:
    assert bool(list(wrong_change(old, new))) is refused
