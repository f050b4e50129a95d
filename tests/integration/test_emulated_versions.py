"""A controller is judged on an API server that emulates an older Kubernetes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from batchproof.descriptor.implementation import find

if TYPE_CHECKING:
    from pathlib import Path

    from runs import Start


@pytest.mark.parametrize(("version", "in_force"), [("1.34", False), ("1.37", True)])
def test_an_older_kubernetes_is_emulated(
    start: Start, tmp_path: Path, version: str, *, in_force: bool
) -> None:
    flag = f"--emulated-version={version}"
    told = f'implements: "{version}"\ncontrol_plane: {{api_server_flags: ["{flag}"]}}\n'
    descriptor = tmp_path / "older.yaml"
    descriptor.write_text(find("reference").read_text("utf-8") + told)
    run = start("run", "-i", descriptor, "-k", "BAS-014 or BAS-033", "-n", "2")
    assert run.end() == 0, run.said
    told_later = "passed" if in_force else "skipped"
    assert run.verdicts() == {"BAS-014.1": "passed", "BAS-014.2": "passed", "BAS-033.1": told_later}
    header = json.loads((run.output / "results.jsonl").read_text().partition("\n")[0])
    assert header["cluster"]["flags"] == [flag]
    assert ("BAS-033" in header["not_in_force"]) is not in_force
    assert f"kube-apiserver has {flag}" in (run.output / "index.html").read_text("utf-8")


def test_a_version_that_cannot_be_emulated_is_refused_with_the_words_of_the_api_server(
    start: Start, tmp_path: Path
) -> None:
    descriptor = tmp_path / "old.yaml"
    told = 'control_plane: {api_server_flags: ["--emulated-version=1.33"]}\n'
    descriptor.write_text(find("reference").read_text("utf-8") + told)
    run = start("run", "-i", descriptor, "-k", "BAS-014", "-n", "1")
    assert run.end() == 3, run.said
    assert "emulation version 1.33 is not between [1.34, " in run.said
