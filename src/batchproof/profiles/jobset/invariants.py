"""Invariants of controllers of JobSets: what their status must never report."""

from __future__ import annotations

from batchproof.judgement.finding import Finding
from batchproof.judgement.invariants.processes import goes_on_until_killed
from batchproof.judgement.invariants.rule import about_histories, against
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.observed import Observed
from batchproof.profiles.jobset.objects import JOBSETS, JobSet

_ENDS = ("Completed", "Failed")


class _Changes:
    """What was wrong first between one version of a JobSet and the next, by the name of the rule."""

    def __init__(self) -> None:
        self.found: dict[str, Finding] = {}
        self._before: dict[str, JobSet] = {}

    def take(self, kind: str, it: ApiObject) -> None:
        if not isinstance(it, JobSet) or kind == "DELETED":
            return
        before = self._before.get(it.uid)
        self._before[it.uid] = it
        ends = [end for end in _ENDS if it.condition(end)]
        if len(ends) > 1:
            self._note("end", it, "Completed and Failed are never both set", "both are set")
        if before is None:
            return
        for end in _ENDS:
            if before.condition(end) and end not in ends:
                self._note("end", it, f"a JobSet that is {end} stays {end}", f"{end} is no longer set")
        if it.restarts not in {before.restarts, before.restarts + 1}:
            shown = f"{before.restarts}, then {it.restarts}"
            self._note("restarts", it, "restarts stay as they are, or rise by 1", shown)

    def _note(self, rule: str, it: JobSet, expected: str, observed: str) -> None:
        self.found.setdefault(rule, against(it, expected=expected, observed=observed))


@about_histories("JST-044")
def jobset_ends_once(seen: Observed) -> Finding | None:
    """It ends as Completed or as Failed, and stays so."""
    return seen.versions(JOBSETS).fold(_Changes).found.get("end")


@about_histories("JST-023")
def jobset_restarts_rise(seen: Observed) -> Finding | None:
    """Its restarts never fall, and rise one at a time."""
    return seen.versions(JOBSETS).fold(_Changes).found.get("restarts")


about_histories("JST-036")(goes_on_until_killed)
