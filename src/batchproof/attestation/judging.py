"""Evidence judged again by the suite that is installed here."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof import __version__
from batchproof.attestation.evidence import files_of
from batchproof.attestation.refusal import CannotDecide, Invalid
from batchproof.evidence.check import check
from batchproof.evidence.digests import suite_digest
from batchproof.ground.errors import UserError
from batchproof.report.outcome import Outcome
from batchproof.report.records import Suite
from batchproof.report.results import Results, WrongSchema, read_results

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class JudgedAgain:
    """A run that was judged again, and came to what it had recorded.

    Attributes:
        results: the run.
        outcome: what it comes to.
        histories: how many histories were judged.
    """

    results: Results
    outcome: Outcome
    histories: int


class OtherSuite(CannotDecide):
    """A run was made by another suite, which a reader has to get.

    Attributes:
        what: by which, and which is here.
    """

    def __init__(self, what: str, commit: str) -> None:
        which = f"install batchproof at the commit {commit}"
        if not commit:
            which = "ask the signer for the exact build or commit, install it"
        super().__init__(
            f"{what}: {which} from the project's own source, or request a certificate made with yours"
        )
        self.what = what


def judged_again(folder: Path) -> JudgedAgain:
    """Judge the run in a folder again, by the suite that is installed here and by nothing that the run says.

    Raises:
        Undecided: it was made by another suite, or its form is not read here.
        Invalid: it is not what that suite would have recorded.
    """
    try:
        results = read_results(folder)
    except WrongSchema as error:
        said = _without(str(error), folder)
        raise CannotDecide(f"batchproof {__version__} does not read the evidence: {said}") from error
    except UserError as error:
        raise Invalid(f"the evidence cannot be believed: {_without(str(error), folder)}") from error
    check_suite(results.header.suite, results.header.batchproof)
    if missing := [name for name in files_of(results) if not (folder / name).is_file()]:
        raise Invalid(f"{missing[0]} is missing in the evidence")
    try:
        checked = check(results, folder, workers=os.cpu_count() or 1)
    except UserError as error:
        raise Invalid(f"the evidence is not confirmed: {_without(str(error), folder)}") from error
    if wrong := checked.wrong:
        more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        raise Invalid(f"the evidence is not confirmed: {_without(wrong[0], folder)}{more}")
    return JudgedAgain(results, checked.outcome, sum(one.again.judged for one in checked.scenarios))


def check_suite(suite: Suite, version: str) -> None:
    """See that the suite is the one that is installed here.

    Raises:
        OtherSuite: it is another.
    """
    if suite.digest != (here := suite_digest()):
        called = "also called" if version == __version__ else "of batchproof"
        raise OtherSuite(
            f"the run was judged by suite {suite.digest} (batchproof {version}); installed here is suite "
            f"{here}, {called} {__version__}",
            suite.commit,
        )


def _without(text: str, folder: Path) -> str:
    """A text without the name of a folder that is gone when it is read."""
    return text.replace(f"{folder}/", "")
