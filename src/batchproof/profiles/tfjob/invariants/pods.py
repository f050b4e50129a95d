"""Invariants of TFJobs: how their pods and services are made."""

from __future__ import annotations

from batchproof.judgement.finding import Finding
from batchproof.judgement.invariants.rule import against
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.values import in_words, said
from batchproof.profiles.shared.changes import ObjectChange, Past, about
from batchproof.profiles.shared.objects.services import Service
from batchproof.profiles.tfjob.facts.made import ROLE, labelled, tf_config
from batchproof.profiles.tfjob.facts.tfjobs import PREFIX
from batchproof.profiles.tfjob.objects import TFJob


def made_for(past: Past, change: ObjectChange[Pod] | ObjectChange[Service]) -> TFJob | None:
    """The TFJob for which the implementation creates a pod or a service."""
    made = change.created and past.made(change.now)
    return past.owner(TFJob, change.now) if made else None


@about("TFJ-001", Pod)
def named_as_replica(past: Past, change: ObjectChange[Pod]) -> Finding | None:
    """TFJ-001: each pod has the name of a replica, by some spec that the TFJob has had."""
    if not (job := made_for(past, change)):
        return None
    if any(it.has_replica(change.now.name) for it in past.specs(job)):
        return None
    return against(change.now, expected="the name of a replica", observed=said("{pod}", pod=change.now.name))


@about("TFJ-003", Pod, Service)
def labelled_as_replica(past: Past, change: ObjectChange[Pod] | ObjectChange[Service]) -> Finding | None:
    """TFJ-003: each pod and service has the labels of its replica, and one replica is the master."""
    if not (job := made_for(past, change)):
        return None
    it = change.now
    labels = it.metadata.get("labels") or {}
    leads = f"{job.name}-{_leader(job)}-0" == it.name
    master = labels.get(ROLE) == "master"
    if labelled(it, job) and (master == leads or isinstance(it, Service)):
        return None
    return against(it, expected=f"the labels of {it.name}", observed=in_words(labels))


def _leader(job: TFJob) -> str:
    return next((kind for kind in ("chief", "master") if kind in job.replicas), "worker")


@about("TFJ-021", Pod)
def restarted_as_its_type(past: Past, change: ObjectChange[Pod]) -> Finding | None:
    """TFJ-021: each pod has the restartPolicy of its type; Never for ExitCode, and where none is set."""
    if not (job := made_for(past, change)):
        return None
    kind = change.now.labels.get(f"{PREFIX}replica-type", "")
    told = {it.restart_policy(kind) for it in past.specs(job)}
    wanted = {"Never" if policy == "ExitCode" else policy for policy in told}
    if (has := change.now.spec.get("restartPolicy")) in wanted:
        return None
    return against(change.now, expected=f"restartPolicy {in_words(wanted)}", observed=in_words(has))


@about("TFJ-041", Pod, Service)
def nothing_made_while_suspended(
    past: Past, change: ObjectChange[Pod] | ObjectChange[Service]
) -> Finding | None:
    """TFJ-041: nothing is created for a TFJob that has been suspended since its creation."""
    if not (job := made_for(past, change)) or not all(it.suspended for it in past.specs(job)):
        return None
    observed = f"{change.now.name} created"
    return against(change.now, expected="no pod and no service while it is suspended", observed=observed)


@about("TFJ-006", Pod)
def alone_without_config(past: Past, change: ObjectChange[Pod]) -> Finding | None:
    """TFJ-006: the only replica of a TFJob has no TF_CONFIG, and one of several has one."""
    if not (job := made_for(past, change)):
        return None
    config = tf_config(change.now)
    several = {sum(it.replicas.values()) > 1 for it in past.specs(job)}
    if (config is not None) in several:
        return None
    expected = "a TF_CONFIG" if True in several else "no TF_CONFIG"
    return against(change.now, expected=expected, observed=in_words(config))


@about("TFJ-002", Service)
def services_headless(past: Past, change: ObjectChange[Service]) -> Finding | None:
    """TFJ-002: each service is headless, has the name of a replica and selects by its type and index."""
    if not (job := made_for(past, change)):
        return None
    it = change.now
    chosen = it.selector.get(f"{PREFIX}replica-type"), it.selector.get(f"{PREFIX}replica-index")
    if it.headless and it.name == "-".join(map(str, (job.name, *chosen))):
        return None
    address = "headless" if it.headless else f"address {in_words(it.spec.get('clusterIP'))}"
    observed = f"{address}, selects {in_words(it.selector)}"
    return against(it, expected="a headless service of one replica", observed=observed)
