"""Results that were edited to say something else, and made to fit again: each edit is refused."""

from __future__ import annotations

import hashlib
import shutil
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from forging import Forgery, replayed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Json = dict[str, Any]


@pytest.fixture
def forged(original: Path, tmp_path: Path) -> Forgery:
    return Forgery(original, tmp_path / "forged")


def test_results_that_nobody_changed_stand(original: Path) -> None:
    status, said = replayed(original)
    assert (status, "all as recorded" in said) == (0, True), said


def test_results_that_were_only_written_again_stand(forged: Forgery) -> None:
    forged.without_reports()
    status, said = replayed(forged.save())
    assert status == 0, said


# -- histories


def empty(it: Forgery) -> None:
    """One history, emptied."""
    it.rewrite(it.passed(), [])


def empty_all(it: Forgery) -> None:
    """All histories, emptied."""
    for one in it.scenarios.values():
        if one["history"]:
            it.rewrite(one, [])


def only_its_header(it: Forgery) -> None:
    one = it.passed()
    it.rewrite(one, it.records(one)[:1])


def half(it: Forgery) -> None:
    """A history, cut in half where no claim is open."""
    one = it.passed()
    records = it.records(one)
    open_: set[int] = set()
    places = []
    for place, record in enumerate(records):
        entry = record["entry"]
        if entry["kind"] == "claim-opened":
            open_.add(entry["claim_number"])
        elif entry["kind"] == "claim-closed":
            open_.discard(entry["claim_number"])
        if not open_:
            places.append(place)
    it.rewrite(one, records[: places[len(places) // 2] + 1])


def without_its_end(it: Forgery) -> None:
    it.change(it.passed(), lambda entry: entry["kind"] != "ended")


def of_another_scenario(it: Forgery) -> None:
    one, other = it.two_passed()
    it.rewrite(one, it.records(other))


def of_another_scenario_renamed(it: Forgery) -> None:
    """That of another scenario, which says that it is of this one."""
    one, other = it.two_passed()
    records = it.records(other)
    records[0]["entry"]["origin"]["scenario"] = one["id"]
    it.rewrite(one, records)


def swapped(it: Forgery) -> None:
    one, other = it.two_passed()
    first, second = it.records(one), it.records(other)
    it.rewrite(one, second)
    it.rewrite(other, first)


def of_another_run(it: Forgery) -> None:
    one = it.passed()
    records = it.records(one)
    records[0]["entry"]["origin"]["run"] = "0" * 32
    it.rewrite(one, records)


def of_another_implementation(it: Forgery) -> None:
    one = it.passed()
    records = it.records(one)
    records[0]["entry"]["origin"]["implementation"] = "better 9.9"
    it.rewrite(one, records)


def without_digest(it: Forgery) -> None:
    """A history that was changed, with its old digest."""
    one = it.passed()
    with (it.folder / one["history"]).open("ab") as file:
        file.write(b"\n")


def a_link(it: Forgery) -> None:
    """The folder of histories is a link out of the folder."""
    elsewhere = it.folder.parent / "elsewhere"
    shutil.move(it.folder / "histories", elsewhere)
    (it.folder / "histories").symlink_to(elsewhere)


def another_name(it: Forgery) -> None:
    """Two scenarios share a history by its path."""
    one, other = it.two_passed()
    one["history"], one["history_digest"] = other["history"], other["history_digest"]


# -- claims


def _claims(it: Forgery, edit: Callable[[Json], None], role: str = "judged") -> None:
    """Change the first claim of a history, and its record."""
    one = next(
        each
        for each in it.scenarios.values()
        if each["verdict"] == "passed" and each["claims"] and each["claims"][-1]["limit_s"]
    )
    records = it.records(one)
    opened = [each["entry"] for each in records if each["entry"]["kind"] == "claim-opened"]
    edit(next(each["claim"] for each in opened if each["claim"]["role"] == role and each["claim"]["limit_s"]))
    it.rewrite(one, records)


def a_longer_limit(it: Forgery) -> None:
    _claims(it, lambda claim: claim.update(limit_s=99999.0))


def another_deadline(it: Forgery) -> None:
    _claims(it, lambda claim: claim.update(limit="persistence", limit_s=150.0))


def a_weaker_fact(it: Forgery) -> None:
    _claims(it, lambda claim: claim.update(fact={"name": "implementation_runs", "arguments": {}}))


def a_precondition(it: Forgery) -> None:
    """What judges is made a precondition, which cannot be broken."""
    _claims(it, lambda claim: claim.update(role="precondition"))


def without_claims(it: Forgery) -> None:
    it.change(it.passed(), lambda entry: entry["kind"] not in {"claim-opened", "claim-closed"})


def without_its_last_claim(it: Forgery) -> None:
    one = it.passed()
    records = [each["entry"] for each in it.records(one)]
    opened = [each for each in records if each["kind"] == "claim-opened"]
    last = [each for each in opened if each["claim"]["role"] == "judged"][-1]["claim_number"]
    it.change(one, lambda entry: entry.get("claim_number") != last)


def without_proofs(it: Forgery) -> None:
    """Nothing shows any more that the implementation was alive."""
    for one in it.scenarios.values():
        if one["verdict"] == "passed":
            proofs = {
                each["entry"]["claim_number"]
                for each in it.records(one)
                if each["entry"]["kind"] == "claim-opened" and each["entry"]["claim"]["role"] == "proof"
            }
            if proofs:
                it.change(one, lambda entry: entry.get("claim_number") not in proofs)  # noqa: B023 - used now


def without_faults(it: Forgery) -> None:
    """The fault was never armed: what it made go wrong did not happen."""
    it.change(it.passed(with_fault=True), lambda entry: entry["kind"] != "fault")


def without_a_step(it: Forgery) -> None:
    """The history knows nothing of the last step."""
    one = it.passed()
    texts = [each["entry"]["text"] for each in it.records(one) if each["entry"]["kind"] == "step"]
    it.change(one, lambda entry: entry.get("text") != texts[-1] or entry["kind"] != "step")


# -- the records


def a_failure_that_passed(it: Forgery) -> None:
    """A scenario that did not pass, as its history says, is recorded as passed."""
    one = it.scenarios["BAS-014.1"]
    records = it.records(one)
    for record in records:
        entry = record["entry"]
        if entry["kind"] == "change" and entry["resource"]["plural"] in {"pods", "jobs"}:
            entry["object"].pop("status", None)
    it.rewrite(one, records)


def skipped(it: Forgery) -> None:
    it.passed().update(verdict="skipped", reason="not-declared")


def a_record_without_claims(it: Forgery) -> None:
    it.passed()["claims"] = []


def a_record_without_steps(it: Forgery) -> None:
    it.passed()["steps"] = []


def another_requirement(it: Forgery) -> None:
    one = it.passed()
    planned = next(each for each in it.header["planned"] if each["id"] == one["id"])
    one["requirement"] = planned["requirement"] = "BAS-999"


def a_may(it: Forgery) -> None:
    it.passed()["level"] = "MAY"


def another_title(it: Forgery) -> None:
    one = it.passed()
    planned = next(each for each in it.header["planned"] if each["id"] == one["id"])
    one["title"] = planned["title"] = "All is well"


def a_first_play(it: Forgery) -> None:
    """A play that failed is said to have had no verdict, and this to be the second."""
    one = it.passed()
    history = one["history"].replace(".jsonl", "-second.jsonl")
    shutil.copy(it.folder / one["history"], it.folder / history)
    first = {"verdict": "inconclusive", "why": "slow answers", "history": one["history"]}
    one["first"] = first | {"history_digest": one["history_digest"]}
    one["history"] = history


# -- the plan and the header


def fewer_scenarios(it: Forgery) -> None:
    """A few scenarios are the whole run: planned, required and known requirements fit."""
    it.header["suite"]["selection"] = ""
    needed = {one["requirement"] for one in it.scenarios.values()}
    it.header["required"] = [one for one in it.header["required"] if one in needed]
    it.header["requirements"] = {id_: one for id_, one in it.header["requirements"].items() if id_ in needed}


def fewer_planned(it: Forgery) -> None:
    it.header["suite"]["selection"] = ""


def nothing_required(it: Forgery) -> None:
    it.header["required"] = []


def nothing_in_force(it: Forgery) -> None:
    it.header["not_in_force"] = list(it.header["requirements"])


def may_for_must(it: Forgery) -> None:
    for one in it.header["requirements"].values():
        one["level"] = "MAY"


def another_sentence(it: Forgery) -> None:
    first = next(iter(it.header["requirements"].values()))
    first["sentence"] = "It MUST be there."


def an_old_suite(it: Forgery) -> None:
    it.header["suite"]["digest"] = "sha256:" + "0" * 64


def other_code(it: Forgery) -> None:
    it.header["suite"]["code"] = "sha256:" + "0" * 64


def a_waiver(it: Forgery) -> None:
    """A deviation that the descriptor does not admit."""
    waiver = {
        "requirement": "BAS-014",
        "scenario": "BAS-014.1",
        "fact": "active_pods",
        "values": [{"active_pods": 1}],
    }
    it.header["implementation"]["deviations"] = [{**waiver, "reason": "no matter"}]


def another_descriptor(it: Forgery) -> None:
    """The descriptor declares less, and so does the header: all digests in the header fit."""
    judged = it.header["implementation"]
    judged["descriptor_text"] = judged["descriptor_text"].replace('version: "', 'version: "9.')
    content = judged["descriptor_text"].encode()
    judged["descriptor_digest"] = f"sha256:{hashlib.sha256(content).hexdigest()}"
    judged["version"] = f"9.{judged['version']}"


def longer_deadlines(it: Forgery) -> None:
    it.header["deadlines"]["reaction"] = 600.0


def slower_time(it: Forgery) -> None:
    it.header["time_scale"] = 10.0
    it.header["deadlines"] = {name: 10 * limit for name, limit in it.header["deadlines"].items()}


def years_ago(it: Forgery) -> None:
    """The run is said to have been made when a deviation still counted."""
    it.header["started"] = "2019-01-01T00:00:00.000Z"


def _named(field: str, value: Any) -> Callable[[Forgery], None]:
    def edit(it: Forgery) -> None:
        it.header["implementation"][field] = value

    edit.__name__ = f"another {field}"
    return edit


FORGERIES: list[tuple[Callable[[Forgery], None], str]] = [
    (empty, "empty"),
    (empty_all, "empty"),
    (only_its_header, "it is cut"),
    (half, "it is cut"),
    (without_its_end, "it is cut"),
    (of_another_scenario, "its history is of another scenario"),
    (of_another_scenario_renamed, "its history has other steps than the suite"),
    (swapped, "its history is of another scenario"),
    (of_another_run, "its history is of another run"),
    (of_another_implementation, "its history is of another implementation"),
    (without_digest, "not a record of a history"),
    (a_link, "is a link"),
    (another_name, "its history is histories/"),
    (a_longer_limit, "its deadline"),
    (another_deadline, "the suite:"),
    (a_weaker_fact, "the suite:"),
    (a_precondition, "the suite:"),
    (without_claims, "it lacks the claim"),
    (without_its_last_claim, "the claim"),
    (without_proofs, "nothing shows that the implementation was alive"),
    (without_faults, "it never arms"),
    (without_a_step, "it passed without its step"),
    (a_failure_that_passed, "recorded passed, judged "),
    (skipped, "but has to be judged"),
    (a_record_without_claims, "its record says of 'claims'"),
    (a_record_without_steps, "its record has other steps"),
    (another_requirement, "otherwise than the suite"),
    (a_may, "is a MUST"),
    (another_title, "otherwise than the suite"),
    (a_first_play, "it had a verdict"),
    (fewer_scenarios, "the plan calls itself whole, but lacks"),
    (fewer_planned, "the plan calls itself whole, but lacks"),
    (nothing_required, "the header says of required"),
    (nothing_in_force, "the header says of not_in_force"),
    (may_for_must, "the header says of requirements"),
    (another_sentence, "the header says of requirements"),
    (an_old_suite, "check it with the batchproof that recorded it"),
    (other_code, "the header says of suite.code"),
    (a_waiver, "the header says of implementation.deviations"),
    (another_descriptor, "its history is of another descriptor"),
    (longer_deadlines, "the header says of deadlines"),
    (slower_time, "the header says of time_scale"),
    (years_ago, "the histories are of another time"),
    (_named("name", "better"), "the header says of implementation.name"),
    (_named("version", "9.9"), "the header says of implementation.version"),
    (_named("organisation", "Another Ltd"), "the header says of implementation.organisation"),
    (_named("capabilities", []), "the header says of implementation.capabilities"),
    (_named("implements", "1.20"), "the header says of implementation.implements"),
    (_named("in_place", True), "the header says of implementation.in_place"),  # noqa: FBT003 - a value
    (_named("profiles", ["job", "gang"]), "the header says of implementation.profiles"),
]


@pytest.mark.parametrize(("forge", "why"), FORGERIES, ids=lambda it: getattr(it, "__name__", ""))
def test_a_forgery_is_refused_for_its_reason(
    forged: Forgery, forge: Callable[[Forgery], None], why: str
) -> None:
    forge(forged)

    status, said = replayed(forged.save())

    assert status != 0, said
    assert why in said
    assert "CONFORMANT" not in said


@pytest.mark.parametrize("name", ["index.html", "report.json", "junit.xml"])
def test_a_report_that_says_something_else_is_named(forged: Forgery, name: str) -> None:
    path = forged.folder / name
    path.write_bytes(path.read_bytes().replace(b"conform", b"CONFORM").replace(b"passed", b"failed"))

    status, said = replayed(forged.folder)

    assert (status, f"{name} is not what the results give" in said) == (1, True), said


def test_a_timeline_that_shows_something_else_is_named(forged: Forgery) -> None:
    path = min((forged.folder / "timelines").iterdir())
    path.write_bytes(path.read_bytes().replace(b"passed", b"failed"))

    status, said = replayed(forged.folder)

    assert (status, f"timelines/{path.name} is not what the history gives" in said) == (1, True), said


def test_a_scenario_that_is_not_planned_is_refused(forged: Forgery) -> None:
    lines = (forged.folder / "results.jsonl").read_bytes().splitlines(keepends=True)
    more = orjson.loads(lines[1]) | {"id": "BAS-014.99"}
    lines.insert(2, orjson.dumps(more) + b"\n")
    (forged.folder / "results.jsonl").write_bytes(b"".join(lines))

    status, said = replayed(forged.folder)

    assert (status, "was not planned" in said) == (2, True), said
