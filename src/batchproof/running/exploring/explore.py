"""An exploration from end to end."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, TextIO

from batchproof import profiles
from batchproof.descriptor import implementation as descriptors
from batchproof.errors import HarnessError, UserError
from batchproof.exploration.case import MOST_CANDIDATES
from batchproof.exploration.choosing import varied
from batchproof.exploration.generation import generate
from batchproof.report import wording
from batchproof.running.exploring.exploration import Exploration
from batchproof.running.exploring.tasks import Setting
from batchproof.running.exploring.team import team
from batchproof.running.exploring.written import About, write
from batchproof.running.runner import emptied_folder, see_claimed, see_started
from batchproof.running.session.record import HISTORIES
from batchproof.running.stage import staged
from batchproof.screen import Line, say

if TYPE_CHECKING:
    from pathlib import Path

    from batchproof.control_plane.choice import Choice

_SHOW_EVERY_S = 10.0
_LIVE_EVERY_S = 0.5
_AT_ONCE_BY_PROCESSOR = 12
"""Programs mostly wait, those that fail for all of a deadline: on 2 processors 24 at once keep both busy, and
are half as many again in a minute as 12."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user chose on the command line; see ``batchproof explore --help``."""

    implementation: str
    profile: str
    for_s: int
    seed: int
    first: bool
    as_found: bool
    workers: int | None
    output: Path
    choice: Choice


def explore(wish: Wish) -> int:
    """Explore; returns the exit code: 1 if anything was found.

    Raises:
        UserError: the choice cannot be used.
        HarnessError: no program came to a verdict.
    """
    implementation = descriptors.load(descriptors.find(wish.implementation))
    see_claimed(implementation, wish.profile)
    see_started(implementation, "explore")
    if implementation.isolation == "control-plane":
        raise UserError(
            f"{implementation.descriptor}: needs a control plane to itself: not to be explored yet"
        )
    begin = profiles.profile(wish.profile).rules(implementation.capabilities)
    workers = wish.workers or _AT_ONCE_BY_PROCESSOR * (os.cpu_count() or 1)
    about = About(
        wish.profile,
        implementation.full_name,
        wish.implementation,
        wish.seed,
        workers,
    )
    emptied_folder(wish.output, HISTORIES)
    shown = _Shown()
    with staged(implementation, wish.choice, shown.say) as stage:
        setting = Setting(
            run=stage.run,
            descriptor=implementation.descriptor.resolve(),
            profile=wish.profile,
            binaries=dict(stage.binaries),
            crds=stage.crds,
            run_dir=stage.run_dir,
        )
        shown.say(f"seed {wish.seed}, {wording.count(workers, 'worker')}, {wording.duration(wish.for_s)}")
        exploration = Exploration(
            begin,
            varied(begin, generate(begin, wish.seed)),
            for_s=wish.for_s,
            first=wish.first,
            say=shown.say,
            at_once=max(1, workers // 2),
            candidates=0 if wish.as_found else MOST_CANDIDATES,
        )
        try:
            with team(exploration, setting, workers) as working:
                while working.wait() and not exploration.satisfied:
                    shown.show(exploration)
        except KeyboardInterrupt:
            about = replace(about, interrupted=True)
        shown.end()
        lines = write(exploration, begin, about, wish.output)  # the histories go with the stage
    say("\n".join(lines))
    if exploration.found:
        return 1
    decided = exploration.verdicts["passed"] + exploration.verdicts["failed"]
    if not decided and not about.interrupted:
        why = f": {exploration.undecided[0][2].stopped}" if exploration.undecided else ""
        raise HarnessError(f"no program came to a verdict{why}")
    return 0


class _Shown:
    """How far it is: one live line on a terminal, a plain line now and then elsewhere."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._line = Line(out)
        self._shown_at = monotonic()

    def say(self, text: str) -> None:
        """Print one line, above the live one."""
        self._line.say(text)

    def show(self, exploration: Exploration) -> None:
        """Show how far it is, if it is time to."""
        if monotonic() - self._shown_at < (_LIVE_EVERY_S if self._line.live else _SHOW_EVERY_S):
            return
        self._shown_at = monotonic()
        line = f"{wording.count(exploration.verdicts.total(), 'program')}, {exploration.steps} steps, "
        line += f"{exploration.struck} faults struck, {len(exploration.found)} broken, "
        left = exploration.left_s
        line += f"{wording.duration(left)} left" if left else "making small what was found"
        self._line.show(line)

    def end(self) -> None:
        """Take the live line away."""
        self._line.end()
