"""Fixtures that start ``batchproof`` and see that nothing of it survives its test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from runs import started

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from runs import Run, Start


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Start ``batchproof``; what still runs of it in the end is killed."""
    yield from started(tmp_path_factory)


@pytest.fixture(scope="module")
def ended(start: Start) -> Start:
    """Run ``batchproof`` to its end."""

    def ended(*arguments: str | Path, env: Mapping[str, str] | None = None) -> Run:
        run = start(*arguments, env=env)
        run.end()
        return run

    return ended
