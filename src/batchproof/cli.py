"""The command line: ``batchproof COMMAND``.

Exit codes: 0 conformant, 1 not, 2 wrong use, 3 our own trouble.
"""

from __future__ import annotations

import sys
import traceback
from importlib import import_module
from io import StringIO
from pkgutil import iter_modules

import click

from batchproof import __version__, commands
from batchproof.errors import HarnessError, UserError
from batchproof.screen import say

_WRONG_USE = 2
_OWN_TROUBLE = 3
_INTERRUPTED = 130


class _Commands(click.Group):
    """The commands of ``batchproof.commands``, each loaded when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return sorted(module.name.replace("_", "-") for module in iter_modules(commands.__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"{commands.__name__}.{cmd_name.replace('-', '_')}").command
        return command


@click.command(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="batchproof")
def _batchproof() -> None:
    """Prove whether a Kubernetes batch controller or gang scheduler does what it must."""


def main() -> None:
    """Run the command line and exit."""
    try:
        sys.exit(_batchproof.main(standalone_mode=False) or 0)
    except click.ClickException as error:
        told = StringIO()
        error.show(told)
        say(told.getvalue(), err=True, nl=False)
        sys.exit(error.exit_code)
    except UserError as error:
        say(f"batchproof: {error}", err=True)
        sys.exit(_WRONG_USE)
    except HarnessError as error:
        say(f"batchproof: {error}", err=True)
        sys.exit(_OWN_TROUBLE)
    except (click.Abort, KeyboardInterrupt):
        say("batchproof: interrupted", err=True)
        sys.exit(_INTERRUPTED)
    except OSError as error:
        say(f"batchproof: {_trouble(error)}", err=True)
        sys.exit(_OWN_TROUBLE)
    except Exception as error:  # noqa: BLE001 - a mistake of ours must not look like a verdict
        say("".join(traceback.format_exception(error)), err=True)
        say(f"batchproof: a mistake of batchproof itself, please report it: {error!r}", err=True)
        sys.exit(_OWN_TROUBLE)


def _trouble(error: OSError) -> str:
    """What the system refused, in one sentence."""
    what = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {what}" if error.filename else what
