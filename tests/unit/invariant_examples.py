"""Histories that break an invariant, and histories that break nothing.

A table (see ``tables``) stands above the test that judges it, in ``test_invariants_<subject>.py``: the
requirement of an invariant, and below it what breaks it, with the record that decides and what is observed,
and what keeps it. Where a history keeps several, they stand above it together::

    @examples(
        "FIN-001",
        breaks("a pod without finalizer", 1, "finalizers none", job().pod("a-1", tracked=False)),
        keeps("the Job is gone", job().gone("jobs", "a").pod("a-1", tracked=False)),
    )
    def test_an_invariant_of_tracking(case: Case) -> None:
        check(case)

The test of a history is named by the requirement too: ``[FIN-001: the Job is gone]``. Below stand stories
that several subjects share.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest
from histories import Story, story
from tables import Line, table

from batchproof.ground.resources import JOBS, PODS
from batchproof.judgement.faults import view_fault
from batchproof.judgement.finding import Finding
from batchproof.judgement.invariants import breaches, invariants

_CASES: dict[str, list[Case]] = {}
"""The cases of each table, by the module where it stands."""


class Case(NamedTuple):
    """A history below an invariant; of an area of requirements alone, as a run judges those of one profile.

    Attributes:
        name: the requirement, and what is particular about the history.
        decisive: the record that decides, and what is observed; None where nothing is broken.
    """

    requirement: str
    name: str
    told: Story
    decisive: tuple[int, str] | None
    area: str


def breaks(what: str, decisive: int, observed: str, told: Story | None = None) -> Line:
    """This history, or the next, breaks the invariant above, by this record, of which this is observed."""
    return Line(what, told, ((decisive, observed),))


def keeps(what: str, told: Story | None = None) -> Line:
    """This history, or the next, breaks nothing."""
    return Line(what, told, (None,))


def examples(*lines: str | Line | Story, area: str = "") -> pytest.MarkDecorator:
    """A table of requirements, each above the histories that break its invariant or keep it."""
    cases = [Case(its, f"{its}: {what}", told, found[0], area) for its, what, told, found in table(*lines)]
    _CASES.setdefault(sys._getframe(1).f_globals["__name__"], []).extend(cases)
    return pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in cases])


def every_case() -> dict[str, list[Case]]:
    """The cases of all tables, by their modules: what breaks an invariant, then what breaks none."""
    for path in sorted(Path(__file__).parent.glob("test_invariants_*.py")):
        import_module(path.stem)
    return {name: sorted(_CASES[name], key=lambda case: case.decisive is None) for name in sorted(_CASES)}


def check(case: Case) -> None:
    """See that a history is judged as its table says."""
    if case.decisive is None:
        assert_blameless(case.told, case.area)
    else:
        assert_broken(case.requirement, case.told, *case.decisive, case.area)


def judged(told: Story, area: str = "") -> Finding | None:
    """The first breach of a requirement whose id begins so; a run judges those of one profile."""
    in_force = {id_: "" for id_ in invariants() if id_.startswith(area)}
    return next(iter(breaches(told.seen, in_force if area else None)), None)


def assert_broken(requirement: str, told: Story, decisive: int, observed: str, area: str = "") -> None:
    """The first breach is of this requirement, by this record, and says this."""
    finding = judged(told, area)
    assert finding is not None
    assert not finding.holds
    assert (finding.requirement, finding.decisive) == (requirement, (decisive,))
    assert observed in finding.observed
    assert [it.record for it in finding.timeline if it.here] == [decisive]


def assert_blameless(told: Story, area: str = "") -> None:
    """Nothing is broken."""
    finding = judged(told, area)
    assert finding is None, finding.text() if finding else ""


# -- stories


def job(**spec: object) -> Story:
    return story().job("a", **{"parallelism": 2, "completions": 4, **spec})


def indexed(**spec: object) -> Story:
    return job(completionMode="Indexed", **{"completions": 2, **spec})


def elastic() -> Story:
    """A Job of three indexes, of which 0 and 2 are completed, shrinks to two."""
    told = indexed(parallelism=3, completions=3).pod("a-0", index=0).pod("a-2", index=2)
    told.succeeds("a-0").succeeds("a-2").status("a", succeeded=2, completedIndexes="0,2")
    told.spec("a", parallelism=2, completions=2)
    return told.status("a", succeeded=1, completedIndexes="0")


def blind(told: Story) -> Story:
    """From now on no new pod is seen."""
    return told.fault(1, "armed", **view_fault(PODS, frozen=True, delay_s=0.0)).fault(1, "fired")


def recorded() -> Story:
    """A pod that is finished and recorded."""
    return job().pod("a-1").succeeds("a-1").status("a", recorded=("a-1",))


def both_recorded() -> Story:
    """Two pods have succeeded, are recorded, and are released."""
    told = job().pods("a-1", "a-2").succeeds("a-1").succeeds("a-2").status("a", recorded=("a-1", "a-2"))
    return told.released("a-1").released("a-2")


def idle(times: int = 11) -> Story:
    """The status of a Job is written again and again, and stays as it is."""
    told = job()
    for _ in range(times):
        told.asks("update", "jobs", "a", subresource="status").answered(200)
    return told


def withheld(told: Story, *, frozen: bool, delay_s: float) -> Story:
    """From now on the view of Jobs is withheld."""
    return told.fault(1, "armed", **view_fault(JOBS, frozen=frozen, delay_s=delay_s)).fault(1, "fired")
