"""Fixtures that start ``batchproof`` and see that nothing of it survives its test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest
from runs import Run

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


class Start(Protocol):
    """Starts ``batchproof`` with arguments, in an empty folder."""

    def __call__(self, *arguments: str | Path, env: Mapping[str, str] | None = None) -> Run: ...


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Start ``batchproof``; what still runs of it in the end is killed."""
    runs: list[Run] = []

    def start(*arguments: str | Path, env: Mapping[str, str] | None = None) -> Run:
        runs.append(Run.start(tmp_path_factory.mktemp("run"), arguments, env or {}))
        return runs[-1]

    yield start
    for run in runs:
        run.wipe()


@pytest.fixture(scope="module")
def ended(start: Start) -> Start:
    """Run ``batchproof`` to its end."""

    def ended(*arguments: str | Path, env: Mapping[str, str] | None = None) -> Run:
        run = start(*arguments, env=env)
        run.end()
        return run

    return ended
