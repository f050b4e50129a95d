"""An exploration from end to end."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof import profiles
from batchproof.control_plane.choice import ClusterOptions
from batchproof.descriptor import implementation as descriptors
from batchproof.descriptor.implementation import Implementation
from batchproof.evidence.plan import HISTORIES
from batchproof.exploration.case import MOST_CANDIDATES
from batchproof.exploration.choosing import varied
from batchproof.exploration.generation import generate
from batchproof.exploration.program import Rules
from batchproof.ground.errors import HarnessError, UserError
from batchproof.ground.screen import say
from batchproof.report import wording
from batchproof.report.exploration import ExplorationResult
from batchproof.running.environment import staged
from batchproof.running.exploring.exploration import Exploration
from batchproof.running.exploring.result import counts_of, result_of
from batchproof.running.exploring.tasks import WorkerSetting
from batchproof.running.exploring.team import team
from batchproof.running.exploring.written import SUMMARY, About, write
from batchproof.running.progress import RunProgress
from batchproof.running.runner import check_claimed, check_started, emptied_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

_AT_ONCE_BY_PROCESSOR = 12
"""Programs mostly wait, those that fail for all of a deadline: on 2 processors 24 at once keep both busy, and
are half as many again in a minute as 12."""


@dataclass(frozen=True, slots=True)
class ExploreOptions:
    """What the user chose on the command line; see ``batchproof explore --help``."""

    implementation: str
    profile: str
    for_s: int
    seed: int
    first: bool
    as_found: bool
    workers: int | None
    output: Path
    choice: ClusterOptions
    as_json: bool = False


def rules_of(profile: str) -> Rules:
    """The model of a profile.

    Raises:
        UserError: it has none.
    """
    if (rules := profiles.profile(profile).rules) is not None:
        return rules
    explored = ", ".join(one.name for one in profiles.profiles().values() if one.rules)
    raise UserError(f"the profile {profile} has no model of what may happen; explore one of {explored}")


def explore(wish: ExploreOptions) -> int:
    """Explore; returns the exit code: 1 if anything was found.

    Raises:
        UserError: the choice cannot be used.
        HarnessError: no program came to a verdict.
    """
    emptied_folder(wish.output, HISTORIES)
    lines: list[str] = []
    result = explored(wish, RunProgress(), lambda it, about: lines.extend(write(it, about, wish.output)))
    return told(result, lines, wish.output, as_json=wish.as_json)


def explored(
    wish: ExploreOptions, progress: RunProgress, keep: Callable[[ExplorationResult, About], None]
) -> ExplorationResult:
    """Explore, whatever is written of it then.

    Args:
        wish: what the user chose.
        progress: shows how far it is.
        keep: takes what it came to; afterwards the histories are gone.

    Raises:
        UserError: the choice cannot be used.
        HarnessError: the workers were lost.
    """
    implementation = explorable(wish.implementation, wish.profile)
    begin = rules_of(wish.profile)(implementation.capabilities)
    workers = wish.workers or _AT_ONCE_BY_PROCESSOR * (os.cpu_count() or 1)
    about = About(wish.profile, implementation.full_name, wish.implementation, wish.choice.words(files=False))
    interrupted = False
    with staged(implementation, wish.choice, progress.say) as stage:
        setting = WorkerSetting(
            run=stage.run,
            descriptor=implementation.descriptor.resolve(),
            profile=wish.profile,
            binaries=dict(stage.binaries),
            crds=stage.crds,
            run_dir=stage.run_dir,
        )
        then = "" if wish.as_found else ", and then until what was found is minimized"
        length = wording.duration(wish.for_s)
        progress.say(f"seed {wish.seed}, {wording.count(workers, 'worker')}, for {length}{then}")
        exploration = Exploration(
            begin,
            varied(begin, generate(begin, wish.seed)),
            for_s=wish.for_s,
            first=wish.first,
            say=progress.say,
            at_once=max(1, workers // 2),
            candidates=0 if wish.as_found else MOST_CANDIDATES,
        )
        try:
            with team(exploration, setting, workers) as working:
                while working.wait() and not exploration.satisfied:
                    progress.explored(counts_of(exploration))
        except KeyboardInterrupt:
            interrupted = True
        progress.end()
        result = result_of(exploration, begin, seed=wish.seed, workers=workers, interrupted=interrupted)
        keep(result, about)
    return result


def explorable(named: str, profile: str) -> Implementation:
    """The implementation of a descriptor, if it can be explored as this.

    Raises:
        UserError: it cannot.
    """
    implementation = descriptors.load(descriptors.find(named))
    check_claimed(implementation, profile)
    check_started(implementation, "explore")
    if implementation.isolation == "control-plane":
        raise UserError(
            f"{implementation.descriptor}: 'isolation: control-plane' is not supported by explore; "
            "use `batchproof run`"
        )
    return implementation


def told(result: ExplorationResult, lines: Sequence[str], output: Path, *, as_json: bool = False) -> int:
    """Print what was written of an exploration; returns the exit code: 1 if anything was found.

    Raises:
        HarnessError: no program came to a verdict.
    """
    say((output / SUMMARY).read_text("utf-8"), nl=False) if as_json else say("\n".join(lines))
    if result.found:
        return 1
    if not {"passed", "failed"} & result.verdicts.keys() and not result.interrupted:
        why = f": {result.undecided[0].reason}" if result.undecided else ""
        raise HarnessError(f"no program came to a verdict{why}")
    return 0
