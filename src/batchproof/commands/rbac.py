"""``batchproof rbac``: the rights that are needed in an existing cluster."""

from __future__ import annotations

import click

from batchproof.control_plane.rights import EVERY_RUN, manifests
from batchproof.descriptor import implementation as descriptors
from batchproof.profiles import needs_of
from batchproof.screen import say


@click.command("rbac")
@click.option(
    "-i",
    "--implementation",
    metavar="NAME|FILE",
    help="For the profiles and the dialect of this descriptor too.",
)
def command(*, implementation: str | None) -> int:
    """Print the manifests that give a ServiceAccount all that `--cluster existing` needs, and no more."""
    needs = needs_of(descriptors.load(descriptors.find(implementation))) if implementation else EVERY_RUN
    say(manifests(needs), nl=False)
    return 0
