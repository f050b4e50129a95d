"""The profile ``tfjob``: what a training operator owes to TFJobs."""

from __future__ import annotations

from types import MappingProxyType

from batchproof.cell.scope import Collection
from batchproof.cell.witness import Witness
from batchproof.descriptor.implementation import Implementation
from batchproof.ground.resources import EVENTS, PODS
from batchproof.judgement.claims import eventually
from batchproof.judgement.finding import Unmet
from batchproof.judgement.history import Json
from batchproof.judgement.values import counted
from batchproof.profiles.records import Profile, Trial, requests
from batchproof.profiles.shared.objects.coscheduling import COSCHEDULING_GROUPS
from batchproof.profiles.shared.objects.services import SERVICES
from batchproof.profiles.shared.objects.volcano import PODGROUPS
from batchproof.profiles.tfjob.facts.tfjobs import tfjob_pods
from batchproof.profiles.tfjob.faults import FAULTS
from batchproof.profiles.tfjob.model import rules
from batchproof.profiles.tfjob.objects import TFJOBS
from batchproof.profiles.tfjob.others import TFJobOthers
from batchproof.profiles.tfjob.requests import TFJobRequests
from batchproof.profiles.tfjob.specs import TFJobSpec
from batchproof.profiles.tfjob.verbs import TFJobs, tfjob_body
from batchproof.world import World

_COLLECTIONS = (
    Collection(PODS),
    Collection(TFJOBS, makes_pods=True),
    Collection(SERVICES),
    Collection(EVENTS, prompt=False, swept=False),
)
_GROUPS = {"VolcanoPodGroups": PODGROUPS, "CoschedulingPodGroups": COSCHEDULING_GROUPS}
"""The PodGroups of a TFJob, by the capability of the controller that creates them."""


_ONE_WORKER = TFJobSpec(replicas=(("Worker", 1),))


def _collections(implementation: Implementation) -> tuple[Collection, ...]:
    groups = (Collection(it) for name, it in _GROUPS.items() if implementation.declares(name))
    return (*_COLLECTIONS, *groups)


def _witness(implementation: Implementation) -> Witness:
    """Pods of Volcano wait for its scheduler, which plays in scenarios only: there a PodGroup is enough."""
    waits = implementation.declares("VolcanoPodGroups")
    return Witness(TFJOBS, _small_tfjob, shown_by=PODGROUPS if waits else PODS)


def _small_tfjob(name: str, _: str | None) -> Json:
    """A TFJob that asks for one pod."""
    return tfjob_body(name, _ONE_WORKER)


def _acts(world: World, implementation: Implementation) -> Trial:
    acts = "it makes a pod for a TFJob of one Worker"
    try:
        TFJobs(world).create(_ONE_WORKER)
        world.claim(eventually(tfjob_pods(count=1), within="settle"))
    except Unmet:
        advice = (
            f"It made {counted(requests(world), 'request')}, but no pod of the prescribed name. Does "
            f"{implementation.descriptor} start the controller with {{kubeconfig}} and without leader "
            "election, and is the definition of TFJobs in 'control_plane.crds'?"
        )
        return Trial(holds=False, text=acts, advice=advice)
    return Trial(holds=True, text=acts)


PROFILE = Profile(
    name="tfjob",
    versions_of="training-operator",
    reference="reference-tfjob",
    variants=("reference-tfjob-volcano", "reference-tfjob-coscheduling", "reference-tfjob-admission"),
    collections=_collections,
    acts=_acts,
    witness=_witness,
    verbs=MappingProxyType({"tfjobs": TFJobs, "tfjob_requests": TFJobRequests, "tfjob_others": TFJobOthers}),
    rules=rules.begin,
    faults=FAULTS,
    drafted=("control_plane:", "  crds: [crds/tfjob.yaml]  # that of batchproof; or your own file"),
    watches=("tfjobs", "pods"),
)
