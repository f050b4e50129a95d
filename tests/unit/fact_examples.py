"""Histories of which a fact is true, and histories of which it is not: each fact has both.

A table stands above the test that judges it, in ``test_facts_<subject>.py``::

    @examples(
        [
            pytest.param(job_gone(job="a"), story().job("a").gone("jobs", "a"), True, id="gone"),
            pytest.param(job_gone(job="a"), story().job("a"), False, id="there"),
        ]
    )
    def test_a_fact_about_a_job(it: FactCall, history: Story, *, holds: bool) -> None:
        assert it.of(history.seen).holds == holds

``test_facts_all.py`` sees to it that no fact is without.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from histories import Story

from batchproof.judgement.facts import FactCall

if TYPE_CHECKING:
    from collections.abc import Sequence

    from _pytest.mark.structures import ParameterSet

_ROWS: list[tuple[FactCall, Story, bool]] = []
_TOLD: dict[str, dict[str, list[tuple[FactCall, Story]]]] = {}
"""What is told, by the name of the fact and by the module that tells it."""


def examples(rows: Sequence[ParameterSet]) -> pytest.MarkDecorator:
    """A table of facts, each with a history and whether it holds of it."""
    for row in rows:
        it, history, holds = row.values
        assert isinstance(it, FactCall)
        assert isinstance(history, Story)
        _ROWS.append((it, history, bool(holds)))
        _keep(it, history, _teller())
    return pytest.mark.parametrize(("it", "history", "holds"), rows)


def deciding(rows: Sequence[ParameterSet]) -> pytest.MarkDecorator:
    """A table of facts, each with a history and the numbers of the records that decide."""
    for row in rows:
        it, history, _ = row.values
        _keep(it, history, _teller())
    return pytest.mark.parametrize(("it", "history", "decisive"), rows)


def tell(it: object, history: object) -> None:
    """Keep a fact with a history, of which ``test_told_otherwise.py`` makes others."""
    _keep(it, history, _teller())


def _teller() -> str:
    """The module that calls the caller."""
    name: str = sys._getframe(2).f_globals["__name__"]
    return name


def _keep(it: object, history: object, teller: str) -> None:
    assert isinstance(it, FactCall)
    assert isinstance(history, Story)
    _TOLD.setdefault(it.name, {}).setdefault(teller, []).append((it, history))


def every_row() -> list[tuple[FactCall, Story, bool]]:
    """The rows of all tables."""
    for path in sorted(Path(__file__).parent.glob("test_facts_*.py")):
        if path.stem != "test_facts_all":
            import_module(path.stem)
    return _ROWS


@cache
def every_told() -> dict[str, list[tuple[FactCall, Story]]]:
    """What is told in any table, by the name of the fact; in one order, whichever table was read first."""
    every_row()
    return {
        name: [one for teller in sorted(by_teller) for one in by_teller[teller]]
        for name, by_teller in _TOLD.items()
    }


def shown() -> dict[str, set[bool]]:
    """Of each fact in any table: whether it is shown to be true, to be untrue, or both."""
    by_name: dict[str, set[bool]] = {}
    for it, _, holds in every_row():
        by_name.setdefault(it.name, set()).add(holds)
    return by_name
