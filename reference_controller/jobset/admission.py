"""What is filled into a JobSet that a user asks for, and what is wrong with it, or with a change of one.

Source: the API comments of sigs.k8s.io/jobset, api/jobset/v1alpha2.
"""

from __future__ import annotations

import re
from collections import Counter
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from reference_controller.jobset import api_json
from reference_controller.jobset.names import job_name
from reference_controller.jobset.objects import JobSet, ReplicatedJob

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Json = dict[str, Any]

FAILURE_REASONS = frozenset(
    {
        "BackoffLimitExceeded",
        "DeadlineExceeded",
        "FailedIndexes",
        "MaxFailedIndexesExceeded",
        "PodFailurePolicy",
    }
)
"""Why a Job fails: the reasons of its condition Failed (k8s.io/api, batch/v1)."""

_LABEL = re.compile(r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?")
"""RFC 1035: the names of Services and of the hosts of pods."""
_PATH = re.compile(r"[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[A-Za-z0-9/\-._~%!$&'()*+,;=:]+")
_LONGEST_MANAGER = 63
_RULE_NAME = re.compile(r"[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?")
_LONGEST_RULE_NAME = 128
_POD_SUFFIX = "-abcde"
"""As long as what the Job controller adds to the name of a pod with an index."""
_MARKS = ("labels", "annotations")


def with_defaults(raw: Json) -> Json:
    """The spec with what its user left open."""
    spec: Json = {
        "successPolicy": {"operator": "All"},
        "startupPolicy": {"startupPolicyOrder": "AnyOrder"},
        **raw["spec"],
    }
    network = {"enableDNSHostnames": True, "publishNotReadyAddresses": True, **(spec.get("network") or {})}
    spec["network"] = network
    spec["replicatedJobs"] = [_replicated_job(it) for it in spec.get("replicatedJobs") or ()]
    if policy := spec.get("failurePolicy"):
        rules = [{"name": f"failurePolicyRule{at}", **it} for at, it in enumerate(policy.get("rules") or ())]
        spec["failurePolicy"] = {**policy, "rules": rules} if rules else policy
    return spec


def _replicated_job(raw: Json) -> Json:
    filled = deepcopy(raw)
    job = filled["template"].get("spec") or {}
    job.setdefault("completionMode", "Indexed")
    if (pods := job.get("template", {}).get("spec")) is not None:
        pods.setdefault("restartPolicy", "OnFailure")
    return filled


def wrong_jobset(raw: Json) -> Iterator[str]:
    """All that keeps a new JobSet from being stored."""
    jobset = api_json.read_jobset(_as_stored(raw))
    yield from _wrong_names(jobset)
    before: list[str] = []
    for spec in jobset.replicated_jobs:
        before.append(spec.name)
        unknown = [it.name for it in spec.depends_on if it.name not in before[:-1]]
        yield from (f"{spec.name} depends on {name}, which is not listed before it" for name in unknown)
    yield from _unknown(jobset, jobset.success_policy.targets, "the success policy")
    yield from _wrong_rules(jobset, (raw["spec"].get("failurePolicy") or {}).get("rules") or ())
    yield from _wrong_coordinator(jobset)


def _as_stored(raw: Json) -> Json:
    """With what the API server adds to metadata: one that is to be created has none of it."""
    generated = raw["metadata"].get("generateName", "") + "abcde"
    return {**raw, "metadata": {"name": generated, "uid": "", "resourceVersion": "0", **raw["metadata"]}}


def _wrong_names(jobset: JobSet) -> Iterator[str]:
    if jobset.network.subdomain and not _LABEL.fullmatch(jobset.network.subdomain):
        yield f"the subdomain {jobset.network.subdomain!r} is no name of a Service"
    manager = jobset.managed_by
    if len(manager) > _LONGEST_MANAGER or not _PATH.fullmatch(manager):
        yield f"managedBy {manager!r} is no path with a domain, such as example.com/controller"
    for spec in jobset.replicated_jobs:
        longest = job_name(jobset, spec, max(spec.replicas - 1, 0))
        pods = spec.template.get("spec", {}).get("completions")
        pod = longest if pods is None else f"{longest}-{pods - 1}{_POD_SUFFIX}"
        if not _LABEL.fullmatch(longest) or not _LABEL.fullmatch(pod):
            yield f"{pod!r} is no name of a host: letters, digits and hyphens, a letter first, at most 63"


def _unknown(jobset: JobSet, names: Iterable[str], who: str) -> Iterator[str]:
    known = {spec.name for spec in jobset.replicated_jobs}
    yield from (f"{who} names {name}, which is no replicated job" for name in names if name not in known)


def _wrong_rules(jobset: JobSet, rules: Iterable[Json]) -> Iterator[str]:
    names = Counter(rule.get("name", "") for rule in rules)
    for name, count in names.items():
        if count > 1:
            yield f"several rules of the failure policy are named {name!r}"
        if len(name) > _LONGEST_RULE_NAME or not _RULE_NAME.fullmatch(name):
            yield f"{name!r} is no name of a rule"
    for rule in jobset.failure_policy.rules if jobset.failure_policy else ():
        yield from _unknown(jobset, rule.targets, "a rule of the failure policy")
        yield from (f"no Job fails because of {it}" for it in rule.reasons if it not in FAILURE_REASONS)


def _wrong_coordinator(jobset: JobSet) -> Iterator[str]:
    leader = jobset.coordinator
    if leader is None:
        return
    spec = jobset.replicated_job(leader.replicated_job)
    if spec is None:
        yield f"the coordinator is of {leader.replicated_job}, which is no replicated job"
    elif not 0 <= leader.job_index < spec.replicas:
        yield f"the coordinator is of Job {leader.job_index} of {spec.replicas}"
    elif not 0 <= leader.pod_index < _indexes(spec):
        yield f"the coordinator is pod {leader.pod_index} of {_indexes(spec)} with an index"


def _indexes(spec: ReplicatedJob) -> int:
    """How many pods of a Job have an index of their own."""
    job = spec.template.get("spec") or {}
    return int(job.get("completions") or 0) if job.get("completionMode") == "Indexed" else 0


def wrong_change(old: Json, new: Json) -> Iterator[str]:
    """All that keeps a change from being stored: what the definition itself does not refuse.

    While the JobSet is suspended, or is being suspended or resumed, the labels, annotations and scheduling
    directives of its pods may change.
    """
    if old["spec"].get("managedBy") != new["spec"].get("managedBy"):
        yield "managedBy may not change"
    suspended = bool(old["spec"].get("suspend") or new["spec"].get("suspend"))
    if _fixed(old, suspended=suspended) != _fixed(new, suspended=suspended):
        yield "replicatedJobs may not change, except for where pods of a suspended JobSet run"


def _fixed(raw: Json, *, suspended: bool) -> list[Json]:
    """The replicated jobs without what may change."""
    jobs: list[Json] = deepcopy(raw["spec"].get("replicatedJobs") or [])
    if suspended:
        for pods in (job["template"]["spec"]["template"] for job in jobs):
            metadata = {key: it for key, it in (pods.get("metadata") or {}).items() if key not in _MARKS}
            spec = {key: it for key, it in pods["spec"].items() if key not in api_json.DIRECTIVES}
            pods |= {"metadata": metadata, "spec": spec}
    return jobs
