"""Facts about the status of a JobSet."""

from __future__ import annotations

from batchproof.judgement.facts import Finding, fact, found, record_of, state_of
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.observed import Observed
from batchproof.profiles.jobset.facts.jobs import jobset
from batchproof.profiles.jobset.objects import JOBSETS, JobSet
from batchproof.profiles.shared.facts.transitions import times_of_changes


def told(it: JobSet | None) -> str:
    """Its status in words, with its values."""
    return state_of(it, "no JobSet", "an empty status")


@fact("the JobSet is <|not >{condition:condition}", within="settle")
def jobset_condition(seen: Observed, *, condition: str) -> Finding:
    """Its condition of this type is True."""
    it = jobset(seen)
    return found(it and it.condition(condition), observed=told(it), decisive=record_of(it))


@fact("lastTransitionTime of each condition of the JobSet is the time of its last change", within="now")
def jobset_transitions(seen: Observed) -> Finding:
    """It changed with the status of the condition, and only then."""
    return times_of_changes(jobset(seen), seen.versions(JOBSETS))


@fact("the JobSet is no longer {condition:condition}", within="settle")
def jobset_no_longer(seen: Observed, *, condition: str) -> Finding:
    """Its condition of this type was True in an earlier version of it, and is not now."""
    it = jobset(seen)
    was = it and it.uid in seen.versions(JOBSETS).fold(_Was, condition).uids
    return found(was and it and not it.condition(condition), observed=told(it), decisive=record_of(it))


class _Was:
    """The UIDs of the JobSets of which a condition was True."""

    def __init__(self, condition: str) -> None:
        self.uids: set[str] = set()
        self._condition = condition

    def take(self, _: str, it: ApiObject) -> None:
        if isinstance(it, JobSet) and it.condition(self._condition):
            self.uids.add(it.uid)


@fact(
    "the JobSet reports {restarts:d} [restart|restarts], of which {counted:d} [counts|count]", within="settle"
)
def jobset_restarts(seen: Observed, *, restarts: int, counted: int) -> Finding:
    """Its restarts and restartsCountTowardsMax are these."""
    it = jobset(seen)
    had = (it.restarts, it.counted_restarts) if it else None
    shown = f"{had[0]} restarts, {had[1]} counted" if had else "no JobSet"
    return found(had == (restarts, counted), observed=shown, decisive=record_of(it))


@fact("the terminal state of the JobSet is {state:word}", within="settle")
def jobset_terminal(seen: Observed, *, state: str) -> Finding:
    """Its terminalState is this one, and its condition of this type is True."""
    it = jobset(seen)
    holds = it and it.terminal_state == state and it.condition(state)
    shown = f"terminalState {it.terminal_state or 'unset'}; {told(it)}" if it else "no JobSet"
    return found(holds, observed=shown, decisive=record_of(it))


@fact(
    "the JobSet reports {ready:d} ready, {active:d} active, {suspended:d} suspended, {succeeded:d} succeeded"
    " and {failed:d} failed Jobs of {name:replicated}",
    within="settle",
)
def jobset_reports(
    seen: Observed, *, ready: int, active: int, suspended: int, succeeded: int, failed: int, name: str
) -> Finding:
    """Its replicatedJobsStatus has an entry of this name with these numbers."""
    it = jobset(seen)
    listed = [one["name"] for one in it.status.get("replicatedJobsStatus") or []] if it else []
    wanted = {
        "ready": ready,
        "active": active,
        "suspended": suspended,
        "succeeded": succeeded,
        "failed": failed,
    }
    holds = it and listed.count(name) == 1 and it.counts(name) == wanted
    return found(holds, observed=told(it), decisive=record_of(it))
