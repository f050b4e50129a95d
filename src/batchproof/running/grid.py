"""The fault grid: each scenario that is fit for it is played without faults and under each fault profile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from batchproof import stored
from batchproof.descriptor import implementation as descriptors
from batchproof.errors import UserError
from batchproof.judgement.fault_profiles import BY_NAME, PROFILES, FaultProfile
from batchproof.report import wording
from batchproof.report.records import LEFT_OUT, Planned, Scenario
from batchproof.running.progress import RunProgress
from batchproof.running.runner import (
    ENDED,
    Begun,
    Choices,
    begun,
    chosen_requirements,
    default_workers,
    pytest_arguments,
    see_claimed,
    see_reportable,
    see_started,
    see_suite,
    selected,
    tell,
    trouble,
)
from batchproof.running.session.collect import catalogue, under
from batchproof.running.session.record import RECORD
from batchproof.running.session.stream import Stream
from batchproof.screen import say
from batchproof.specification.gherkin import parse_features
from batchproof.world.grid import PLAYS_FAULTS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

ALL = "all"
PROFILE = "job"
"""The profile of what the grid can compare: how Jobs end."""
FAULT_TAG = "fault"
"""The tag of scenarios that stage faults of their own."""


def named(faults: str) -> tuple[FaultProfile, ...]:
    """The fault profiles that the user names, in their own order.

    Raises:
        UserError: there is none of a name.
    """
    names = [name.strip() for name in faults.split(",")]
    if unknown := [name for name in names if name not in {*BY_NAME, ALL}]:
        known = "\n".join(f"  {one.name:<15} {one.what}" for one in PROFILES)
        what = f"{unknown[0]!r} is no fault profile" if unknown[0] else "a name is missing"
        raise UserError(f"--faults: {what}; there are, to be separated by commas, or `{ALL}`:\n{known}")
    return tuple(one for one in PROFILES if ALL in names or one.name in names)


def see_fit(choices: Choices) -> None:
    """See that the ends of the chosen scenarios can be compared.

    Raises:
        UserError: they cannot.
    """
    if choices.profile != PROFILE:
        raise UserError(
            f"--faults: only how Jobs end can be compared: the profile {PROFILE}, not {choices.profile}"
        )
    if choices.feature:
        raise UserError("the fault grid plays the scenarios of the suite: leave out --faults or --feature")


def staging_faults() -> frozenset[str]:
    """The ids of the scenarios that say by their tag that they stage faults of their own."""
    return frozenset(case.id for one in parse_features() if FAULT_TAG in one.tags for case in one.cases)


def plan(
    scenarios: Sequence[Planned], unfit: Collection[str], profiles: Sequence[FaultProfile]
) -> list[Planned]:
    """All that the grid sets out to play: each scenario, and each that is fit under each profile."""
    cells = (under(one, profile) for profile in profiles for one in scenarios if one.id not in unfit)
    return [*scenarios, *cells]


def dry_run(choices: Choices, profiles: Sequence[FaultProfile]) -> int:
    """List what would be played, one scenario a line, and what is known to be left out."""
    see_fit(choices)
    unfit, scenarios = staging_faults(), selected(choices)
    for one in scenarios:
        note = f"  ({LEFT_OUT}{PLAYS_FAULTS})" if one.id in unfit else ""
        say(f"{one.requirement}  {one.id}{note}")
    played = sum(one.id not in unfit for one in scenarios)
    names = wording.named([one.name for one in profiles])
    say(
        f"{wording.count(played, 'scenario')}, each without faults and under {names}; "
        f"{len(scenarios) - played} left out"
    )
    return 0


def run(choices: Choices, profiles: Sequence[FaultProfile]) -> int:
    """Judge an implementation under faults; returns the exit code, which is the verdict."""
    see_reportable(choices)
    implementation = descriptors.load(descriptors.find(choices.implementation))
    registry = chosen_requirements(choices)
    see_claimed(implementation, choices.profile)
    see_started(implementation, "--faults")
    see_fit(choices)
    see_suite(choices.profile)
    unfit, scenarios = staging_faults(), selected(choices)
    wanted = choices.workers or default_workers(implementation)
    progress = RunProgress(what="play")
    with begun(choices, implementation, registry, progress, workers=wanted) as it:
        stream = GridStream(it.results, it.header, progress, selected_all=False)
        stream.set_out(plan(scenarios, unfit, profiles))
        status = _Grid(choices, it, stream).play(scenarios, unfit, profiles)
        progress.end()
        stream.finish(trouble(status))
    return tell(choices)


@dataclass(frozen=True, slots=True)
class _Grid:
    """Plays scenarios in two sessions of pytest: without faults, then under them."""

    choices: Choices
    run: Begun
    stream: GridStream

    def play(
        self, scenarios: Sequence[Planned], unfit: Collection[str], profiles: Sequence[FaultProfile]
    ) -> int:
        """Play all scenarios without faults, then those that came to an end under each profile."""
        stream = self.stream
        for one in scenarios:
            if one.id in unfit:
                stream.take(stream.unplayed(one, "skipped", f"{LEFT_OUT}{PLAYS_FAULTS}"))
        fit = [one for one in scenarios if one.id not in unfit]
        status = self._pytest(self.run, [("", one.id) for one in fit], {})
        if status not in ENDED:
            return status
        ends: dict[str, Mapping[str, str]] = {}
        for one in fit:
            played = stream.played.get(one.id)
            if played is None or (why := why_left_out(played)):
                for profile in profiles:
                    reason = f"{LEFT_OUT}{why if played else 'it was not played'}"
                    stream.take(stream.unplayed(under(one, profile), "skipped", reason))
            else:
                ends[one.id] = played.end or {}
        plays = [(profile.name, one.id) for profile in profiles for one in fit if one.id in ends]
        return self._pytest(self.run.anew(len(plays)), plays, ends)

    def _pytest(
        self, it: Begun, plays: Sequence[tuple[str, str]], ends: Mapping[str, Mapping[str, str]]
    ) -> int:
        """Play, and play what could not be judged a second time."""
        status, second = int(pytest.ExitCode.OK), False
        while plays and status in ENDED:
            status = it.stage.pytest(
                pytest_arguments(self.choices),
                self.stream,
                output=self.choices.output,
                workers=min(it.workers, len(plays)),
                profile=self.choices.profile,
                plays=tuple(plays),
                ends=ends,
                second=second,
            )
            of = {play_id(*play): play for play in plays}
            plays = [of[id_] for id_ in self.stream.play_again(of)]
            it, second = it.anew(len(plays)), True
        return status


def play_id(profile: str, id_: str) -> str:
    """The id of the play of a scenario under a fault profile, or under none."""
    one = catalogue()[id_]
    return under(one, BY_NAME[profile]).id if profile else one.id


def why_left_out(played: Scenario) -> str:
    """Why a scenario cannot be played under faults, by how it ended without; empty if it can."""
    if played.verdict != "passed":
        reason = f": {played.reason}" if played.reason else ""
        return f"without faults it is {played.verdict}{reason}"
    return played.left_out


class GridStream(Stream):
    """Writes the results stream of a grid, which has more than one session of pytest."""

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """A worker has done with a play: it was taken up by the id of its test, which is not its own."""
        self._progress.left(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A play has a verdict; one whose worker died is missing in the end."""
        text = getattr(report, RECORD, None)
        if text is not None:
            self.take(stored.decode(text, Scenario))
