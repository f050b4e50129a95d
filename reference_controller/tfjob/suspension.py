"""What becomes of a TFJob that its user has suspended."""

from __future__ import annotations

from dataclasses import replace

from reference_controller.tfjob.objects import Counts, Status, TFJob


def suspended_status(job: TFJob) -> Status:
    """TFJ-041, TFJ-042: it does not run, and nothing of it is active; all starts again when it is resumed."""
    counts = tuple(Counts(spec.type) for spec in job.specs)
    return replace(
        job.status, condition="Created", counts=counts, suspended=True, started=None, restarts=0, replaced=()
    )
