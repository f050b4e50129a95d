"""``batchproof smoke``: check a descriptor first, and blame it, not the implementation."""

from __future__ import annotations

from pathlib import Path

import click

from batchproof import implementation as descriptors
from batchproof.smoke import smoke
from batchproof.stage import staged


@click.command("smoke")
@click.argument("descriptor")
@click.option(
    "--assets",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of etcd, kube-apiserver, kube-controller-manager.",
)
def command(descriptor: str, assets: Path | None) -> int:
    """Start what DESCRIPTOR (a file, or a bundled one's name) describes, and see that it can be judged."""
    implementation = descriptors.load(descriptors.find(descriptor))
    click.echo(f"ok      {implementation.descriptor} is a valid descriptor")
    with staged(implementation, assets, lambda _: None) as stage:
        for finding in smoke(stage.implementation, stage.binary, stage.plane):
            click.echo(f"{'ok' if finding.holds else 'FAILED':<7} {finding.text}")
            if not finding.holds:
                click.echo(finding.advice)
                return 1
    click.echo(
        f"{implementation.name} {implementation.version} can be judged: batchproof run -i {descriptor}"
    )
    return 0
