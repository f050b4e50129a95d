"""Facts about JobSets, their Jobs and their service."""

from __future__ import annotations

from typing import Any

from fact_examples import examples, no, yes
from histories import Story, condition, story, time_of_day

from batchproof.ground.resources import JOBS, PODS
from batchproof.judgement.facts import FactCall
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
    jobset_tolerates_only,
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
    jobset_transitions,
)
from batchproof.profiles.jobset.objects import JOBSETS
from batchproof.profiles.shared.objects.services import SERVICES

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
TOLERATING = {"tolerations": [{"key": "rack", "operator": "Exists"}]}


@examples(
    jobset_jobs(jobs=ALL),
    yes("a Job for each replica", both(jobset())),
    no("one is lacking", job(jobset(), "leader-0")),
    no("no JobSet", both(story())),
    no("of another one", both(jobset(), owner={**OWNER, "uid": "uid-b"})),
    no("one is going", both(jobset(), metadata=GOING)),
    jobset_jobs(jobs=[]),
    yes("none", jobset()),
    jobset_pods(job="leader-0", count=1),
    yes("its pod", pod(both(jobset()), "a-leader-0")),
    no("it has ended", pod(both(jobset()), "a-leader-0", "Succeeded")),
    jobset_pods(job="leader-0", count=0),
    no("no such Job", jobset()),
    jobset_job_made(job="leader-0", count=2),
    yes("made again", job(job(jobset(), "leader-0").removes(JOBS, "a-leader-0"), "leader-0", uid="again")),
    no("made once", both(jobset())),
    jobset_created(name="workers"),
    yes("created", both(jobset())),
    yes("created, and changed while it is suspended"),
    both(both(jobset(), spec={"suspend": True}), spec={"suspend": True, "parallelism": 2}),
    no("another's Job", job(jobset(), "leader-0")),
    jobset_started(name="workers"),
    yes("started", both(jobset(), spec={"suspend": False})),
    no("suspended so far", both(jobset(), spec={"suspend": True})),
    yes("resumed", both(both(jobset(), spec={"suspend": True}), spec={"suspend": False})),
    jobset_jobs_suspended(count=1, state="suspended"),
    yes("one of two is suspended", both(jobset(), spec={"suspend": True})),
    jobset_jobs_suspended(count=1, state="resumed"),
    no("two are resumed", both(jobset())),
    jobset_jobs_suspended(count=2, state="resumed"),
    no("one is finished", both(jobset(), status=COMPLETE)),
    jobset_job_ended(job="workers-0", end="completed"),
    yes("completed", both(jobset(), status=COMPLETE)),
    jobset_job_ended(job="workers-0", end="failed"),
    no("not failed", both(jobset(), status=COMPLETE)),
    no("no Job to end", jobset()),
    jobset_job_reports(job="workers-0", condition="Complete"),
    yes("Complete", both(jobset(), status=COMPLETE)),
    jobset_job_reports(job="workers-0", condition="FailureTarget"),
    no("another condition", both(jobset(), status=COMPLETE)),
    jobset_job_gone(job="workers-0"),
    yes("not there", job(jobset(), "leader-0")),
    no("there", both(jobset())),
    jobset_selects(job="workers-0", label="zone", value="east"),
    yes("selected", both(jobset(), pod=SELECTING)),
    no("any node", both(jobset())),
    jobset_selects_only(job="workers-0", label="zone", value="east"),
    yes("nothing else", both(jobset(), pod=SELECTING)),
    no("something else", both(jobset(), pod={"nodeSelector": {"zone": "east", "rack": "third"}})),
    jobset_tolerates_only(job="workers-0", name="workers"),
    yes("neither says any", both(jobset())),
    yes("what the template says now", both(changed(TOLERATING), pod=TOLERATING)),
    no("what the template says no more", both(jobset(), pod=TOLERATING)),
    no("what the template said before", both(changed(TOLERATING))),
    no("no Job to say it", jobset()),
)
def test_a_fact_about_jobs_of_a_jobset(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds


@examples(
    jobset_labelled(),
    yes("all labels", both(jobset())),
    no("nothing is labeled", jobset()),
    no("not the pods", both(jobset(), pod_labels={})),
    no("another index", both(jobset(), labels={f"{PREFIX}job-index": "1"})),
    no("of an earlier restart", both(jobset(restarts=1))),
    no("one of two is newer", both(jobset(restarts=1), attempt=1)),
    jobset_indexed(last=1),
    yes("0 and 1", both(jobset())),
    jobset_indexed(last=2),
    no("no 2", both(jobset())),
    jobset_indexed(last=1),
    no("0 twice", both(jobset(), labels={f"{PREFIX}job-global-index": "0"})),
    no("none", both(jobset(), labels={f"{PREFIX}job-global-index": ""})),
    jobset_keyed(),
    yes("two keys", both(jobset())),
    no("one key", both(jobset(), labels={f"{PREFIX}job-key": "leader-0"})),
    no("pods without a key", both(jobset(), pod_labels={})),
    jobset_by_template(),
    yes("as the template says", both(jobset())),
    no("a label is lacking", both(jobset(), labels={"x": ""})),
    no("another backoffLimit", both(jobset(), spec={"backoffLimit": 1})),
    no("of no template", both(jobset(), labels={f"{PREFIX}replicatedjob-name": "nobody"})),
    no("no Job at all", jobset()),
    jobset_coordinated(host="a-leader-0-0.a"),
    yes("all name the coordinator", coordinated("a-leader-0-0.a", "a-leader-0-0.a")),
    no("a Job names another address", coordinated("a-leader-0-0.b", "a-leader-0-0.a")),
    no("the pods name none", coordinated("a-leader-0-0.a", "")),
    no("no coordinator", jobset()),
    jobset_as_now(job="workers-0", name="workers"),
    yes("nothing is said", both(jobset())),
    yes("what the template says now", both(changed(SELECTING), pod=SELECTING)),
    no("what the template said before", both(changed(SELECTING))),
    no("no Job to say it", jobset()),
    jobset_controls(),
    yes("all name it", service(both(jobset()))),
    no("no service yet", both(jobset())),
    yes("with a subdomain of its own", service(both(in_domain("d")), "d")),
    no("the service is of no subdomain", service(both(in_domain("d")))),
    no("it blocks nothing", service(both(jobset(), owner={**OWNER, "blockOwnerDeletion": False}))),
    jobset_service(name="a"),
    yes("headless", service(both(jobset()))),
    no("an address", service(both(jobset()), ip="10.0.0.1")),
    jobset_service(name="b"),
    no("of another name", service(both(jobset()))),
    jobset_service(name="a"),
    no("it selects one of two", service(both(jobset()), labels={f"{PREFIX}replicatedjob-name": "leader"})),
    no("nothing to select", service(jobset())),
    no("two services", service(service(both(jobset())), "b")),
    jobset_publishes(),
    yes("published", service(jobset())),
    no("when ready", service(jobset(), ready_only=True)),
    jobset_service_made(),
    yes("it was there", service(jobset()).removes(SERVICES, "a")),
    no("somebody else's", jobset().stores(SERVICES, "a", {"spec": {}})),
    jobset_subdomain(name="a"),
    yes("in the domain", both(jobset())),
    no("one in another", both(jobset(), pod={"subdomain": "b"})),
    no("without indexes", both(jobset(), spec={"completionMode": "NonIndexed"})),
)
def test_a_fact_about_how_jobs_are_made(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds


ZEROS = {"active": 0, "suspended": 0, "succeeded": 0, "failed": 0}
UNTRUE = condition("Suspended", status="False")


@examples(
    jobset_condition(condition="Completed"),
    yes("completed", jobset("Completed")),
    no("failed", jobset("Failed")),
    no("no JobSet to complete", story()),
    jobset_no_longer(condition="Suspended"),
    yes("resumed", reports(jobset("Suspended"), UNTRUE)),
    no("it never was", jobset(UNTRUE)),
    no("it still is", jobset("Suspended")),
    jobset_transitions(),
    yes(
        "another status, another time",
        reports(
            jobset(condition("Suspended", status="True", at=1)), condition("Suspended", status="False", at=2)
        ),
    ),
    yes(
        "neither changed",
        reports(
            jobset(condition("Suspended", status="True", at=1)), condition("Suspended", status="True", at=1)
        ),
    ),
    no(
        "another status, the same time",
        reports(
            jobset(condition("Suspended", status="True", at=1)), condition("Suspended", status="False", at=1)
        ),
    ),
    no(
        "the same status, another time",
        reports(
            jobset(condition("Suspended", status="True", at=1)), condition("Suspended", status="True", at=2)
        ),
    ),
    no("no JobSet with conditions", story()),
    yes(
        "an older JobSet of its name is another",
        reports(
            jobset(condition("Suspended", status="True", at=1)), condition("Suspended", status="False", at=1)
        )
        .removes(JOBSETS, "a")
        .stores(JOBSETS, "a", {"metadata": {"uid": "again"}, "spec": SPEC}),
    ),
    jobset_restarts(restarts=2, counted=1),
    yes("two, one counted", jobset(restarts=2, restartsCountTowardsMax=1)),
    no("none counted", jobset(restarts=2)),
    jobset_restarts(restarts=0, counted=0),
    no("no JobSet to restart", story()),
    jobset_terminal(state="Failed"),
    yes("both say so", jobset("Failed", terminalState="Failed")),
    no("the condition alone says so", jobset("Failed")),
    no("the state alone", jobset(terminalState="Failed")),
    jobset_reports(name="workers", ready=1, **ZEROS),
    yes("one is ready", counts(ready=1)),
    no("one is active too", counts(ready=1, active=1)),
    no("nothing is counted", jobset()),
    jobset_gone(),
    yes("gone", jobset().removes(JOBSETS, "a")),
    no("it is there", jobset()),
    yes("being deleted", jobset().stores(JOBSETS, "a", {"metadata": GOING, "spec": SPEC})),
    jobset_expired(seconds=2),
    yes("3 s after", ended(after_s=3)),
    no("1 s after", ended(after_s=3, at=2)),
    no("kept", jobset("Completed")),
    jobset_expired(seconds=0),
    no("unfinished", jobset().removes(JOBSETS, "a")),
    jobset_reconciled(),
    yes("a Job", job(jobset(), "leader-0")),
    yes("a status", jobset("Suspended")),
    no("another Job", foreign(jobset())),
    yes("its subdomain", in_domain("d").stores(SERVICES, "d", {"spec": {}})),
    no("another subdomain", in_domain("d").stores(SERVICES, "a", {"spec": {}})),
    jobset_blocked(),
    no("too early", both(jobset(), attempt=1)),
    yes("one after the other"),
    job(job(jobset(), "leader-0").removes(JOBS, "a-leader-0"), "workers-0", attempt=1),
    jobset_foreign_runs(job="other"),
    yes("its pod runs", pod(foreign(jobset()), "other")),
    no("it has no pod", foreign(jobset())),
    jobset_foreign_changed(job="other"),
    yes("suspended too", foreign(foreign(jobset()), suspend=True)),
    yes("deleted", foreign(jobset()).removes(JOBS, "other")),
    no("left alone", foreign(foreign(jobset()))),
)
def test_a_fact_about_the_life_of_a_jobset(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
