"""Watches of two resources are not equally quick: no conforming implementation fails by that."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from runs import Start

LATE = """
    # The recorder's watch of one resource shows each change late.
    import asyncio, copy, os

    from batchproof.cell import recorder

    record = recorder.Recorder._record

    class Slow:
        def __init__(self, api):
            self.api = api

        async def watch(self, path, revision):
            async for event in self.api.watch(path, revision):
                await asyncio.sleep(0.3)
                yield event

    async def late(self, resource, path, revision):
        if resource.plural == os.environ["LATE"]:
            self = copy.copy(self)
            self._api = Slow(self._api)
        await record(self, resource, path, revision)

    recorder.Recorder._record = late
"""


@pytest.mark.parametrize(
    ("implementation", "scenarios"),
    [
        pytest.param("reference", "BAS-030.1 or BAS-031 or BAS-034.3", id="deleted pods do not succeed"),
        pytest.param("reference-volcano-job", "VOL-052.1", id="a pod that was reported has existed"),
    ],
)
def test_a_late_watch_of_pods_fails_no_conforming_implementation(
    ended: Start, tmp_path: Path, implementation: str, scenarios: str
) -> None:
    (tmp_path / "late_watch.py").write_text(dedent(LATE))
    late = {"PYTEST_PLUGINS": "late_watch", "PYTHONPATH": str(tmp_path), "LATE": "pods"}
    run = ended("run", "-i", implementation, "-k", scenarios, "-n", "4", env=late)
    assert {one["verdict"] for one in run.scenarios} == {"passed"}, run.said
