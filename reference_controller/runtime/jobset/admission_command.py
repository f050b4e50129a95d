"""The admission of JobSets on the command line."""

from __future__ import annotations

from reference_controller.runtime.admission import Admission
from reference_controller.runtime.admission_command import admission_command
from reference_controller.runtime.client import ApiClient


def _admission(_client: ApiClient) -> Admission:
    from reference_controller.runtime.jobset.admission import jobset_admission  # noqa: PLC0415 - see controllers

    return jobset_admission()


JOBSET_ADMISSION = admission_command("jobset-admission", "webhooks for JobSets", _admission)
"""Webhooks that fill in and refuse."""
