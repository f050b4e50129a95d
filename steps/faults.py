"""Steps that make requests of the implementation, and their replies, go wrong.

Which requests are struck is said in one way throughout: ``updates of the Job status`` (all, while the fault
lasts), ``the next update of the Job status``, ``the next 2 pod creations``, ``the 2nd pod creation``,
``every 2nd update of a pod``, ``pod creations after the 3rd``. To remove a finalizer is to update a pod.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_bdd import parsers, step

from batchproof.judgement import faults
from batchproof.judgement.faults import Effect, Fault, On, answer
from batchproof.judgement.things.native import NATIVE_GROUPS, WORKLOADS
from batchproof.judgement.things.tfjob import SERVICES, TFJOBS
from batchproof.judgement.things.volcano import COMMANDS, PODGROUPS, VOLCANO_JOBS
from batchproof.resources import JOBS, LEASES, PODS

if TYPE_CHECKING:
    from batchproof.world import World

NOT_IN_PLACE = "requests of the implementation go wrong"
"""Why scenarios with these steps cannot be judged in place (``specification.in_place``)."""

_CHANGES = frozenset({"update", "patch"})
_STRUCK = {
    "update of the Job status": On(JOBS, _CHANGES, "status"),
    "update of a pod": On(PODS, _CHANGES),
    "pod creation": On(PODS, frozenset({"create"})),
    "pod deletion": On(PODS, frozenset({"delete"})),
    "pod binding": On(PODS, frozenset({"create"}), "binding"),
    "update of the Lease": On(LEASES, _CHANGES),
    "update of the TFJob status": On(TFJOBS, _CHANGES, "status"),
    "service creation": On(SERVICES, frozenset({"create"})),
    "update of the Volcano Job status": On(VOLCANO_JOBS, _CHANGES, "status"),
    "PodGroup creation": On(PODGROUPS, frozenset({"create"})),
    "PodGroup deletion": On(PODGROUPS, frozenset({"delete"})),
    "Workload creation": On(WORKLOADS, frozenset({"create"})),
    "update of the Workload": On(WORKLOADS, _CHANGES),
    "native PodGroup creation": On(NATIVE_GROUPS, frozenset({"create"})),
    "update of the native PodGroup": On(NATIVE_GROUPS, _CHANGES),
    "Command deletion": On(COMMANDS, frozenset({"delete"})),
    "update of the PodGroup": On(PODGROUPS, _CHANGES),
}
REQUESTS = (
    r"(?P<which>(?:the next(?: \d+)?|the \d+(?:st|nd|rd|th)|every \d+(?:st|nd|rd|th)) )?"
    r"(?P<what>updates? of the Job status|updates? of a pod|updates of pods"
    r"|pod creations?|pod deletions?|pod bindings?|updates? of the Lease"
    r"|updates? of the (?:TFJob|Volcano Job) status|service creations?|Command deletions?"
    r"|updates? of the (?:native )?PodGroup|(?:native )?PodGroup creations?|PodGroup deletions?"
    r"|updates? of the Workload|Workload creations?)"
    r"(?: after the (?P<after>\d+)(?:st|nd|rd|th))? (?:is|are|takes?)"
)


def _fault(which: str | None, what: str, after: str | None, how: str, do: Effect) -> Fault:
    """A fault as its sentence says."""
    on = _STRUCK[re.sub(r"(update|creation|deletion|binding)s", r"\1", what).replace("of pods", "of a pod")]
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
    world.arm(_fault(which, what, after, f"answered with {status}", answer(int(status))))


@step(parsers.re(REQUESTS + r" answered with 429 and Retry-After (?P<seconds>\d+)"))
def told_to_wait(world: World, which: str | None, what: str, after: str | None, seconds: str) -> None:
    text = f"answered with 429 and Retry-After {seconds}"
    world.arm(_fault(which, what, after, text, answer(429, retry_after_s=int(seconds))))


@step(parsers.re(REQUESTS + r" refused by a quota with (?P<status>403|409)"))
def refused_by_quota(world: World, which: str | None, what: str, after: str | None, status: str) -> None:
    refusal = faults.quota_exceeded() if status == "403" else faults.conflict("resourcequotas")
    world.arm(_fault(which, what, after, f"refused by a quota with {status}", refusal))


@step(parsers.re(REQUESTS + r" refused because the name is taken"))
def refused_by_name(world: World, which: str | None, what: str, after: str | None) -> None:
    world.arm(_fault(which, what, after, "refused because the name is taken", faults.name_taken()))


@step(parsers.re(REQUESTS + r" refused because the namespace is going away"))
def refused_by_namespace(world: World, which: str | None, what: str, after: str | None) -> None:
    refusal = faults.namespace_terminating()
    world.arm(_fault(which, what, after, "refused because the namespace is going away", refusal))


@step(parsers.re(REQUESTS + r" held before taking effect"))
def held(world: World, which: str | None, what: str, after: str | None) -> None:
    world.arm(_fault(which, what, after, "held", faults.Hold(after_effect=False)))


@step(parsers.re(REQUESTS + r" carried out but not answered"))
def reply_held(world: World, which: str | None, what: str, after: str | None) -> None:
    world.arm(_fault(which, what, after, "not answered", faults.Hold(after_effect=True)))


@step(parsers.re(REQUESTS + r" carried out but (?:its reply is|their replies are) lost"))
def reply_lost(world: World, which: str | None, what: str, after: str | None) -> None:
    world.arm(_fault(which, what, after, "carried out, the reply lost", faults.LoseReply()))


@step(parsers.re(REQUESTS + r" (?P<seconds>[\d.]+) seconds(?: each)?"))
def slow(world: World, which: str | None, what: str, after: str | None, seconds: str) -> None:
    world.arm(_fault(which, what, after, f"delayed by {seconds} s", faults.Delay(float(seconds))))


@step(parsers.parse("updates of 1 running pod are answered with {status:d}"))
def updates_of_one_pod_fail(world: World, status: int) -> None:
    pod = world.active(1)[0].name
    on = replace(_STRUCK["update of a pod"], name=pod)
    world.arm(Fault(f"updates of {pod} are answered with {status}", on, answer(status)))


@step(parsers.parse("bindings of pod {pod:w} are answered with {status:d}"))
def bindings_of_one_pod_fail(world: World, pod: str, status: int) -> None:
    on = replace(_STRUCK["pod binding"], name=pod)
    world.arm(Fault(f"bindings of pod {pod} are answered with {status}", on, answer(status)))


@step(
    parsers.re(
        r"the implementation's view of (?P<resource>pods|jobs) freezes at its next "
        r"(?P<what>update of the Job status|update of a pod|pod creation)"
    )
)
def freezes_at(world: World, resource: str, what: str) -> None:
    do = faults.Freeze(world.resource(resource))
    world.arm(_fault("the next ", what, None, f"freezes the view of {resource}", do))


@step(
    parsers.re(
        r"(?P<resource>pods|jobs|nodes|tfjobs|services|podgroups|commands|workloads) are seen"
        r" (?P<seconds>[\d.]+) seconds late"
    )
)
def seen_late(world: World, resource: str, seconds: str) -> None:
    world.delay(world.resource(resource), float(seconds))
