"""A badge: what a verified bundle certifies, in a few words, as a picture and as JSON."""

from __future__ import annotations

from typing import Final

import msgspec
from markupsafe import escape

from batchproof.attestation.verification import NOT_CONFORMANT, VALID, VerificationVerdict
from batchproof.ground.screen import printable
from batchproof.report.wording import count

_LABEL: Final = "batchproof"
_COLORS: Final = {VALID: "#1a7f37", NOT_CONFORMANT: "#8a5c00"}
_CHARACTER: Final = 6.6
_PADDING: Final = 10


class Badge(msgspec.Struct, frozen=True, rename="camel"):
    """The form that shields.io reads from an endpoint."""

    message: str
    color: str
    label: str = _LABEL
    schema_version: int = 1


def badge(verdict: VerificationVerdict) -> Badge:
    """The badge of a valid bundle: profile, verdict, what was left out, level, and the last day.

    Args:
        verdict: of ``verify``; it is valid.
    """
    first = verdict.parties[0]
    profile = ", ".join(first.said.implementation.profiles)
    mark = first.run.outcome.mark
    missing = len(first.run.outcome.not_judged)
    scope = f", {count(missing, 'part')} not judged" if missing else ""
    until = first.said.expires[:10]
    return Badge(printable(f"{profile} {mark}{scope} ({verdict.level}) until {until}"), _COLORS[verdict.code])


def svg(made: Badge) -> str:
    """The badge as a picture: one file, which loads nothing else."""
    left, right = _width(made.label), _width(made.message)
    label, message = escape(made.label), escape(made.message)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{label}: {message}"><title>{label}: {message}</title>'
        f'<rect width="{left}" height="20" fill="#444"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{made.color}"/>'
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        f'<text x="{left / 2:g}" y="14">{label}</text>'
        f'<text x="{left + right / 2:g}" y="14">{message}</text></g></svg>\n'
    )


def _width(text: str) -> int:
    """About how wide a text is, in pixels."""
    return round(len(text) * _CHARACTER) + 2 * _PADDING
