"""Steps about Jobs that are suspended and resumed.

The user's part is in the steps of Jobs: ``the user suspends the Job``, ``the user resumes the Job``.
"""

from __future__ import annotations

from pytest_bdd import given

from batchproof.judgement.claims import eventually
from batchproof.profiles.job.verbs import Jobs
from batchproof.profiles.shared.facts.suspension import job_suspended
from batchproof.profiles.shared.names import JOB
from batchproof.world import World


@given("the user has suspended the Job")
def user_has_suspended(world: World, jobs: Jobs) -> None:
    jobs.patch_job(JOB, suspend=True)
    world.claim(eventually(job_suspended(job=JOB)))
