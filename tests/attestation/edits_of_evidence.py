"""Attacks on evidence, each made for real: what is forged, and what a verifier says to it.

``EDITS`` are found: the forger signs the result, and ``verify`` says why it is refused. ``LIMITS`` cannot be
found by anybody: the certificate names them, by code. The attacks on certificates and bundles are in
``test_bundles`` and ``test_keyless``. The numbers are those of docs/explanation/certificate-limits.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from dishonest import Forgery

    Make = Callable[[Forgery], None]

Json = dict[str, Any]


@dataclass(frozen=True)
class Edit:
    """An edit of the evidence.

    Attributes:
        number: of the attack.
        name: what is done.
        make: does it.
        says: what the verifier says, or the code of the limit.
        code: the exit code.
        sealed: the forger computes the digests of histories again.
    """

    number: int
    name: str
    make: Make
    says: str
    code: int = 2
    sealed: bool = True


EDITS: Final[list[Edit]] = []
LIMITS: Final[list[Edit]] = []


def found(number: int, says: str, code: int = 2, *, sealed: bool = True) -> Callable[[Make], Make]:
    """An edit that the verifier finds."""

    def listed(make: Make) -> Make:
        EDITS.append(Edit(number, make.__name__, make, says, code, sealed))
        return make

    return listed


def unknowable(number: int, says: str) -> Callable[[Make], Make]:
    """An edit that no reader can find; ``says`` is the code that stands in the certificate."""

    def listed(make: Make) -> Make:
        LIMITS.append(Edit(number, make.__name__, make, says, 0))
        return make

    return listed


def entry(record: Json) -> Json:
    """What a record of a history says."""
    said: Json = record["entry"]
    return said


def kinds(records: list[Json], *wanted: str) -> list[Json]:
    """The records of these kinds."""
    return [one for one in records if entry(one)["kind"] in wanted]


def claims(records: list[Json], role: str = "judged") -> list[Json]:
    """The claims of a role, as they were opened."""
    return [
        one for one in kinds(records, "claim-opened") if entry(one)["claim"].get("role", "judged") == role
    ]


def forgotten(records: list[Json], *numbers: int) -> list[Json]:
    """The records without these claims."""
    return [one for one in records if entry(one).get("claim_number") not in numbers]


@found(1, "recorded passed, judged")
def verdict_changed(it: Forgery) -> None:
    """What the history shows fails; the record says passed."""
    it.edit(it.passed(), lambda records: [one for one in records if entry(one)["kind"] != "change"])


@found(3, "no record of")
def scenario_deleted(it: Forgery) -> None:
    it.drop(it.passed())


@found(4, "the plan calls itself whole, but lacks 1 scenario of the suite")
def scenario_deleted_from_the_plan_too(it: Forgery) -> None:
    gone = it.passed()
    it.drop(gone)
    it.header["planned"] = [one for one in it.header["planned"] if one["id"] != gone["id"]]


@found(5, "the header says of required something else")
def required_emptied(it: Forgery) -> None:
    it.header["required"] = []


@found(5, "the header says of requirements something else")
def sentence_replaced(it: Forgery) -> None:
    it.header["requirements"][it.passed()["requirement"]]["sentence"] = "The controller MAY do anything."


@found(5, "the header says of requirements something else")
def level_lowered(it: Forgery) -> None:
    must = next(one for one in it.header["requirements"].values() if one["level"] == "MUST")
    must["level"] = "MAY"


@found(5, "its title, feature or requirement is another in the suite|the plan has")
def requirement_of_a_scenario_replaced(it: Forgery) -> None:
    one, other = it.passed(), it.passed(lambda each: each["requirement"] != it.passed()["requirement"])
    one["requirement"] = other["requirement"]


@found(6, "the header says of not_in_force something else")
def more_not_in_force(it: Forgery) -> None:
    it.header["not_in_force"] = [*it.header["not_in_force"], it.passed()["requirement"]]


@found(7, "it is skipped as 'not-declared', but has to be judged")
def scenario_skipped(it: Forgery) -> None:
    it.passed().update(verdict="skipped", reason="not-declared")


@found(8, "the header says of implementation.capabilities something else")
def capability_undeclared_in_the_header_alone(it: Forgery) -> None:
    it.header["implementation"]["capabilities"] = it.header["implementation"]["capabilities"][1:]


@found(9, "the header says of implementation.implements something else")
def older_version_named(it: Forgery) -> None:
    it.header["implementation"]["implements"] = "1.24"


@found(10, "the header says of implementation.in_place something else")
def called_in_place(it: Forgery) -> None:
    it.header["implementation"]["in_place"] = True


@found(11, "the run was of a part of the tfjob profile")
def a_selection_that_says_so(it: Forgery) -> None:
    _select(it)
    it.header["suite"]["selection"] = "TFJ-001"
    kept = {one["requirement"] for one in it.scenarios}
    it.header["required"] = [one for one in it.header["required"] if one in kept]


@found(11, "the plan calls itself whole, but lacks")
def a_selection_called_whole(it: Forgery) -> None:
    _select(it)


def _select(it: Forgery) -> None:
    for one in it.scenarios[5:]:
        it.drop(one)
    kept = {one["id"] for one in it.scenarios}
    it.header["planned"] = [one for one in it.header["planned"] if one["id"] in kept]


def waiver(it: Forgery, **more: Any) -> Json:
    """A deviation of a scenario which passed."""
    one = it.passed()
    return {
        "requirement": one["requirement"],
        "scenario": one["id"],
        "fact": "tfjob_finished",
        "values": [{"conditions": ["Failed"]}],
        "reason": "forged",
        "issue": "https://example.com/1",
        "expires": it.day(30),
        "sometimes": True,
        **more,
    }


@found(12, "the header says of implementation.deviations something else")
def waiver_added(it: Forgery) -> None:
    it.header["implementation"]["deviations"] = [waiver(it)]


def described(it: Forgery, **more: Any) -> None:
    """Add a deviation to the descriptor and to the header."""
    added = waiver(it, **more)
    text = {**added, "values": added["values"][0]}
    it.describe(lambda said: said.update(deviations=[text]))
    it.header["implementation"]["deviations"] = [added]


@found(13, "covers any")
def waiver_for_anything(it: Forgery) -> None:
    described(it, values=[{"observed": "any"}])


@found(13, "the header says of implementation.deviations something else|had expired")
def waiver_expired(it: Forgery) -> None:
    described(it, expires="2020-01-01")


@found(13, "longer than a year|more than a year")
def waiver_for_ever(it: Forgery) -> None:
    described(it, expires="9999-12-31")


@found(13, "'issue' is missing|issue|no issue")
def waiver_without_issue(it: Forgery) -> None:
    described(it, issue="")


@found(14, "the header says of deadlines something else")
def deadlines_raised(it: Forgery) -> None:
    it.header["deadlines"] = {name: 100 * limit for name, limit in it.header["deadlines"].items()}


@found(14, "the header says of time_scale something else")
def time_scaled_in_the_header(it: Forgery) -> None:
    it.header["time_scale"] = 10.0


@found(14, "its history says of the implementation something else than the descriptor")
def time_scaled_everywhere(it: Forgery) -> None:
    it.describe(lambda said: said.update(time_scale=10))
    it.header["time_scale"] = 10.0
    it.header["deadlines"] = {name: 10 * limit for name, limit in it.header["deadlines"].items()}


@found(15, "had 99999 s; its deadline")
def limit_of_a_claim_widened(it: Forgery) -> None:
    one = it.passed(lambda one: any(claim["limit_s"] for claim in one["claims"]))

    def widen(records: list[Json]) -> None:
        for record in claims(records):
            if entry(record)["claim"].get("limit_s"):
                entry(record)["claim"]["limit_s"] = 99999.0

    it.edit(one, widen)


@found(16, "claim")
def claim_dropped(it: Forgery) -> None:
    one = it.passed()
    it.edit(one, lambda records: forgotten(records, entry(claims(records)[-1])["claim_number"]))


@found(16, "claim|recorded passed, judged failed")
def claim_replaced_by_another(it: Forgery) -> None:
    """The first judged claim is judged again in place of another one, in whose window it may be false."""

    def facts(one: Json) -> list[Json]:
        return [entry(each)["claim"]["fact"] for each in claims(it.history(one))]

    def replace(records: list[Json]) -> None:
        first, *others = claims(records)
        for other in others:
            entry(other)["claim"]["fact"] = entry(first)["claim"]["fact"]

    it.edit(it.passed(lambda one: any(other != facts(one)[0] for other in facts(one))), replace)


@found(17, "is not the file that the run has recorded|does not say of what it is", sealed=False)
def history_emptied(it: Forgery) -> None:
    it.rewrite(it.passed(), [])


@found(17, "does not say of what it is: it is empty")
def history_emptied_and_sealed(it: Forgery) -> None:
    it.rewrite(it.passed(), [])


@found(17, "it is cut|recorded passed, judged")
def history_with_only_its_header(it: Forgery) -> None:
    it.edit(it.passed(), lambda records: records[:1])


@found(17, "it is cut|recorded passed, judged|the history ends while claim")
def history_cut(it: Forgery) -> None:
    it.edit(it.passed(), lambda records: records[: len(records) // 2])


@found(17, "it is cut|recorded passed, judged")
def history_without_its_last_record(it: Forgery) -> None:
    it.edit(it.passed(), lambda records: records[:-1])


@found(17, "does not say of what it is|no history|recorded passed")
def every_history_emptied(it: Forgery) -> None:
    for one in it.scenarios:
        if one.get("history"):
            it.rewrite(one, [])


@found(18, "its history is of another scenario")
def history_of_another_scenario(it: Forgery) -> None:
    one, other = [each for each in it.scenarios if each["verdict"] == "passed"][:2]
    it.rewrite(one, it.history(other))


@found(19, "its history is of another run")
def history_of_another_run(it: Forgery) -> None:
    one = it.passed()
    it.rewrite(one, it.other.history(one))


@found(20, "its history is of another implementation")
def history_of_another_implementation(it: Forgery) -> None:
    def rename(records: list[Json]) -> None:
        entry(records[0])["origin"]["implementation"] = "a better one 1.0"

    it.edit(it.passed(), rename)


@found(20, "its history is of another descriptor")
def history_of_another_descriptor(it: Forgery) -> None:
    def rename(records: list[Json]) -> None:
        entry(records[0])["origin"]["descriptor"] = "sha256:" + "0" * 64

    it.edit(it.passed(), rename)


@found(21, "record .*, expected")
def records_removed_in_the_middle(it: Forgery) -> None:
    one = it.passed()
    records = it.history(one)
    middle = len(records) // 2
    it.rewrite(one, records[:middle] + records[middle + 3 :], renumber=False)


@found(21, "is not the file that the run has recorded", sealed=False)
def a_byte_changed(it: Forgery) -> None:
    def change(records: list[Json]) -> None:
        records[0]["at_s"] += 0.001

    it.edit(it.passed(), change)


@found(22, "fault|recorded passed")
def faults_never_triggered(it: Forgery) -> None:
    one = it.passed(lambda one: any(fault["fired"] for fault in one["faults"]))

    def quiet(records: list[Json]) -> list[Json]:
        for record in kinds(records, "reply"):
            entry(record)["fault"] = ""
        return [one for one in records if entry(one).get("what") != "fired"]

    it.edit(one, quiet)


@found(23, "alive|claims|proof")
def proof_of_life_removed(it: Forgery) -> None:
    one = it.passed(lambda one: any(claims(it.history(one), "proof")))

    def remove(records: list[Json]) -> list[Json]:
        return forgotten(records, *(entry(each)["claim_number"] for each in claims(records, "proof")))

    it.edit(one, remove)


@found(24, "recorded inconclusive, judged passed")
def verdict_called_inconclusive(it: Forgery) -> None:
    it.passed().update(verdict="inconclusive", reason="no proof of life")


@found(25, "histories/first-attempt.jsonl is missing in the evidence")
def first_attempt_hidden(it: Forgery) -> None:
    """The record says that it was retried; the history of the first attempt is not there."""
    it.passed()["first"] = {
        "verdict": "inconclusive",
        "why": "forged",
        "history": "histories/first-attempt.jsonl",
        "history_digest": "sha256:" + "0" * 64,
    }


@found(27, "its history is of another run")
def halves_of_two_runs(it: Forgery) -> None:
    half = len(it.scenarios) // 2
    mine = {one["id"]: one for one in it.scenarios[:half]}
    for place, one in enumerate(it.scenarios, start=1):
        if one["id"] not in mine and one.get("history"):
            it.rewrite(one, it.other.history(one))
            it.lines[place] = next(each for each in it.other.scenarios if each["id"] == one["id"])


@found(28, "a second record of scenario")
def scenario_twice(it: Forgery) -> None:
    it.lines.insert(2, dict(it.scenarios[0]))


@found(30, "installed here is suite|recorded with the suite", code=3)
def suite_patched(it: Forgery) -> None:
    it.header["suite"]["digest"] = "sha256:" + "0" * 64


@found(31, "its history is of another suite")
def suite_patched_and_denied(it: Forgery) -> None:
    """The histories say which suite recorded them."""

    def other(records: list[Json]) -> None:
        entry(records[0])["origin"]["suite"] = "sha256:" + "0" * 64

    it.edit(it.passed(), other)


@found(33, "a checkout of batchproof with changes that are published nowhere")
def changed_checkout(it: Forgery) -> None:
    it.header["suite"]["installed"] = "changed checkout"


@unknowable(32, "recorder")
def a_record_added_by_the_recorder(it: Forgery) -> None:
    """A shadowed recorder writes what it likes: here a request that no client made, answered with 404."""

    def add(records: list[Json]) -> list[Json]:
        place = len(records) - 1
        requests = kinds(records, "request")
        asked, call = dict(entry(requests[0])), len(requests) + 1
        asked.update(call=call, verb="get", name="no-such-object", body=None)
        answered = {"kind": "reply", "call": call, "status": 404, "effect": False, "fault": "", "body": None}
        at = records[place - 1]["at_s"]
        added = [{"number": 0, "at_s": at, "entry": each} for each in (asked, answered)]
        return records[:place] + added + records[place:]

    it.edit(it.passed(), add)


@unknowable(34, "control-plane")
def another_api_server(it: Forgery) -> None:
    it.header["cluster"]["programs"] = dict.fromkeys(it.header["cluster"]["programs"], "sha256:" + "1" * 64)


@unknowable(35, "binary")
def another_binary(it: Forgery) -> None:
    for one in it.header["implementation"]["started"]:
        one["sha256"] = "sha256:" + "2" * 64


@unknowable(36, "started")
def a_wrapper(it: Forgery) -> None:
    """The digest is that of a script, which has started something else."""
    for one in it.header["implementation"]["started"]:
        one["program"], one["sha256"] = "wrapper.sh", "sha256:" + "3" * 64


@unknowable(37, "observed")
def behaves_when_it_is_tested(it: Forgery) -> None:
    """The record of one that recognizes the test is the record of a good one."""


@unknowable(38, "configuration")
def other_variables(it: Forgery) -> None:
    """The descriptor that is shown is not the one that was used."""
    it.describe(lambda said: said["start"].update(env={"DO_EVERYTHING_RIGHT": "1"}))
    for one in it.header["implementation"]["started"]:
        one["env"] = ["DO_EVERYTHING_RIGHT"]


@unknowable(39, "release")
def a_test_build(it: Forgery) -> None:
    """The version is the released one, the file is not."""
    for one in it.header["implementation"]["started"]:
        one["sha256"] = "sha256:" + "4" * 64


@unknowable(40, "fabricated")
def a_history_that_never_took_place(it: Forgery) -> None:
    """Every unique id in a history is another one, in all places alike."""
    one = it.passed()
    path = it.folder / one["history"]
    text = path.read_text()
    uids = {entry(each)["object"]["metadata"]["uid"] for each in kinds(it.history(one), "change")}
    for number, uid in enumerate(sorted(uids)):
        text = text.replace(uid, f"00000000-0000-4000-8000-{number:012}")
    path.write_text(text)


@unknowable(41, "time")
def a_clock_that_is_wrong(it: Forgery) -> None:
    """The run said to have begun four minutes earlier."""
    it.header["started"] = it.header["started"][:17] + "00.000Z"
