"""Histories of which a fact is true, and histories of which it is not: each fact has both.

A table stands above the test that judges it, in ``test_facts_<subject>.py``. It is read as questions and
answers: a fact, and below it a line for each history, with what is particular about it and whether the fact
is true of it; then the next fact, and its histories::

    @examples(
        job_gone(job="a"),
        yes("gone", story().job("a").gone("jobs", "a")),
        no("there", story().job("a")),
        pod_bound(pod="a-1"),
        yes("bound", gang().bound("n", "a-1")),
    )
    def test_a_fact_about_a_job(it: FactCall, history: Story, *, holds: bool) -> None:
        assert it.of(history.seen).holds == holds

The words of a line name its test: ``test_a_fact_about_a_job[gone]``. ``test_facts_all.py`` sees to it that no
fact is without a line of either kind.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest
from histories import Story

from batchproof.judgement.facts import FactCall

_ROWS: list[tuple[FactCall, Story, bool]] = []
_TOLD: dict[str, dict[str, list[tuple[FactCall, Story]]]] = {}
"""What is told, by the name of the fact and by the module that tells it."""


class Row(NamedTuple):
    """A history, with what is particular about it, and whether the fact above is true of it."""

    when: str
    told: Story
    holds: bool


def yes(when: str, told: Story) -> Row:
    """The fact above is true of this history."""
    return Row(when, told, holds=True)


def no(when: str, told: Story) -> Row:
    """The fact above is not true of this history."""
    return Row(when, told, holds=False)


def examples(*lines: FactCall | Row) -> pytest.MarkDecorator:
    """A table of facts, each above the histories of which it is true or not."""
    rows = []
    it: FactCall | None = None
    for line in lines:
        if isinstance(line, FactCall):
            it = line
            continue
        assert it is not None, f"no fact stands above {line.when!r}"
        _ROWS.append((it, line.told, line.holds))
        _keep(it, line.told, _teller())
        rows.append(pytest.param(it, line.told, line.holds, id=line.when))
    return pytest.mark.parametrize(("it", "history", "holds"), rows)


def deciding(*rows: tuple[FactCall, Story, int]) -> pytest.MarkDecorator:
    """A table of facts, each with a history and the number of the record that decides."""
    for it, history, _ in rows:
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
