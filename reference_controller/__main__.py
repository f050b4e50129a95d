"""Start a controller: `python -m reference_controller NAME --kubeconfig PATH`."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import sys
from pathlib import Path

import uvloop

from reference_controller.controllers import CONTROLLERS
from reference_controller.runtime.client import ApiClient
from reference_controller.runtime.kubeconfig import KubeconfigError, Server, load
from reference_controller.runtime.runtime import Runtime


def arguments(argv: list[str]) -> argparse.Namespace:
    """Parse the command line; `command` is the controller that was asked for."""
    parser = argparse.ArgumentParser(prog="reference_controller", description=__doc__)
    controllers = parser.add_subparsers(required=True, metavar="NAME", title="controllers")
    for command in CONTROLLERS:
        subparser = controllers.add_parser(command.name, help=command.help)
        subparser.add_argument("--kubeconfig", type=Path, required=True)
        command.options(subparser)
        subparser.set_defaults(command=command)
    return parser.parse_args(argv)


async def run(server: Server, options: argparse.Namespace) -> None:
    """Run a controller until SIGTERM or SIGINT."""
    loop = asyncio.get_running_loop()
    async with ApiClient(server) as client:
        runtime = Runtime(client)
        options.command.start(runtime, options)
        running = asyncio.create_task(runtime.run())
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, running.cancel)
        try:
            await running
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
