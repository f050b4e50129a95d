"""``batchproof rbac``: the rights that are needed in a cluster that exists already."""

from __future__ import annotations

import click

from batchproof.control_plane.rights import rbac_file


@click.command("rbac")
def command() -> int:
    """Print the manifests that give a ServiceAccount all that `--cluster existing` needs, and no more."""
    click.echo(rbac_file().read_text("utf-8"), nl=False)
    return 0
