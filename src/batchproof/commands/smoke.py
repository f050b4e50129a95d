"""``batchproof smoke``: check a descriptor first, and blame it, not the implementation."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from batchproof.descriptor import implementation as descriptors
from batchproof.options import cluster_options
from batchproof.running.smoke import smoke
from batchproof.running.stage import staged
from batchproof.screen import say
from batchproof.specification.gherkin import parse_features
from batchproof.specification.lint import lint_descriptor
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from batchproof.control_plane.choice import Choice


@click.command("smoke")
@click.argument("descriptor")
@cluster_options
def command(*, descriptor: str, choice: Choice) -> int:
    """Start what DESCRIPTOR (a file, or a bundled one's name) describes, and see that it can be judged."""
    implementation = descriptors.load(descriptors.find(descriptor))
    wrong = lint_descriptor(
        implementation.descriptor, load_registry(), parse_features(), datetime.now(UTC).date()
    )
    if wrong:
        say(f"FAILED  {implementation.descriptor} is a valid descriptor")
        say("\n".join(map(str, wrong)))
        return 1
    say(f"ok      {implementation.descriptor} is a valid descriptor")
    with staged(implementation, choice, lambda _: None) as stage, stage.plane() as plane:
        for finding in smoke(stage, plane):
            say(f"{'ok' if finding.holds else 'FAILED':<7} {finding.text}")
            if finding.advice:
                say(finding.advice)
            if not finding.holds:
                return 1
    say(f"{implementation.name} {implementation.version} can be judged: batchproof run -i {descriptor}")
    return 0
