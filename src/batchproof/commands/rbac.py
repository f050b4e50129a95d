"""``batchproof rbac``: the rights that are needed in an existing cluster."""

from __future__ import annotations

import click

from batchproof.control_plane.rights import manifests
from batchproof.descriptor import implementation as descriptors


@click.command("rbac")
@click.option(
    "-i", "--implementation", metavar="NAME|FILE", help="For gangs in the dialect of this descriptor too."
)
def command(*, implementation: str | None) -> int:
    """Print the manifests that give a ServiceAccount all that `--cluster existing` needs, and no more."""
    dialect = descriptors.load(descriptors.find(implementation)).dialect if implementation else None
    click.echo(manifests(dialect), nl=False)
    return 0
