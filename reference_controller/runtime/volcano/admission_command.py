"""The admission of Volcano's Jobs and queues on the command line."""

from __future__ import annotations

from reference_controller.runtime.admission import Admission
from reference_controller.runtime.admission_command import admission_command
from reference_controller.runtime.client import ApiClient


def _admission(client: ApiClient) -> Admission:
    from reference_controller.runtime.volcano.admission import volcano_admission  # noqa: PLC0415 - see controllers

    return volcano_admission(client)


VOLCANO_ADMISSION = admission_command(
    "volcano-admission", "webhooks for Volcano's Jobs and queues", _admission
)
"""Webhooks that fill in and refuse."""
