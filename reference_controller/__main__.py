"""Start a controller: `python -m reference_controller NAME --kubeconfig PATH`."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import signal
import socket
import sys
import uuid
from pathlib import Path

import uvloop

from reference_controller.controllers import commands
from reference_controller.election.lease import Terms
from reference_controller.runtime.client import ApiClient
from reference_controller.runtime.election import Election, LeadershipLostError
from reference_controller.runtime.kubeconfig import KubeconfigError, Server, load
from reference_controller.runtime.runtime import Runtime

log = logging.getLogger(__name__)


def arguments(argv: list[str]) -> argparse.Namespace:
    """Parse the command line; `command` is the controller that was asked for."""
    parser = argparse.ArgumentParser(prog="reference_controller", description=__doc__)
    controllers = parser.add_subparsers(required=True, metavar="NAME", title="controllers")
    for command in commands(next(iter(argv), None)):
        subparser = controllers.add_parser(command.name, help=command.help)
        subparser.add_argument("--kubeconfig", type=Path, required=True)
        command.options(subparser)
        _election_options(subparser.add_argument_group("several replicas, of which one works"), command.name)
        subparser.set_defaults(command=command)
    options = parser.parse_args(argv)
    if not terms(options).safe:
        parser.error("it must be: --lease-duration > --renew-deadline > --retry-period > 0")
    return options


def _election_options(parser: argparse._ArgumentGroup, controller: str) -> None:
    usual = Terms()
    parser.add_argument("--leader-elect", action="store_true", help="work only while holding the Lease")
    parser.add_argument("--lease-namespace", default="kube-system", metavar="NAME", help="of the Lease")
    parser.add_argument("--lease-name", default=f"reference-{controller}", metavar="NAME", help="its name")
    parser.add_argument(
        "--lease-duration", type=int, default=usual.duration_s, metavar="S", help="a Lease counts so long"
    )
    parser.add_argument(
        "--renew-deadline",
        type=float,
        default=usual.renew_deadline_s,
        metavar="S",
        help="a leader that cannot renew its Lease for so long ends",
    )
    parser.add_argument(
        "--retry-period",
        type=float,
        default=usual.retry_s,
        metavar="S",
        help="between two looks at the Lease",
    )


def terms(options: argparse.Namespace) -> Terms:
    """What the command line says of the election."""
    return Terms(options.lease_duration, options.renew_deadline, options.retry_period)


async def run(server: Server, options: argparse.Namespace) -> int:
    """Run a controller until SIGTERM or SIGINT, or until its Lease is lost; the exit code."""
    loop = asyncio.get_running_loop()
    async with contextlib.AsyncExitStack() as sessions:
        if options.leader_elect:
            elector = await sessions.enter_async_context(ApiClient(server))
            identity = f"{socket.gethostname()}_{uuid.uuid4()}"
            place = (options.lease_namespace, options.lease_name)
            election = Election(elector, *place, identity, terms(options))
            client = await sessions.enter_async_context(ApiClient(server, lambda: election.leads))
            runtime = Runtime(client)
            work = election.lead(runtime.run)
        else:
            runtime = Runtime(await sessions.enter_async_context(ApiClient(server)))
            work = runtime.run()
        options.command.start(runtime, options)
        running = asyncio.create_task(work)
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, running.cancel)
        try:
            await running
        except asyncio.CancelledError:
            log.info("stopped")
        except LeadershipLostError as lost:
            log.critical("%s", lost)
            return 1
    return 0


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
    return uvloop.run(run(server, options))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
