"""What was judged, where that is not what others run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import report_sample as sample

from batchproof.report import write_all
from batchproof.report.compare import comparison
from batchproof.report.results import read_results

if TYPE_CHECKING:
    from pathlib import Path


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
def test_what_is_unusual_is_on_the_page_and_in_the_comparison(
    tmp_path: Path, changed: dict[str, Any], told: str
) -> None:
    usual = sample.header()
    header: dict[str, Any] = {
        key: {**usual[key], **new} if isinstance(new, dict) else new for key, new in changed.items()
    }
    sample.write_stream(tmp_path, sample.stream(sample.passing_scenarios(), **header))
    results = read_results(tmp_path)
    write_all(results, tmp_path)
    page = (tmp_path / "index.html").read_text("utf-8")
    assert ("acme-jobs was judged in this configuration:" in page) == bool(told)
    assert told in page
    (run,) = comparison({tmp_path: results}).runs
    assert run.configuration == told
