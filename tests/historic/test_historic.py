"""The suite finds a real bug: HB-29, kubernetes/kubernetes#124798, fixed in Kubernetes 1.31.0.

Up to 1.30, ``resolveControllerRef`` of the Job controller looks neither at the API group nor at the kind of a
pod's controller when an orphan pod is synced: it takes the tracking finalizer from pods of other controllers.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from batchproof.report.results import read_results

if TYPE_CHECKING:
    from pathlib import Path

    from batchproof.report.records import Scenario

_COMMAND = (sys.executable, "-c", "from batchproof.cli import main; main()")
_KEEPS = "A deleted pod of a <kind> of <group> keeps the tracking finalizer"
_BUILD_LIMIT_S = 3600


def _judged(implementation: str, folder: Path) -> list[Scenario]:
    selection = ["-k", "FIN-032", "-n", "2", "-o", str(folder)]
    subprocess.run([*_COMMAND, "run", "-i", implementation, *selection], check=False, timeout=_BUILD_LIMIT_S)
    return [one for one in read_results(folder).scenarios if one.name == _KEEPS]


@pytest.mark.parametrize("implementation", ["kube-controller-manager", "reference"])
def test_what_has_no_such_bug_passes(implementation: str, tmp_path: Path) -> None:
    assert {one.verdict for one in _judged(implementation, tmp_path)} == {"passed"}


def test_kube_controller_manager_1_26_0_takes_the_finalizer_of_others(tmp_path: Path) -> None:
    found = _judged("kube-controller-manager-1.26", tmp_path)
    assert found
    for one in found:
        assert one.verdict == "failed", one.id
        assert one.unmet is not None
        assert one.unmet.requirement == "FIN-032"
        told = [moment.what for moment in one.unmet.timeline if moment.subject == "pod/stray"]
        assert any("PATCH removes finalizers ['batch.kubernetes.io/job-tracking']" in what for what in told)
