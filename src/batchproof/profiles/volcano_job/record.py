"""The profile ``volcano-job``: what Volcano's controllers owe to Jobs, PodGroups and queues."""

from __future__ import annotations

from types import MappingProxyType

from batchproof.cell.scope import Collection
from batchproof.cell.witness import Witness
from batchproof.descriptor.implementation import Implementation
from batchproof.ground.resources import CLAIMS, EVENTS, PODS
from batchproof.judgement.claims import eventually
from batchproof.judgement.finding import Unmet
from batchproof.judgement.history import Json
from batchproof.judgement.values import counted
from batchproof.profiles.records import Profile, Trial, requests
from batchproof.profiles.shared.objects.services import SERVICES
from batchproof.profiles.shared.objects.volcano import PODGROUPS, QUEUES
from batchproof.profiles.volcano_job.facts.jobs import volcano_group_exists
from batchproof.profiles.volcano_job.faults import FAULTS
from batchproof.profiles.volcano_job.model import rules
from batchproof.profiles.volcano_job.normal_pods import NormalPods
from batchproof.profiles.volcano_job.objects import (
    COMMANDS,
    CONFIG_MAPS,
    NETWORK_POLICIES,
    REPLICA_SETS,
    SECRETS,
    STATEFUL_SETS,
    VOLCANO_JOBS,
)
from batchproof.profiles.volcano_job.others import Others
from batchproof.profiles.volcano_job.replacement import Replacement
from batchproof.profiles.volcano_job.requests import VolcanoRequests
from batchproof.profiles.volcano_job.verbs import ONE_POD, Volcano
from batchproof.profiles.volcano_job.words import tasks_of, volcano_job_body
from batchproof.world import World

_COLLECTIONS = (
    Collection(PODS),
    Collection(VOLCANO_JOBS, makes_pods=True),
    Collection(PODGROUPS),
    Collection(COMMANDS),
    Collection(CONFIG_MAPS),
    Collection(SERVICES),
    Collection(SECRETS),
    Collection(NETWORK_POLICIES),
    Collection(CLAIMS),
    Collection(REPLICA_SETS),
    Collection(STATEFUL_SETS),
    Collection(QUEUES, namespaced=False),
    Collection(EVENTS, prompt=False, swept=False),
)


def _small_job(name: str, _: str | None) -> Json:
    """A Volcano Job that asks for a PodGroup: that is made whether or not its queue has room."""
    return volcano_job_body(name, tasks_of(ONE_POD), ONE_POD.settings, queue="default")


def _acts(world: World, implementation: Implementation) -> Trial:
    acts = "it makes a PodGroup for a Volcano Job"
    try:
        Volcano(world).create_plain(1)
        world.claim(eventually(volcano_group_exists(), within="settle"))
    except Unmet:
        advice = (
            f"It made {counted(requests(world), 'request')}, but no PodGroup. Does "
            f"{implementation.descriptor} start the controllers with {{kubeconfig}} and without leader "
            "election, and are Volcano's CRDs in 'control_plane.crds'?"
        )
        return Trial(holds=False, text=acts, advice=advice)
    return Trial(holds=True, text=acts)


PROFILE = Profile(
    name="volcano-job",
    versions_of="Volcano",
    reference="reference-volcano-job",
    variants=("reference-volcano-admission",),
    collections=lambda _: _COLLECTIONS,
    acts=_acts,
    witness=lambda _: Witness(VOLCANO_JOBS, _small_job, shown_by=PODGROUPS),
    verbs=MappingProxyType(
        {
            "volcano": Volcano,
            "normal_pods": NormalPods,
            "requests": VolcanoRequests,
            "replacement": Replacement,
            "others": Others,
        }
    ),
    rules=rules.begin,
    faults=FAULTS,
    drafted=("control_plane:", "  crds: [crds/volcano.yaml]  # that of batchproof; or your own file"),
    watches=("pods", "jobs.batch.volcano.sh"),
)
