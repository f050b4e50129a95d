"""What a run refuses, in words, before it starts anything."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from runs import Start

PASSES = "FIN-001 or (FIN-004 and 500)"


def descriptor(**changes: str) -> str:
    told = {
        "name": "mine",
        "version": '"1"',
        "organisation": "me",
        "profiles": "[job]",
        "start": '{argv: ["{kubeconfig}"]}',
        **changes,
    }
    return "".join(f"{name}: {value}\n" for name, value in told.items())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-i", "unheard-of"], "no implementation is called 'unheard-of'"),
        (["-i", "./not-there.yaml"], "not-there.yaml: there is no such descriptor file"),
        (["-i", "broken.yaml"], r"broken.yaml:4: .*profiles"),
        (["-i", "no-yaml.yaml"], "no-yaml.yaml:1: not valid YAML"),
        (["-i", "no-binary.yaml"], "nothing-here cannot be started; look at 'binary'"),
        (["-i", "no-program.yaml"], r"start\.argv: there is no program './nothing-here'"),
        (["-k", "(("], r"the selection '\(\(' cannot be used"),
        (["-k", "no_such_scenario"], "'no_such_scenario' selects nothing"),
        (["-k", "no_such_scenario", "--dry-run"], "'no_such_scenario' selects nothing"),
        (
            ["--profile", "unheard-of"],
            "'--profile': 'unheard-of' is not one of 'job', 'gang', 'jobset', 'tfjob', 'volcano-job'",
        ),
        (["--output", "/proc/nowhere"], "--output: the folder /proc/nowhere cannot be made"),
        (["--assets", "."], r"--assets: there is no \S+ in \."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
@pytest.mark.quick
def test_wrong_use_is_refused_in_words(start: Start, arguments: list[str], told: str, tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text(descriptor(profiles="job"))
    (tmp_path / "no-yaml.yaml").write_text("name: [")
    (tmp_path / "no-binary.yaml").write_text(
        descriptor(start='{argv: ["{binary}"]}', binary="{path: ./nothing-here}")
    )
    (tmp_path / "no-program.yaml").write_text(descriptor(start='{argv: ["./nothing-here"]}'))
    arguments = [str(tmp_path / word) if word.endswith(".yaml") else word for word in arguments]
    run = start("run", *arguments)
    assert run.end() == 2, run.said
    assert re.search(told, run.said), run.said
    assert "Traceback" not in run.said
    assert not run.records()
    run.nothing_is_left()


@pytest.mark.quick
def test_a_dry_run_lists_and_runs_nothing(ended: Start) -> None:
    run = ended("run", "--dry-run", "-k", PASSES)
    assert run.process.returncode == 0, run.said
    assert [line.split()[0] for line in run.said.splitlines()] == ["FIN-001.1", "FIN-004.1a", "2"]
    assert not run.output.exists()
