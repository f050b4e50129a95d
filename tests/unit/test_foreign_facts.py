"""No fact about an object changes because of what happens to others of its kind.

Each example of a fact is told once more, together with each other example of that fact in which all objects
have other names: of a Job that does as it must, beside one that does not, and the other way round.
"""

from __future__ import annotations

import pytest
from fact_examples import every_row
from foreign import foreign, mixed, untrue

from batchproof.judgement import facts
from batchproof.judgement.facts import Fact, FactCall
from batchproof.judgement.observed import observe
from batchproof.profiles.shared.objects.volcano import QUEUES
from batchproof.profiles.tfjob.objects import TFJOBS

OF_ALL: dict[str, set[str]] = {
    "it is about every Job": {"at_rest", "ends_as", "volcano_others_go_on"},
    "it is about every pod, node or gang": {
        "bound_once",
        "bound_too_soon",
        "controller_changed",
        "nothing_in_part",
        "overcommitted",
        "pods_share_group",
        "pods_share_group_of",
        "pods_untouched",
    },
    "it is about every group": {"group_made", "no_group_left", "no_group_made", "tfjob_group_ended"},
    "it is about whatever is made for a Volcano Job": {
        "volcano_all_gone",
        "volcano_all_made",
        "volcano_extras_gone",
    },
    "it is about every request of the implementation": {
        "creation_batches",
        "creation_delay_anew",
        "creation_delays_double",
        "creations_pause",
        "group_written",
        "pods_after_groups",
        "status_writes_valid",
        "tfjob_pod_asked_twice",
        "tfjob_service_asked_twice",
        "written",
    },
    "there is one Lease": {
        "another_takes_over",
        "lease_given_up",
        "lease_ran_out",
        "only_the_leader_wrote",
        "replica_leads",
    },
}
"""Facts that speak of no object in particular, by what they speak of."""


def test_what_is_about_everything_says_so() -> None:
    named = {it.name for it in facts.every() if {"job", "gang", "pod"} & it.wording.kinds.keys()}

    assert not named & {name for names in OF_ALL.values() for name in names}


@pytest.mark.parametrize(
    "it",
    [
        pytest.param(it, id=it.name)
        for it in facts.every()
        if not any(it.name in names for names in OF_ALL.values())
    ],
)
@pytest.mark.parametrize("ahead", [False, True], ids=["beside", "behind"])
def test_what_happens_to_others_changes_no_finding(it: Fact, *, ahead: bool) -> None:
    rows = [row for row in every_row() if row[0].name == it.name]
    others = [
        foreign(history.records, TFJOBS, QUEUES) for _, history, _ in rows
    ]  # a scenario has one of these
    for call, history, holds in rows:
        alone = call.of(history.seen)
        for other in others:
            records, numbers = mixed(history.records, other, ahead=ahead)

            finding = since(call, numbers).of(observe(records))

            assert finding.holds == holds, (call, finding, records)
            assert finding.decisive == tuple(numbers.get(it, it) for it in alone.decisive), (call, records)


def since(call: FactCall, numbers: dict[int, int]) -> FactCall:
    """The same call, where the records have other numbers."""
    arguments = call.arguments
    if "since" not in arguments:
        return call
    return FactCall(call.name, {**arguments, "since": numbers.get(arguments["since"], arguments["since"])})


UNTRUE_TOO = {
    "at_rest": "a Job that somebody else manages is left alone as long as it has no status",
    "job_resumed": "Suspended is False then",
    "job_transitions": "a condition that becomes False changes too",
    "jobset_transitions": "a condition that becomes False changes too",
    "tfjob_transitions": "a condition that becomes False changes too",
    "reason_absent": "it is about all conditions",
    "report_withdrawn": "some dialects report by a condition that is False",
    "reported": "some dialects report by a condition that is False",
}
"""Facts for which a condition that is False may count, and why."""


@pytest.mark.parametrize(
    "it", [pytest.param(it, id=it.name) for it in facts.every() if it.name not in UNTRUE_TOO]
)
def test_a_condition_that_is_not_true_changes_no_finding(it: Fact) -> None:
    rows = [row for row in every_row() if row[0].name == it.name]
    for call, history, holds in rows:
        records = untrue(history.records, [other.records for _, other, _ in rows])

        finding = call.of(observe(records))

        assert finding.holds == holds, (call, finding, records)
