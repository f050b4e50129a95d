"""What the PodGroup of a Volcano Job asks for before it is let in."""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING

from reference_controller.volcano.objects import Job

if TYPE_CHECKING:
    from collections.abc import Mapping


def min_resources(job: Job, priorities: Mapping[str, int]) -> dict[str, int]:
    """VOL-003: the sum of what the first minAvailable pods ask for, in whole units of each resource.

    The pods of tasks with a higher priority come first; where the minimum allows it, those that every task
    needs come before all others.

    Args:
        job: the Job.
        priorities: what the names of priorities are worth.
    """
    tasks = sorted(job.tasks, key=lambda task: -priorities.get(task.priority_class, 0))
    if job.min_available < sum(task.minimum for task in tasks):
        order = chain.from_iterable(repeat(task, task.replicas) for task in tasks)
    else:
        needed = chain.from_iterable(repeat(task, task.minimum) for task in tasks)
        order = chain(
            needed, chain.from_iterable(repeat(task, task.replicas - task.minimum) for task in tasks)
        )
    total: Counter[str] = Counter()
    for task in islice(order, job.min_available):
        total.update(task.requests)
    return dict(total)
