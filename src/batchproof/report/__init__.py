"""Reports: pure functions of a results stream, which holds everything that they say.

``results`` writes and reads the stream, ``outcome`` draws the conclusion, and one module each gives it to
programs (``json_report``), to CI (``junit``), to a terminal (``table``) and to reviewers (``page``). No
clock, no network: the same results give the same reports, byte for byte. ``cases`` is what CI sees of a run,
and ``allure`` gives it to Allure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof import files
from batchproof.report.allure import write_allure
from batchproof.report.json_report import json_report
from batchproof.report.junit import junit_report
from batchproof.report.outcome import judge_run
from batchproof.report.page import page

if TYPE_CHECKING:
    from pathlib import Path

    from batchproof.report.results import Results


def write_all(results: Results, out: Path, junit: Path | None = None) -> dict[str, Path]:
    """Write ``report.json``, ``junit.xml``, ``index.html`` and ``allure/`` into a folder.

    Args:
        results: the run.
        out: the folder of the results; the page links to the histories in it.
        junit: where to put the JUnit report besides.

    Returns:
        The files by kind: ``page``, ``json``, ``junit``.

    Raises:
        UserError: a path is wrong: there is a link, or no right to write.
        HarnessError: the disk is full or broken.
    """
    outcome = judge_run(results)
    junit_xml = junit_report(results, outcome)
    paths = {
        "page": files.write(out, "index.html", page(results, outcome).encode()),
        "json": files.write(out, "report.json", json_report(results, outcome)),
        "junit": files.write(out, "junit.xml", junit_xml),
    }
    if junit:
        paths["junit"] = files.write_to(junit, junit_xml)
    with files.new_folder(out, "allure") as folder:
        write_allure(results, outcome, folder)
    return paths
