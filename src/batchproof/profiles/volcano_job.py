"""The profile ``volcano-job``: what Volcano's controllers owe to Jobs, PodGroups and queues."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from batchproof.cell.scope import Collection
from batchproof.cell.witness import Witness
from batchproof.exploration import volcano_jobs
from batchproof.judgement.claims import eventually
from batchproof.judgement.facts.volcano import volcano_group_exists
from batchproof.judgement.finding import Unmet
from batchproof.judgement.things.tfjob import SERVICES
from batchproof.judgement.things.volcano import (
    COMMANDS,
    CONFIG_MAPS,
    NETWORK_POLICIES,
    PODGROUPS,
    QUEUES,
    REPLICA_SETS,
    SECRETS,
    VOLCANO_JOBS,
)
from batchproof.profiles.profile import Profile, Trial, requests
from batchproof.resources import CLAIMS, EVENTS, PODS
from batchproof.world.volcano import Volcano
from batchproof.world.volcano_words import tasks_in, volcano_job_body

if TYPE_CHECKING:
    from batchproof.descriptor.implementation import Implementation
    from batchproof.judgement.history import Json
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
    Collection(QUEUES, namespaced=False),
    Collection(EVENTS, prompt=False, swept=False),
)


def _small_job(name: str, _: str | None) -> Json:
    """A Volcano Job that asks for a PodGroup: that is made whether or not its queue has room."""
    return volcano_job_body(name, tasks_in("1 pod"), queue="default", minAvailable=1)


def _acts(world: World, implementation: Implementation) -> Trial:
    acts = "it makes a PodGroup for a Volcano Job"
    try:
        Volcano(world).create_plain(1)
        world.claim(eventually(volcano_group_exists(), within="settle"))
    except Unmet:
        advice = (
            f"It made {requests(world)} requests, but no PodGroup. Does {implementation.descriptor} start "
            "the controllers with {kubeconfig} and without leader election, and are Volcano's CRDs in "
            "'control_plane.crds'?"
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
    verbs=MappingProxyType({"volcano": Volcano}),
    rules=volcano_jobs.begin,
)
