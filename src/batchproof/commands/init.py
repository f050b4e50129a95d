"""``batchproof init``: write a first descriptor."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from batchproof.descriptor import draft as drafts
from batchproof.descriptor.deployment import drafted
from batchproof.descriptor.draft import KUBECONFIG_FLAG, Draft
from batchproof.descriptor.implementation import DECLARED_BY, check_usable
from batchproof.ground import files
from batchproof.ground.documents import near
from batchproof.ground.errors import UserError
from batchproof.ground.screen import note, say
from batchproof.profiles import profiles
from batchproof.specification.capabilities import capabilities as of_profile
from batchproof.specification.descriptors import of_descriptor_alone
from batchproof.specification.gherkin import parse_features
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Sequence

_ALL = "all"


@click.command("init", short_help="Write a first descriptor for your controller.")
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--name", help="How it stands in reports; default: that of the folder.")
@click.option("--profile", type=click.Choice([*profiles()]), help="What to judge it as; default: job.")
@click.option("--start", metavar="COMMAND", help="How it is started, as you would type it in a shell.")
@click.option("--capabilities", metavar="NAME,...|all", help="The optional parts that it has; default: none.")
@click.option(
    "--kubeconfig", metavar="FLAG|env", help="What takes the kubeconfig: a flag, or env for KUBECONFIG."
)
@click.option("--organisation", default="unknown", help="Who makes it; appears in every report.")
@click.option(
    "--release", metavar="VERSION", help="The version that is judged; default: 0.1.0, or the image's."
)
@click.option(
    "--from",
    "manifest",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Take name, program, arguments and variables from the Deployment in this manifest.",
)
@click.option("--container", default="", help="with --from: the container that is the controller.")
@click.option("--no-input", is_flag=True, help="Ask nothing: take the defaults.")
@click.option("--force", is_flag=True, help="Replace FILE if it is there.")
def command(
    *,
    file: Path | None,
    name: str | None,
    profile: str | None,
    start: str | None,
    capabilities: str | None,
    kubeconfig: str | None,
    organisation: str,
    release: str | None,
    manifest: Path | None,
    container: str,
    no_input: bool,
    force: bool,
) -> None:
    """Write a descriptor of your controller to FILE (default: NAME.yaml).

    What no option says is asked: name, profile, how it is started, capabilities, and what takes the
    kubeconfig. Leader election and fixed ports are switched off in the arguments, and the file says so.
    """
    ask = _Ask(silent=no_input)
    begun = drafted(manifest, profile or "job", container) if manifest else None
    name = name or ask("Name of the controller", begun.name if begun else _here())
    path = file or Path(f"{name}.yaml")
    if os.path.lexists(path) and not force:
        raise UserError(f"{path} is there already: name another file, or replace it with --force")
    profile = profile or ask(f"Profile ({', '.join(profiles())})", "job", [*profiles()])
    given = start or (None if begun else ask("How is it started (program and arguments)", None))
    known = _known(profile)
    wanted = capabilities if capabilities is not None else ask(f"Capabilities ({', '.join(known)})", "none")
    takes = kubeconfig or ask("What takes the kubeconfig (a flag, or env)", KUBECONFIG_FLAG)
    draft = replace(
        begun or Draft(name, profile, ()),
        name=name,
        profile=profile,
        capabilities=_capabilities(wanted, known),
        kubeconfig=takes,
        organisation=organisation,
        needs=profiles()[profile].drafted,
        watches=profiles()[profile].watches,
    )
    if given:
        draft = replace(draft, command=_anchored(_words(given), path.parent))
    if release:
        draft = replace(draft, version=release)
    text = drafts.written(drafts.adapted(draft))
    check_usable(text, path)
    files.write_to(path, text.encode())
    _tell(path)


class _Ask:
    """Asks on the terminal, or takes the defaults."""

    def __init__(self, *, silent: bool) -> None:
        self._silent = silent

    def __call__(self, question: str, default: str | None, choices: Sequence[str] = ()) -> str:
        """The answer to a question; what has no default must be answered.

        Raises:
            click.UsageError: there is no answer.
        """
        if self._silent:
            if default is None:
                raise click.UsageError("--no-input: add --start, or --from a manifest")
            return default
        kind = click.Choice(choices) if choices else None
        try:
            answer: str = click.prompt(question, default=default, type=kind, show_choices=False, err=True)
        except click.Abort as error:
            raise click.UsageError(f"no answer to {question!r}: give the options, see --help") from error
        return answer.strip()


def _here() -> str:
    """A name from the folder in which the user is."""
    return re.sub(r"[^a-z0-9.-]+", "-", Path.cwd().name.lower()).strip("-.") or "my-controller"


def _words(given: str) -> tuple[str, ...]:
    try:
        words = drafts.words(given)
    except ValueError as error:
        raise UserError(f"--start: {given!r} is no command line: {error}") from error
    if not words:
        raise UserError("--start: name a program, such as ./bin/my-controller")
    return words


def _anchored(words: Sequence[str], folder: Path) -> tuple[str, ...]:
    """The words with paths from the folder of the descriptor: its own working folder is an empty one."""
    program, *arguments = words
    if "/" in program and not Path(program).is_absolute():
        relative = os.path.relpath(program, folder)
        program = relative if relative.startswith(os.pardir) else f"./{relative}"
    return program, *(_anchor(word, folder) for word in arguments)


def _anchor(word: str, folder: Path) -> str:
    flag, equals, value = word.rpartition("=")
    path = Path(value)
    if not value or path.is_absolute() or not path.exists() or (not equals and word.startswith("-")):
        return word
    return f"{flag}{equals}{{descriptor_dir}}/{os.path.relpath(path, folder)}"


def _known(profile: str) -> list[str]:
    """The capabilities that can be listed for a profile."""
    names = [one.name for one in of_profile(profile, load_registry(), parse_features())]
    return [name for name in names if name not in DECLARED_BY]


def _capabilities(wanted: str, known: Sequence[str]) -> tuple[str, ...]:
    if wanted in {"", "none"}:
        return ()
    if wanted == _ALL:
        return tuple(known)
    names = tuple(one for one in re.split(r"[\s,]+", wanted) if one)
    for one in names:
        if one not in known:
            raise UserError(f"--capabilities: there is no capability {one!r} there{near(one, known)}")
    return names


def _tell(path: Path) -> None:
    """What was written, what its author should know, and what comes next."""
    note(f"wrote {path}")
    today = datetime.now(UTC).date()
    for finding in of_descriptor_alone(path, load_registry(), parse_features(), today):
        say(str(finding))
    given = str(path) if "/" in str(path) else f"./{path}"
    note(f"next: batchproof smoke {shlex.quote(given)}")
