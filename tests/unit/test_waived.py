"""A deviation that its scenario cannot break is found: it would cover nothing."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from batchproof.descriptor.implementation import Deviation
from batchproof.evidence.claims import Demand, Demands
from batchproof.evidence.waived import unclaimed
from batchproof.judgement.forms import Quantifier
from batchproof.judgement.invariants import rule_names

PHASE = "volcano_job_phase"
KNOWN = {
    "VOL-023.2b": Demands(
        id="VOL-023.2b",
        claims=(
            Demand(step=1, quantifier=Quantifier.EVENTUALLY, fact="queue_state", limits=("reaction",)),
            Demand(
                step=5,
                quantifier=Quantifier.EVENTUALLY,
                fact=PHASE,
                limits=("settle",),
                arguments={"phase": "Completing"},
            ),
        ),
    )
}


def deviation(fact: str, **arguments: Any) -> Deviation:
    return Deviation(
        "VOL-023", "VOL-023.2b", fact, ({"phase": "Pending"},), "why", date(2027, 1, 1), arguments=arguments
    )


@pytest.mark.parametrize(
    "waived",
    [
        pytest.param(deviation(PHASE), id="any arguments"),
        pytest.param(deviation(PHASE, phase="Completing"), id="its arguments"),
        pytest.param(deviation("queue_state", name="small"), id="an argument that the run says"),
        pytest.param(deviation(next(iter(rule_names()))), id="an invariant"),
    ],
)
def test_what_a_scenario_claims_can_be_waived(waived: Deviation) -> None:
    assert unclaimed(waived, KNOWN) == ""


@pytest.mark.parametrize(
    ("waived", "says"),
    [
        pytest.param(
            deviation("tfjob_owns"), "never claims tfjob_owns; it claims queue_state", id="the fact"
        ),
        pytest.param(
            deviation(PHASE, phase="Terminating"),
            "with phase Terminating, only with phase Completing",
            id="the example",
        ),
    ],
)
def test_what_a_scenario_never_claims_is_no_deviation(waived: Deviation, says: str) -> None:
    assert says in unclaimed(waived, KNOWN)
