"""One decision for the whole cluster, as the loop of all controllers wants it."""

from __future__ import annotations

from reference_controller.decision import Decision
from reference_controller.scheduler.actions import Action, BindPods, EvictPods, ReleaseGroups, Report
from reference_controller.scheduler.decide import decide
from reference_controller.scheduler.snapshot import Snapshot


def reconcile(snapshot: Snapshot, now: float) -> Decision[Action]:
    """Bind, evict, delete groups and report; then wait: what is bound or reported arrives as a change."""
    schedule = decide(snapshot, now)
    report = Report(schedule.groups, schedule.pods, schedule.queues)
    released = ReleaseGroups(schedule.released)
    bound, evicted = BindPods(schedule.bindings), EvictPods(schedule.evictions)
    return Decision((bound, evicted, released, report), final=True)
