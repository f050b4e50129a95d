"""What is wrong with a Job that a user asks for, or with a change of one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from reference_controller.volcano import plugins
from reference_controller.volcano.admission.objects import AskedJob, AskedTask
from reference_controller.volcano.admission.policies import wrong_policies

if TYPE_CHECKING:
    from collections.abc import Iterator


def wrong_job(job: AskedJob, queue_state: str | None) -> Iterator[str]:
    """VOL-010: what is wrong with a new Job, whose queue is in this state; None: there is no such queue."""
    yield from wrong_counts(job)
    if not job.tasks:
        yield "a Job needs a task"
    names = Counter(task.name for task in job.tasks)
    yield from (f"several tasks are named {name}" for name, count in names.items() if count > 1)
    for task in job.tasks:
        yield from wrong_policies(task.policies)
        yield from _wrong_template(task)
    yield from wrong_policies(job.policies)
    yield from (f"there is no plugin {name}" for name in job.plugins if name not in plugins.NAMES)
    if _in_a_circle(job):
        yield "tasks wait for each other"
    yield from _wrong_queue(job, queue_state)


def wrong_counts(job: AskedJob) -> Iterator[str]:
    """VOL-010, VOL-011: minima are no more than there are pods, and nothing is negative."""
    if job.minimum < 0:
        yield f"minAvailable is negative: {job.minimum}"
    if job.minimum > job.replicas:
        yield f"minAvailable is {job.minimum}, of {job.replicas} pods"
    for task in job.tasks:
        if task.minimum < 0 or task.replicas < 0:
            yield f"task {task.name}: replicas and minAvailable may not be negative"
        if task.minimum > task.replicas:
            yield f"task {task.name}: minAvailable is {task.minimum}, of {task.replicas} pods"


def _wrong_template(task: AskedTask) -> Iterator[str]:
    if not task.images:
        yield f"task {task.name}: its pods have no container"
    if not all(task.images):
        yield f"task {task.name}: a container has no image"


def _wrong_queue(job: AskedJob, state: str | None) -> Iterator[str]:
    """VOL-008, VOL-056: a Job is taken into a queue that is there, and Open."""
    if state is None:
        yield f"there is no queue {job.queue}"
    elif state != "Open":
        yield f"the queue {job.queue} is not Open, but {state}"


def _in_a_circle(job: AskedJob) -> bool:
    """VOL-010: some tasks can never begin, whatever becomes of the others."""
    waiting = {task.name: set(task.depends_on) for task in job.tasks}
    while free := [name for name, others in waiting.items() if not others & waiting.keys()]:
        for name in free:
            del waiting[name]
    return bool(waiting)
