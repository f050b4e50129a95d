"""Takes the pictures of the docs: python scripts/screenshots.py RUNS [docs/images].

It makes the runs of which they are taken in the folder RUNS, unless they are there: one mutant of each
profile and one more for queues, each in the few scenarios that kill it; and some scenarios of Jobs with the
reference, with a wrong controller (the reference with a mutant) and with the kube-controller-manager. That
takes some minutes. It needs chromium and chromium-driver. The pictures are WebP, for PNG would take three
times the room.
"""

from __future__ import annotations

import base64
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "browser"))

from chromium import chromium

from batchproof.ground import suite
from batchproof.specification.mutants import load_mutants, plant

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

MUTANTS = {
    "job": "finalizer-removed-before-status",
    "gang": "partial-placements-committed",
    "queue": "capability-ignored",
    "tfjob": "tfjob-restarts-after-every-code",
    "volcano-job": "volcano-pods-before-the-group-is-let-in",
    "jobset": "jobset-restarts-counted-twice",
}
"""The mutant of which each picture is."""
_WRONG, _CHOSEN = "acme-jobs", "BAS-013 or BAS-014 or FIN-003 or FIN-004 or FIN-005 or EXP-001 or FAIL-021.2"
_DESCRIPTOR = """\
name: acme-jobs
version: "0.2.0"
organisation: Acme
profiles: [job]
capabilities: [BackoffLimitPerIndex, ElasticIndexed, PodFailurePolicy, PodReplacementPolicy, SuccessPolicy]
start:
  argv: ["{python}", -m, reference_controller, job, --kubeconfig, "{kubeconfig}"]
  env: {PYTHONPATH: "{descriptor_dir}", SSL_CERT_FILE: /dev/null}
  ready: {watches: [jobs, pods], within_s: 60}
"""
_DESKTOP = {"width": 1300, "height": 900, "deviceScaleFactor": 1, "mobile": False}
_PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
_PAPER = {"width": 794, "height": 1123, "deviceScaleFactor": 1, "mobile": False}
_QUALITY = 25
_PLACE = """
const [from, to] = [...arguments].map((one) => document.querySelector(one).getBoundingClientRect());
return [scrollY + from.top - 12, to.bottom - from.top + 24];
"""


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


def main(runs: Path, images: Path) -> None:
    """Make the runs, and take them all."""
    make(runs)
    images.mkdir(parents=True, exist_ok=True)
    pages = {
        "page": (runs / "wrong/index.html", ()),
        "compare": (runs / "compare.html", ()),
        "changes": (runs / "wrong/changes.html", ("#changes", "section[aria-labelledby=changes]")),
        "mutants": (runs / "mutants/index.html", ()),
        **{
            name: (runs / f"mutants/{one}/index.html", (".effect", ".drawing"))
            for name, one in MUTANTS.items()
        },
    }
    if missing := [str(page) for page, _ in pages.values() if not page.is_file()]:
        sys.exit(f"{missing[0]} was not made: see above what failed, remove {runs}, and run this again")
    browser = chromium(["--hide-scrollbars"])
    try:
        for name, (page, part) in pages.items():
            taken = [_take(browser, page, images / f"{name}{one.end}.webp", one, *part) for one in VIEWS]
            print(f"{name}: {sum(taken) / 1000:.0f} KB")
    finally:
        browser.quit()


def make(runs: Path) -> None:
    """Make the runs that are not there, and the pages of all."""
    if not (runs / "mutants").is_dir():
        _batchproof("mutants", "-k", " or ".join(MUTANTS.values()), "-o", runs / "mutants")
    wrong = runs / _WRONG
    if not wrong.is_dir():
        (mutant,) = [one for one in load_mutants() if one.name == MUTANTS["job"]]
        plant(mutant, suite.reference().parent, wrong)
        (wrong / "acme.yaml").write_text(_DESCRIPTOR)
    tried = {"sound": "reference", "wrong": wrong / "acme.yaml", "built-in": "kube-controller-manager"}
    for name, implementation in tried.items():
        if not (runs / name).is_dir():
            _batchproof("run", "-i", implementation, "-k", _CHOSEN, "-o", runs / name)
    for mutant in MUTANTS.values():
        _batchproof("report", runs / "mutants" / mutant)
    _batchproof("report", runs / "wrong", "--baseline", runs / "sound")
    _batchproof("compare", *(runs / name for name in tried), "-o", runs / "compare.html")


def _batchproof(command: str, *arguments: str | Path) -> None:
    """Run a command; its exit code says what was found, and nothing here rests on that."""
    subprocess.run([sys.executable, "-m", "batchproof", command, "--quiet", *arguments], check=False)


def _take(browser: Chrome, page: Path, image: Path, view: View, *part: str) -> int:
    """Take a picture of what is seen first, or from one element to the end of another; its bytes."""
    features = [{"name": "prefers-color-scheme", "value": view.scheme}]
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", view.size)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": view.media, "features": features})
    browser.get("about:blank")
    browser.get(page.resolve().as_uri() + "#drawn-0-here" * bool(part))
    asked: dict[str, Any] = {"format": "webp", "quality": _QUALITY}
    if part:
        top, height = browser.execute_script(_PLACE, *part)
        asked["clip"] = {"x": 0, "y": top, "width": view.size["width"], "height": height, "scale": 1}
        asked["captureBeyondViewport"] = True
    data = base64.b64decode(browser.execute_cdp_cmd("Page.captureScreenshot", asked)["data"])
    return image.write_bytes(data)


if __name__ == "__main__":
    if not sys.argv[1:]:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2] if sys.argv[2:] else "docs/images"))
