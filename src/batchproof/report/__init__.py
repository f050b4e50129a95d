"""Reports: pure functions of a results stream and its histories, which hold everything that they say.

``results`` writes and reads the stream, ``outcome`` draws the conclusion, and one module each gives it to
programs (``json_report``), to CI (``junit``), to a terminal (``table``) and to reviewers (``page``, with the
timelines that ``drawings`` makes of the histories). No clock, no network: the same results give the same
reports, byte for byte. ``cases`` is what CI sees of a run, and ``allure`` gives it to Allure.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from batchproof.ground import files
from batchproof.report.allure import write_allure
from batchproof.report.changes import changes
from batchproof.report.drawings import TIMELINES, Drawings
from batchproof.report.json_report import json_report
from batchproof.report.junit import junit_report
from batchproof.report.outcome import judge_run
from batchproof.report.page import Unchecked, page
from batchproof.report.results import Results

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FILES = {"page": "index.html", "json": "report.json", "junit": "junit.xml"}
"""The reports in the folder of a run, by kind."""
REPORTS = (*FILES.values(), TIMELINES)
"""What ``write_all`` leaves in a folder, but for what Allure reads."""


def derived(results: Results, folder: Path) -> dict[str, bytes]:
    """The reports that follow from results and their histories, by the names of their files.

    Args:
        results: the run.
        folder: where it lies, with its histories.
    """
    outcome = judge_run(results)
    return {
        "index.html": page(results, outcome, Drawings(folder)).encode(),
        "report.json": json_report(results, outcome),
        "junit.xml": junit_report(results, outcome),
    }


def page_of(
    results: Results,
    folder: Path,
    *,
    before: Results | None = None,
    checked: str = "",
    certificates: Sequence[Unchecked] = (),
) -> bytes:
    """The page of a run that says more than its results do, so that it stands beside ``index.html``.

    Args:
        results: the run.
        folder: where it lies, with its histories: the page links to them, and belongs there.
        before: the run that it is compared with.
        checked: when, and by which suite, it was judged again.
        certificates: what those say that lie beside it.
    """
    since = changes(before, results) if before else None
    outcome, drawings = judge_run(results), Drawings(folder)
    return page(results, outcome, drawings, since, checked=checked, certificates=certificates).encode()


def timelines(results: Results, folder: Path) -> Iterator[tuple[str, bytes]]:
    """The drawn timeline of each scenario that has a history: the name of its page, and what that holds.

    Args:
        results: the run.
        folder: where it lies, with its histories.
    """
    return Drawings(folder).pages(results)


def write_all(results: Results, out: Path, junit: Path | None = None) -> dict[str, Path]:
    """Write ``report.json``, ``junit.xml``, ``index.html``, ``timelines/`` and ``allure/`` into a folder.

    Args:
        results: the run.
        out: the folder of the results, with the histories.
        junit: where to put the JUnit report besides.

    Returns:
        The files by kind: ``page``, ``json``, ``junit``.

    Raises:
        UserError: a path is wrong: there is a link, or no right to write.
        HarnessError: the disk is full or broken.
    """
    made = derived(results, out)
    paths = {kind: files.write(out, name, made[name]) for kind, name in FILES.items()}
    if junit:
        paths["junit"] = files.write_to(junit, made[FILES["junit"]])
    with files.new_folder(out, TIMELINES) as folder:
        for name, content in timelines(results, out):
            (folder / Path(name).name).write_bytes(content)
    with files.new_folder(out, "allure") as folder:
        write_allure(results, judge_run(results), Drawings(out), folder)
    return paths
