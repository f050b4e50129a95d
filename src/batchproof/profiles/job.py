"""The profile ``job``: what a controller of batch/v1 Jobs owes its users."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.cell.scope import BASICS
from batchproof.judgement.claims import eventually
from batchproof.judgement.facts.pods import active_pods
from batchproof.judgement.finding import Unmet
from batchproof.profiles.profile import Profile, Trial, requests
from batchproof.world import JOB

if TYPE_CHECKING:
    from batchproof.descriptor.implementation import Implementation
    from batchproof.world import World


def _acts(world: World, implementation: Implementation) -> Trial:
    acts = "it creates a pod for a Job"
    try:
        world.create_job(completions=1)
        world.claim(eventually(active_pods(job=JOB, at_least=1), within="settle"))
    except Unmet:
        advice = (
            f"It made {requests(world)} requests, but no pod. Does {implementation.descriptor} start the Job "
            "controller, with {kubeconfig}, for all namespaces, without leader election?"
        )
        return Trial(holds=False, text=acts, advice=advice)
    return Trial(holds=True, text=acts)


PROFILE = Profile(name="job", reference="reference", collections=lambda _: BASICS, acts=_acts)
