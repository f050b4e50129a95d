"""Facts about JobSets, their Jobs and their service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fact_examples import examples
from histories import Story, condition, story, time_of_day

from batchproof.profiles.jobset.facts.jobs import (
    jobset_as_now,
    jobset_by_template,
    jobset_controls,
    jobset_coordinated,
    jobset_created,
    jobset_indexed,
    jobset_job_ended,
    jobset_job_gone,
    jobset_job_made,
    jobset_job_reports,
    jobset_jobs,
    jobset_jobs_suspended,
    jobset_keyed,
    jobset_labelled,
    jobset_pods,
    jobset_selects,
    jobset_selects_only,
    jobset_started,
)
from batchproof.profiles.jobset.facts.life import (
    jobset_blocked,
    jobset_expired,
    jobset_foreign_changed,
    jobset_foreign_runs,
    jobset_gone,
    jobset_reconciled,
)
from batchproof.profiles.jobset.facts.network import (
    jobset_publishes,
    jobset_service,
    jobset_service_made,
    jobset_subdomain,
)
from batchproof.profiles.jobset.facts.status import (
    jobset_condition,
    jobset_no_longer,
    jobset_reports,
    jobset_restarts,
    jobset_terminal,
)
from batchproof.profiles.jobset.objects import JOBSETS
from batchproof.profiles.shared.objects.services import SERVICES
from batchproof.resources import JOBS, PODS

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall

PREFIX = "jobset.sigs.k8s.io/"
OWNER = {
    "apiVersion": "jobset.x-k8s.io/v1alpha2",
    "kind": "JobSet",
    "name": "a",
    "uid": "uid-a",
    "controller": True,
    "blockOwnerDeletion": True,
}
TEMPLATE = {"metadata": {"labels": {"x": "y"}}, "spec": {"backoffLimit": 0, "template": {"spec": {}}}}
SPEC: dict[str, Any] = {
    "network": {"enableDNSHostnames": True},
    "replicatedJobs": [
        {"name": "leader", "replicas": 1, "template": TEMPLATE},
        {"name": "workers", "replicas": 1, "template": TEMPLATE},
    ],
}


def jobset(*conditions: Any, **status: Any) -> Story:
    """A JobSet of 1 leader and 1 workers, and then its status."""
    told = story().act("creates JobSet a").stores(JOBSETS, "a", {"spec": SPEC})
    return reports(told, *conditions, **status) if conditions or status else told


def in_domain(name: str) -> Story:
    """A JobSet that names the subdomain of its pods."""
    spec = {**SPEC, "network": {**SPEC["network"], "subdomain": name}}
    return story().act("creates JobSet a").stores(JOBSETS, "a", {"spec": spec})


def reports(told: Story, *conditions: Any, **status: Any) -> Story:
    """The JobSet has another status."""
    listed = [condition(it) if isinstance(it, str) else it for it in conditions]
    return told.stores(JOBSETS, "a", {"spec": SPEC, "status": {"conditions": listed, **status}})


def job(told: Story, name: str, *, uid: str = "", attempt: int = 0, **other: Any) -> Story:
    """A Job of the JobSet is created, or becomes another."""
    replicated, index = name.rsplit("-", 1)
    own = {
        f"{PREFIX}jobset-name": "a",
        f"{PREFIX}replicatedjob-name": replicated,
        f"{PREFIX}replicatedjob-replicas": "1",
        f"{PREFIX}job-index": index,
        f"{PREFIX}restart-attempt": str(attempt),
        f"{PREFIX}job-global-index": str(["leader", "workers"].index(replicated)),
        f"{PREFIX}job-key": name,
        "x": "y",
        **other.get("labels", {}),
    }
    labels = {key: it for key, it in own.items() if it}
    pods = other.get("pod_labels", labels)
    template = {"metadata": {"labels": pods}, "spec": {"subdomain": "a", **other.get("pod", {})}}
    metadata: dict[str, Any] = {"labels": labels, "ownerReferences": [other.get("owner", OWNER)]}
    metadata |= ({"uid": uid} if uid else {}) | other.get("metadata", {})
    spec = {"backoffLimit": 0, "completionMode": "Indexed", "template": template, **other.get("spec", {})}
    body = {"metadata": metadata, "spec": spec, "status": other.get("status", {})}
    return told.stores(JOBS, f"a-{name}", body)


def both(told: Story, **other: Any) -> Story:
    """The Jobs of both replicas."""
    return job(job(told, "leader-0"), "workers-0", **other)


def changed(pod: dict[str, Any]) -> Story:
    """A JobSet whose pods of workers are to have this spec now."""
    template = {**TEMPLATE, "spec": {"backoffLimit": 0, "template": {"spec": pod}}}
    listed = [SPEC["replicatedJobs"][0], {**SPEC["replicatedJobs"][1], "template": template}]
    return jobset().stores(JOBSETS, "a", {"spec": {**SPEC, "replicatedJobs": listed}})


def coordinated(host: str, of_pods: str) -> Story:
    """A Job that names a coordinator, and whose pods do."""
    key = f"{PREFIX}coordinator"
    template = {"metadata": {"annotations": {key: of_pods}}, "spec": {}}
    metadata = {"annotations": {key: host}}
    return job(jobset(), "workers-0", metadata=metadata, spec={"template": template})


def foreign(told: Story, **spec: Any) -> Story:
    """A Job that no JobSet controls."""
    return told.stores(JOBS, "other", {"metadata": {"labels": {"x": "y"}}, "spec": spec})


def pod(told: Story, of: str, phase: str = "Running") -> Story:
    """The pod of a Job."""
    owner = {"kind": "Job", "name": of, "uid": f"uid-{of}", "controller": True}
    body = {"metadata": {"ownerReferences": [owner]}, "spec": {}, "status": {"phase": phase}}
    return told.stores(PODS, f"{of}-x", body)


def service(
    told: Story,
    name: str = "a",
    ip: str = "None",
    *,
    ready_only: bool = False,
    labels: dict[str, str] | None = None,
) -> Story:
    """The service of the JobSet; ``labels`` are selected too."""
    selector = {f"{PREFIX}jobset-name": "a", **(labels or {})}
    spec = {"clusterIP": ip, "selector": selector, "publishNotReadyAddresses": not ready_only}
    return told.stores(SERVICES, name, {"metadata": {"ownerReferences": [OWNER]}, "spec": spec})


def ended(*, after_s: float, at: float = 0) -> Story:
    """A JobSet that completed at a time, and is deleted so long after the beginning."""
    told = jobset(condition("Completed", at=at))
    return told.at(after_s).removes(JOBSETS, "a")


def counts(**numbers: int) -> Story:
    """The status counts Jobs of workers."""
    zeros = dict.fromkeys(("ready", "active", "suspended", "succeeded", "failed"), 0)
    return jobset(replicatedJobsStatus=[{"name": "workers", **zeros, **numbers}])


COMPLETE = {"conditions": [condition("Complete")]}
GOING = {"deletionTimestamp": time_of_day(1)}
ALL = ["leader-0", "workers-0"]
SELECTING = {"nodeSelector": {"zone": "east"}}


@examples(
    [
        pytest.param(jobset_jobs(jobs=ALL), both(jobset()), True, id="a Job for each replica"),
        pytest.param(jobset_jobs(jobs=ALL), job(jobset(), "leader-0"), False, id="one is lacking"),
        pytest.param(jobset_jobs(jobs=ALL), both(story()), False, id="no JobSet"),
        pytest.param(
            jobset_jobs(jobs=ALL), both(jobset(), owner={**OWNER, "uid": "uid-b"}), False, id="of another one"
        ),
        pytest.param(jobset_jobs(jobs=ALL), both(jobset(), metadata=GOING), False, id="one is going"),
        pytest.param(jobset_jobs(jobs=[]), jobset(), True, id="none"),
        pytest.param(
            jobset_pods(job="leader-0", count=1), pod(both(jobset()), "a-leader-0"), True, id="its pod"
        ),
        pytest.param(
            jobset_pods(job="leader-0", count=1),
            *(pod(both(jobset()), "a-leader-0", "Succeeded"), False),
            id="it has ended",
        ),
        pytest.param(jobset_pods(job="leader-0", count=0), jobset(), False, id="no such Job"),
        pytest.param(
            jobset_job_made(job="leader-0", count=2),
            job(job(jobset(), "leader-0").removes(JOBS, "a-leader-0"), "leader-0", uid="again"),
            *(True,),
            id="made again",
        ),
        pytest.param(jobset_job_made(job="leader-0", count=2), both(jobset()), False, id="made once"),
        pytest.param(jobset_created(name="workers"), both(jobset()), True, id="created"),
        pytest.param(
            jobset_created(name="workers"),
            both(both(jobset(), spec={"suspend": True}), spec={"suspend": True, "parallelism": 2}),
            *(True,),
            id="created, and changed while it is suspended",
        ),
        pytest.param(jobset_created(name="workers"), job(jobset(), "leader-0"), False, id="another's Job"),
        pytest.param(
            jobset_started(name="workers"), both(jobset(), spec={"suspend": False}), True, id="started"
        ),
        pytest.param(
            jobset_started(name="workers"),
            both(jobset(), spec={"suspend": True}),
            False,
            id="suspended so far",
        ),
        pytest.param(
            jobset_started(name="workers"),
            both(both(jobset(), spec={"suspend": True}), spec={"suspend": False}),
            *(True,),
            id="resumed",
        ),
        pytest.param(
            jobset_jobs_suspended(count=1, state="suspended"),
            both(jobset(), spec={"suspend": True}),
            *(True,),
            id="one of two is suspended",
        ),
        pytest.param(
            jobset_jobs_suspended(count=1, state="resumed"), both(jobset()), False, id="two are resumed"
        ),
        pytest.param(
            jobset_jobs_suspended(count=2, state="resumed"),
            both(jobset(), status=COMPLETE),
            *(False,),
            id="one is finished",
        ),
        pytest.param(
            jobset_job_ended(job="workers-0", end="completed"),
            both(jobset(), status=COMPLETE),
            *(True,),
            id="completed",
        ),
        pytest.param(
            jobset_job_ended(job="workers-0", end="failed"),
            both(jobset(), status=COMPLETE),
            *(False,),
            id="not failed",
        ),
        pytest.param(jobset_job_ended(job="workers-0", end="failed"), jobset(), False, id="no Job to end"),
        pytest.param(
            jobset_job_reports(job="workers-0", condition="Complete"),
            both(jobset(), status=COMPLETE),
            *(True,),
            id="Complete",
        ),
        pytest.param(
            jobset_job_reports(job="workers-0", condition="FailureTarget"),
            both(jobset(), status=COMPLETE),
            *(False,),
            id="another condition",
        ),
        pytest.param(jobset_job_gone(job="workers-0"), job(jobset(), "leader-0"), True, id="not there"),
        pytest.param(jobset_job_gone(job="workers-0"), both(jobset()), False, id="there"),
        pytest.param(
            jobset_selects(job="workers-0", label="zone", value="east"),
            both(jobset(), pod=SELECTING),
            *(True,),
            id="selected",
        ),
        pytest.param(
            jobset_selects(job="workers-0", label="zone", value="east"), both(jobset()), False, id="any node"
        ),
        pytest.param(
            jobset_selects_only(job="workers-0", label="zone", value="east"),
            both(jobset(), pod=SELECTING),
            *(True,),
            id="nothing else",
        ),
        pytest.param(
            jobset_selects_only(job="workers-0", label="zone", value="east"),
            both(jobset(), pod={"nodeSelector": {"zone": "east", "rack": "third"}}),
            *(False,),
            id="something else",
        ),
    ]
)
def test_a_fact_about_jobs_of_a_jobset(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds


@examples(
    [
        pytest.param(jobset_labelled(), both(jobset()), True, id="all labels"),
        pytest.param(jobset_labelled(), jobset(), False, id="nothing is labeled"),
        pytest.param(jobset_labelled(), both(jobset(), pod_labels={}), False, id="not the pods"),
        pytest.param(
            jobset_labelled(), both(jobset(), labels={f"{PREFIX}job-index": "1"}), False, id="another index"
        ),
        pytest.param(jobset_labelled(), both(jobset(restarts=1)), False, id="of an earlier restart"),
        pytest.param(jobset_labelled(), both(jobset(restarts=1), attempt=1), False, id="one of two is newer"),
        pytest.param(jobset_indexed(last=1), both(jobset()), True, id="0 and 1"),
        pytest.param(jobset_indexed(last=2), both(jobset()), False, id="no 2"),
        pytest.param(
            jobset_indexed(last=1),
            both(jobset(), labels={f"{PREFIX}job-global-index": "0"}),
            *(False,),
            id="0 twice",
        ),
        pytest.param(
            jobset_indexed(last=1), both(jobset(), labels={f"{PREFIX}job-global-index": ""}), False, id="none"
        ),
        pytest.param(jobset_keyed(), both(jobset()), True, id="two keys"),
        pytest.param(
            jobset_keyed(), both(jobset(), labels={f"{PREFIX}job-key": "leader-0"}), False, id="one key"
        ),
        pytest.param(jobset_keyed(), both(jobset(), pod_labels={}), False, id="pods without a key"),
        pytest.param(jobset_by_template(), both(jobset()), True, id="as the template says"),
        pytest.param(jobset_by_template(), both(jobset(), labels={"x": ""}), False, id="a label is lacking"),
        pytest.param(
            jobset_by_template(), both(jobset(), spec={"backoffLimit": 1}), False, id="another backoffLimit"
        ),
        pytest.param(
            jobset_by_template(),
            both(jobset(), labels={f"{PREFIX}replicatedjob-name": "nobody"}),
            *(False,),
            id="of no template",
        ),
        pytest.param(jobset_by_template(), jobset(), False, id="no Job at all"),
        pytest.param(
            jobset_coordinated(host="a-leader-0-0.a"),
            coordinated("a-leader-0-0.a", "a-leader-0-0.a"),
            *(True,),
            id="all name the coordinator",
        ),
        pytest.param(
            jobset_coordinated(host="a-leader-0-0.a"),
            coordinated("a-leader-0-0.b", "a-leader-0-0.a"),
            *(False,),
            id="a Job names another address",
        ),
        pytest.param(
            jobset_coordinated(host="a-leader-0-0.a"),
            coordinated("a-leader-0-0.a", ""),
            *(False,),
            id="the pods name none",
        ),
        pytest.param(jobset_coordinated(host="a-leader-0-0.a"), jobset(), False, id="no coordinator"),
        pytest.param(
            jobset_as_now(job="workers-0", name="workers"), both(jobset()), True, id="nothing is said"
        ),
        pytest.param(
            jobset_as_now(job="workers-0", name="workers"),
            both(changed(SELECTING), pod=SELECTING),
            *(True,),
            id="what the template says now",
        ),
        pytest.param(
            jobset_as_now(job="workers-0", name="workers"),
            both(changed(SELECTING)),
            *(False,),
            id="what the template said before",
        ),
        pytest.param(jobset_as_now(job="workers-0", name="workers"), jobset(), False, id="no Job to say it"),
        pytest.param(jobset_controls(), service(both(jobset())), True, id="all name it"),
        pytest.param(jobset_controls(), both(jobset()), False, id="no service yet"),
        pytest.param(
            jobset_controls(), service(both(in_domain("d")), "d"), True, id="with a subdomain of its own"
        ),
        pytest.param(
            jobset_controls(), service(both(in_domain("d"))), False, id="the service is of no subdomain"
        ),
        pytest.param(
            jobset_controls(),
            service(both(jobset(), owner={**OWNER, "blockOwnerDeletion": False})),
            *(False,),
            id="it blocks nothing",
        ),
        pytest.param(jobset_service(name="a"), service(both(jobset())), True, id="headless"),
        pytest.param(
            jobset_service(name="a"), service(both(jobset()), ip="10.0.0.1"), False, id="an address"
        ),
        pytest.param(jobset_service(name="b"), service(both(jobset())), False, id="of another name"),
        pytest.param(
            jobset_service(name="a"),
            service(both(jobset()), labels={f"{PREFIX}replicatedjob-name": "leader"}),
            *(False,),
            id="it selects one of two",
        ),
        pytest.param(jobset_service(name="a"), service(jobset()), False, id="nothing to select"),
        pytest.param(
            jobset_service(name="a"), service(service(both(jobset())), "b"), False, id="two services"
        ),
        pytest.param(jobset_publishes(), service(jobset()), True, id="published"),
        pytest.param(jobset_publishes(), service(jobset(), ready_only=True), False, id="when ready"),
        pytest.param(
            jobset_service_made(), service(jobset()).removes(SERVICES, "a"), True, id="it was there"
        ),
        pytest.param(
            jobset_service_made(), jobset().stores(SERVICES, "a", {"spec": {}}), False, id="somebody else's"
        ),
        pytest.param(jobset_subdomain(name="a"), both(jobset()), True, id="in the domain"),
        pytest.param(
            jobset_subdomain(name="a"), both(jobset(), pod={"subdomain": "b"}), False, id="one in another"
        ),
        pytest.param(
            jobset_subdomain(name="a"),
            both(jobset(), spec={"completionMode": "NonIndexed"}),
            *(False,),
            id="without indexes",
        ),
    ]
)
def test_a_fact_about_how_jobs_are_made(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds


ZEROS = {"active": 0, "suspended": 0, "succeeded": 0, "failed": 0}
ONE_READY = jobset_reports(name="workers", ready=1, **ZEROS)
UNTRUE = condition("Suspended", status="False")


@examples(
    [
        pytest.param(jobset_condition(condition="Completed"), jobset("Completed"), True, id="completed"),
        pytest.param(jobset_condition(condition="Completed"), jobset("Failed"), False, id="failed"),
        pytest.param(jobset_condition(condition="Completed"), story(), False, id="no JobSet to complete"),
        pytest.param(
            jobset_no_longer(condition="Suspended"), reports(jobset("Suspended"), UNTRUE), True, id="resumed"
        ),
        pytest.param(jobset_no_longer(condition="Suspended"), jobset(UNTRUE), False, id="it never was"),
        pytest.param(jobset_no_longer(condition="Suspended"), jobset("Suspended"), False, id="it still is"),
        pytest.param(
            jobset_restarts(restarts=2, counted=1),
            jobset(restarts=2, restartsCountTowardsMax=1),
            *(True,),
            id="two, one counted",
        ),
        pytest.param(jobset_restarts(restarts=2, counted=1), jobset(restarts=2), False, id="none counted"),
        pytest.param(jobset_restarts(restarts=0, counted=0), story(), False, id="no JobSet to restart"),
        pytest.param(
            jobset_terminal(state="Failed"), jobset("Failed", terminalState="Failed"), True, id="both say so"
        ),
        pytest.param(
            jobset_terminal(state="Failed"), jobset("Failed"), False, id="the condition alone says so"
        ),
        pytest.param(
            jobset_terminal(state="Failed"), jobset(terminalState="Failed"), False, id="the state alone"
        ),
        pytest.param(ONE_READY, counts(ready=1), True, id="one is ready"),
        pytest.param(ONE_READY, counts(ready=1, active=1), False, id="one is active too"),
        pytest.param(ONE_READY, jobset(), False, id="nothing is counted"),
        pytest.param(jobset_gone(), jobset().removes(JOBSETS, "a"), True, id="gone"),
        pytest.param(jobset_gone(), jobset(), False, id="it is there"),
        pytest.param(
            jobset_gone(),
            jobset().stores(JOBSETS, "a", {"metadata": GOING, "spec": SPEC}),
            *(True,),
            id="being deleted",
        ),
        pytest.param(jobset_expired(seconds=2), ended(after_s=3), True, id="3 s after"),
        pytest.param(jobset_expired(seconds=2), ended(after_s=3, at=2), False, id="1 s after"),
        pytest.param(jobset_expired(seconds=2), jobset("Completed"), False, id="kept"),
        pytest.param(jobset_expired(seconds=0), jobset().removes(JOBSETS, "a"), False, id="unfinished"),
        pytest.param(jobset_reconciled(), job(jobset(), "leader-0"), True, id="a Job"),
        pytest.param(jobset_reconciled(), jobset("Suspended"), True, id="a status"),
        pytest.param(jobset_reconciled(), foreign(jobset()), False, id="another Job"),
        pytest.param(
            jobset_reconciled(), in_domain("d").stores(SERVICES, "d", {"spec": {}}), True, id="its subdomain"
        ),
        pytest.param(
            jobset_reconciled(),
            in_domain("d").stores(SERVICES, "a", {"spec": {}}),
            False,
            id="another subdomain",
        ),
        pytest.param(jobset_blocked(), both(jobset(), attempt=1), False, id="too early"),
        pytest.param(
            jobset_blocked(),
            job(job(jobset(), "leader-0").removes(JOBS, "a-leader-0"), "workers-0", attempt=1),
            *(True,),
            id="one after the other",
        ),
        pytest.param(
            jobset_foreign_runs(job="other"), pod(foreign(jobset()), "other"), True, id="its pod runs"
        ),
        pytest.param(jobset_foreign_runs(job="other"), foreign(jobset()), False, id="it has no pod"),
        pytest.param(
            jobset_foreign_changed(job="other"),
            foreign(foreign(jobset()), suspend=True),
            True,
            id="suspended too",
        ),
        pytest.param(
            jobset_foreign_changed(job="other"), foreign(jobset()).removes(JOBS, "other"), True, id="deleted"
        ),
        pytest.param(jobset_foreign_changed(job="other"), foreign(foreign(jobset())), False, id="left alone"),
    ]
)
def test_a_fact_about_the_life_of_a_jobset(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
