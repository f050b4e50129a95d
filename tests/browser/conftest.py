"""A real browser without a screen: Debian's chromium and chromium-driver, or any Chromium in the path."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import report_sample as sample
from chromium import Missing, chromium
from pages import CERTIFICATE, Pages, compared, explorations, large, marked, matrix

from batchproof.ground import files
from batchproof.report import page_of, write_all
from batchproof.report.results import read_results

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver import Chrome


SCRIPT_S = 120.0
"""How long axe may look at a page, where other tests have the processors."""


@pytest.fixture(scope="session")
def chrome() -> Iterator[Chrome]:
    try:
        browser = chromium(["--window-size=1300,1000"])
    except Missing as missing:
        pytest.fail(str(missing))
    browser.set_script_timeout(SCRIPT_S)
    yield browser
    browser.quit()


@pytest.fixture
def browser(chrome: Chrome) -> Iterator[Chrome]:
    """The browser as it is at first: a desktop in the light, with scripts."""
    chrome.get("about:blank")
    chrome.get_log("browser")
    yield chrome
    assert chrome.get_log("browser") == []
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    chrome.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    """Folders of results with all that is made of them."""
    root = tmp_path_factory.mktemp("pages")
    found = {}
    for name, records in {
        "mixed": sample.stream(sample.scenarios()),
        "clean": sample.stream(sample.passing_scenarios()),
        "large": large(),
        "marked": marked(root / "marked"),
    }.items():
        folder = root / name
        folder.mkdir(exist_ok=True)
        sample.write_stream(folder, records)
        results = read_results(folder)
        write_all(results, folder)
        found[name] = folder / "index.html"
    mixed = found["mixed"].parent
    since = page_of(read_results(mixed), mixed, before=read_results(found["clean"].parent))
    found["changes"] = files.write(mixed, "changes.html", since)
    found["timeline"] = next((found["marked"].parent / "timelines").glob("status-*.html"))
    found["gang"] = next((found["marked"].parent / "timelines").glob("GNG-069*.html"))
    found["matrix"] = files.write(root, "matrix.html", matrix())
    signed = page_of(read_results(mixed), mixed, certificates=[CERTIFICATE])
    found["certificate"] = files.write(mixed, "certificate.html", signed)
    found["compare"] = files.write(root, "compare.html", compared(root, "marked", "mixed", "clean"))
    found |= explorations(root / "explorations")
    return Pages({name: Path(path) for name, path in found.items()})
