"""What a decisive record shows of a pod of a gang: that it was bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.objects.core import Pod
from batchproof.profiles.gang.facts.gangs import minimums
from batchproof.profiles.shared.objects.pods import gang_of
from batchproof.report.cause_and_effect import cause
from batchproof.report.wording import count

if TYPE_CHECKING:
    from batchproof.judgement.observed import Observed
    from batchproof.report.cause_and_effect import Shown


@cause
def bound(seen: Observed, shown: Shown) -> str:
    """A pod of a gang was bound: how many pods of the gang there were."""
    pod, before = shown.thing, shown.before
    if not isinstance(pod, Pod) or not isinstance(before, Pod) or not pod.node or before.node:
        return ""
    gang = gang_of(pod)
    minimum = minimums(seen).get(gang)
    if not gang or minimum is None:
        return ""
    members = [one for one in seen.pods if gang_of(one) == gang]
    placed = sum(bool(one.node) for one in members)
    return (
        f"{pod.name} was bound to {pod.node} when gang {gang} had {count(len(members), 'pod')}, "
        f"{placed} of them bound, and its minimum was {minimum}"
    )
