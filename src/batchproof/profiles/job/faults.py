"""Which faults concern a controller of Jobs, and what it does not meet if Jobs then end differently."""

from __future__ import annotations

from types import MappingProxyType

from batchproof.ground.resources import JOBS, PODS
from batchproof.judgement.fault_profiles import Reach

FAULTS = Reach(
    watched=MappingProxyType({PODS: "pods", JOBS: "Jobs"}),
    contended=JOBS,
    requirements=MappingProxyType(
        {
            "slow-watch": "ROB-014",
            "order": "ROB-013",
            "closed-watches": "ROB-009",
            "conflicts": "ROB-017",
            "errors": "ROB-018",
            "lost-replies": "ROB-022",
            "rate-limits": "ROB-039",
            "crashes": "ROB-006",
        }
    ),
)
