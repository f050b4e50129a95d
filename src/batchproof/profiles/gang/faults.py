"""Which faults concern a gang scheduler, and what it does not meet if gangs then end differently.

No status that it writes need carry a resourceVersion, so no other client contends for one: the fault profile
``conflicts`` is not for it.
"""

from __future__ import annotations

from types import MappingProxyType

from batchproof.ground.resources import NODES, PODS
from batchproof.judgement.fault_profiles import CONFLICTS, NAMES, Reach

FAULTS = Reach(
    watched=MappingProxyType({PODS: "pods", NODES: "nodes"}),
    requirements=MappingProxyType({name: "GNG-100" for name in NAMES if name != CONFLICTS}),
)
