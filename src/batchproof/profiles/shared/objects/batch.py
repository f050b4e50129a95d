"""The group batch: Jobs."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from batchproof.ground.resources import BUILT_IN_MANAGER, JOBS
from batchproof.judgement.history import Json
from batchproof.judgement.objects.api_object import ApiObject, timestamp
from batchproof.judgement.values import stated

if TYPE_CHECKING:
    from datetime import datetime

DEADLINE_EXCEEDED = "DeadlineExceeded"
_COUNTERS = ("active", "succeeded", "failed", "terminating")


@lru_cache(maxsize=64)
def indexes_of(text: str) -> frozenset[int]:
    """The indexes that a text such as "1,3-5,7" lists.

    Raises:
        ValueError: it lists none in this way.
    """
    found: set[int] = set()
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


class Job(ApiObject, of=JOBS, noun="Job"):
    """A batch/v1 Job as the API server shows it."""

    def count(self, counter: str) -> int:
        """``active``, ``ready``, ``succeeded``, ``failed`` or ``terminating``; 0 where it is unset."""
        return int(self.status.get(counter) or 0)

    def condition(self, kind: str) -> Json | None:
        """The condition of that type whose status is True."""
        return next((c for c in self.conditions if c["type"] == kind and c["status"] == "True"), None)

    @property
    def conditions(self) -> list[Json]:
        """All conditions, true or not."""
        return list(self.status.get("conditions") or [])

    @property
    def finished(self) -> bool:
        """The Job is Complete or Failed."""
        return bool(self.condition("Complete") or self.condition("Failed"))

    @property
    def uncounted(self) -> dict[str, list[str]]:
        """UIDs that wait to be counted, by ``succeeded`` and ``failed``."""
        found = self.status.get("uncountedTerminatedPods") or {}
        return {key: list(found.get(key) or []) for key in ("succeeded", "failed")}

    @property
    def manager(self) -> str:
        """The controller whose Job it is: the built-in one where ``spec.managedBy`` is unset."""
        return str(self.spec.get("managedBy") or BUILT_IN_MANAGER)

    @property
    def parallelism(self) -> int:
        """How many pods may be active at once."""
        return int(self.spec.get("parallelism", 1))

    @property
    def suspended(self) -> bool:
        """The user wants the Job suspended, whatever its status says."""
        return bool(self.spec.get("suspend"))

    @property
    def start_time(self) -> datetime | None:
        """When the Job was started or resumed, by its status."""
        start = self.status.get("startTime")
        return timestamp(start) if start else None

    @property
    def active_deadline_s(self) -> int | None:
        """How long the Job may be active, in seconds."""
        return self.spec.get("activeDeadlineSeconds")

    @property
    def ended_by_deadline(self) -> Json | None:
        """The condition that first reports its end by the deadline; None if none does."""
        told = filter(None, map(self.condition, ("FailureTarget", "Failed")))
        return next((it for it in told if it.get("reason") == DEADLINE_EXCEEDED), None)

    @property
    def ttl_s(self) -> int | None:
        """How long the Job is kept once it is finished, in seconds."""
        return self.spec.get("ttlSecondsAfterFinished")

    @property
    def may_ignore(self) -> bool:
        """A rule of its podFailurePolicy ignores some failures."""
        rules = (self.spec.get("podFailurePolicy") or {}).get("rules") or ()
        return any(rule["action"] == "Ignore" for rule in rules)

    @property
    def indexed(self) -> bool:
        """The Job counts by completion index."""
        return bool(self.spec.get("completionMode") == "Indexed")

    @property
    def wanted_labels(self) -> dict[str, str]:
        """The labels that its selector demands of its pods."""
        return (self.spec.get("selector") or {}).get("matchLabels") or {}

    @property
    def completed_indexes(self) -> frozenset[int]:
        """The indexes that the status says are completed."""
        return indexes_of(self.status.get("completedIndexes") or "")

    @property
    def failed_indexes(self) -> frozenset[int] | None:
        """The indexes that the status says have failed; None if it says nothing of them."""
        text = self.status.get("failedIndexes")
        return None if text is None else indexes_of(text)

    @property
    def completions(self) -> int | None:
        """How many pods must succeed; None in work-queue mode."""
        return self.spec.get("completions")

    @cached_property
    def summary(self) -> str:
        """The status in one line."""
        return status_text(self.status) or "empty status"

    @property
    def words(self) -> list[str]:
        """Its status."""
        return [status_text(self.status)]

    @property
    def values(self) -> Json:
        """Its counters, lists of indexes and records, and the conditions that are True."""
        recorded = self.status.get("uncountedTerminatedPods") or {}
        return {
            **{key: self.status.get(key) or 0 for key in _COUNTERS},
            "completedIndexes": self.status.get("completedIndexes") or None,
            "failedIndexes": self.status.get("failedIndexes"),
            **{f"uncounted.{key}": len(recorded.get(key) or ()) for key in ("succeeded", "failed")},
            "conditions": [
                it["type"] for it in self.status.get("conditions") or [] if it["status"] == "True"
            ],
        }


def status_text(status: Json) -> str:
    """A Job's status in one line; empty if it is."""
    words = [f"{key}={status[key]}" for key in _COUNTERS if status.get(key)]
    if status.get("completedIndexes"):
        words.append(f"completedIndexes={status['completedIndexes']}")
    if status.get("failedIndexes") is not None:
        words.append(f"failedIndexes={status['failedIndexes'] or 'none'}")
    uncounted = status.get("uncountedTerminatedPods") or {}
    words += [f"uncounted {key}={len(uids)}" for key, uids in uncounted.items() if uids]
    words += [f"{c['type']}={c['status']}" for c in status.get("conditions") or []]
    return " ".join(words)


def status_of(job: Job | None, and_: str = "") -> str:
    """A Job's status in one line, with its values, or that there is no such Job."""
    if job is None:
        return stated(f"no such Job{and_}", {"observed": f"no such Job{and_}"})
    return stated(f"{job.summary}{and_}", job.values)
