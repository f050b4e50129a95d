"""``batchproof badge``: a picture of what a certificate says, once it was checked."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from batchproof.attestation import trust as trusted
from batchproof.attestation.badge import badge, svg
from batchproof.attestation.verification import NOT_CONFORMANT, VALID, VerifyRequest, verify
from batchproof.given import BUNDLE, TRUST
from batchproof.ground import files, stored
from batchproof.ground.screen import say


@click.command("badge", short_help="Draw a badge of a certificate that is valid.")
@click.argument("bundle", type=BUNDLE)
@click.option(
    "--trust",
    type=TRUST,
    required=True,
    help="Whom you trust: your own file, see docs/how-to/check-a-certificate.md.",
)
@click.option("--with-deviations", is_flag=True, help="Accept known deviations; the badge says so.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("badge.svg"),
    show_default=True,
    help="The picture; the same as JSON, in the form of shields.io, is written beside it.",
)
def command(*, bundle: Path, trust: Path, with_deviations: bool, output: Path) -> int:
    """Check the certificate in the file BUNDLE as `verify` does, and draw a badge of it.

    No badge is written of what is invalid or cannot be decided, and none of a run without a certificate: it
    would look like one. The exit code is that of `verify`.
    """
    asked = VerifyRequest(now=datetime.now(UTC), with_deviations=with_deviations)
    verdict = verify(bundle, trusted.read(trust), asked)
    say(verdict.sentence)
    if verdict.code in {VALID, NOT_CONFORMANT}:
        made = badge(verdict)
        say(files.write_to(output, svg(made).encode()))
        say(files.write_to(output.with_suffix(".json"), stored.indented(made)))
    return verdict.code
