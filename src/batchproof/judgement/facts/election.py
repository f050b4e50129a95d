"""Facts about leader election: who has the Lease, and who writes."""

from __future__ import annotations

from batchproof.judgement.elected import SLACK_S, Leading
from batchproof.judgement.facts import Finding, fact, found, listed
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import said, stated

_SHOWN = 5  # writes that a finding shows


@fact("a replica <leads|does not lead>", in_place=False, within="recovery")
def replica_leads(seen: Observed) -> Finding:
    """The name of one of the replicas stands in the Lease."""
    term = seen.calls.fold(Leading).term
    return found(
        term and term.leader,
        observed=said("replica {leader} leads", leader=term.leader)
        if term and term.leader
        else "no process holds the Lease",
        decisive=[term.record] if term else [],
    )


@fact("the Lease <has run|has not run> out", in_place=False, within="now")
def lease_ran_out(seen: Observed) -> Finding:
    """No accepted write of the Lease is so young that the Lease could still be valid.

    ``SLACK_S`` is added to leaseDurationSeconds: a write that was sent in time may arrive that much later.
    """
    term = seen.calls.fold(Leading).term
    if term is None or not term.leader:
        return found(
            term is not None, observed="no process holds the Lease", decisive=[term.record] if term else []
        )
    age_s = seen.now_s - term.at_s
    return found(
        age_s > term.duration_s + SLACK_S,
        observed=stated(
            f"replica {term.leader} renewed it {age_s:.1f} s ago, for {term.duration_s:g} s",
            {"leader": term.leader, "age_s": round(age_s, 1), "duration_s": term.duration_s},
        ),
        decisive=[term.record],
    )


@fact("another replica <takes over|does not take over>", in_place=False, within="settle")
def another_takes_over(seen: Observed) -> Finding:
    """A second replica has written its name into the Lease."""
    leading = seen.calls.fold(Leading)
    return found(
        len(leading.leaders) > 1,
        expected="the Lease goes to another replica",
        observed=said("the Lease was held by replicas {leaders}", leaders=list(leading.leaders)),
        decisive=[leading.renewed[leading.leaders[-1]].record] if leading.leaders else [],
    )


@fact("only the replica that held the Lease has written", in_place=False, within="now")
def only_the_leader_wrote(seen: Observed) -> Finding:
    """Each replica that wrote had the Lease, and it had not run out."""
    strays = seen.calls.fold(Leading).strays
    requests = [it.request for it in strays[:_SHOWN]]
    shown = [f"replica {it.instance} {it.verb} {it.subject}" for it in requests]
    return found(
        not strays,
        expected="no write without the Lease",
        observed=stated(
            f"without the Lease: {listed(shown, len(strays) - _SHOWN, separator='; ')}",
            {"writes": len(strays), "replicas": sorted({it.request.instance for it in strays})},
        )
        if strays
        else "none",
        decisive=[it.number for it in strays[:_SHOWN]],
    )


@fact("the replica that led <has given|has not given> the Lease up", in_place=False)
def lease_given_up(seen: Observed) -> Finding:
    """A write of the Lease names no process."""
    leading = seen.calls.fold(Leading)
    last = leading.given_up or leading.term
    return found(
        leading.given_up,
        observed=said("replica {leader} has it", leader=last.leader)
        if last and last.leader
        else "no process holds it",
        decisive=[last.record] if last else [],
    )
