"""Steps about the Events by which an implementation tells what it does."""

from __future__ import annotations

from pytest_bdd import parsers, then

from batchproof.judgement.claims import eventually, never
from batchproof.judgement.facts.events import event_once, event_repeated, event_starts, pods_told
from batchproof.world import JOB, World


@then(parsers.re(r'exactly one (?P<kind>Normal|Warning) event (?P<reason>\w+) tells "(?P<message>[^"]+)"'))
def one_event(world: World, kind: str, reason: str, message: str) -> None:
    world.claim(eventually(event_once(job=JOB, kind=kind, reason=reason, message=message)))


@then(parsers.re(r"no further (?P<kind>Normal|Warning) event (?P<reason>\w+) follows for 2 seconds"))
def no_second_event(world: World, kind: str, reason: str) -> None:
    world.claim(never(event_repeated(job=JOB, kind=kind, reason=reason)))


@then(
    parsers.re(
        r"a (?P<kind>Normal|Warning) event (?P<reason>\w+) tells of each (?P<what>created|deleted) pod"
    )
)
def event_for_each_pod(world: World, kind: str, reason: str, what: str) -> None:
    world.claim(eventually(pods_told(job=JOB, kind=kind, reason=reason, what=what)))


@then(parsers.re(r'a (?P<kind>Normal|Warning) event (?P<reason>\w+) tells "(?P<start>[^"]+)" and the error'))
def event_with_error(world: World, kind: str, reason: str, start: str) -> None:
    world.claim(eventually(event_starts(job=JOB, kind=kind, reason=reason, start=start)))
