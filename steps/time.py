"""Steps about time: it passes, deadlines take effect, finished Jobs are deleted."""

from __future__ import annotations

from pytest_bdd import parsers, step

from batchproof.world import World


@step(parsers.re(r"(?P<seconds>[\d.]+) seconds? (?:pass|passes|have passed|has passed)"))
def seconds_pass(world: World, seconds: str) -> None:
    world.let_pass(float(seconds))
