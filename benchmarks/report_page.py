"""What the reports of a run with 800 scenarios take: to be made, and to be loaded by Chromium.

Each scenario has a recorded history of about 90 KB, of which a timeline is drawn; each twentieth has failed.
The reports are made by ``batchproof report`` in a process of its own: it fails if that needs more memory than
500 MB. The loading needs chromium and chromium-driver, as tests/browser does::

    python benchmarks/report_page.py
    python benchmarks/report_page.py --scenarios 80 --rounds 1
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import monotonic
from typing import TYPE_CHECKING, Any

from usage import cpu_s_of_ended, peak_mb_of_ended

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(TESTS / "browser"), str(TESTS / "unit")]

import report_sample as sample  # noqa: E402 - the tests know how to make such a run
from chromium import Missing, chromium  # noqa: E402
from pages import RECORDED, SCENARIOS, large  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_S, MOST_MB = 20, 500
"""What the reports may take to be made, in seconds and in MB of resident memory."""
_LOADED = "return performance.getEntriesByType('navigation')[0].loadEventEnd"


@dataclass(frozen=True, slots=True)
class Making:
    """What it took to make the reports.

    Attributes:
        took_s: from the command to its end.
        cpu_s: the seconds of a processor in it.
        peak_mb: the most memory that was resident.
    """

    took_s: float
    cpu_s: float
    peak_mb: float


def main() -> None:
    """Measure and print it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--scenarios", type=int, default=SCENARIOS)
    parser.add_argument("--rounds", type=int, default=10, help="How often the page is loaded.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="batchproof-pages-") as name:
        folder = Path(name)
        recorded(folder, options.scenarios)
        making = made(folder)
        page = folder / "index.html"
        print(
            f"{options.scenarios} scenarios: all reports made in {making.took_s:.1f} s (at most {MOST_S}), "
            f"{making.cpu_s:.1f} s of a processor, {making.peak_mb:.0f} MB (at most {MOST_MB}); "
            f"the page has {page.stat().st_size / 1e6:.2f} MB"
        )
        if making.peak_mb > MOST_MB:
            sys.exit(f"more than {MOST_MB} MB")
        took_ms = loaded(page, options.rounds)
    spread = f"{min(took_ms):.0f}, {median(took_ms):.0f}, {max(took_ms):.0f} ms"
    print(f"loaded in (least, median, most) {spread}")


def recorded(folder: Path, scenarios: int) -> None:
    """Leave the results of a run, with a history for each scenario."""
    histories = sorted(RECORDED.glob("*.jsonl"))
    (folder / "histories").mkdir()
    records = large(scenarios)
    for number, record in enumerate(records[1:-1]):
        history = histories[number % len(histories)]
        record["history"] = f"histories/{number}.jsonl"
        shutil.copy(history, folder / record["history"])
        if record["unmet"]:
            record["unmet"]["timeline"] = decided(history)
    sample.write_stream(folder, records)


def decided(history: Path) -> list[dict[str, Any]]:
    """The timeline of a failure that the last record of a history decides."""
    last = len(history.read_bytes().splitlines()) - 1
    return [{"at_s": 1.0, "subject": "pod/a", "what": "MODIFIED", "here": True, "record": last}]


def made(folder: Path) -> Making:
    """Make the reports of a folder of results."""
    before_s, began_s = cpu_s_of_ended(), monotonic()
    subprocess.run([sys.executable, "-m", "batchproof", "report", "--quiet", str(folder)], check=True)
    return Making(monotonic() - began_s, cpu_s_of_ended() - before_s, peak_mb_of_ended())


def loaded(page: Path, rounds: int) -> Sequence[float]:
    """How long Chromium takes to load a page, each time, in milliseconds."""
    try:
        browser = chromium(["--window-size=1300,1000"])
    except Missing as missing:
        sys.exit(f"not loaded: {missing}")
    took_ms = []
    try:
        for _ in range(rounds):
            browser.get("about:blank")
            browser.get(page.as_uri())
            took_ms.append(browser.execute_script(_LOADED))
    finally:
        browser.quit()
    return took_ms


if __name__ == "__main__":
    main()
