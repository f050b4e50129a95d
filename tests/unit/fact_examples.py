"""Histories of which a fact is true, and histories of which it is not: each fact has both.

A table (see ``tables``) stands above the test that judges it, in ``test_facts_<subject>.py``: a fact, and
below it what it is true of and what not; then the next fact::

    @examples(
        job_gone(job="a"),
        yes("gone", story().job("a").gone("jobs", "a")),
        no("there", story().job("a")),
        pod_bound(pod="a-1"),
        yes("bound", gang().bound("n", "a-1")),
    )
    def test_a_fact_about_a_job(it: FactCall, history: Story, *, holds: bool) -> None:
        assert it.of(history.seen).holds == holds

``test_facts_all.py`` sees to it that no fact is without a history of either kind.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from histories import Story
from tables import Line, table

from batchproof.judgement.facts import FactCall

_ROWS: list[tuple[FactCall, Story, bool]] = []
_TOLD: dict[str, dict[str, list[tuple[FactCall, Story]]]] = {}
"""What is told, by the name of the fact and by the module that tells it."""


def yes(what: str, told: Story | None = None) -> Line:
    """The fact above is true of this history, or of the next."""
    return Line(what, told, (True,))


def no(what: str, told: Story | None = None) -> Line:
    """The fact above is not true of this history, or of the next."""
    return Line(what, told, (False,))


def examples(*lines: FactCall | Line | Story) -> pytest.MarkDecorator:
    """A table of facts, each above the histories of which it is true or not."""
    shown = []
    for it, what, history, (holds,) in table(*lines):
        _ROWS.append((it, history, holds))
        _keep(it, history, _teller())
        shown.append(pytest.param(it, history, holds, id=what))
    return pytest.mark.parametrize(("it", "history", "holds"), shown)


def deciding(*told: tuple[FactCall, Story, int]) -> pytest.MarkDecorator:
    """A table of facts, each with a history and the number of the record that decides."""
    for it, history, _ in told:
        _keep(it, history, _teller())
    return pytest.mark.parametrize(("it", "history", "decisive"), told)


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
