"""The phrases of a Volcano Job: its tasks, and the Job."""

from __future__ import annotations

from typing import get_args

from batchproof.judgement.phrase import Part, Phrase
from batchproof.judgement.template import KINDS, ArgumentKind, add, listed
from batchproof.profiles.volcano_job.specs import Containers, TaskSpec, VolcanoJobSpec
from batchproof.profiles.volcano_job.words import apart

TASK_PODS = Phrase(
    "task_pods",
    TaskSpec,
    "{count:d} [pod|pods]",
    (
        Part("of task {name:task_name}"),
        Part("of {priority:task_priority} priority"),
        Part("requesting {cpus:d} [CPU|CPUs]"),
        *(Part(words, {"containers": words}) for words in get_args(Containers) if words),
        Part("annotated like a pod of another Job", {"foreign": True}),
        Part("of which {must:d} must succeed"),
        Part("after {after:task_names}"),
    ),
)
"""``2 pods of task worker requesting 1 CPU after ps``."""

_ONE = KINDS["task_pods"].pattern
add(
    {
        "job_tasks": ArgumentKind(
            f"(?:{_ONE})(?:(?:, | and )(?:{_ONE}))*",
            lambda text: tuple(TASK_PODS.read(one) for one in apart(_ONE, text)),
            lambda tasks: listed([TASK_PODS.write(one) for one in tasks]),
        )
    }
)

VOLCANO_JOB = Phrase(
    "a_volcano_job",
    VolcanoJobSpec,
    "a Volcano Job",
    (Part("of {tasks:job_tasks}"), Part("with {settings:volcano_settings}")),
)
"""``a Volcano Job of 1 pod of task ps and 2 pods of task worker after ps with minAvailable 2``."""
