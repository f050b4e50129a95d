"""Reports: pure functions of a results stream, which holds everything that they say.

``results`` writes and reads the stream, ``outcome`` draws the conclusion, and one module each gives it to
programs (``json_report``), to CI (``junit``), to a terminal (``table``) and to reviewers (``page``). No
clock, no network: the same results give the same reports, byte for byte. ``cases`` is what CI sees of a run,
and ``allure`` gives it to Allure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.errors import UserError
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
        UserError: a file cannot be written.
    """
    outcome = judge_run(results)
    paths = {"page": out / "index.html", "json": out / "report.json", "junit": junit or out / "junit.xml"}
    junit_xml = junit_report(results, outcome)
    contents = {
        paths["page"]: page(results, outcome).encode(),
        paths["json"]: json_report(results, outcome),
        out / "junit.xml": junit_xml,
        paths["junit"]: junit_xml,
    }
    for path, content in contents.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError as error:
            raise UserError(f"the report {path} cannot be written: {error.strerror}") from error
    try:
        write_allure(results, outcome, out / "allure")
    except OSError as error:
        raise UserError(f"the folder {out / 'allure'} cannot be written: {error.strerror}") from error
    return paths
