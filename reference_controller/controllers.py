"""The controllers that `python -m reference_controller` can start; a new one is one line here.

What a controller is made of is loaded only when it is started: a process has to be quick to begin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.runtime.job.command import JOB
from reference_controller.runtime.jobset.admission_command import JOBSET_ADMISSION
from reference_controller.runtime.jobset.command import JOBSET
from reference_controller.runtime.scheduler.command import SCHEDULER
from reference_controller.runtime.tfjob.admission_command import TFJOB_ADMISSION
from reference_controller.runtime.tfjob.command import TFJOB
from reference_controller.runtime.volcano.admission_command import VOLCANO_ADMISSION
from reference_controller.runtime.volcano.command import VOLCANO

if TYPE_CHECKING:
    from reference_controller.runtime.command import Command

CONTROLLERS: tuple[Command, ...] = (
    JOB,
    JOBSET,
    JOBSET_ADMISSION,
    SCHEDULER,
    TFJOB,
    TFJOB_ADMISSION,
    VOLCANO,
    VOLCANO_ADMISSION,
)
