"""The fault grid: each scenario that is fit for it is played without faults and under each fault profile."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import pytest

from batchproof import profiles
from batchproof.descriptor import implementation as descriptors
from batchproof.evidence.plan import catalogue, under
from batchproof.ground import stored
from batchproof.ground.errors import UserError
from batchproof.ground.screen import say, say_json
from batchproof.judgement.fault_profiles import FaultProfile
from batchproof.report import wording
from batchproof.report.records import LEFT_OUT, Planned, ScenarioRecord
from batchproof.running.environment import ENDED, RunEnvironment
from batchproof.running.listing import ToRun
from batchproof.running.plays import Play
from batchproof.running.progress import RunProgress
from batchproof.running.runner import (
    ActiveRun,
    RunOptions,
    begun,
    check_claimed,
    check_reportable,
    check_started,
    check_suite,
    chosen_requirements,
    default_workers,
    selected,
    session,
    tell,
    trouble,
)
from batchproof.running.session.record import RECORD
from batchproof.running.session.stream import Stream
from batchproof.specification.gherkin import parse_features
from batchproof.world.grid import PLAYS_FAULTS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

ALL = "all"
FAULT_TAG = "fault"
"""The tag of scenarios that stage faults of their own."""


def named(faults: str, profile: str) -> tuple[FaultProfile, ...]:
    """The fault profiles that the user names, in their own order.

    Raises:
        UserError: the scenarios of the profile are not run under faults, or not under one of that name.
    """
    there = profiles.profile(profile).fault_profiles
    if not there:
        raise UserError(f"--faults: the scenarios of the profile {profile} are not run under faults")
    names = [name.strip() for name in faults.split(",")]
    if unknown := [name for name in names if name not in {*there, ALL}]:
        known = "\n".join(f"  {one.name:<15} {one.what}" for one in there.values())
        what = f"{unknown[0]!r} is no fault profile of {profile}" if unknown[0] else "a name is missing"
        raise UserError(f"--faults: {what}; there are, to be separated by commas, or `{ALL}`:\n{known}")
    return tuple(one for one in there.values() if ALL in names or one.name in names)


def check_fit(choices: RunOptions) -> None:
    """See that the ends of the chosen scenarios can be compared.

    Raises:
        UserError: they cannot.
    """
    if choices.feature:
        raise UserError("the fault grid runs the scenarios of the suite: leave out --faults or --feature")


def staging_faults() -> frozenset[str]:
    """The ids of the scenarios that say by their tag that they stage faults of their own."""
    return frozenset(case.id for one in parse_features() if FAULT_TAG in one.tags for case in one.cases)


def plan(
    scenarios: Sequence[Planned], unfit: Collection[str], faults: Sequence[FaultProfile]
) -> list[Planned]:
    """All that the grid sets out to run: each scenario, and each that is fit under each fault profile."""
    cells = (under(one, each) for each in faults for one in scenarios if one.id not in unfit)
    return [*scenarios, *cells]


def dry_run(choices: RunOptions, faults: Sequence[FaultProfile]) -> int:
    """List what would be played, one scenario a line, and what is known to be left out."""
    implementation = descriptors.load(descriptors.find(choices.implementation))
    check_claimed(implementation, choices.profile)
    check_started(implementation, "--faults")
    check_fit(choices)
    unfit, scenarios = staging_faults(), selected(choices)
    why = f"{LEFT_OUT}{PLAYS_FAULTS}"
    rows = [ToRun(one.id, one.title, one.requirement, why if one.id in unfit else "") for one in scenarios]
    if choices.as_json:
        under_faults = [one.name for one in faults]
        say_json({"fault_profiles": under_faults, "scenarios": [asdict(row) for row in rows]})
        return 0
    for row in rows:
        say(f"{row.id}  {row.title}" + (f"  ({row.skipped})" if row.skipped else ""))
    played = sum(not row.skipped for row in rows)
    names = wording.named([one.name for one in faults])
    say(
        f"{wording.count(played, 'scenario')}, each without faults and under {names}; "
        f"{len(scenarios) - played} left out"
    )
    return 0


def run(choices: RunOptions, faults: Sequence[FaultProfile]) -> int:
    """Judge an implementation under faults; returns the exit code, which is the verdict."""
    check_reportable(choices)
    implementation = descriptors.load(descriptors.find(choices.implementation))
    registry = chosen_requirements(choices)
    check_claimed(implementation, choices.profile)
    check_started(implementation, "--faults")
    check_fit(choices)
    check_suite(choices.profile)
    scenarios = selected(choices)
    wanted = choices.workers or default_workers(implementation)
    progress = RunProgress(what="play")
    with begun(choices, implementation, registry, progress, workers=wanted) as it:
        play(choices, it, progress, scenarios, faults)
    return tell(choices)


def play(
    choices: RunOptions,
    it: ActiveRun,
    progress: RunProgress,
    scenarios: Sequence[Planned],
    faults: Sequence[FaultProfile],
) -> None:
    """Play scenarios without faults and under them, and write the results of that to their end."""
    unfit = staging_faults()
    stream = GridStream(it.results, it.header, progress, selected_all=False)
    stream.set_out(plan(scenarios, unfit, faults))
    status = _Grid(choices, it, stream).play(scenarios, unfit, faults)
    progress.end()
    stream.finish(trouble(status))


@dataclass(frozen=True, slots=True)
class _Grid:
    """Plays scenarios in two sessions of pytest: without faults, then under them."""

    choices: RunOptions
    run: ActiveRun
    stream: GridStream

    def play(
        self, scenarios: Sequence[Planned], unfit: Collection[str], faults: Sequence[FaultProfile]
    ) -> int:
        """Play all scenarios without faults, then those that came to an end under each profile."""
        stream = self.stream
        for one in scenarios:
            if one.id in unfit:
                stream.take(stream.unplayed(one, "skipped", f"{LEFT_OUT}{PLAYS_FAULTS}"))
        fit = [one for one in scenarios if one.id not in unfit]
        status = self._played(self.run.stage, [Play(one.id, faults="") for one in fit])
        if status not in ENDED:
            return status
        plays: list[Play] = []
        for each in faults:
            for one in fit:
                played = stream.played.get(one.id)
                if why := why_left_out(played) if played else "it did not run":
                    stream.take(stream.unplayed(under(one, each), "skipped", f"{LEFT_OUT}{why}"))
                else:
                    plays.append(Play(one.id, faults=each.name, end=played.end if played else None))
        return self._played(self.run.stage.anew, plays)

    def _played(self, stage: RunEnvironment, plays: Sequence[Play]) -> int:
        """Play, and play what could not be judged a second time."""
        if not plays:
            return pytest.ExitCode.OK
        of = {play.judges(catalogue()[play.scenario]).id: play for play in plays}

        def again() -> list[Play]:
            return [of[id_] for id_ in self.stream.play_again(of)]

        return stage.play(session(self.choices, self.run.workers, plays), self.stream, again)


def why_left_out(played: ScenarioRecord) -> str:
    """Why a scenario cannot be played under faults, by how it ended without; empty if it can."""
    if played.verdict != "passed":
        reason = f": {played.reason}" if played.reason else ""
        return f"without faults it is {played.verdict}{reason}"
    return played.left_out


class GridStream(Stream):
    """Writes the results stream of a grid, which has more than one session of pytest."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A play has a verdict; one whose worker died is missing in the end."""
        text = getattr(report, RECORD, None)
        if text is not None:
            self.take(stored.decode(text, ScenarioRecord))
