"""Options that several commands share."""

from __future__ import annotations

from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from batchproof.control_plane.choice import ClusterOptions
from batchproof.control_plane.providers import DEFAULT, providers
from batchproof.descriptor.implementation import bundled, is_path
from batchproof.profiles import profiles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

F = TypeVar("F", bound="Callable[..., Any]")
T = TypeVar("T")

_TYPES: Mapping[str, Mapping[str, Any]] = {
    "text": {},
    "file": {"type": click.Path(dir_okay=False, path_type=Path)},
    "folder": {"type": click.Path(exists=True, file_okay=False, path_type=Path)},
    "nothing": {"is_flag": True, "default": None},
}
"""How click reads what an option of a cluster takes."""
_CLUSTER = (
    click.option(
        "--cluster",
        type=click.Choice([*providers()]),
        default=DEFAULT,
        show_default=True,
        help="Where to judge: on a control plane of plain processes, an ephemeral kind cluster, or yours.",
    ),
    *(
        click.option(
            f"--{option.name}",
            metavar=option.metavar,
            help=f"{one.name}: {option.help}",
            **_TYPES[option.takes],
        )
        for one in providers().values()
        for option in one.options
    ),
)


def complete_implementation(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """What a shell offers for an implementation: the bundled ones, and files."""
    if is_path(begun) or begun.startswith("."):
        return [CompletionItem(begun, type="file")]
    names = [CompletionItem(name) for name in bundled() if name.startswith(begun)]
    return names or [CompletionItem(begun, type="file")]


def implementation_option(help_: str) -> Callable[[F], F]:
    """The option ``-i``, where a command needs no profile beside it: ``implementation``."""
    return click.option(
        "-i",
        "--implementation",
        metavar="NAME|FILE",
        shell_complete=complete_implementation,
        help=help_,
    )


def output_option(command: F) -> F:
    """The option that says where the results of a run go: ``output``."""
    return click.option(
        "-o",
        "--output",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path("batchproof-results"),
        show_default=True,
        help="Folder of the results and reports.",
    )(command)


def json_option(help_: str) -> Callable[[F], F]:
    """The option ``--json``: what a command prints is for a program then; ``as_json``."""
    return click.option("--json", "as_json", is_flag=True, help=help_)


def the_one(argument: T | None, implementation: T | None) -> T | None:
    """What was named, as an argument or after ``-i``.

    Raises:
        UsageError: both were given.
    """
    if argument is not None and implementation is not None:
        raise click.UsageError(f"{argument} and -i {implementation} name a descriptor each: leave one out")
    return implementation if argument is None else argument


_JUDGED = (
    implementation_option(
        "A bundled implementation or the path of a descriptor; default: the reference of the profile."
    ),
    click.option(
        "--profile",
        type=click.Choice([*profiles()]),
        help="What to judge it as; default: what its descriptor names first, or job.",
    ),
)


def workers_option(what: str = "scenarios") -> Callable[[F], F]:
    """The option that says how much runs at once: ``workers``."""
    return click.option(
        "-n",
        "workers",
        type=click.IntRange(1, 64),
        help=f"Number of {what} that run in parallel; default: by the processors.",
    )


def judged_options(command: F) -> F:
    """Add the options that say what is judged, and as what: ``implementation`` and ``profile``."""
    for option in reversed(_JUDGED):
        command = option(command)
    return command


def selection(help_: str) -> Callable[[F], F]:
    """The option ``-k``; given more than once it selects what any of them selects, in ``expression``."""
    return click.option("-k", "expression", multiple=True, callback=_any_of, metavar="EXPRESSION", help=help_)


def _any_of(_: click.Context, __: click.Parameter, expressions: tuple[str, ...]) -> str:
    return expressions[0] if len(expressions) == 1 else " or ".join(f"({one})" for one in expressions)


def cluster_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options that say on which cluster; the command gets them as one ``choice``."""

    @wraps(command)
    def called(**given: Any) -> int:
        keys = ["cluster", *(option.key for one in providers().values() for option in one.options)]
        choice = ClusterOptions.of(**{key: given.pop(key) for key in keys})
        return command(choice=choice, **given)

    for option in reversed(_CLUSTER):
        called = option(called)
    return called
