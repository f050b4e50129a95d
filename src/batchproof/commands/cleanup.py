"""``batchproof cleanup``: remove what crashed runs have left in a cluster."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from batchproof.api.credentials import locate, read
from batchproof.control_plane import remains
from batchproof.control_plane.existing import call
from batchproof.processes.programs import run_directory
from batchproof.screen import say

_WITHIN_S: Final = 60.0


@click.command("cleanup")
@click.option(
    "--kubeconfig",
    type=click.Path(dir_okay=False, path_type=Path),
    help="How to reach the cluster; default as for kubectl.",
)
@click.option("--context", help="A context of the kubeconfig; default is its current one.")
@click.option("--run", metavar="ID", help="Only what this run has made, also if it still seems to live.")
@click.option("--dry-run", "dry", is_flag=True, help="Say what would be removed, and remove nothing.")
def command(*, kubeconfig: Path | None, context: str | None, run: str | None, dry: bool) -> int:
    """Remove what runs that were cut off have left in a cluster (--cluster existing).

    Only what carries the label batchproof.dev/cell of a run is touched: namespaces with all in them, nodes
    and their Leases, cluster-scoped custom objects. What a run that still lives has made is left alone.

    The rights that this needs are those of a run: `batchproof rbac` prints them.
    """
    with run_directory() as own:
        access = read(locate(kubeconfig, context, own.path))
        found = call(access, lambda api: remains.find(api, run))
        living = set() if run else remains.living(found, datetime.now(UTC))
        for one in sorted(living):
            say(f"run {one} still lives: `batchproof cleanup --run {one}` removes what it made all the same")
        ours = [one for one in found if one.run not in living]
        left = [] if dry or not ours else call(access, lambda api: remains.remove(api, ours, _WITHIN_S))
    for remnant in sorted(ours):
        state = "would remove" if dry else "still there" if remnant in left else "removed"
        say(f"{state} {remnant}")
    if not found:
        say("there is nothing to remove")
    return 1 if left else 0
