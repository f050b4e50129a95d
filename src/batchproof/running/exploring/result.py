"""What an exploration came to, taken out of its state when it is over."""

from __future__ import annotations

from batchproof.exploration.program import State, script
from batchproof.report.exploration import (
    ExplorationCounts,
    ExplorationResult,
    ShownBreach,
    UndecidedProgram,
)
from batchproof.running.exploring.exploration import Exploration, Found


def counts_of(exploration: Exploration) -> ExplorationCounts:
    """How far it is."""
    return ExplorationCounts(
        programs=exploration.verdicts.total(),
        steps=exploration.steps,
        faults=exploration.triggered,
        broken=len(exploration.found),
        left_s=exploration.left_s,
    )


def result_of(
    exploration: Exploration, begin: State, *, seed: int, workers: int, interrupted: bool
) -> ExplorationResult:
    """What it came to.

    Args:
        exploration: it is over.
        begin: the state before anything.
        seed: that of its programs.
        workers: how many programs were run at once.
        interrupted: the user ended it.
    """
    undecided = tuple(
        UndecidedProgram(
            seed=seed,
            program=number,
            verdict=answer.verdict,
            reason=answer.stopped,
            steps=tuple(sentence.text for sentence in one.sentences),
            history=answer.history,
        )
        for number, one, answer in exploration.undecided
    )
    return ExplorationResult(
        seeds=(seed,),
        workers=workers,
        interrupted=interrupted,
        took_s=exploration.took_s,
        verdicts=dict(exploration.verdicts),
        replays=exploration.replays,
        steps=exploration.steps,
        faults=exploration.triggered,
        found=tuple(_breach(id_, one, begin, seed) for id_, one in exploration.found.items()),
        undecided=undecided,
    )


def _breach(requirement: str, one: Found, begin: State, seed: int) -> ShownBreach:
    confirmed = one.case.confirmed
    program = confirmed or one.case.found
    unmet, answer = one.shown.get(program, (one.at.broken, one.at.answer))
    return ShownBreach(
        requirement=requirement,
        confirmed=confirmed is not None,
        seed=seed,
        program=one.at.number,
        after_s=one.after_s,
        programs=one.programs,
        again=one.case.again[program],
        tried=one.case.shrinking.tried,
        steps_found=len(script(begin, one.case.found).sentences),
        script=script(begin, program),
        unmet=unmet,
        history=answer.history,
    )
