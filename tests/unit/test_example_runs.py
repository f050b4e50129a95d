"""The results folders of reports/examples: README names each, and what their pages link to is there."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from batchproof.report.outcome import judge_run
from batchproof.report.results import read_results

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "reports" / "examples"
RUNS = runpy.run_path(str(ROOT / "scripts" / "example_runs.py"))["RUNS"]
FOLDERS = sorted(path.parent for path in EXAMPLES.glob("*/results.jsonl"))


def test_the_readme_links_to_each_page() -> None:
    linked = re.findall(r"\]\((\S+)/index\.html\)", (EXAMPLES / "README.md").read_text("utf-8"))
    assert linked == [*RUNS]
    assert sorted(linked) == [one.name for one in FOLDERS]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_what_a_page_links_to_is_there(folder: Path) -> None:
    page = (folder / "index.html").read_text("utf-8")
    links = {
        one.partition("#")[0] for one in re.findall(r'href="((?:timelines|histories|logs)/[^"]+)"', page)
    }
    assert links
    assert [one for one in links if not (folder / one).is_file()] == []


@pytest.mark.parametrize(
    ("name", "verdicts"),
    [
        ("reference", {"passed"}),
        ("reference-mutant", {"failed"}),
        ("kube-controller-manager", {"passed", "skipped"}),
        ("scheduler-mutant", {"passed", "failed"}),
        ("tfjob-mutant", {"passed", "failed"}),
        ("volcano-job-mutant", {"passed", "failed"}),
        ("kube-scheduler", {"passed", "skipped"}),
        ("volcano", {"passed", "skipped"}),
    ],
)
def test_an_example_shows_what_the_readme_says(name: str, verdicts: set[str]) -> None:
    results = read_results(EXAMPLES / name)
    assert {one.verdict for one in results.scenarios} == verdicts
    assert judge_run(results).complete
