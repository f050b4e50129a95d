"""How child Jobs are called, and which labels and annotations they and their pods carry."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from reference_controller.jobset.objects import JobSet, ReplicatedJob

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "jobset.sigs.k8s.io/"
JOBSET_NAME = f"{PREFIX}jobset-name"
REPLICATED_JOB = f"{PREFIX}replicatedjob-name"
ATTEMPT = f"{PREFIX}restart-attempt"

EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology"
"""The annotation by which each child Job asks for a topology domain of its own."""
NODE_SELECTOR = "alpha.jobset.sigs.k8s.io/node-selector"
"""The annotation that says that nodes are labeled with the Job that they are for."""
NAMESPACED_JOB = "alpha.jobset.sigs.k8s.io/namespaced-job"
NO_SCHEDULE = "alpha.jobset.sigs.k8s.io/no-schedule"


def job_name(jobset: JobSet, of: ReplicatedJob, index: int) -> str:
    """JST-001: <jobset>-<replicated job>-<index>."""
    return f"{jobset.name}-{of.name}-{index}"


def labels(jobset: JobSet, of: ReplicatedJob, index: int) -> dict[str, str]:
    """JST-002, JST-003, JST-004: those of a child Job and of its pods, which are annotations as well."""
    key = f"{jobset.namespace}/{job_name(jobset, of, index)}"
    own = {
        JOBSET_NAME: jobset.name,
        REPLICATED_JOB: of.name,
        ATTEMPT: str(jobset.status.restarts),
        f"{PREFIX}replicatedjob-replicas": str(of.replicas),
        f"{PREFIX}global-replicas": str(sum(it.replicas for it in jobset.replicated_jobs)),
        f"{PREFIX}job-index": str(index),
        f"{PREFIX}job-global-index": str(_before(jobset, of) + index),
        f"{PREFIX}job-key": hashlib.sha1(key.encode(), usedforsecurity=False).hexdigest(),
    }
    return {**own, f"{PREFIX}coordinator": coordinator(jobset)} if jobset.coordinator else own


def _before(jobset: JobSet, of: ReplicatedJob) -> int:
    """The number of child Jobs of the replicated jobs that are listed before this one."""
    names = [it.name for it in jobset.replicated_jobs]
    return sum(it.replicas for it in jobset.replicated_jobs[: names.index(of.name)])


def coordinator(jobset: JobSet) -> str:
    """The host name of the pod that leads; "" if none does."""
    leader = jobset.coordinator
    if leader is None:
        return ""
    host = f"{jobset.name}-{leader.replicated_job}-{leader.job_index}-{leader.pod_index}"
    return f"{host}.{jobset.subdomain}"


def placement(jobset: JobSet, of: ReplicatedJob) -> dict[str, str]:
    """The annotations about exclusive placement: those of the template, or else those of the JobSet."""
    found: dict[str, str] = {}
    template = (of.template.get("metadata") or {}).get("annotations") or {}
    for said in (jobset.annotations, template):
        found |= _placement(said)
    return found


def _placement(said: Mapping[str, str]) -> dict[str, str]:
    if EXCLUSIVE not in said:
        return {}
    return {key: said[key] for key in (EXCLUSIVE, NODE_SELECTOR) if key in said}
