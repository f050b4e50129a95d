"""Indexed Jobs: each pod stands for one completion index."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from reference_controller.job.objects import Job, Pod

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NONE: frozenset[int] = frozenset()


def valid(pod: Pod, job: Job) -> bool:
    """Whether the pod has an index of this Job."""
    return pod.completion_index is not None and pod.completion_index < (job.completions or 0)


def indexes(pods: Iterable[Pod]) -> set[int]:
    """The indexes that these pods stand for."""
    return {pod.completion_index for pod in pods if pod.completion_index is not None}


def completed(job: Job) -> frozenset[int]:
    """IDX-022: the indexes recorded as completed, without those beyond completions (IDX-018)."""
    return listed(job.status.completed_indexes, job) if job.indexed else NONE


def listed(text: str, job: Job) -> frozenset[int]:
    """The indexes of this Job that the text lists."""
    limit = job.completions or 0
    return frozenset(index for index in parse(text) if index < limit)


def countable(pod: Pod, job: Job, done: frozenset[int]) -> bool:
    """IDX-011, IDX-014: whether the end of this pod may change a counter; `done` are the decided indexes."""
    if not job.indexed:
        return True
    if not valid(pod, job):
        return False
    return pod.phase != "Succeeded" or pod.completion_index not in done


@lru_cache(maxsize=256)
def parse(text: str) -> frozenset[int]:
    """Indexes from "1,3-5,7". IDX-015: a part that is no number is passed over."""
    found: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        if first.isascii() and first.isdigit() and (not last or (last.isascii() and last.isdigit())):
            found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


def render(done: Iterable[int]) -> str:
    """IDX-003: ascending; runs of three or more as "a-b", runs of two as "a,b"."""
    runs: list[list[int]] = []
    for index in sorted(done):
        if runs and runs[-1][1] == index - 1:
            runs[-1][1] = index
        else:
            runs.append([index, index])
    return ",".join(_run(first, last) for first, last in runs)


def _run(first: int, last: int) -> str:
    if first == last:
        return str(first)
    return f"{first},{last}" if last == first + 1 else f"{first}-{last}"


def pending(job: Job, taken: set[int], count: int) -> tuple[int, ...]:
    """IDX-012: the lowest `count` indexes that are neither completed nor taken."""
    done = completed(job)
    found: list[int] = []
    for index in range(job.completions or 0):
        if len(found) == count:
            break
        if index not in done and index not in taken:
            found.append(index)
    return tuple(found)


def surplus(job: Job, worst_first: Sequence[Pod]) -> tuple[list[Pod], list[Pod]]:
    """IDX-010, IDX-011: (pods without a valid index and duplicates, the best pod of each index)."""
    best: dict[int, Pod] = {
        pod.completion_index: pod
        for pod in worst_first
        if pod.completion_index is not None and valid(pod, job)
    }
    kept = {pod.uid for pod in best.values()}
    return [p for p in worst_first if p.uid not in kept], [p for p in worst_first if p.uid in kept]
