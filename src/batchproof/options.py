"""Options that several commands share."""

from __future__ import annotations

from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from batchproof.control_plane.choice import Choice
from batchproof.control_plane.plane import EMBEDDED, PROVIDERS

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")

_FILE = click.Path(dir_okay=False, path_type=Path)
_CLUSTER = (
    click.option(
        "--cluster",
        type=click.Choice(PROVIDERS),
        default=EMBEDDED,
        show_default=True,
        help="Where to judge: on a control plane of plain processes, an ephemeral kind cluster, or yours.",
    ),
    click.option(
        "--assets",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="embedded: folder of its binaries; default: built once, cached.",
    ),
    click.option("--kubeconfig", type=_FILE, help="existing: default as for kubectl."),
    click.option("--context", help="existing: a context of the kubeconfig; default is its current one."),
    click.option(
        "--with-all-my-rights",
        is_flag=True,
        default=None,
        help="existing: run the implementation also as a user who may do more than `batchproof rbac` gives.",
    ),
    click.option("--kind-image", metavar="IMAGE", help="kind: the node image; default: the one of kind."),
    click.option("--kind-config", type=_FILE, help="kind: a configuration of the cluster."),
    click.option("--kubernetes-version", metavar="VERSION", help="kind: its own node image of this version."),
)


_JUDGED = (
    click.option(
        "-i",
        "--implementation",
        metavar="NAME|FILE",
        help="A bundled implementation or the path of a descriptor; default: the reference of the profile.",
    ),
    click.option("--profile", help="What to judge it as; default: what its descriptor names first, or job."),
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
        names = Choice.__dataclass_fields__.keys()
        choice = Choice(**{name: given.pop(name) for name in names})
        return command(choice=choice, **given)

    for option in reversed(_CLUSTER):
        called = option(called)
    return called
