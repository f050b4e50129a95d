"""The gang scheduler on the command line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from reference_controller.runtime.command import Command
from reference_controller.runtime.runtime import Runtime
from reference_controller.scheduler.dialects import (
    COSCHEDULING,
    KAI,
    KOORDINATOR,
    KOORDINATOR_PODS,
    KUBE_BATCH,
    NATIVE,
    OWN,
    VOLCANO,
    YUNIKORN,
)
from reference_controller.scheduler.objects import SCHEDULER_NAME

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

DIALECTS = {
    "own": OWN,
    "native": NATIVE,
    "volcano": VOLCANO,
    "kube-batch": KUBE_BATCH,
    "coscheduling": COSCHEDULING,
    "koordinator": KOORDINATOR,
    "koordinator-pods": KOORDINATOR_PODS,
    "kai": KAI,
    "yunikorn": YUNIKORN,
}


def _options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--groups",
        choices=sorted(DIALECTS),
        default="own",
        help="how gangs are spelled: PodGroups and Queues of gang.batchproof.dev, Volcano or kube-batch; "
        "PodGroups of scheduling.k8s.io, coscheduling, Koordinator or KAI; the pods alone, as for "
        "Koordinator or YuniKorn",
    )
    parser.add_argument(
        "--scheduler-name",
        default=SCHEDULER_NAME,
        metavar="NAME",
        help="bind only pods whose spec.schedulerName is this name",
    )


def _start(runtime: Runtime, options: Namespace) -> object:
    from reference_controller.runtime.scheduler.controller import Scheduler  # noqa: PLC0415

    return Scheduler(runtime, replace(DIALECTS[options.groups], scheduler=options.scheduler_name))


SCHEDULER = Command("scheduler", "the gang scheduler", _options, _start)
