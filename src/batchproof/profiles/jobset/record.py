"""The profile ``jobset``: what a controller of JobSets owes its users."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from batchproof.cell.scope import Collection
from batchproof.cell.witness import Witness
from batchproof.descriptor.implementation import Implementation
from batchproof.ground.resources import EVENTS, JOBS, PODS
from batchproof.judgement.claims import eventually
from batchproof.judgement.finding import Unmet
from batchproof.judgement.history import Json
from batchproof.judgement.values import counted
from batchproof.profiles.jobset.bodies import jobset_body
from batchproof.profiles.jobset.facts.jobs import jobset_jobs
from batchproof.profiles.jobset.objects import JOBSETS
from batchproof.profiles.jobset.others import JobSetOthers
from batchproof.profiles.jobset.specs import JobSetSpec
from batchproof.profiles.jobset.verbs import JobSets
from batchproof.profiles.records import Profile, Trial, requests
from batchproof.profiles.shared.objects.services import SERVICES
from batchproof.world import World

_COLLECTIONS = (
    Collection(PODS),
    Collection(JOBSETS, makes_pods=True),
    Collection(JOBS, makes_pods=True),
    Collection(SERVICES),
    Collection(EVENTS, prompt=False, swept=False),
)
_ONE_JOB = JobSetSpec(replicas=(("workers", 1),))


def _small_jobset(name: str, _: str | None) -> Json:
    """A suspended JobSet that asks for one Job."""
    return jobset_body(name, replace(_ONE_JOB, suspended=True, host_names=False))


def _acts(world: World, implementation: Implementation) -> Trial:
    acts = "it makes a Job for a JobSet of one replica"
    try:
        JobSets(world).create(_ONE_JOB)
        world.claim(eventually(jobset_jobs(jobs=["workers-0"]), within="settle"))
    except Unmet:
        advice = (
            f"It made {counted(requests(world), 'request')}, but no Job of the prescribed name. Does "
            f"{implementation.descriptor} start the controller with {{kubeconfig}} and without leader "
            "election, and is the definition of JobSets in 'control_plane.crds'?"
        )
        return Trial(holds=False, text=acts, advice=advice)
    return Trial(holds=True, text=acts)


PROFILE = Profile(
    name="jobset",
    versions_of="JobSet",
    reference="reference-jobset",
    collections=lambda _: _COLLECTIONS,
    acts=_acts,
    witness=lambda _: Witness(JOBSETS, _small_jobset, shown_by=JOBS),
    verbs=MappingProxyType({"jobsets": JobSets, "jobset_others": JobSetOthers}),
    drafted=("control_plane:", "  crds: [crds/jobset.yaml]  # that of batchproof; or your own file"),
    watches=("jobsets", "jobs"),
)
