"""The command line: ``batchproof COMMAND``.

Exit codes: 0 conformant, 1 not, 2 usage error, 3 harness error.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from contextlib import suppress
from importlib import import_module
from io import StringIO
from pkgutil import iter_modules

import click

from batchproof import __version__, commands
from batchproof.evidence.digests import suite_digest
from batchproof.ground.documents import near
from batchproof.ground.errors import HarnessError, UserError
from batchproof.ground.screen import be_quiet, note, say

_WRONG_USE = 2
_OWN_TROUBLE = 3
_INTERRUPTED = 130
_AGAIN_S = 0.05
"""How long after an interrupt that Python dropped it is sent again."""

_RENAMED = {"defects": "mutants"}
"""Commands by the name that they had: it still works, with a note, and no help lists it."""
_COLORS = {"auto": None, "always": True, "never": False}


def _silence(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click's signature
    if wanted:
        be_quiet(ctx)


def _color(ctx: click.Context, _: click.Parameter, when: str | None) -> None:
    if when is not None:
        ctx.color = _COLORS[when]


def _common() -> tuple[click.Option, ...]:
    return (
        click.Option(
            ["-q", "--quiet"],
            is_flag=True,
            expose_value=False,
            callback=_silence,
            help="Print the result and errors alone: no progress, and nothing that has passed.",
        ),
        click.Option(
            ["--color"],
            type=click.Choice([*_COLORS]),
            expose_value=False,
            callback=_color,
            help="When to print colors; default: auto, on a terminal and without NO_COLOR.",
        ),
    )


def _with_common_options(command: click.Command) -> click.Command:
    """Give a command, and all below it, the options that every command has: ``--quiet`` and ``--color``."""
    known = {name for param in command.params for name in param.opts}
    command.params += [one for one in _common() if not known & {*one.opts}]
    if type(command) is click.Group:
        for below in command.commands.values():
            _with_common_options(below)
    return command


class _Commands(click.Group):
    """The commands of ``batchproof.commands``, each loaded when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return sorted(module.name.replace("_", "-") for module in iter_modules(commands.__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"{commands.__name__}.{cmd_name.replace('-', '_')}").command
        return _with_common_options(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named first, or a hint at the one that is meant."""
        known = self.list_commands(ctx)
        if args and (now := _RENAMED.get(args[0])):
            note(f"`batchproof {args[0]}` is now `batchproof {now}`: the old name will be removed", err=True)
            args = [now, *args[1:]]
        if args and args[0] not in known and not args[0].startswith("-"):
            ctx.fail(f"there is no command {args[0]!r}{near(args[0], known) or '; see batchproof --help'}")
        return super().resolve_command(ctx, args)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click's signature
    """Two builds may have one version; the digest of the suite distinguishes them."""
    if wanted:
        say(f"batchproof, version {__version__}, suite {suite_digest()}")
        ctx.exit()


@click.command(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and the digest of the suite, and exit.",
)
def command_line() -> None:
    """Test whether Kubernetes batch controllers and gang schedulers meet their requirements."""


_with_common_options(command_line)


def main() -> None:
    """Run the command line and exit."""
    _heed_signals()
    try:
        sys.exit(command_line.main(standalone_mode=False) or 0)
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


def _heed_signals() -> None:
    """SIGTERM does what Ctrl-C does, and SIGINT does it where a shell has us ignore it: in the background."""
    with suppress(ValueError):  # not in the main thread: the caller that started us there handles them
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler)
        sys.unraisablehook = _interrupt_again


def _interrupt_again(lost: sys.UnraisableHookArgs) -> None:
    """Send an interrupt again that came while an object was finalized: Python drops what is raised there."""
    if lost.exc_type is KeyboardInterrupt:
        again = threading.Timer(_AGAIN_S, os.kill, (os.getpid(), signal.SIGINT))
        again.daemon = True
        again.start()
    else:
        sys.__unraisablehook__(lost)


def _trouble(error: OSError) -> str:
    """What the system refused, in one sentence."""
    what = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {what}" if error.filename else what
