"""How the Volcano Jobs and queues of a scenario end: what is stored once everything is at rest.

Compared are whether a Job is there, its phase and whether it has a PodGroup; under way, how many of its
pods are in which phase; once it has finished, how many are unfinished; how many PodGroups there are in
all; the state of the queue. Not compared are names, times, versions, counts of retries, messages and
Events.

What the API leaves open is left out: a pod event that no process observed need not lead to an action
(VOL-035 is a SHOULD), and a Command may be lost with the process that deleted it (VOL-036).
"""

from __future__ import annotations

from collections import Counter

from batchproof.judgement.ends import End, Ends, register
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.profiles.shared.objects.volcano import QUEUES, PodGroup, Queue
from batchproof.profiles.volcano_job.objects import COMMANDS, VOLCANO_JOBS, VolcanoJob, replicas

_FINISHED = frozenset({"Aborted", "Completed", "Failed", "Terminated"})
_UNDER_WAY = frozenset({"Pending", "Running"})
_PHASES = ("Pending", "Running", "Succeeded", "Failed")


def unrest(seen: Observed) -> str:
    """What still has to happen before the Jobs and queues are at rest; empty if nothing has."""
    found = ((job, _unrest(seen, job)) for job in seen.all(VolcanoJob))
    if why := next((f"Volcano Job {job.name} {why}" for job, why in found if why), ""):
        return why
    groups = Counter((it.spec.get("queue"), it.phase.lower()) for it in seen.all(PodGroup))
    for queue in seen.all(Queue):
        counted = {phase: count for (name, phase), count in groups.items() if name == queue.name}
        if queue.state and queue.groups != counted:
            return f"queue {queue.name} counts other PodGroups than there are"
    return ""


def lacks_pods(seen: Observed) -> bool:
    """Some Job whose PodGroup has been admitted has fewer pods than its tasks ask for."""
    return any(_lacking(seen, job) for job in seen.all(VolcanoJob))


def _pods(seen: Observed, job: VolcanoJob) -> list[Pod]:
    return [pod for pod in seen.owned(job).pods.values() if not pod.deleting]


def _groups(seen: Observed, job: VolcanoJob) -> list[PodGroup]:
    return [group for group in seen.all(PodGroup) if group.owned_by(job) and not group.deleting]


def _lacking(seen: Observed, job: VolcanoJob) -> bool:
    admitted = any(group.phase in {"Inqueue", "Running"} for group in _groups(seen, job))
    tasks = job.spec.get("tasks") or []
    wanted = sum(replicas(task) for task in tasks if not task.get("dependsOn"))
    return admitted and job.phase in _UNDER_WAY and len(_pods(seen, job)) < wanted


def _unrest(seen: Observed, job: VolcanoJob) -> str:
    """What a Job still has to do."""
    if job.deleting:
        return "is being deleted"
    if any(pod.deleting for pod in seen.owned(job).pods.values()):
        return "has pods that are being deleted"
    if job.phase in _FINISHED:
        left = [pod for pod in _pods(seen, job) if not pod.finished]
        return f"has pod {left[0].name} still to delete" if left else ""
    return _under_way(seen, job)


def _under_way(seen: Observed, job: VolcanoJob) -> str:
    if job.phase not in _UNDER_WAY:
        return f"is {job.phase}" if job.phase else "has no status yet"
    if not _groups(seen, job):
        return "has no PodGroup"
    if _lacking(seen, job):
        return "lacks pods"
    told = {phase: job.number(phase.lower()) for phase in _PHASES}
    return "" if told == _phases(seen, job) else "reports other counts than its pods have"


def _phases(seen: Observed, job: VolcanoJob) -> dict[str, int]:
    counted = Counter(pod.phase for pod in _pods(seen, job))
    return {phase: counted[phase] for phase in _PHASES}


def ending(seen: Observed) -> End:
    """How all Jobs, PodGroups and queues are now."""
    if not any([*seen.versions(resource)] for resource in (VOLCANO_JOBS, QUEUES)):
        return {}
    jobs = seen.all(VolcanoJob)
    end = {"volcano jobs": ", ".join(sorted(job.name for job in jobs)) or "none"}
    end["podgroups"] = str(sum(not group.deleting for group in seen.all(PodGroup)))
    for job in jobs:
        pods = _pods(seen, job)
        its = {"phase": job.phase, "PodGroups": str(len(_groups(seen, job)))}
        if job.phase in _UNDER_WAY:
            its |= {f"{phase} pods": str(count) for phase, count in _phases(seen, job).items()}
        else:
            its["unfinished pods"] = str(sum(not pod.finished for pod in pods))
        end |= {f"job/{job.name}: {what}": how for what, how in its.items()}
    states = sorted(queue.state for queue in seen.all(Queue) if queue.state)
    return end | {"queues": ", ".join(states)}


def undetermined(seen: Observed) -> str:
    """Why the API does not determine how the Jobs of this history end; empty if it does."""
    if [*seen.versions(COMMANDS)]:
        return "a Command may be lost with the process that deleted it"
    for _, job in seen.versions(VOLCANO_JOBS):
        spec = job.spec
        if spec.get("ttlSecondsAfterFinished") is not None:
            return f"time decides how Volcano Job {job.name} ends"
        if spec.get("policies") or any(task.get("policies") for task in spec.get("tasks") or []):
            return f"policies of Volcano Job {job.name} are about events that need not be observed"
    return ""


register(
    Ends(
        lambda seen: [*seen.all(VolcanoJob), *seen.all(Queue)],
        unrest,
        lacks_pods,
        ending,
        ending,
        undetermined,
        due=frozenset({"volcano_group_exists", "volcano_pods", "volcano_active_pods"}),
    )
)
