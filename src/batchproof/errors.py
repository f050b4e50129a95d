"""Every way in which a run can go wrong, in the order in which a run lives.

``UserError``     what the user gave is wrong: before anything was started; the command exits with 2.
``HarnessError``  our own machinery or the cluster broke: the verdict is *errored*, never *failed*.
``Unmet``         a claim about the implementation does not hold: the verdict is *failed*.
``Inconclusive``  the precondition of a verdict never arose: the verdict is *inconclusive*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from batchproof.verdict import Finding


class BatchproofError(Exception):
    """The root of all errors that batchproof raises on purpose."""


class UserError(BatchproofError):
    """What the user gave cannot be used; the message says what to do about it."""


class NothingSelected(UserError):  # noqa: N818 - what there is, not what went wrong
    """The selection of the user is right in itself, but matches nothing."""


class HarnessError(BatchproofError):
    """The harness, the control plane or the machine broke: nothing is said about the implementation."""


class Unmet(BatchproofError, AssertionError):  # noqa: N818 - a verdict, not a mistake of the program
    """A claim about the implementation does not hold; an AssertionError, so that Allure calls it failed.

    Attributes:
        finding: what was expected, what was observed, and the records that prove it.
    """

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.text())
        self.finding = finding


class Inconclusive(BatchproofError):  # noqa: N818 - a verdict, not a mistake of the program
    """Neither held nor broken could be shown: no fault fired, or a witness was missing."""
