"""Steps about the Events by which an implementation tells what it does."""

from __future__ import annotations

from pytest_bdd import parsers, then

from batchproof.claims import eventually
from batchproof.facts.events import event_once
from batchproof.world import JOB, World


@then(parsers.re(r'exactly one (?P<kind>Normal|Warning) event (?P<reason>\w+) tells "(?P<message>[^"]+)"'))
def one_event(world: World, kind: str, reason: str, message: str) -> None:
    world.claim(eventually(event_once(job=JOB, kind=kind, reason=reason, message=message)))
