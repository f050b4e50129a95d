"""The admission of TFJobs on the command line."""

from __future__ import annotations

from reference_controller.runtime.admission import Admission
from reference_controller.runtime.admission_command import admission_command
from reference_controller.runtime.client import ApiClient


def _admission(_client: ApiClient) -> Admission:
    from reference_controller.runtime.tfjob.admission import tfjob_admission  # noqa: PLC0415 - see controllers

    return tfjob_admission()


TFJOB_ADMISSION = admission_command("tfjob-admission", "a webhook for TFJobs", _admission)
"""A webhook that refuses."""
