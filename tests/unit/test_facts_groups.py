"""Facts about the groups of gangs: that they are there, and what is reported of a gang."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fact_examples import examples, no, yes
from gang_examples import gang, two_gangs
from histories import PODGROUPS, Story, condition, story

from batchproof.judgement.facts import FactCall
from batchproof.judgement.history import Json
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
    group_made(resource=str(PODGROUPS), path=["spec", "minMember"], minimum=3),
    yes("a group with that minimum", story().gang("b", 1).gang("a", 3)),
    no("a group with another minimum", story().gang("a", 2)),
    no("a group that is gone", gang(3).gone("podgroups", "a")),
    group_gone(gang="a", resource=str(PODGROUPS)),
    yes("a group that is gone for good", gang(3).gone("podgroups", "a")),
    no("a group that is there", gang(3)),
    yes("the group of another gang is there", story().gang("b", 3)),
    counted(2),
    yes("two are counted", story().gang("a", 3, running=2)),
    no("another number is counted", story().gang("a", 3, running=3)),
    counted(0),
    yes("what is not said is none", story().gang("a", 3)),
    no("the group of another gang counts", story().gang("b", 3)),
    phased("running"),
    yes("that phase", story().gang("a", 3, phase="Running")),
    phased("failed"),
    no("another phase", story().gang("a", 3, phase="Running")),
    phased("waiting"),
    no("no phase", story().gang("a", 3)),
    phased("running"),
    no("of another gang", story().gang("b", 3, phase="Running")),
    by(sign(kind="Scheduled")),
    yes("a condition of the group", story().gang("a", 3, WAITS)),
    no("the other status", story().gang("a", 3, RUNS)),
    by(sign(kind="Other")),
    no("another condition", story().gang("a", 3, WAITS)),
    by(sign(kind="Scheduled")),
    no("the group of another gang", story().gang("a", 3).gang("b", 3, WAITS)),
    no("a group that does not exist", story().act("a step")),
    by(sign(path="status.phase", values=("Pending", "Inqueue"))),
    yes("a place in the group", story().gang("a", 3, phase="Inqueue")),
    by(sign(path="status.phase", values=("Pending",))),
    no("another value at the place", story().gang("a", 3, phase="Running")),
    by(sign(path="status.phase.more", values=("None", "Pending"))),
    no("nothing at the place", story().gang("a", 3, phase="Pending")),
    by(sign(path="status.blocked", values=("true",))),
    yes("a truth as the API writes it", story().gang("a", 3, blocked=True)),
    by(sign(path="status.missing", values=("2",))),
    yes("a number at the place", story().gang("a", 3, missing=2)),
    by(sign("pod", kind="Ready")),
    yes("a condition of one of its pods", gang().runs("a-1")),
    no("a condition of a pod of another gang", two_gangs().runs("b-1")),
    by(sign(kind="Other"), sign("pod", path="status.phase", values=("Pending",))),
    yes("any sign is enough", gang()),
    withdrawn(sign(kind="Scheduled")),
    no("a report that stays", story().gang("a", 3, WAITS)),
    yes("a report that says the contrary now", story().gang("a", 3, RUNS)),
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
