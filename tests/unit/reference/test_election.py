"""Which replica may acquire a Lease, and how long its holder may work."""

from __future__ import annotations

import orjson
import pytest

from reference_controller.__main__ import arguments
from reference_controller.election.api_json import lease_body, read_lease
from reference_controller.election.lease import Lease, Terms, given_up, may_take, may_work, taken

TERMS = Terms()
MINE = Lease("ns", "l", version="7", holder="me", duration_s=15, acquired_at=100.0, renewed_at=110.0)


@pytest.mark.parametrize(
    ("holder", "unchanged_s", "may"),
    [
        pytest.param("", 0.0, True, id="it has no holder"),
        pytest.param("me", 0.0, True, id="it is my own"),
        pytest.param("other", 14.9, False, id="another renews it"),
        pytest.param("other", 15.0, True, id="another renews it no more"),
    ],
)
def test_a_lease_is_taken_from_nobody_who_renews_it(holder: str, unchanged_s: float, *, may: bool) -> None:
    assert may_take(Lease("ns", "l", holder=holder, duration_s=15), "me", unchanged_s) == may


def test_who_renews_its_lease_has_had_it_since_it_took_it() -> None:
    renewed = taken(MINE, "me", TERMS, now=120.0)
    assert (renewed.acquired_at, renewed.renewed_at, renewed.transitions) == (100.0, 120.0, 0)


def test_who_takes_a_lease_from_another_counts_that() -> None:
    got = taken(MINE, "you", TERMS, now=130.0)
    assert (got.holder, got.acquired_at, got.transitions) == ("you", 130.0, 1)


def test_the_first_lease_has_changed_hands_never() -> None:
    assert taken(Lease("ns", "l"), "me", TERMS, now=1.0).transitions == 0


def test_a_lease_that_is_given_up_may_be_taken_at_once() -> None:
    assert may_take(given_up(MINE, now=120.0), "you", 0.0)


def test_a_leader_gives_up_before_another_may_take_over() -> None:
    assert may_work(TERMS.renew_deadline_s - 0.1, TERMS)
    assert not may_work(TERMS.renew_deadline_s, TERMS)
    assert TERMS.safe


def test_a_lease_is_read_as_it_was_written() -> None:
    stored = orjson.loads(lease_body(MINE))
    assert read_lease(stored) == MINE


def test_a_lease_that_another_made_without_a_spec_is_nobodys() -> None:
    lease = read_lease({"metadata": {"namespace": "ns", "name": "l", "resourceVersion": "1"}})
    assert may_take(lease, "me", 0.0)


@pytest.mark.parametrize(
    "words", [["--lease-duration=10"], ["--renew-deadline=1"], ["--retry-period=0", "--renew-deadline=1"]]
)
def test_terms_by_which_two_could_lead_are_refused(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        arguments(["job", "--kubeconfig=k", *words])
    assert "--lease-duration > --renew-deadline" in capsys.readouterr().err
