"""What the harness did is left out of a history, moved or changed; verdicts are hidden behind errors."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from forging import Forgery, closed, edited, fit, opened, replayed

from batchproof.evidence.plan import history_path

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Json = dict[str, Any]

RESTARTED, FAULTY, FROZEN = "EXP-036.2", "FIN-004.1a", "EXP-001.1"
QUIET, SHOULD = "ROB-028.1", "BAS-038.1"


@pytest.fixture
def forged(original: Path, tmp_path: Path) -> Forgery:
    return Forgery(original, tmp_path / "forged")


def said_of(it: Forgery) -> tuple[int, str]:
    """What ``replay`` says of a forgery, whose reports were made to fit."""
    it.without_reports()
    return replayed(it.save())


def _of(kind: str, **wanted: object) -> Callable[[Json], bool]:
    return lambda record: record["entry"]["kind"] == kind and wanted.items() <= record["entry"].items()


def _without(records: list[Json], is_left_out: Callable[[Json], bool]) -> list[Json]:
    kept = [one for one in records if not is_left_out(one)]
    assert len(kept) < len(records)
    return kept


def _action(text: str) -> Callable[[Json], bool]:
    return lambda record: record["entry"]["kind"] == "action" and record["entry"]["text"].startswith(text)


# -- what the harness did


def without_a_pod_of_a_user(records: list[Json]) -> list[Json]:
    return _without(records, _action("creates pod p"))


def without_the_end_of_pods(records: list[Json]) -> list[Json]:
    return _without(records, _action("3 pods succeed"))


def without_a_restart(records: list[Json]) -> list[Json]:
    """One process was there all the time."""
    number = max(one["entry"].get("instance", 0) for one in records)
    for one in records:
        if one["entry"].get("instance"):
            one["entry"]["instance"] = number
    return _without(
        records,
        lambda one: one["entry"]["kind"] == "process" and one["entry"]["what"] in {"killed", "started"},
    )


def without_the_end_of_a_fault(records: list[Json]) -> list[Json]:
    """The fault excuses all up to the end."""
    return _without(records, _of("fault", what="lifted"))


def without_the_thaw(records: list[Json]) -> list[Json]:
    return _without(records, _of("fault", what="thawed"))


def that_the_view_catches_up_later(records: list[Json]) -> None:
    """What the implementation did with an old view, it did while no newer one could be required."""
    thaw = next(one for one in records if _of("fault", what="thawed")(one))
    records.remove(thaw)
    step = [one for one in records if one["entry"]["kind"] == "step"][-1]
    records.insert(records.index(step) + 1, thaw | {"at_s": step["at_s"]})


def an_action_of_the_next_step(records: list[Json]) -> None:
    action = next(one for one in records if _action("3 pods succeed")(one))
    records.remove(action)
    step = [one for one in records if one["entry"]["kind"] == "step"][-1]
    records.insert(records.index(step) + 1, action | {"at_s": step["at_s"]})


def an_action_more(records: list[Json]) -> None:
    """What went wrong is said to be the doing of a user."""
    action = next(one for one in records if _action("3 pods succeed")(one))
    more = copy.deepcopy(action)
    more["entry"]["text"] = "deletes Job a (Background)"
    records.insert(records.index(action) + 1, more)


def another_action(records: list[Json]) -> None:
    action = next(one for one in records if _action("3 pods succeed")(one))
    action["entry"]["text"] = action["entry"]["text"].replace("succeed", "fail")


def all_faults_end_early(records: list[Json]) -> list[Json]:
    """After that the end of a fault need not be there: so it is said to have come early."""
    step = next(one for one in records if one["entry"]["kind"] == "step")
    entry = {"kind": "action", "text": "all faults end", "about": {}}
    entry["about"] = next(one["entry"]["about"] for one in records if one["entry"]["kind"] == "action")
    records.insert(records.index(step) + 1, {"number": 0, "at_s": step["at_s"], "entry": entry})
    return without_the_end_of_a_fault(records)


# -- how far back, how long


def that_looks_farther_back(records: list[Json]) -> None:
    arguments = opened(records, quantifier="never", role="judged")["entry"]["claim"]["fact"]["arguments"]
    arguments["since"] -= 2


def that_stays_for_a_moment(records: list[Json]) -> None:
    """What came about was true for a moment: no later record shows it."""
    claim = opened(records, quantifier="stays")
    end = closed(records, claim)
    records.remove(end)
    place = next(n for n, one in enumerate(records) if _action("all faults end")(one))
    records.insert(place, end | {"at_s": records[place]["at_s"]})


FORGERIES: list[tuple[Callable[[Forgery], None], str]] = [
    (edited(RESTARTED, without_a_pod_of_a_user), "lacks what the harness does: 'creates pod p'"),
    (edited(FROZEN, without_the_end_of_pods), "lacks what the harness does: '* pods succeed'"),
    (edited(RESTARTED, without_a_restart), "lacks what the harness does: 'process killed'"),
    (edited(FAULTY, without_the_end_of_a_fault), "lacks what the harness does: 'fault lifted"),
    (edited(FAULTY, all_faults_end_early), "lacks what the harness does: 'fault lifted"),
    (edited(FROZEN, without_the_thaw), "lacks what the harness does: 'fault thawed"),
    (edited(FROZEN, that_the_view_catches_up_later), "lacks what the harness does: 'fault thawed"),
    (edited(FROZEN, an_action_of_the_next_step), "lacks what the harness does: '* pods succeed'"),
    (edited(FROZEN, an_action_more), "has what the harness does not do: 'deletes Job a (Background)'"),
    (edited(FROZEN, another_action), "lacks what the harness does: '* pods succeed'"),
    (edited(QUIET, that_looks_farther_back), "not to where step"),
    (edited(RESTARTED, that_stays_for_a_moment), "and the scenario continued"),
]


@pytest.mark.parametrize(("forge", "why"), FORGERIES, ids=lambda it: getattr(it, "__name__", ""))
def test_a_forgery_is_refused_for_its_reason(
    forged: Forgery, forge: Callable[[Forgery], None], why: str
) -> None:
    forge(forged)

    status, said = said_of(forged)

    assert (status, why in said) == (1, True), said


def test_a_fact_looks_back_to_the_moment_that_its_scenario_names(gangs: Path, tmp_path: Path) -> None:
    it = Forgery(gangs, tmp_path / "forged")
    assert replayed(gangs)[0] == 0
    one = it.scenarios["GNG-025.1"]
    records = it.records(one)
    claim = opened(records, quantifier="never")
    arguments = claim["entry"]["claim"]["fact"]["arguments"]
    assert arguments["since"] < claim["number"] - 10
    arguments["since"] = claim["number"] - 10  # whatever the queue got until then is not seen
    fit(it, one, records)

    status, said = said_of(it)

    assert (status, "looks back to record" in said) == (1, True), said


# -- plays that errored


def _errored(it: Forgery, history: list[Json] | None) -> None:
    """A play of a SHOULD is said to have errored."""
    one = it.scenarios[SHOULD]
    if history is None:
        one.update(history=None, history_digest="")
    else:
        it.rewrite(one, history)
    why = {"verdict": "errored", "reason": "the worker was lost", "error": "x"}
    one.update(why, claims=[], faults=[], steps=[])


def _failed(records: list[Json]) -> list[Json]:
    """The same scenario, but that a pod was deleted while none was to be."""
    claim = opened(records, role="judged")
    place = records.index(claim) + 1
    pod = next(one for one in records if one["entry"].get("type") == "ADDED" and _is_pod(one))
    gone = copy.deepcopy(pod)
    gone["entry"]["type"] = "DELETED"
    gone["entry"]["object"]["metadata"]["resourceVersion"] = "999999999"
    records.insert(place, gone | {"at_s": claim["at_s"]})
    return records


def _is_pod(record: Json) -> bool:
    return bool(record["entry"]["resource"]["plural"] == "pods")


def test_a_play_that_errored_is_in_the_verdict_even_without_a_history(forged: Forgery) -> None:
    _errored(forged, None)
    requirement = forged.scenarios[SHOULD]["requirement"]

    _, said = said_of(forged)

    assert f"; {requirement} (SHOULD) errored" in said


def test_a_play_that_errored_has_come_to_no_verdict(forged: Forgery) -> None:
    _errored(forged, _failed(forged.records(forged.scenarios[SHOULD])))

    status, said = said_of(forged)

    assert (status, "it had a verdict" in said) == (1, True), said


def test_the_history_of_a_play_that_errored_is_that_of_the_run(forged: Forgery) -> None:
    _errored(forged, forged.records(forged.scenarios[RESTARTED]))

    status, said = said_of(forged)

    assert (status, "its history is of another scenario" in said) == (1, True), said


@pytest.mark.parametrize("first", [False, True], ids=["in the end", "at first"])
def test_where_the_harness_breaks_a_history_may_end_anywhere(forged: Forgery, *, first: bool) -> None:
    """In the midst of a claim and of a line, as where a worker is lost: the results stand."""
    one = forged.scenarios[SHOULD]
    whole = (forged.folder / one["history"]).read_bytes()
    records = forged.records(one)
    cut = records[: records.index(opened(records, role="judged")) + 1]
    if first:
        second = one["history"].replace(".jsonl", "-second.jsonl")
        play = {"verdict": "errored", "why": "the worker was lost", "history": one["history"]}
        _rewrite_cut(forged, one, cut)
        one["first"] = play | {"history_digest": one["history_digest"]}
        one["history"] = second
        (forged.folder / second).write_bytes(whole)
        forged.digest(one)
    else:
        _errored(forged, None)
        one["history"] = str(history_path(SHOULD))
        _rewrite_cut(forged, one, cut)

    status, said = said_of(forged)

    assert (status, "all as recorded" in said) == (0, True), said


def _rewrite_cut(it: Forgery, one: Json, records: list[Json]) -> None:
    it.rewrite(one, records)
    with (it.folder / one["history"]).open("ab") as file:
        file.write(orjson.dumps(records[-1])[:20])
    it.digest(one)
