"""Scenarios of capabilities that the reference of a profile lacks: another bundled reference passes them.

The references of the profiles are judged by ``scripts/conformance.py``. Each scenario that they leave out is
played here by the bundled reference that plays the most of them, and its verdict replayed: else what the
suite demands of such a scenario could be out of date, and refuse the results of a real system.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from batchproof.descriptor.implementation import bundled, load
from batchproof.evidence.plan import needs
from batchproof.ground import suite
from batchproof.profiles import profiles

if TYPE_CHECKING:
    from runs import Start

IN_NONE = {"GangTrees", "JobWorkloads"}
"""The capabilities that no reference has."""


def _shared_out() -> tuple[list[tuple[str, str, frozenset[str]]], dict[str, frozenset[str]]]:
    """Profile, reference and the scenarios that it is to play; and the needs of those that none can play."""
    references = [load(path) for name, path in bundled().items() if name.startswith("reference")]
    shared: list[tuple[str, str, frozenset[str]]] = []
    unplayed: dict[str, frozenset[str]] = {}
    for name, profile in profiles().items():
        demanded = needs(suite.features() / name)
        own = load(bundled()[profile.reference]).capabilities
        left = {id_ for id_, capabilities in demanded.items() if not capabilities <= own}
        others = [one for one in references if name in one.profiles]
        while left:
            shares = {
                one.descriptor.stem: frozenset(id_ for id_ in left if demanded[id_] <= one.capabilities)
                for one in others
            }
            best = max(shares, key=lambda stem: len(shares[stem]))
            if not shares[best]:
                break
            shared.append((name, best, shares[best]))
            left -= shares[best]
        unplayed |= {id_: demanded[id_] for id_ in left}
    return shared, unplayed


SHARED, UNPLAYED = _shared_out()


@pytest.mark.parametrize(("profile", "reference", "ids"), SHARED, ids=[one for _, one, _ in SHARED])
def test_another_reference_passes_what_the_first_has_no_capability_for(
    ended: Start, profile: str, reference: str, ids: frozenset[str]
) -> None:
    chosen = ("--profile", profile, "-k", " or ".join(sorted(ids)))

    run = ended("run", "--implementation", reference, *chosen)

    assert {one["id"]: one["verdict"] for one in run.scenarios} == dict.fromkeys(ids, "passed"), run.said
    again = ended("replay", run.output)
    assert "all as recorded" in again.said, again.said


def test_every_other_scenario_needs_a_capability_that_no_reference_has() -> None:
    assert [id_ for id_, capabilities in UNPLAYED.items() if not capabilities & IN_NONE] == []
    assert frozenset().union(*UNPLAYED.values()) >= IN_NONE, "take out what a reference has by now"
