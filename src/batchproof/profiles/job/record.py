"""The profile ``job``: what a controller of batch/v1 Jobs owes its users."""

from __future__ import annotations

from types import MappingProxyType

from batchproof.cell.witness import Witness
from batchproof.descriptor.implementation import Implementation
from batchproof.ground.resources import JOBS, PODS, SIMULATED_SCHEDULER
from batchproof.judgement.claims import eventually
from batchproof.judgement.finding import Unmet
from batchproof.judgement.history import Json
from batchproof.judgement.values import counted
from batchproof.profiles.job.built_in import APART, CONTROLLERS, PROBES, beside
from batchproof.profiles.job.facts.pods import active_pods
from batchproof.profiles.job.faults import FAULTS
from batchproof.profiles.job.model import rules
from batchproof.profiles.job.specs import JobSpec
from batchproof.profiles.job.verbs import Jobs
from batchproof.profiles.records import Profile, Trial, requests
from batchproof.profiles.shared.collections import WITH_JOBS
from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.verbs import Pods
from batchproof.world import World


def _acts(world: World, implementation: Implementation) -> Trial:
    acts = "it creates a pod for a Job"
    try:
        world.verbs(Jobs).create_job(JobSpec.of(completions=1))
        world.claim(eventually(active_pods(job=JOB, at_least=1), within="settle"))
    except Unmet:
        advice = (
            f"It made {counted(requests(world), 'request')}, but no pod. Does {implementation.descriptor} "
            "start the Job controller, with {kubeconfig}, for all namespaces, without leader election?"
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
    collections=lambda _: WITH_JOBS,
    acts=_acts,
    witness=lambda _: Witness(JOBS, _small_job, shown_by=PODS, apart=APART),
    verbs=MappingProxyType({"jobs": Jobs, "pods": Pods}),
    given=MappingProxyType({"deadline_punctual": lambda world: {"scale": world.scale}}),
    rules=rules.begin,
    variants=("reference-managed-by",),
    faults=FAULTS,
    built_in=CONTROLLERS,
    beside=beside,
    probes=PROBES,
)
