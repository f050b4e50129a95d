"""Takes the pictures of the docs: python scripts/screenshots.py RUN COMPARISON MUTANTS [docs/images].

RUN is a folder of `batchproof run` (or of one mutant) in which something failed, COMPARISON the page of
`batchproof compare`, MUTANTS the folder of `batchproof mutants`. It needs chromium and chromium-driver. The
pictures are WebP, for PNG would take three times the room.
"""

from __future__ import annotations

import base64
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "browser"))

from chromium import chromium

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

_DESKTOP = {"width": 1300, "height": 900, "deviceScaleFactor": 1, "mobile": False}
_PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
_PAPER = {"width": 794, "height": 1123, "deviceScaleFactor": 1, "mobile": False}
_QUALITY = 40


@dataclass(frozen=True, slots=True)
class View:
    """How a page is looked at.

    Attributes:
        end: how the name of the picture ends.
        size: of the screen or the paper.
        scheme: ``light`` or ``dark``.
        media: ``print``; empty: a screen.
    """

    end: str
    size: dict[str, Any]
    scheme: str = "light"
    media: str = ""


VIEWS = (
    View("", _DESKTOP),
    View("-dark", _DESKTOP, scheme="dark"),
    View("-phone", _PHONE),
    View("-print", _PAPER, media="print"),
)


def main(run: Path, comparison: Path, mutants: Path, images: Path) -> None:
    """Take them all."""
    images.mkdir(parents=True, exist_ok=True)
    pages = {"page": run / "index.html", "compare": comparison, "mutants": mutants / "index.html"}
    browser = chromium(["--hide-scrollbars"])
    try:
        for name, page in pages.items():
            for view in VIEWS:
                _take(browser, page, images / f"{name}{view.end}.webp", view)
        timeline = min((run / "timelines").glob("*.html"))
        _take(browser, timeline, images / "timeline.webp", VIEWS[0])
    finally:
        browser.quit()


def _take(browser: Chrome, page: Path, image: Path, view: View) -> None:
    features = [{"name": "prefers-color-scheme", "value": view.scheme}]
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", view.size)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": view.media, "features": features})
    browser.get(page.resolve().as_uri())
    taken = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "webp", "quality": _QUALITY})
    image.write_bytes(base64.b64decode(taken["data"]))
    print(f"{image}  {image.stat().st_size} bytes")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]), Path(sys.argv[4] if sys.argv[4:] else "docs/images"))
