"""Size of the page of a run with 800 scenarios, and how long Chromium takes to load it.

It needs chromium and chromium-driver, as tests/browser does::

    python benchmarks/report_page.py
    python benchmarks/report_page.py --rounds 1
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(TESTS / "browser"), str(TESTS / "unit")]

import report_sample as sample  # noqa: E402 - the tests know how to make such a run
from chromium import chromium  # noqa: E402
from pages import SCENARIOS, large  # noqa: E402

from batchproof.report import derived  # noqa: E402
from batchproof.report.results import read_results  # noqa: E402

_LOADED = "return performance.getEntriesByType('navigation')[0].loadEventEnd"


def main() -> None:
    """Measure and print it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="batchproof-pages-") as name:
        folder = Path(name)
        sample.write_stream(folder, large())
        page = folder / "index.html"
        page.write_bytes(derived(read_results(folder), folder)[page.name])
        browser = chromium(["--window-size=1300,1000"])
        took_ms = []
        try:
            for _ in range(rounds):
                browser.get("about:blank")
                browser.get(page.as_uri())
                took_ms.append(browser.execute_script(_LOADED))
        finally:
            browser.quit()
        size = page.stat().st_size
    spread = f"{min(took_ms):.0f}, {median(took_ms):.0f}, {max(took_ms):.0f} ms"
    print(f"{SCENARIOS} scenarios: {size / 1e6:.2f} MB, loaded in (least, median, most) {spread}")


if __name__ == "__main__":
    main()
