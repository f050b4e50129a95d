"""The page of a bundle: one file, without a script, that a reviewer can keep."""

from __future__ import annotations

from typing import Final

from batchproof import __version__
from batchproof.attestation.telling import told, unproven
from batchproof.attestation.times import written
from batchproof.attestation.verification import INVALID, NOT_CONFORMANT, UNDECIDED, VALID, VerificationVerdict
from batchproof.report import html

_STYLES: Final = {
    VALID: "conformant",
    NOT_CONFORMANT: "not-proven",
    INVALID: "not-conformant",
    UNDECIDED: "not-proven",
}


def page(verdict: VerificationVerdict) -> str:
    """The page of a verdict: of an invalid bundle only why, unless it has done no more than expire."""
    return html.document(
        "certificate.html.jinja",
        verdict=verdict,
        title=title(verdict),
        style_of=_STYLES[verdict.code],
        checked=written(verdict.asked.now),
        batchproof=__version__,
        unproven=unproven(verdict),
        word=told(verdict.parties[0]) if verdict.parties else "",
    )


def title(verdict: VerificationVerdict) -> str:
    """The one big sentence; what it rests on stands below it."""
    if verdict.code == INVALID or not verdict.parties:
        return "This certificate is invalid" if verdict.code == INVALID else "This certificate is not checked"
    ran = verdict.parties[0].said.implementation
    who = f"{ran.name} {ran.version}"
    profile = f"the {', '.join(ran.profiles)} profile"
    if verdict.code == VALID:
        return f"{who} conforms to {profile}"
    if verdict.code == NOT_CONFORMANT:
        return f"This certificate does not show that {who} plainly conforms to {profile}"
    return f"Whether {who} conforms to {profile} cannot be decided here"
