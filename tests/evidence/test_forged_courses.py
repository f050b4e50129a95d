"""More edits of results that are to say something else: see test_forgeries."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from forging import Forgery, bound_of, closed, edited, fit, opened, plain, replayed

from batchproof.evidence.plan import catalogue
from batchproof.ground import stored
from batchproof.report.records import ScenarioRecord
from batchproof.specification import gherkin

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Json = dict[str, Any]


@pytest.fixture
def forged(original: Path, tmp_path: Path) -> Forgery:
    return Forgery(original, tmp_path / "forged")


# -- nothing was judged


def whole_and_left_out(it: Forgery) -> None:
    """A whole run, CONFORMANT, of which nothing was played: each scenario is "left out of the grid"."""
    it.header["suite"]["selection"] = ""
    known = {id_: one for id_, one in catalogue(None).items() if one.feature.startswith("job/")}
    it.header["planned"] = plain(list(known.values()))
    bound = bound_of(it)
    tags = {case.id: one.tags for one in gherkin.parse_features(None) for case in one.cases}
    old, it.scenarios = it.scenarios, {}
    for id_, one in known.items():
        record = {"record": "scenario", **plain(one), "level": bound.registry[one.requirement].level}
        record |= {"tags": sorted(tags[id_]), "verdict": "skipped", "reason": "left out of the grid: x"}
        if why := bound.skipped(stored.decode(orjson.dumps(record), ScenarioRecord)):
            record["reason"] = why
        it.scenarios[id_] = old.get(id_, record)
    it.header["required"] = [
        id_ for id_, one in bound.registry.items() if one.level == "MUST" and _needed(bound, one)
    ]


def _needed(bound: Any, one: Any) -> bool:
    judged = bound.implementation
    return bool(judged.declares(one.capability) and one.in_force(judged.implements))


def left_out(it: Forgery) -> None:
    for id_ in ("FIN-004.1a", "FIN-004.1b"):
        it.scenarios[id_].update(
            {"verdict": "skipped", "reason": "left out of the grid: x", "history": None, "history_digest": ""}
            | {"claims": [], "faults": []}
        )


def of_a_feature_that_nobody_has(it: Forgery) -> None:
    """Its scenarios are called those of a file that the suite does not have: nothing is demanded of them."""
    it.header["suite"].update(feature="mine.feature", selection="")
    for one in it.scenarios.values():
        if one["history"]:
            records = it.records(one)
            fit(it, one, [records[0], records[-1]])


def taken(it: Forgery) -> None:
    """The cluster is said to have capabilities by itself that none has."""
    it.header["cluster"].update(provider="existing", programs={}, taken=["PodFailurePolicy"])


def of_an_existing_cluster(it: Forgery) -> None:
    it.header["cluster"].update(provider="existing", programs={})


def other_programs(it: Forgery) -> None:
    for one in it.header["implementation"]["started"]:
        one["argv"] = ["/bin/better"]


# -- what a history says of the implementation


def _said(field: str, value: object) -> Callable[[Forgery], None]:
    def edit(it: Forgery) -> None:
        one = it.scenarios["BAS-014.1"]
        records = it.records(one)
        records[0]["entry"][field] = value
        it.rewrite(one, records)

    edit.__name__ = f"its history says {field}"
    return edit


def a_second_header(records: list[Json]) -> None:
    again = copy.deepcopy(records[0])
    again["entry"]["manager"] = "example.com/nobody"
    records.insert(1, again)


# -- when


def a_window_closed_at_once(records: list[Json]) -> None:
    claim = opened(records, quantifier="never")
    end = closed(records, claim)
    records.remove(end)
    records.insert(records.index(claim) + 1, end | {"at_s": claim["at_s"]})


def too_late(records: list[Json]) -> None:
    """What the Job had to come to within 20 s came after 500 s: the claim was closed then."""
    claim = opened(records, quantifier="eventually", role="judged")
    for one in records[records.index(claim) + 1 :]:
        one["at_s"] += 500


def at_a_hundredth_of_the_pace(records: list[Json]) -> None:
    """Whatever came late by the clock of the records came early by the times of day."""
    for record in records:
        record["at_s"] *= 100


def at_one_time(records: list[Json]) -> None:
    for one in records:
        one["at_s"] = 0.0


def backwards(records: list[Json]) -> None:
    for one in records[1:]:
        one["at_s"] = 1000 - one["at_s"]


def its_steps_at_the_end(records: list[Json]) -> list[Json]:
    """All steps and claims after all that happened, so that each holds at once."""
    kinds = {"step", "claim-opened", "claim-closed"}
    last = records.pop()
    moved = [one | {"at_s": last["at_s"]} for one in records if one["entry"]["kind"] in kinds]
    return [*(one for one in records if one["entry"]["kind"] not in kinds), *moved, last]


def a_claim_opened_twice(records: list[Json]) -> None:
    """The second of a number takes the place of the first, which is never judged."""
    claim = opened(records, quantifier="never")
    again = copy.deepcopy(claim)
    again["entry"]["claim"].update(quantifier="now", limit="now", limit_s=0.0, role="waited")
    again["entry"]["claim"]["fact"] = {"name": "active_pods", "arguments": {"job": "a", "at_least": 0}}
    records.insert(records.index(claim) + 1, again)


def claims_of_another_step(records: list[Json]) -> None:
    for one in records:
        if one["entry"]["kind"] == "claim-opened":
            one["entry"]["claim"]["made_in"] = "Given nothing"


def another_proof(records: list[Json]) -> list[Json]:
    """That it was alive is shown by what is always so."""
    fact = {"name": "active_pods", "arguments": {"job": "a", "at_least": 0}}
    opened(records, role="proof")["entry"]["claim"]["fact"] = fact
    return [one for one in records if not str(one["entry"].get("what", "")).startswith("worked on")]


# -- faults, requests, processes


def a_fault_that_nobody_armed(records: list[Json]) -> None:
    """A frozen view excuses nearly everything."""
    jobs = {"group": "batch", "version": "v1", "plural": "jobs"}
    about = {"do": {"effect": "Freeze", "resource": jobs}}
    entry = {"kind": "fault", "fault": 99, "text": "x", "what": "fired", "about": about}
    records.insert(2, {"number": 0, "at_s": records[1]["at_s"], "entry": entry})


def another_fault_than_its_text(records: list[Json]) -> None:
    pods = {"group": "", "version": "v1", "plural": "pods"}
    armed = next(one["entry"] for one in records if one["entry"].get("what") == "armed")
    armed["about"] = {"kind": "view", "resource": pods, "frozen": True, "delay_s": 0.0}


def a_fault_that_never_struck(records: list[Json]) -> None:
    for one in records:
        if one["entry"]["kind"] == "reply":
            one["entry"].update(fault="")


def without_replies(records: list[Json]) -> list[Json]:
    return [one for one in records if one["entry"]["kind"] != "reply"]


def without_its_writes(records: list[Json]) -> list[Json]:
    return [one for one in records if one["entry"]["kind"] not in {"request", "reply"}]


def without_some_requests(records: list[Json]) -> list[Json]:
    lost = {one["entry"]["call"] for one in records if one["entry"].get("verb") in {"update", "patch"}}
    return [one for one in records if one["entry"].get("call") not in lost]


def without_a_change(records: list[Json]) -> list[Json]:
    """A pod that was created is not in the history: so it is not one too many."""
    pods = [one for one in records if one["entry"].get("type") == "ADDED" and _of(one, "pods")]
    uid = pods[-1]["entry"]["object"]["metadata"]["uid"]
    return [
        one
        for one in records
        if one["entry"]["kind"] != "change" or one["entry"]["object"]["metadata"]["uid"] != uid
    ]


def _of(record: Json, plural: str) -> bool:
    return bool(record["entry"]["resource"]["plural"] == plural)


def of_nobody(records: list[Json]) -> list[Json]:
    """No process was ever there."""
    return [one for one in records if one["entry"].get("what") not in {"started", "ready"}]


def a_process_that_ended_by_itself(records: list[Json]) -> None:
    """Another is started: that the one before had ended is left out."""
    place = len(records) // 2
    for what in ("ready", "started"):
        entry = {"kind": "process", "instance": 2, "what": what}
        records.insert(place, {"number": 0, "at_s": records[place]["at_s"], "entry": entry})


# -- first plays


def a_first_play_that_failed(it: Forgery) -> None:
    """It came to its end and failed; the record says that the harness broke."""
    one = it.scenarios["BAS-014.1"]
    good = it.records(one)
    bad = [copy.deepcopy(each) for each in good]
    added = [each for each in bad if each["entry"].get("type") == "ADDED" and _of(each, "pods")]
    more = copy.deepcopy(added[-1])
    more["entry"]["object"]["metadata"] |= {"name": "a-more", "uid": "more", "resourceVersion": "999999999"}
    place = bad.index(opened(bad, quantifier="never")) + 1
    bad.insert(place, more | {"at_s": bad[place]["at_s"]})
    it.rewrite(one, bad)
    first = {"verdict": "errored", "why": "x", "history": one["history"]}
    one["first"] = first | {"history_digest": one["history_digest"]}
    one["history"] = one["history"].replace(".jsonl", "-second.jsonl")
    it.rewrite(one, good)


FORGERIES: list[tuple[Callable[[Forgery], None], str]] = [
    (whole_and_left_out, "but has to be judged"),
    (left_out, "but has to be judged"),
    (of_a_feature_that_nobody_has, "the suite has no mine.feature"),
    (taken, "no cluster has these capabilities of its own"),
    (of_an_existing_cluster, "its history says of the implementation something else"),
    (other_programs, "the header says of implementation.started"),
    (_said("time_scale", 1000.0), "its history says of the implementation something else"),
    (_said("manager", "example.com/nobody"), "its history says of the implementation something else"),
    (_said("finalizer", "example.com/nothing"), "its history says of the implementation something else"),
    (_said("audited", False), "its history says of the implementation something else"),  # noqa: FBT003
    (edited("BAS-014.1", a_second_header), "has two records 'header'"),
    (edited("BAS-014.1", a_window_closed_at_once), "was watched for 0 s only"),
    (edited("EXP-001.1", too_late), "which is too late"),
    (edited("BAS-014.1", at_a_hundredth_of_the_pace), "do not fit"),
    (edited("BAS-014.1", at_one_time), "was watched for 0 s only"),
    (edited("BAS-014.1", backwards), "its clock runs back"),
    (edited("BAS-014.1", its_steps_at_the_end), "was watched for 0 s only"),
    (edited("BAS-014.1", a_claim_opened_twice), "is opened as the"),
    (edited("BAS-014.1", claims_of_another_step), "is made in the step"),
    (edited("BAS-014.1", another_proof), "nothing shows that the implementation was alive"),
    (edited("BAS-014.1", a_fault_that_nobody_armed), "but was not armed so"),
    (edited("FIN-004.1a", another_fault_than_its_text), "was triggered otherwise than its replies say"),
    (edited("FIN-004.1a", a_fault_that_never_struck), "was triggered otherwise than its replies say"),
    (edited("BAS-014.1", without_replies), "no request explains"),
    (edited("BAS-014.1", without_its_writes), "no request explains"),
    (edited("BAS-014.1", without_some_requests), "request "),
    (edited("BAS-014.1", of_nobody), "which never started"),
    (edited("BAS-014.1", a_process_that_ended_by_itself), "though none has ended"),
    (a_first_play_that_failed, "it had a verdict"),
]


@pytest.mark.parametrize(("forge", "why"), FORGERIES, ids=lambda it: getattr(it, "__name__", ""))
def test_a_forgery_is_refused_for_its_reason(
    forged: Forgery, forge: Callable[[Forgery], None], why: str
) -> None:
    forge(forged)

    forged.without_reports()
    status, said = replayed(forged.save())

    assert status != 0, said
    assert why in said
    assert "CONFORMANT" not in said
