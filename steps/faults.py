"""Steps that make requests of the implementation, and their replies, go wrong.

Which requests fail is said in one way throughout: ``updates of the Job status`` (all, while the fault
lasts), ``the next update of the Job status``, ``the next 2 pod creations``, ``the 2nd pod creation``,
``every 2nd update of a pod``, ``pod creations after the 3rd``. To remove a finalizer is to update a pod.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pytest_bdd import parsers, step

from batchproof.judgement import faults
from batchproof.judgement.fault_words import requests_named, requests_pattern, views_pattern
from batchproof.judgement.faults import Effect, Fault, answer
from batchproof.profiles.job.verbs import Jobs
from batchproof.world import World

NOT_IN_PLACE = "requests of the implementation go wrong"
"""Why scenarios with these steps cannot be judged in place (``specification.in_place``)."""

REQUESTS = (
    r"(?P<which>(?:the next(?: \d+)?|the \d+(?:st|nd|rd|th)|every \d+(?:st|nd|rd|th)) )?"
    rf"(?P<what>{requests_pattern()})"
    r"(?: after the (?P<after>\d+)(?:st|nd|rd|th))? (?:is|are|takes?)"
)
VIEWED = rf"(?P<resource>{views_pattern()})"


def _fault(which: str | None, what: str, after: str | None, how: str, do: Effect) -> Fault:
    """A fault as its sentence says."""
    on = requests_named(what)
    number = int(found[0]) if (found := re.search(r"\d+", which or "")) else 1
    text = f"{which or ''}{what}{f' after the first {after}' if after else ''} {how}"
    match (which or "").split():
        case []:
            return Fault(text, on, do, skip=int(after or 0))
        case ["the", "next", *_]:
            return Fault(text, on, do, times=number)
        case ["the", _]:
            return Fault(text, on, do, skip=number - 1, times=1)
        case _:
            return Fault(text, on, do, every=number)


# -- what goes wrong


@step(parsers.re(REQUESTS + r" answered with (?P<status>\d+)"))
def answered_with(world: World, which: str | None, what: str, after: str | None, status: str) -> None:
    world.faults.arm(_fault(which, what, after, f"answered with {status}", answer(int(status))))


@step(parsers.re(REQUESTS + r" answered with 429 and Retry-After (?P<seconds>\d+)"))
def told_to_wait(world: World, which: str | None, what: str, after: str | None, seconds: str) -> None:
    text = f"answered with 429 and Retry-After {seconds}"
    world.faults.arm(_fault(which, what, after, text, answer(429, retry_after_s=int(seconds))))


@step(parsers.re(REQUESTS + r" refused by a quota with (?P<status>403|409)"))
def refused_by_quota(world: World, which: str | None, what: str, after: str | None, status: str) -> None:
    refusal = faults.quota_exceeded() if status == "403" else faults.conflict("resourcequotas")
    world.faults.arm(_fault(which, what, after, f"refused by a quota with {status}", refusal))


@step(parsers.re(REQUESTS + r" refused because the name is taken"))
def refused_by_name(world: World, which: str | None, what: str, after: str | None) -> None:
    world.faults.arm(_fault(which, what, after, "refused because the name is taken", faults.name_taken()))


@step(parsers.re(REQUESTS + r" refused because the namespace is going away"))
def refused_by_namespace(world: World, which: str | None, what: str, after: str | None) -> None:
    refusal = faults.namespace_terminating()
    world.faults.arm(_fault(which, what, after, "refused because the namespace is going away", refusal))


@step(parsers.re(REQUESTS + r" held before taking effect"))
def held(world: World, which: str | None, what: str, after: str | None) -> None:
    world.faults.arm(_fault(which, what, after, "held", faults.Hold(after_effect=False)))


@step(parsers.re(REQUESTS + r" applied but not answered"))
def reply_held(world: World, which: str | None, what: str, after: str | None) -> None:
    world.faults.arm(_fault(which, what, after, "not answered", faults.Hold(after_effect=True)))


@step(parsers.re(REQUESTS + r" applied but (?:its reply is|their replies are) lost"))
def reply_lost(world: World, which: str | None, what: str, after: str | None) -> None:
    world.faults.arm(_fault(which, what, after, "applied, the reply lost", faults.LoseReply()))


@step(parsers.re(REQUESTS + r" (?P<seconds>[\d.]+) seconds(?: each)?"))
def slow(world: World, which: str | None, what: str, after: str | None, seconds: str) -> None:
    world.faults.arm(_fault(which, what, after, f"delayed by {seconds} s", faults.Delay(float(seconds))))


@step(parsers.parse("updates of 1 running pod are answered with {status:d}"))
def updates_of_one_pod_fail(world: World, jobs: Jobs, status: int) -> None:
    pod = jobs.active(1)[0].name
    on = replace(requests_named("update of a pod"), name=pod)
    world.faults.arm(Fault(f"updates of a running pod are answered with {status}", on, answer(status)))


@step(parsers.parse("bindings of pod {pod:w} are answered with {status:d}"))
def bindings_of_one_pod_fail(world: World, pod: str, status: int) -> None:
    on = replace(requests_named("pod binding"), name=pod)
    world.faults.arm(Fault(f"bindings of pod {pod} are answered with {status}", on, answer(status)))


@step("the faults end")
def faults_end(world: World) -> None:
    world.faults.lift()


@step(
    parsers.re(
        rf"the implementation's view of {VIEWED} becomes stale at its next (?P<what>{requests_pattern()})"
    )
)
def freezes_at(world: World, resource: str, what: str) -> None:
    do = faults.Freeze(world.resource(resource))
    world.faults.arm(_fault("the next ", what, None, f"makes the view of {resource} stale", do))


@step(parsers.re(rf"{VIEWED} are seen (?P<seconds>[\d.]+) seconds late"))
def seen_late(world: World, resource: str, seconds: str) -> None:
    world.faults.delay(world.resource(resource), float(seconds))
