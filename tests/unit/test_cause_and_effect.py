from __future__ import annotations

import pytest
from cause_examples import said
from histories import Story, headed_story

from batchproof.judgement.finding import Moment
from batchproof.judgement.timeline import WAITED
from batchproof.report.cause_and_effect import sentence
from batchproof.report.records import UnmetClaim

CREATED = "a-3 was created while 2 pods of Job a were active, its parallelism was 2"


def job() -> Story:
    return headed_story().job("a", parallelism=2, completions=2)


@pytest.mark.parametrize(
    ("told", "effect"),
    [
        (
            job().pod("a-1").succeeds("a-1").released("a-1").status("a", recorded=("a-1",)),
            "The finalizer of a-1 was removed 0.100 s before its UID was recorded.",
        ),
        (
            job().pod("a-1").succeeds("a-1").released("a-1").act("the end"),
            "The finalizer of a-1 was removed, and its UID is recorded nowhere in the history.",
        ),
        (
            job().pod("a-1").runs("a-1").released("a-1"),
            "The finalizer of a-1 was removed while it was Running.",
        ),
        (job().pod("a-1").succeeds("a-1").status("a", recorded=("a-1",)).released("a-1"), ""),
        (
            job().pods("a-1", "a-2").fault(1, "fired", "a reply is lost").pod("a-3"),
            f"{CREATED}, 0.100 s after a fault was triggered: a reply is lost.",
        ),
        (
            job().pods("a-1", "a-2").fault(1, "fired", "long ago").at(9).pod("a-3"),
            f"{CREATED}.",
        ),
        (job().pod("a-1").pod("a-2"), ""),  # one that it may have is no cause of anything
        (headed_story().pod("b-1", of=None), ""),
        (
            headed_story().node("n-1").gang("a", 3).members("a-0", "a-1").bound("n-1", "a-0"),
            "a-0 was bound to n-1 when gang a had 2 pods, 0 of them bound, and its minimum was 3.",
        ),
        (
            job().pods("a-1", "a-2").succeeds("a-1").complete("a", succeeded=2),
            (
                "Job a became SuccessCriteriaMet and Complete when it had 2 pods (1 Succeeded, 1 Pending), "
                "with completions 2."
            ),
        ),
        (headed_story().act("something"), ""),
    ],
)
def test_the_record_that_decides_says_what_happened(told: Story, effect: str) -> None:
    last = len(told.records) - 1
    before = {"0.100 s before": 1, "nowhere": 1}
    back = next((number for words, number in before.items() if words in effect), 0)
    assert said(told, last - back) == effect


def test_a_silence_is_worth_a_word() -> None:
    last = Moment(1.0, "pod/a-1", "MODIFIED Succeeded", record=1)
    over = Moment(7.0, WAITED, "not so after 6 s", here=True)
    unmet = UnmetClaim("BAS-013", "", "", "", timeline=(last, over))
    assert sentence(job().records, unmet) == (
        "Nothing happened in the last 6.0 s of the wait, after pod/a-1 MODIFIED Succeeded."
    )
    busy = UnmetClaim("BAS-013", "", "", "", timeline=(Moment(6.9, "pod/a", "ADDED", record=1), over))
    assert not sentence(job().records, busy)
    assert not sentence(job().records, UnmetClaim("BAS-013", "", "", ""))
