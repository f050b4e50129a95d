"""Which faults concern Volcano's controllers, and what they do not meet if Jobs then end differently."""

from __future__ import annotations

from types import MappingProxyType

from batchproof.ground.resources import PODS
from batchproof.judgement.fault_profiles import NAMES, Reach
from batchproof.profiles.shared.objects.volcano import PODGROUPS, QUEUES
from batchproof.profiles.volcano_job.objects import VOLCANO_JOBS

FAULTS = Reach(
    watched=MappingProxyType(
        {PODS: "pods", VOLCANO_JOBS: "Volcano Jobs", PODGROUPS: "PodGroups", QUEUES: "queues"}
    ),
    contended=VOLCANO_JOBS,
    requirements=MappingProxyType(dict.fromkeys(NAMES, "VOL-075")),
)
