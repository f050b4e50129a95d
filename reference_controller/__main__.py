"""Start a controller: `python -m reference_controller job|scheduler --kubeconfig PATH`."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import sys
from dataclasses import replace
from pathlib import Path

import uvloop

from reference_controller.job.objects import CONTROLLER_NAME
from reference_controller.runtime.client import ApiClient
from reference_controller.runtime.job_controller import JobController
from reference_controller.runtime.kubeconfig import KubeconfigError, Server, load
from reference_controller.runtime.scheduler import Scheduler
from reference_controller.scheduler.dialects import KUBE_BATCH, NATIVE, OWN, VOLCANO
from reference_controller.scheduler.objects import SCHEDULER_NAME

DIALECTS = {"own": OWN, "native": NATIVE, "volcano": VOLCANO, "kube-batch": KUBE_BATCH}


def arguments(argv: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="reference_controller", description=__doc__)
    controllers = parser.add_subparsers(dest="controller", required=True)
    job = controllers.add_parser("job", help="the Job controller, batch/v1")
    job.add_argument("--kubeconfig", type=Path, required=True)
    job.add_argument("--concurrent-syncs", type=int, default=5, help="Jobs worked on at once")
    job.add_argument(
        "--managed-by",
        default=CONTROLLER_NAME,
        metavar="NAME",
        help="handle only Jobs whose spec.managedBy is this name, such as example.com/controller",
    )
    scheduler = controllers.add_parser("scheduler", help="the gang scheduler")
    scheduler.add_argument("--kubeconfig", type=Path, required=True)
    scheduler.add_argument(
        "--groups",
        choices=sorted(DIALECTS),
        default="own",
        help="PodGroups and Queues of gang.batchproof.dev, of Volcano or of kube-batch, or PodGroups of "
        "scheduling.k8s.io",
    )
    scheduler.add_argument(
        "--scheduler-name",
        default=SCHEDULER_NAME,
        metavar="NAME",
        help="bind only pods whose spec.schedulerName is this name",
    )
    return parser.parse_args(argv)


def chosen(options: argparse.Namespace, client: ApiClient) -> JobController | Scheduler:
    """The controller that was asked for."""
    if options.controller == "scheduler":
        return Scheduler(client, replace(DIALECTS[options.groups], scheduler=options.scheduler_name))
    return JobController(client, options.concurrent_syncs, options.managed_by)


async def run(server: Server, options: argparse.Namespace) -> None:
    """Run a controller until SIGTERM or SIGINT."""
    loop = asyncio.get_running_loop()
    async with ApiClient(server) as client:
        controller = asyncio.create_task(chosen(options, client).run())
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, controller.cancel)
        try:
            await controller
        except asyncio.CancelledError:
            logging.getLogger(__name__).info("stopped")


def main(argv: list[str]) -> int:
    """The whole program; the exit code."""
    logging.basicConfig(
        level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s %(message)s"
    )
    options = arguments(argv)
    try:
        server = load(options.kubeconfig)
    except KubeconfigError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    uvloop.run(run(server, options))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
