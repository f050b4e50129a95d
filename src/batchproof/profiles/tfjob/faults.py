"""Which faults concern a controller of TFJobs, and what it does not meet if TFJobs then end differently."""

from __future__ import annotations

from types import MappingProxyType

from batchproof.ground.resources import PODS
from batchproof.judgement.fault_profiles import NAMES, Reach
from batchproof.profiles.shared.objects.services import SERVICES
from batchproof.profiles.tfjob.objects import TFJOBS

FAULTS = Reach(
    watched=MappingProxyType({PODS: "pods", TFJOBS: "TFJobs", SERVICES: "Services"}),
    contended=TFJOBS,
    requirements=MappingProxyType(dict.fromkeys(NAMES, "TFJ-070")),
)
