"""``batchproof completion``: what a shell needs to complete commands, options and names."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from batchproof.ground.errors import HarnessError
from batchproof.ground.screen import say

_SHELLS = ("bash", "zsh", "fish")
_PROGRAM = "batchproof"
_VARIABLE = "_BATCHPROOF_COMPLETE"


_HELP = """Print the script by which SHELL completes commands, options and names of implementations.

\b
bash  eval "$(batchproof completion bash)"     in ~/.bashrc
zsh   eval "$(batchproof completion zsh)"      in ~/.zshrc, after compinit
fish  batchproof completion fish > ~/.config/fish/completions/batchproof.fish
"""


@click.command(
    "completion", short_help="Print the completion script of a shell: bash, zsh or fish.", help=_HELP
)
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the script of a shell."""
    made = get_completion_class(shell)
    if made is None:
        raise HarnessError(f"click knows no completion for {shell}")
    say(made(ctx.find_root().command, {}, _PROGRAM, _VARIABLE).source())
