"""What was judged, where that is not what others run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest
import report_sample as sample
from click.testing import CliRunner

from batchproof.commands.compare import command
from batchproof.report import write_all
from batchproof.report.results import read_results

if TYPE_CHECKING:
    from pathlib import Path

JUDGED = "was judged in this configuration: "


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, ""),
        ({"time_scale": 6.0}, "all deadlines are multiplied by 6"),
        ({"implementation": {"isolation": "view"}}, ""),
        ({"implementation": {"isolation": "control-plane"}}, "each instance has its own control plane"),
        ({"implementation": {"configuration": "The gate A is on."}}, "The gate A is on"),
        ({"cluster": {"flags": ["--feature-gates=A=true"]}}, "kube-apiserver has --feature-gates=A=true"),
    ],
)
def test_what_is_unusual_is_on_the_page_and_in_every_comparison(
    tmp_path: Path, changed: dict[str, Any], told: str
) -> None:
    usual = sample.header()
    header: dict[str, Any] = {
        key: {**usual[key], **new} if isinstance(new, dict) else new for key, new in changed.items()
    }
    sample.write_stream(tmp_path, sample.stream(sample.passing_scenarios(), **header))
    write_all(read_results(tmp_path), tmp_path)
    sentence = f"{JUDGED}{told}"
    page = (tmp_path / "index.html").read_text("utf-8")
    assert (f"acme-jobs {sentence}" in page) == (JUDGED in page) == bool(told)
    printed, written, markdown, parsed = compared(tmp_path)
    for made in (printed, written):
        assert (f"acme-jobs 2.3.1 {sentence}" in made) == (JUDGED in made) == bool(told)
    assert f" | 9f86d081884c | {told} | " in markdown
    assert parsed["configuration"] == {"acme-jobs 2.3.1": [told] if told else []}


def compared(folder: Path) -> tuple[str, str, str, dict[str, Any]]:
    """What `compare` prints, its page, its Markdown and its JSON."""
    path = folder / "compared.html"
    wide = {"COLUMNS": "300"}  # where it is narrow, the sentence is folded
    printed, _, markdown, parsed = (
        CliRunner().invoke(command, [str(folder), *options], env=wide).stdout
        for options in ([], ["-o", str(path)], ["--markdown"], ["--json"])
    )
    return printed, path.read_text("utf-8"), markdown, orjson.loads(parsed)
