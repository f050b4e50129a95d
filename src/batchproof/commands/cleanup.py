"""``batchproof cleanup``: remove what crashed runs have left in a cluster."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from batchproof.api.credentials import locate, read
from batchproof.control_plane import leftovers
from batchproof.control_plane.existing import call
from batchproof.control_plane.leftovers import Leftover
from batchproof.ground.screen import note, say, say_json
from batchproof.options import json_option
from batchproof.processes.programs import run_directory

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_WITHIN_S: Final = 60.0


@click.command("cleanup", short_help="Remove from a cluster the objects that interrupted runs have left.")
@click.option(
    "--kubeconfig",
    type=click.Path(dir_okay=False, path_type=Path),
    help="How to reach the cluster; default as for kubectl.",
)
@click.option("--context", help="A context of the kubeconfig; default is its current one.")
@click.option("--run", metavar="ID", help="Remove only what this run created, even if it still seems to run.")
@click.option("--dry-run", "dry", is_flag=True, help="Say what would be removed, and remove nothing.")
@json_option("Print what was found and removed as JSON.")
def command(
    *, kubeconfig: Path | None, context: str | None, run: str | None, dry: bool, as_json: bool
) -> int:
    """Remove the objects that interrupted runs have left in a cluster (--cluster existing).

    Only what carries the label batchproof.dev/cell of a run is touched: namespaces with all in them, nodes
    and their Leases, cluster-scoped custom objects. Objects of a run that is still running are kept.

    The rights that this needs are those of a run: `batchproof rbac` prints them.
    """
    with run_directory() as own:
        access = read(locate(kubeconfig, context, own.path))
        found = call(access, lambda api: leftovers.find(api, run))
        living = set() if run else leftovers.living(found, datetime.now(UTC))
        ours = [one for one in found if one.run not in living]
        left = [] if dry or not ours else call(access, lambda api: leftovers.remove(api, ours, _WITHIN_S))
    states = {
        one: "would remove" if dry else "still there" if one in left else "removed" for one in sorted(ours)
    }
    if as_json:
        say_json({"alive": sorted(living), "objects": [_row(one, state) for one, state in states.items()]})
    else:
        _tell(living, states)
    return 1 if left else 0


def _row(one: Leftover, state: str) -> dict[str, str]:
    return {"run": one.run, "path": one.path, "state": state}


def _tell(living: Collection[str], states: Mapping[Leftover, str]) -> None:
    for one in sorted(living):
        say(f"run {one} still lives: `batchproof cleanup --run {one}` removes what it made all the same")
    for remnant, state in states.items():
        say(f"{state} {remnant}")
    if not living and not states:
        note("there is nothing to remove")
