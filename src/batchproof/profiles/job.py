"""The profile ``job``: what a controller of batch/v1 Jobs owes its users."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.cell.scope import BASICS
from batchproof.cell.witness import Witness
from batchproof.exploration import jobs
from batchproof.judgement.claims import eventually
from batchproof.judgement.facts.pods import active_pods
from batchproof.judgement.finding import Unmet
from batchproof.labels import SIMULATED_SCHEDULER
from batchproof.profiles.profile import Profile, Trial, requests
from batchproof.resources import JOBS, PODS
from batchproof.world import JOB

if TYPE_CHECKING:
    from batchproof.descriptor.implementation import Implementation
    from batchproof.judgement.history import Json
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


def _small_job(name: str, manager: str | None) -> Json:
    """A Job that wants one pod."""
    container = {"name": "main", "image": "batchproof.dev/simulated"}
    pod = {"restartPolicy": "Never", "schedulerName": SIMULATED_SCHEDULER, "containers": [container]}
    spec: Json = {"template": {"spec": pod}} | ({"managedBy": manager} if manager else {})
    return {
        "apiVersion": JOBS.api_version,
        "kind": "Job",
        "metadata": {"name": name},
        "spec": spec,
    }


PROFILE = Profile(
    name="job",
    reference="reference",
    collections=lambda _: BASICS,
    acts=_acts,
    witness=lambda _: Witness(JOBS, _small_job, shown_by=PODS),
    rules=jobs.begin,
    variants=("reference-managed-by",),
)
