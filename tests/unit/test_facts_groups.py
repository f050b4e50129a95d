"""Facts about the groups of gangs: that they are there, and what is reported of a gang."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fact_examples import examples
from gang_examples import gang, two_gangs
from histories import PODGROUPS, Story, condition, story

from batchproof.profiles.gang.facts.groups import (
    group_gone,
    group_made,
    in_phase,
    pods_counted,
    report_withdrawn,
    reported,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from batchproof.judgement.facts import FactCall
    from batchproof.judgement.history import Json


GONE = group_gone(gang="a", resource=str(PODGROUPS))
MADE = group_made(resource=str(PODGROUPS), path=["spec", "minMember"], minimum=3)


def sign(of: str = "group", *, kind: str = "", path: str = "", values: Sequence[str] = ("False",)) -> Json:
    places = {"path": path.split(".") if path else [], "conditions": ["status", "conditions"]}
    return {"of": of, "condition": kind, "values": [*values], **places}


def by(*signs: Json) -> FactCall:
    return reported(gang="a", resource=str(PODGROUPS), signs=[*signs])


def withdrawn(*signs: Json) -> FactCall:
    return report_withdrawn(gang="a", resource=str(PODGROUPS), signs=[*signs])


def counted(count: int) -> FactCall:
    places = {phase: ["status", phase] for phase in ("running", "succeeded", "failed")}
    return pods_counted(gang="a", count=count, phase="running", resource=str(PODGROUPS), counts=places)


def phased(phase: str) -> FactCall:
    phases = {"waiting": ["Pending"], "running": ["Running"], "succeeded": ["Finished"], "failed": ["Failed"]}
    return in_phase(gang="a", phase=phase, resource=str(PODGROUPS), path=["status", "phase"], phases=phases)


WAITS = condition("Scheduled", "NotEnoughResources", status="False")
RUNS = condition("Scheduled", "Scheduled")


@examples(
    [
        pytest.param(MADE, story().gang("b", 1).gang("a", 3), True, id="a group with that minimum"),
        pytest.param(MADE, story().gang("a", 2), False, id="a group with another minimum"),
        pytest.param(MADE, gang(3).gone("podgroups", "a"), False, id="a group that is gone"),
        pytest.param(GONE, gang(3).gone("podgroups", "a"), True, id="a group that is gone for good"),
        pytest.param(GONE, gang(3), False, id="a group that is there"),
        pytest.param(GONE, story().gang("b", 3), True, id="the group of another gang is there"),
        pytest.param(counted(2), story().gang("a", 3, running=2), True, id="two are counted"),
        pytest.param(counted(2), story().gang("a", 3, running=3), False, id="another number is counted"),
        pytest.param(counted(0), story().gang("a", 3), True, id="what is not said is none"),
        pytest.param(counted(0), story().gang("b", 3), False, id="the group of another gang counts"),
        pytest.param(phased("running"), story().gang("a", 3, phase="Running"), True, id="that phase"),
        pytest.param(phased("failed"), story().gang("a", 3, phase="Running"), False, id="another phase"),
        pytest.param(phased("waiting"), story().gang("a", 3), False, id="no phase"),
        pytest.param(phased("running"), story().gang("b", 3, phase="Running"), False, id="of another gang"),
        pytest.param(
            by(sign(kind="Scheduled")),
            story().gang("a", 3, WAITS),
            True,
            id="a condition of the group",
        ),
        pytest.param(by(sign(kind="Scheduled")), story().gang("a", 3, RUNS), False, id="the other status"),
        pytest.param(by(sign(kind="Other")), story().gang("a", 3, WAITS), False, id="another condition"),
        pytest.param(
            by(sign(kind="Scheduled")),
            *(story().gang("a", 3).gang("b", 3, WAITS), False),
            id="the group of another gang",
        ),
        pytest.param(
            by(sign(kind="Scheduled")),
            story().act("a step"),
            False,
            id="a group that does not exist",
        ),
        pytest.param(
            by(sign(path="status.phase", values=("Pending", "Inqueue"))),
            *(story().gang("a", 3, phase="Inqueue"), True),
            id="a place in the group",
        ),
        pytest.param(
            by(sign(path="status.phase", values=("Pending",))),
            *(story().gang("a", 3, phase="Running"), False),
            id="another value at the place",
        ),
        pytest.param(
            by(sign(path="status.phase.more", values=("None", "Pending"))),
            *(story().gang("a", 3, phase="Pending"), False),
            id="nothing at the place",
        ),
        pytest.param(
            by(sign(path="status.blocked", values=("true",))),
            *(story().gang("a", 3, blocked=True), True),
            id="a truth as the API writes it",
        ),
        pytest.param(
            by(sign(path="status.missing", values=("2",))),
            *(story().gang("a", 3, missing=2), True),
            id="a number at the place",
        ),
        pytest.param(
            by(sign("pod", kind="Ready")),
            gang().runs("a-1"),
            True,
            id="a condition of one of its pods",
        ),
        pytest.param(
            by(sign("pod", kind="Ready")),
            *(two_gangs().runs("b-1"), False),
            id="a condition of a pod of another gang",
        ),
        pytest.param(
            by(sign(kind="Other"), sign("pod", path="status.phase", values=("Pending",))),
            *(gang(), True),
            id="any sign is enough",
        ),
        pytest.param(
            withdrawn(sign(kind="Scheduled")),
            *(story().gang("a", 3, WAITS), False),
            id="a report that stays",
        ),
        pytest.param(
            withdrawn(sign(kind="Scheduled")),
            *(story().gang("a", 3, RUNS), True),
            id="a report that says the contrary now",
        ),
    ],
)
def test_a_report_of_a_gang(it: FactCall, history: Story, *, holds: bool) -> None:
    finding = it.of(history.seen)

    assert finding.holds == holds, finding


def test_the_report_names_its_record() -> None:
    history = story().gang("a", 3, WAITS).act("later")

    assert by(sign(kind="Scheduled")).of(history.seen).decisive == (1,)


def test_what_is_told_instead_is_observed() -> None:
    history = story().gang("a", 3, RUNS)

    assert "type=Scheduled" in by(sign(kind="Other")).of(history.seen).observed
