"""Whether results are those of a run of this suite: all that the suite knows itself is taken from it.

The header may say only what the suite says of the implementation that its descriptor describes. The plan has
to be that of the suite, or a selection that calls itself one. Each scenario has to have been played as it is
written: its steps, its claims with their deadlines, its faults, its end. Its record has to say what its
history comes to. What is not so is named; ``replay`` alone would only compare verdicts.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from batchproof import __version__
from batchproof.evidence.bound import Bound, other_header
from batchproof.evidence.digests import suite_digest
from batchproof.evidence.scenario import PlayedScenario, scenario
from batchproof.ground import stored
from batchproof.judgement.values import counted
from batchproof.report import REPORTS, derived, timelines
from batchproof.report.outcome import Outcome, judge_run
from batchproof.report.records import (
    Header,
    ScenarioRecord,
    Suite,
)
from batchproof.report.results import Results

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


_SKEW = timedelta(minutes=5)
"""How far the clock of an API server may be from that of the run."""
_LATE = timedelta(seconds=10)
"""How far the clock of the harness may be set while it judges."""
_UNTIL_FIRST = timedelta(minutes=20)
"""How long it may take until the first scenario makes something: a cluster has to start."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Results that were checked.

    Attributes:
        results: as they were read.
        other_suite: they were recorded with another suite, in words; empty if with this one.
        header: what the header says that the suite does not.
        scenarios: each scenario of the results.
        views: what does not fit all together, and the reports beside the results that say something else.
    """

    results: Results
    other_suite: str
    header: tuple[str, ...]
    scenarios: tuple[PlayedScenario, ...]
    views: tuple[str, ...] = ()

    @property
    def wrong(self) -> tuple[str, ...]:
        """Everything that is not so, each in one line."""
        of_scenarios = (f"{one.again.recorded.id}: {text}" for one in self.scenarios for text in one.wrong)
        return (*self.header, *of_scenarios, *self.views)

    @property
    def stands(self) -> bool:
        """They are what a run of this suite has recorded, as far as they show it."""
        return not self.other_suite and not self.wrong

    @property
    def outcome(self) -> Outcome:
        """What the run comes to, if it stands."""
        return judge_run(self.results)


def check(results: Results, folder: Path, *, workers: int = 1) -> Checked:
    """Judge every scenario of a run again, and see that it is a run of this suite.

    Args:
        results: as they were read.
        folder: where they lie, with the histories.
        workers: how many processes judge.

    Raises:
        UserError: a history cannot be read, or the descriptor in the header is none.
    """
    header = results.header
    if other := _other_suite(header.suite):  # what is not of this suite is not judged by it
        return Checked(results, other, (), ())
    bound = Bound.by(header, results.footer.finished, results.scenarios)
    plan = {one.id for one in header.planned}
    unplanned = [f"{one.id} is not planned" for one in results.scenarios if one.id not in plan]
    wrong = (*other_header(header, bound), *unplanned)
    if wrong:
        return Checked(results, "", wrong, ())
    played = tuple(_played(results, folder, bound, workers))
    beside = (*_times(played, bound), *_views(results, folder))
    return Checked(results, "", (), played, beside)


def _played(results: Results, folder: Path, bound: Bound, workers: int) -> Iterator[PlayedScenario]:
    if workers == 1:
        yield from (scenario(one, folder, bound) for one in results.scenarios)
        return
    given = (stored.encode(results.header), results.footer.finished, folder, results.scenarios)
    with ProcessPoolExecutor(workers, initializer=_begin, initargs=given) as pool:
        yield from pool.map(_one, results.scenarios, chunksize=4)


_WORKER: dict[str, Any] = {}
"""What a process that judges was given when it began."""


def _begin(header: bytes, finished: str, folder: Path, scenarios: tuple[ScenarioRecord, ...]) -> None:
    bound = Bound.by(stored.decode(header, Header), finished, scenarios)
    _WORKER.update(folder=folder, bound=bound)


def _one(recorded: ScenarioRecord) -> PlayedScenario:
    found = scenario(recorded, **_WORKER)
    return replace(found, again=replace(found.again, heard=None))  # it is large, and no check reads it


def _other_suite(recorded: Suite) -> str:
    if recorded.digest == suite_digest():
        return ""
    its = f", a checkout at the commit {recorded.commit}" if recorded.commit else ""
    return (
        f"recorded with the suite {recorded.digest}; this is batchproof {__version__} with {suite_digest()}: "
        f"check it with the batchproof that recorded it{its}"
    )


def _times(played: tuple[PlayedScenario, ...], bound: Bound) -> Iterator[str]:
    """The API server created the objects of the run while it went on, from its begin to its end."""
    spans = [sorted(map(datetime.fromisoformat, one.clocks)) for one in played if one.clocks]
    if any(one[0] < bound.began - _LATE or one[-1] > bound.ended + _LATE for one in spans):
        yield "the histories are of another time than the run: the harness did something before or after it"
    changes = sorted([*((one[0], 1) for one in spans), *((one[-1], -1) for one in spans)])
    if spans and max(accumulate(change for _, change in changes)) > bound.header.workers:
        yield f"more than {counted(bound.header.workers, 'scenario')} ran at the same time"
    created = sorted(datetime.fromisoformat(time) for one in played for time in one.created)
    if not created:
        return
    first, last = created[0], created[-1]
    if not bound.began - _SKEW <= first <= bound.began + _UNTIL_FIRST or last > bound.ended + _SKEW:
        yield (
            f"the histories are of another time than the run: the API server created objects from {first} to "
            f"{last}, the run was from {bound.began} to {bound.ended}"
        )


# -- the reports beside the results


def _views(results: Results, folder: Path) -> Iterator[str]:
    """The reports in the folder are those that the results give."""
    if not any((folder / name).exists() for name in REPORTS):  # the evidence alone, as in a bundle
        return
    for name, content in derived(results, folder).items():
        if _says_otherwise(folder / name, content):
            yield f"{name} is not what the results give: `batchproof report {folder}` makes it again"
    drawn = (name for name, content in timelines(results, folder) if _says_otherwise(folder / name, content))
    if wrong := list(drawn):
        more = f" (and {len(wrong) - 1} more)" if wrong[1:] else ""
        yield f"{wrong[0]}{more} is not what the history gives: `batchproof report {folder}` makes it again"


def _says_otherwise(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() != content
