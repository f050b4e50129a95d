"""An admission server on the command line: all have the same options."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from reference_controller.runtime.admission import Admission
from reference_controller.runtime.client import ApiClient
from reference_controller.runtime.command import Command
from reference_controller.runtime.runtime import Runtime

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable


def _options(parser: ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=8443, help="where the API server asks us, on 127.0.0.1")
    parser.add_argument(
        "--ready-port", type=int, default=8444, help="accepts connections once the API server asks us"
    )
    parser.add_argument(
        "--tls-dir", type=Path, default=Path("tls"), help="the folder of ca.crt, tls.crt and tls.key"
    )


def admission_command(name: str, what: str, admission: Callable[[ApiClient], Admission]) -> Command:
    """`python -m reference_controller NAME`: answers what `admission` is asked about."""

    def start(runtime: Runtime, options: Namespace) -> object:
        from reference_controller.runtime.admission import AdmissionServer  # noqa: PLC0415 - see controllers

        server = AdmissionServer(
            runtime.client,
            admission(runtime.client),
            port=options.port,
            ready_port=options.ready_port,
            tls_dir=options.tls_dir,
        )
        runtime.part(server)
        return server

    return Command(name, what, _options, start)
