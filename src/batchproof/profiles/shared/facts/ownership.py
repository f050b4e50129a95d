"""Facts about the owner of a pod, and the clients that request changes of it."""

from __future__ import annotations

from batchproof.ground.resources import PODS
from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.observed import Observed, Write
from batchproof.judgement.values import in_words, said
from batchproof.profiles.shared.objects.batch import Job


@fact("pod {pod:name} <belongs|does not belong> to {job:job}")
def pod_belongs(seen: Observed, *, pod: str, job: str) -> Finding:
    """The Job is the controller of the pod, by UID; a pod that is gone belongs to none."""
    it, owner = seen.pod(pod), seen.find(Job, job)
    controller = it.controller if it else None
    whose = in_words([*map(controller.get, ("kind", "name", "uid"))]) if controller else "no controller"
    return found(
        it is not None and owner is not None and it.owned_by(owner),
        observed=said("it belongs to {owner}", owner=whose) if it else "no such pod",
        decisive=[it.record] if it else [],
    )


@fact("<a|no> change of pod {pod:name} is requested", in_place=False)
def pod_change_asked(seen: Observed, *, pod: str) -> Finding:
    """The implementation has asked to change or delete the pod of that name, with whatever success."""
    first = seen.calls_to(PODS).fold(_Asked, pod).first
    return found(
        first,
        observed=f"{first.request.verb} {first.request.subresource}".strip() if first else "nothing",
        decisive=[first.number] if first else [],
    )


class _Asked:
    """The first request that would change a pod."""

    def __init__(self, pod: str) -> None:
        self.first: Write | None = None
        self._pod = pod

    def take(self, _: str, write: Write) -> None:
        it = write.request
        if (it.resource, it.name) == (PODS, self._pod):
            self.first = self.first or write
