"""Which pods belong to a Job: adopting and releasing."""

from __future__ import annotations

from reference_controller.job.actions import AdoptPods, ReleasePods
from reference_controller.job.observed import Observed


def claim(observed: Observed) -> tuple[AdoptPods | ReleasePods, ...]:
    """EXP-033, EXP-035: adopt matching pods without a controller that are not being deleted.

    EXP-037: release pods that no longer match. A Job being deleted does neither (EXP-034).
    """
    if observed.job.deleting:
        return ()
    strayed = tuple(pod for pod in observed.strayed if pod.uid not in observed.released)
    orphans = tuple(
        pod for pod in observed.adoptable if not pod.deleting and pod.uid not in observed.unseen_creations
    )
    actions: list[AdoptPods | ReleasePods] = []
    if strayed:
        actions.append(ReleasePods(strayed))
    if orphans:
        actions.append(AdoptPods(orphans))
    return tuple(actions)
