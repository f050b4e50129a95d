"""The workflow that docs/how-to/ci.md shows is one that GitHub can run, and its gate closes."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
import report_sample as sample
import yaml
from examples import ROOT, blocks

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "docs/how-to/ci.md"
OURS = "<owner>/batchproof@<commit>"
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}")
EXPRESSION = re.compile(r"\$\{\{.*?\}\}")


def workflow() -> dict[str, Any]:
    """The workflow as YAML; ``on`` is a truth value in YAML 1.1."""
    shown = [one.text for one in blocks(PAGE) if one.language == "yaml"]
    [text] = [one for one in shown if one.startswith("# .github/workflows/")]
    read: dict[str, Any] = yaml.safe_load(text)
    return read


STEPS: list[dict[str, Any]] = workflow()["jobs"]["conformance"]["steps"]
RUNS = {step["name"]: step["run"] for step in STEPS if "run" in step}
DIFF = next(run for run in RUNS.values() if "batchproof diff" in run)


def test_it_is_complete_and_may_only_read() -> None:
    read = workflow()
    assert {"name", True, "permissions", "jobs"} == read.keys()
    assert read["permissions"] == {"contents": "read"}
    assert all(("uses" in step) != ("run" in step) for step in STEPS)


def test_the_actions_of_others_are_pinned_by_their_commit() -> None:
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert used.count(OURS) == 1
    assert [one for one in used if one != OURS and not PINNED.fullmatch(one)] == []


def test_our_action_has_the_inputs_that_it_is_given() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    [given] = [step["with"] for step in STEPS if step.get("uses") == OURS]
    assert given.keys() <= action["inputs"].keys()
    assert {name for name, one in action["inputs"].items() if one.get("required")} <= given.keys()


def test_what_is_kept_is_what_was_written() -> None:
    [given] = [step["with"] for step in STEPS if step.get("uses") == OURS]
    kept = [line for step in STEPS for line in str(step.get("with", {}).get("path", "")).split()]
    assert given["junit"] in kept
    assert "batchproof-results" in kept
    restored, saved = (
        next(step["with"] for step in STEPS if step.get("uses", "").startswith(f"actions/cache/{what}@"))
        for what in ("restore", "save")
    )
    assert restored["path"] == saved["path"], "the path is a part of the key of a cache"
    assert saved["key"].startswith(restored["restore-keys"])


def test_the_verdict_is_the_gate_and_what_shows_it_comes_after_it_all_the_same() -> None:
    names = [step.get("uses") or step["run"] for step in STEPS]
    judged = names.index(OURS)
    assert not any("continue-on-error" in step for step in STEPS)
    assert all(("always()" in step["if"]) or ("!cancelled()" in step["if"]) for step in STEPS[judged + 1 :])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The workspace after the action has judged: results of main, and of a pull request that is the same."""
    for name in ("main-results", "batchproof-results"):
        (tmp_path / name).mkdir()
        sample.write_stream(tmp_path / name, sample.stream(sample.passing_scenarios()))
    return tmp_path


def step(run: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A step as GitHub runs it: by bash, which ends at the first error."""
    program = folder / "bin" / "batchproof"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m batchproof "$@"\n')
    program.chmod(0o700)
    env = {
        **os.environ,
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
    }
    argv = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", EXPRESSION.sub("", run)]
    return subprocess.run(argv, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_the_gate_lets_pass_what_gets_nothing_worse(folder: Path) -> None:
    assert step(DIFF, folder).returncode == 0
    assert "nothing changed" in (folder / "summary.md").read_text()


@pytest.mark.parametrize("worse", ["a failure", "less was run"])
def test_the_gate_closes_and_the_summary_says_why(folder: Path, worse: str) -> None:
    scenarios = sample.scenarios() if worse == "a failure" else sample.passing_scenarios()[:1]
    suite = {**sample.header()["suite"], "selection": "" if worse == "a failure" else "FIN-004"}
    sample.write_stream(folder / "batchproof-results", sample.stream(scenarios, required=[], suite=suite))
    assert step(DIFF, folder).returncode == 1
    said = (folder / "summary.md").read_text()
    assert ("newly broken" if worse == "a failure" else "in the new run: 9 requirements") in said


def test_the_results_of_main_are_taken_along_as_they_are(folder: Path) -> None:
    (folder / "main-results" / "results.jsonl").unlink()
    (folder / "main-results").rmdir()
    [copy] = [run for run in RUNS.values() if run.startswith("cp ")]
    assert step(copy, folder).returncode == 0
    assert (folder / "main-results" / "results.jsonl").is_file()
