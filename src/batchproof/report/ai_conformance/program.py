"""Facts of the program: the requirements of each version, and which of them upstream's own tests cover.

The requirements are those of cncf/k8s-ai-conformance, ``docs/AIConformance-X.Y.yaml``, which does not change
once its version is released (``docs/README.md``): only ids, sections and levels, none of its text. Tests and
conditions are those of ``scripts/validate.go`` since its pull request 141.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = "batchproof"
"""The folder of our files beside PRODUCT.yaml."""
MUST, SHOULD = "MUST", "SHOULD"
IMPLEMENTED, NOT_APPLICABLE = "Implemented", "N/A"
STATUSES = (IMPLEMENTED, "Not Implemented", "Partially Implemented", NOT_APPLICABLE)

COVERED = {
    "secure_accelerator_access": "TestSecureAcceleratorAccess",
    "gang_scheduling": "TestGangScheduling",
    "cluster_autoscaling": "TestAcceleratorClusterAutoscaling",
}
"""The requirements that a test of upstream's covers: that test is looked for where evidence names no other
(``autoTestedRequirements``)."""

CONDITIONAL = frozenset({"cluster_autoscaling"})
"""The MUST requirements that may be N/A, with a reason (``conditionalMustRequirements``)."""

_FIRST_WITH_TESTS = (1, 37)
_VERSION = re.compile(r"(\d+)\.(\d+)")


@dataclass(frozen=True, slots=True)
class ProgramRequirement:
    """A requirement of the program.

    Attributes:
        id: as PRODUCT.yaml has it.
        section: the list of PRODUCT.yaml that its entry stands in.
        level: ``MUST`` or ``SHOULD``.
        description: its sentence, which an entry must not change; empty where it is not known here.
    """

    id: str
    section: str
    level: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of PRODUCT.yaml that a run of a suite is evidence for.

    Attributes:
        id: its id.
        section: the list that it stands in.
        test: the name of the test in our artifacts, which is none of upstream's.
        on_nodes: it asks for pods that run (KAR-0053), so that simulated nodes cannot show that a platform
            implements it.
    """

    id: str
    section: str
    test: str
    on_nodes: bool = False

    @property
    def file(self) -> str:
        """The file with the entry."""
        return f"{self.id}.yaml"


ENTRIES = {
    "gang": Entry("gang_scheduling", "schedulingOrchestration", "BatchproofGangScheduling", on_nodes=True),
    "tfjob": Entry("robust_controller", "operator", "BatchproofRobustController"),
}
"""The entries by the profile that shows them."""

_ALWAYS = {
    "accelerators": {},
    "networking": {"ai_inference": MUST},
    "schedulingOrchestration": {
        "gang_scheduling": MUST,
        "cluster_autoscaling": MUST,
        "pod_autoscaling": MUST,
    },
    "observability": {"accelerator_metrics": MUST, "ai_service_metrics": MUST},
    "security": {"secure_accelerator_access": MUST},
    "operator": {"robust_controller": MUST},
}
_DEVICES = {"driver_runtime_management": SHOULD, "gpu_sharing": SHOULD, "virtualized_accelerator": SHOULD}
_INFERENCE = {
    "advanced_inference_ingress": SHOULD,
    "high_performance_networking": SHOULD,
    "disaggregated_inference": SHOULD,
}
_MORE: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "1.33": {"accelerators": {"dra_support": SHOULD}},
    "1.34": {"accelerators": {"dra_support": MUST}},
    "1.35": {"accelerators": {"dra_support": MUST, **_DEVICES}},
    "1.36": {"accelerators": _DEVICES, "networking": _INFERENCE},
    "1.37": {
        "accelerators": _DEVICES,
        "networking": _INFERENCE,
        "security": {"workload_sandboxing": SHOULD},
    },
}
"""What a version has beside what all have, by section."""

VERSIONS = tuple(_MORE)
"""The versions whose requirements are known here."""


def requirements(version: str) -> tuple[ProgramRequirement, ...]:
    """The requirements of a version, without their sentences; none if the version is not known here."""
    more = _MORE.get(version)
    if more is None:
        return ()
    return tuple(
        ProgramRequirement(id_, section, level)
        for section, always in _ALWAYS.items()
        for id_, level in {**always, **more.get(section, {})}.items()
    )


def with_tests(version: str) -> bool:
    """Whether results of tests are asked for in a version (``supportsHybridVerification``)."""
    found = _VERSION.fullmatch(version)
    return found is not None and (int(found[1]), int(found[2])) >= _FIRST_WITH_TESTS
