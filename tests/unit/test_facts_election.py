"""Facts about leader election, and which processes may exit because of it."""

from __future__ import annotations

from fact_examples import examples, no, yes
from histories import Story, story
from invariant_examples import assert_blameless, assert_broken

from batchproof.judgement.facts import FactCall
from batchproof.judgement.facts.election import (
    another_takes_over,
    lease_given_up,
    lease_ran_out,
    only_the_leader_wrote,
    replica_leads,
)
from batchproof.judgement.history import EXITED

DURATION_S = 6


def takes(told: Story, replica: int, *, verb: str = "update") -> Story:
    """A replica writes its name into the Lease."""
    spec = {"holderIdentity": f"replica-{replica}", "leaseDurationSeconds": DURATION_S}
    return told.asks(verb, "leases", "l", by=replica).answered(body={"spec": spec})


def led() -> Story:
    """The first replica takes the Lease, 10 s after noon."""
    return takes(story().at(10), 1, verb="create")


def led_to_16() -> Story:
    """The first replica has the Lease up to 16 s after noon."""
    return takes(story().at(10 - 0.1), 1, verb="create")


def gives_up(told: Story, replica: int) -> Story:
    return told.asks("update", "leases", "l", by=replica).answered(body={"spec": {"holderIdentity": ""}})


def creates(told: Story, replica: int) -> Story:
    return told.write("create", "pods", by=replica)


@examples(
    replica_leads(),
    yes("it has written its name", led()),
    no("no request was made", story()),
    no("its name was refused"),
    story().asks("create", "leases", "l", body={"spec": {"holderIdentity": "x"}}).answered(409),
    yes("it has patched the Lease", takes(story(), 1, verb="patch")),
    no("given up again", gives_up(led(), 1)),
    lease_ran_out(),
    yes("its time and the slack are over", led().at(16.6).act("later")),
    no("a write may be under way", led().at(16.5).act("later")),
    no("it was renewed", takes(led().at(12), 1).at(17).act("later")),
    yes("it was given up", gives_up(led(), 1)),
    no("there was none", story()),
    another_takes_over(),
    yes("the other has written its name", takes(led().at(20), 2)),
    no("the first has renewed", takes(led().at(12), 1)),
    lease_given_up(),
    yes("given up, and taken by the other", takes(gives_up(led(), 1), 2)),
    no("run out, and taken by the other", takes(led().at(20), 2)),
    only_the_leader_wrote(),
    yes("a write within its duration", creates(led().at(16), 1)),
    yes("a write that was under way", creates(led().at(16.4), 1)),
    yes("a write that is answered when it has run out"),
    led().at(12).asks("create", "pods", by=1).at(20).answered(201),
    no("a write when it has run out", creates(led().at(18), 1)),
    no("a Lease that is taken too early", takes(led(), 2)),
    yes("a Lease that had run out", takes(led().at(18), 2)),
    yes("a write of the last moment", creates(led_to_16().at(16.5), 1)),
    no("a Lease of the last moment", takes(led_to_16().at(15.5), 2)),
    yes("a Lease that has just run out for it", takes(led().at(15.7), 2)),
    no("a Lease that counts a little longer", takes(led().at(15.5), 2)),
    yes("a Lease that was given up", takes(gives_up(led(), 1), 2)),
    yes("a Lease that is renewed", takes(led(), 1)),
    no("a write of a standby", creates(led(), 2)),
    no("a write after the end", creates(gives_up(led(), 1), 1)),
    yes("an Event of a standby changes nothing", led().write("create", "events", by=2)),
    yes("a write before there was a Lease", creates(story(), 1)),
)
def test_a_fact_about_an_election(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds


def test_who_has_not_renewed_its_lease_may_end() -> None:
    assert_blameless(led().at(13.1).process(1, f"{EXITED}: lease lost"))


def test_who_has_just_renewed_its_lease_and_who_never_led_may_not_end() -> None:
    last = 2
    assert_broken("GNG-082", led().at(12).process(1, f"{EXITED}: no more"), last, "no more")
    assert_broken("GNG-082", led().at(20).process(2, f"{EXITED}: no more"), last, "no more")


def test_what_two_replicas_create_at_once_is_the_matter_of_the_election() -> None:
    told = takes(led().job("a", parallelism=1).at(20), 2)
    assert_blameless(creates(creates(told, 1), 2).pods("a-1", "a-2"))
    assert_broken(
        "BAS-014", creates(creates(led().job("a", parallelism=1), 1), 1).pods("a-1", "a-2"), 8, "2 with"
    )
    changed = takes(led().job("a", parallelism=1).at(20), 2).write("patch", "pods", "a-0", by=1)
    assert_broken("BAS-014", creates(creates(changed, 2), 2).pods("a-1", "a-2"), 12, "2 with")
