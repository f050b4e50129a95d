"""The phrase of a Job."""

from __future__ import annotations

from batchproof.judgement.phrase import Part, Phrase
from batchproof.profiles.job.specs import JobSpec

A_JOB = Phrase(
    "a_job",
    JobSpec,
    "{kinds:job_kinds}Job{name:job_name}",
    (
        Part("is created", silent=True),
        Part("of a parent", {"parent": "JobSet"}),
        Part("of a CronJob", {"parent": "CronJob"}),
        Part("with a template in its Workload", {"delegated": True}, ", "),
        Part("that another controller manages", {"manager": "another controller"}),
        Part("that names {manager:manager}"),
        Part("whose pod template says much", {"much": True}),
        Part("whose pod template names a group", {"grouped": True}),
        Part("whose pods are a gang", {"gang": 0}),
        Part("whose pods are a gang of {gang:d}"),
        Part("whose pods have {pods_have:pods_have}"),
        Part("with {settings:job_settings}"),
        Part("where {rules:job_rules}", before=", "),
    ),
)
"""``a suspended Job b with 3 completions and parallelism 2, where exit code 42 means FailJob``."""
