"""How the replicas of a TFJob are called, and which labels they carry."""

from __future__ import annotations

from reference_controller.tfjob.objects import COSCHEDULING, MASTERS, VOLCANO, GangScheduler, Replica, TFJob

PREFIX = "training.kubeflow.org/"
JOB_NAME = f"{PREFIX}job-name"


def replica_name(job: TFJob, replica: Replica) -> str:
    """TFJ-001: <job>-<type>-<index>; the pod and the service of a replica have the same name."""
    return f"{job.name}-{replica.spec.kind}-{replica.index}"


def selector(job_name: str) -> dict[str, str]:
    """TFJ-003: the labels of all that belongs to a TFJob of that name."""
    return {f"{PREFIX}operator-name": "tfjob-controller", JOB_NAME: job_name}


def labels(job: TFJob, replica: Replica) -> dict[str, str]:
    """TFJ-003: whose replica it is, and which one."""
    return {
        **selector(job.name),
        f"{PREFIX}replica-type": replica.spec.kind,
        f"{PREFIX}replica-index": str(replica.index),
    }


def pod_labels(job: TFJob, replica: Replica) -> dict[str, str]:
    """TFJ-003: those of the pod say, too, whether it is the master."""
    role = {f"{PREFIX}job-role": "master"} if _leads(job, replica) else {}
    return {**labels(job, replica), **role}


def _leads(job: TFJob, replica: Replica) -> bool:
    if any(spec.kind in MASTERS for spec in job.specs):
        return replica.spec.kind in MASTERS
    return (replica.spec.kind, replica.index) == ("worker", 0)


def group_labels(job: TFJob, gang: GangScheduler | None) -> dict[str, str]:
    """TFJ-046: how pods name their PodGroup to the scheduler of scheduler-plugins."""
    return {"scheduling.x-k8s.io/pod-group": job.name} if gang is COSCHEDULING else {}


def group_annotations(job: TFJob, replica: Replica, gang: GangScheduler | None) -> dict[str, str]:
    """TFJ-046: how pods name their PodGroup and task to Volcano."""
    if gang is not VOLCANO:
        return {}
    return {"scheduling.k8s.io/group-name": job.name, "volcano.sh/task-spec": replica.spec.kind}
