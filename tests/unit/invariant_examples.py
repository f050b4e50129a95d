"""What the tests of invariants share: stories, and what it means that one breaks an invariant.

Each subject has its tables in ``test_invariants_<subject>.py``: ``BREAKS``, the histories that break one,
each with the record that decides, and the histories that accuse nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from histories import Story, story

from batchproof.judgement.faults import view_fault
from batchproof.judgement.invariants import breaches, invariants
from batchproof.resources import JOBS, PODS

if TYPE_CHECKING:
    from batchproof.judgement.finding import Finding


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
