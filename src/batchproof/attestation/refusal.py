"""Why a certificate is not accepted: each way has its exit code and one sentence."""

from __future__ import annotations

from typing import Final

AGAIN: Final = "download it again; if it stays so, reject it"
"""What a reader does with a file that may have been damaged on its way."""


class Refused(Exception):  # noqa: N818 - reads as what it is
    """The certificate is not accepted; the message is one sentence that says why."""


class Invalid(Refused):
    """It is not what its signer says, no trusted party has signed it, or it is not a certificate at all."""


class Changed(Invalid):
    """The file is not as it was written: it was damaged on its way, or it was changed."""

    def __str__(self) -> str:
        return f"{super().__str__()}; the file is damaged or was changed: {AGAIN}"


class CannotDecide(Refused):
    """This installation cannot decide: something that the decision needs is not here."""
