"""The sentences of verbs that random programs say too: written by the model, read by the steps."""

from __future__ import annotations

from batchproof.judgement.template import Template

JOB_IS = Template("{job:a_job}")
JOB_CHANGED = Template("{name:job} is changed to {settings:job_settings}")
JOB_SUSPENDED = Template("the user suspends {job:job}")
JOB_RESUMED = Template("the user resumes {job:job}")
JOB_LABELED = Template("another client labels {name:job}")
JOB_DELETED = Template("the user deletes {name:job}{propagation:propagation}")
