"""``batchproof verify``: check a certificate, and judge its evidence again."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from batchproof.attestation import trust as trusted
from batchproof.attestation.page import page
from batchproof.attestation.statement import SHA256
from batchproof.attestation.telling import as_record, lines
from batchproof.attestation.verification import VerifyRequest, verify
from batchproof.evidence.digests import file_digest
from batchproof.given import BUNDLE, TRUST
from batchproof.ground import files
from batchproof.ground.screen import say, say_json
from batchproof.options import json_option
from batchproof.profiles import profiles

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("verify", short_help="Check a certificate, and judge its evidence again.")
@click.argument("bundle", type=BUNDLE)
@click.option(
    "--trust",
    type=TRUST,
    required=True,
    help="Whom you trust: your own file, see docs/how-to/check-a-certificate.md.",
)
@click.option(
    "--artifact", metavar="FILE", type=_FILE, help="The file that you have: it must be the one that was run."
)
@click.option("--profile", type=click.Choice([*profiles()]), help="The profile that must have been judged.")
@click.option(
    "--at",
    metavar="DATE",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Also say whether the dates were right on that day; the exit code is that of today.",
)
@click.option(
    "--with-deviations",
    is_flag=True,
    help="Accept known deviations of what is no core requirement; the verdict names them.",
)
@click.option(
    "--html", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Write a page too."
)
@json_option("Print the answer as JSON.")
def command(
    *,
    bundle: Path,
    trust: Path,
    artifact: Path | None,
    profile: str | None,
    at: datetime | None,
    with_deviations: bool,
    html: Path | None,
    as_json: bool,
) -> int:
    """Check the certificate in the file BUNDLE and judge its evidence again.

    The exit code is the answer: 0 valid and conformant, 1 valid but not plainly conformant, 2 invalid (or
    wrong use), 3 it cannot be decided here. Nothing of the bundle is executed, and nothing of it is kept.
    """
    if html:
        files.check_writable(html)
    asked = VerifyRequest(
        now=datetime.now(UTC),
        artifact=file_digest(artifact).removeprefix(SHA256) if artifact else "",
        profile=profile or "",
        with_deviations=with_deviations,
    )
    verdict = verify(bundle, trusted.read(trust), asked)
    then = at.replace(tzinfo=UTC) if at else None
    if html:
        files.write_to(html, page(verdict).encode())
    if as_json:
        say_json(as_record(verdict, then))
    else:
        for line in lines(verdict, then):
            say(line)
        if html:
            say(f"page  {html}")
    return verdict.code
