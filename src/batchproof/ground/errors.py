"""Every way in which a run can go wrong that says nothing about the implementation.

``UserError``     what the user gave is wrong: before anything was started; the command exits with 2.
``HarnessError``  our own machinery or the cluster broke: the verdict is *errored*, never *failed*.

What does say something about it (``Unmet``) or could not (``Inconclusive``) is in ``judgement.finding``.
"""

from __future__ import annotations


class BatchproofError(Exception):
    """The root of all errors that batchproof raises on purpose."""


class UserError(BatchproofError):
    """What the user gave cannot be used; the message says what to do about it."""


class NothingSelected(UserError):  # noqa: N818 - what there is, not what went wrong
    """The selection of the user is right in itself, but matches nothing."""


class HarnessError(BatchproofError):
    """The harness, the control plane or the machine broke: nothing is said about the implementation."""
