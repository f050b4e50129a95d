"""``batchproof certify``: sign a run, together with its evidence."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click

from batchproof.attestation import keyless, keys, making
from batchproof.attestation.statement import Level
from batchproof.attestation.times import LONGEST
from batchproof.attestation.unverified import SUFFIX
from batchproof.given import BUNDLE, KEY, RESULTS
from batchproof.ground import files
from batchproof.ground.errors import UserError
from batchproof.ground.screen import note
from batchproof.report.wording import count

_FILE = click.Path(dir_okay=False, path_type=Path)
_PASSWORD = "BATCHPROOF_KEY_PASSWORD"  # noqa: S105 - the name of a variable


@click.command("certify", short_help="Sign a run with all its evidence as one file, for others to check.")
@click.argument("results", required=False, type=RESULTS)
@click.option("--key", type=KEY, help="Private key, in PEM.")
@click.option(
    "--sigstore", is_flag=True, help="Sign by an identity instead of a key; needs batchproof[sigstore]."
)
@click.option("--identity-token", metavar="TOKEN", help="sigstore: who signs; default: the CI job.")
@click.option(
    "--sigstore-config", type=_FILE, help="sigstore: the client trust configuration of your instance."
)
@click.option("--new-key", type=_FILE, help="Only make a key: FILE, and FILE.pub for those who verify.")
@click.option(
    "--level",
    type=click.Choice(["self", "ci"]),
    default="self",
    show_default=True,
    help="What you attest: that you ran it, or that your CI system did.",
)
@click.option(
    "--witness",
    metavar="BUNDLE",
    type=BUNDLE,
    help="Add RESULTS, your own run of the same, to the bundle of another party.",
)
@click.option("--signer", metavar="NAME", help="Who signs; default: the organisation of the descriptor.")
@click.option(
    "--expires",
    metavar="DATE",
    type=click.DateTime(["%Y-%m-%d"]),
    help="The day on which the certificate expires, at most 12 months away; default: in a year.",
)
@click.option("--attempts", type=click.IntRange(1), help="How many whole runs you made until this one.")
@click.option(
    "-o", "--output", type=_FILE, help=f"The bundle; default: NAME-VERSION-PROFILE[-witnessed]{SUFFIX}."
)
def command(
    *,
    results: Path | None,
    key: Path | None,
    sigstore: bool,
    identity_token: str | None,
    sigstore_config: Path | None,
    new_key: Path | None,
    level: Level,
    witness: Path | None,
    signer: str | None,
    expires: datetime | None,
    attempts: int | None,
    output: Path | None,
) -> int:
    """Certify the run in the folder RESULTS: one file that carries the evidence, signed.

    The run is judged again first. A run of a part of a profile, with a time_scale, or of a changed checkout
    of batchproof cannot be certified.
    """
    if new_key:
        return _make_key(new_key)
    if results is None:
        raise UserError("give the folder of a run: `batchproof certify batchproof-results --key FILE`")
    if (key is None) != sigstore:
        raise UserError(
            "say who signs: either --key FILE, a private key that `batchproof certify --new-key FILE` makes, "
            "or --sigstore"
        )
    if witness and not signer:
        raise UserError("--witness: say who you are with --signer NAME")
    if key:
        sign = making.by_key(keys.private_key(_read(key), str(key), _password))
    else:
        where, identity = keyless.context(sigstore_config), keyless.token(identity_token)
        sign = partial(keyless.sign, where=where, identity=identity)
    now = datetime.now(UTC)
    words = making.Words(
        now=now,
        level="witnessed" if witness else level,
        signer=signer or "",
        expires=_end(now, expires),
        attempts=attempts or 0,
        ci=making.ci_job(os.environ) if level == "ci" else {},
    )
    run = making.run(results)
    made = making.witnessed(witness, run, words, sign) if witness else making.certified(run, words, sign)
    header = run.judged.results.header
    second = "-witnessed" if witness else ""
    name = f"{header.implementation.name}-{header.implementation.version}-{header.profile}{second}{SUFFIX}"
    path = files.write_to(output or Path(name.replace("/", "-")), made)
    note(f"{count(run.judged.histories, 'history', 'histories')} judged again: {run.judged.outcome.headline}")
    note(f"{path}: {len(made) / 1e6:.1f} MB, signed by {words.signer or header.implementation.organisation}")
    if key:
        note(f"Those who check it need your public key: {key}.pub, or `openssl pkey -in {key} -pubout`.")
    return 0


def _end(now: datetime, given: datetime | None) -> datetime:
    """When the certificate expires."""
    if given is None:
        return now + making.DEFAULT_LAST
    end = given.replace(tzinfo=UTC)
    if not now < end <= now + LONGEST:
        last = (now + LONGEST).date()
        raise UserError(f"--expires: {end.date()} is not between tomorrow and {last}: 12 months at most")
    return end


def _make_key(path: Path) -> int:
    """Make a key that only its owner can read, and beside it the one that others get."""
    key = keys.new_key()
    public = path.with_name(f"{path.name}.pub")
    try:
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except FileExistsError as error:
        raise UserError(f"--new-key: {path} is there already, and a key is never replaced") from error
    with os.fdopen(number, "wb") as file:
        file.write(key.pem)
    files.write_to(public, key.public.pem.encode())
    note(f"{path}: private, keep it; {public}: public, give it to those who check your certificates")
    return 0


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(keys.MOST_BYTES)


def _password() -> str:
    """The password of an encrypted key: of the environment, or typed."""
    given = os.environ.get(_PASSWORD)
    return given if given is not None else str(click.prompt("Password of the key", hide_input=True, err=True))
