"""The decisions against a small model of the API server: lagging watch, failing writes, crashes, users."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from reference_builders import LABELS, NOW, OWNER, job, pod, status

from reference_controller.job.actions import (
    Action,
    CreatePods,
    RecordEvent,
    RemoveFinalizers,
    ScaleDownPods,
    TerminatePods,
    WriteStatus,
)
from reference_controller.job.backoff import Backoff
from reference_controller.job.objects import JobStatus, Pod
from reference_controller.job.observed import Observed
from reference_controller.job.reconcile import reconcile
from reference_controller.runtime.expectations import Expectations

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_STAGES = 60


class World(RuleBasedStateMachine):
    """One Job. `server` is the truth; `cache` is what the watch has delivered of it so far."""

    @initialize(
        parallelism=st.integers(1, 4),
        completions=st.one_of(st.none(), st.integers(1, 6)),
        backoff_limit=st.integers(0, 3),
        replace_only_failed=st.booleans(),
    )
    def start(
        self, parallelism: int, completions: int | None, backoff_limit: int, replace_only_failed: bool
    ) -> None:
        self.job = job(
            parallelism=parallelism,
            completions=completions,
            backoff_limit=backoff_limit,
            replace_only_failed=replace_only_failed,
            status=status(start_time=None, ready=None, terminating=None),
        )
        self.version = 1
        self.server: dict[str, Pod] = {}
        self.pending: list[tuple[str, Pod | None]] = []
        self.succeeded: set[str] = set()
        self.recorded: set[str] = set()
        self.counted: set[str] = set()
        self.now = NOW
        self.new_process()

    def new_process(self) -> None:
        self.expectations = Expectations()
        self.backoff: Backoff | None = None
        self.cache = dict(self.server)
        self.pending = []
        self.seen = self.version

    # --- the API server ---

    def store(self, uid: str, changed: Pod | None) -> None:
        self.version += 1
        if changed is not None and changed.deleting and changed.finished and not changed.tracked:
            changed = None
        if changed is None:
            self.server.pop(uid, None)
        else:
            changed = replace(changed, version=self.version)
            self.server[uid] = changed
        self.pending.append((uid, changed))

    def deliver_one(self) -> None:
        uid, changed = self.pending.pop(0)
        if changed is None:
            self.cache.pop(uid, None)
        else:
            self.cache[uid] = changed
            self.seen = changed.version
        self.expectations.observe(
            uid,
            deleting=changed is None or changed.deleting,
            released=changed is None or not changed.tracked,
        )
        if not self.pending:
            self.seen = self.version

    # --- one sync ---

    def observe(self, *, moves_failed: bool, stuck: frozenset[str]) -> Observed:
        return Observed(
            job=self.job,
            pods=tuple(self.cache.values()),
            backoff=self.backoff,
            expectations_met=self.expectations.met(),
            unseen_creations=frozenset(self.expectations.creations),
            unseen_deletions=frozenset(self.expectations.deletions),
            released=frozenset(self.expectations.releases),
            moves_failed=moves_failed,
            stuck=stuck,
        )

    def sync(self, outcomes: Iterator[bool]) -> None:
        moves_failed = False
        stuck: frozenset[str] = frozenset()
        for _ in range(MOST_STAGES):
            observed = self.observe(moves_failed=moves_failed, stuck=stuck)
            decision = reconcile(observed, self.now)
            for action in decision.actions:
                failures = self.carry_out(action, outcomes)
                if failures is None:
                    return
                if isinstance(action, RemoveFinalizers):
                    stuck |= failures
                elif failures:
                    moves_failed = True
            if not decision.actions:
                return
        pytest.fail("a sync does not come to an end")

    def carry_out(self, action: Action, outcomes: Iterator[bool]) -> frozenset[str] | None:
        """The UIDs that failed; None if the sync has to stop."""
        match action:
            case CreatePods():
                return self.create(action.count, outcomes)
            case ScaleDownPods():
                return self.remove(action.pods, outcomes)
            case TerminatePods():
                return frozenset(p.uid for p in action.pods if not self.delete(p, next(outcomes)))
            case RemoveFinalizers():
                return frozenset(p.uid for p in action.pods if not self.release(p, next(outcomes)))
            case WriteStatus():
                return self.write(action, success=next(outcomes))
            case RecordEvent():
                return frozenset()
        raise AssertionError(action)

    def create(self, number: int, outcomes: Iterator[bool]) -> frozenset[str]:
        assert not self.job.finished
        assert not self.job.suspend
        assert self.job.completions is not None or self.job.status.succeeded == 0
        self.expectations.expect_creations(number)
        for _ in range(number):
            if not next(outcomes):
                self.expectations.creation_failed()
                continue
            new = pod("Pending", labels=LABELS, controller=OWNER)
            self.store(new.uid, new)
            self.expectations.created(new.uid, self.version, self.seen)
        active = sum(p.active for p in self.server.values())
        assert active <= self.job.parallelism
        if self.job.completions is not None:
            # What the decision could not know of does not count against it.
            known = sum(p.phase == "Succeeded" for p in self.cache.values() if p.tracked)
            assert active <= max(0, self.job.completions - min(self.job.status.succeeded, known))
        return frozenset()

    def remove(self, pods: tuple[Pod, ...], outcomes: Iterator[bool]) -> frozenset[str]:
        failed = set()
        for victim in pods:
            self.expectations.expect_deletion(victim.uid)
            stored = self.server.get(victim.uid)
            changed = stored is not None and stored.version != victim.version
            if victim.tracked and (changed or not next(outcomes)):
                self.expectations.deletion_failed(victim.uid)
                failed.add(victim.uid)
                continue
            if stored is not None and victim.tracked:
                self.expectations.expect_release(victim.uid)
                self.store(victim.uid, replace(stored, tracked=False))
            if not self.delete(victim, next(outcomes)):
                failed.add(victim.uid)
        return frozenset(failed)

    def delete(self, victim: Pod, success: bool) -> bool:
        self.expectations.expect_deletion(victim.uid)
        stored = self.server.get(victim.uid)
        if not success or stored is None:
            self.expectations.deletion_failed(victim.uid)
            return False
        if not stored.deleting:
            self.store(victim.uid, replace(stored, deleting=True, finish_time=self.now))
        return True

    def release(self, freed: Pod, success: bool) -> bool:
        if not success:
            return False
        stored = self.server.get(freed.uid)
        self.expectations.expect_release(freed.uid)
        if stored is not None:
            stored_status = self.job.status
            recorded = {*stored_status.uncounted_succeeded, *stored_status.uncounted_failed}
            assert (
                freed.uid in recorded or freed.uid in self.counted or stored_status.has("SuccessCriteriaMet")
            ), "a finalizer is removed only after the pod is recorded"
            self.store(freed.uid, replace(stored, tracked=False))
        return True

    def write(self, action: WriteStatus, *, success: bool) -> frozenset[str] | None:
        if not success:
            return None
        self.check_status(self.job.status, action.status)
        self.job = replace(self.job, status=action.status, version=self.job.version + 1)
        self.backoff = action.backoff
        return frozenset()

    def check_status(self, old: JobStatus, new: JobStatus) -> None:
        """What the API server would refuse, and what must never be written."""
        was = {*old.uncounted_succeeded, *old.uncounted_failed}
        now = {*new.uncounted_succeeded, *new.uncounted_failed}
        assert len(now) == len(new.uncounted_succeeded) + len(new.uncounted_failed)
        assert not (now - was) & self.recorded, "no pod is recorded twice"
        left = was - now
        for uid in left:
            stored = self.server.get(uid)
            assert stored is None or not stored.tracked, "counted only without the finalizer"
        assert new.succeeded - old.succeeded == len(left & set(old.uncounted_succeeded))
        assert new.failed - old.failed == len(left & set(old.uncounted_failed))
        assert (new.ready or 0) <= new.active
        assert new.has("Complete") <= old.has("SuccessCriteriaMet")
        assert new.has("Failed") <= old.has("FailureTarget")
        assert not (new.has("SuccessCriteriaMet") and new.has("FailureTarget"))
        if new.finished:
            assert not now
            assert not new.active
            assert not new.terminating
            assert not any(p.tracked or not p.finished for p in self.server.values())
        self.recorded |= now
        self.counted |= left

    # --- what happens ---

    @rule(outcomes=st.lists(st.sampled_from([True, True, True, True, False]), max_size=12))
    def syncs(self, outcomes: list[bool]) -> None:
        """A sync; each write has the next of the outcomes, and success when none is left."""

        def chain() -> Iterator[bool]:
            yield from outcomes
            while True:
                yield True

        self.sync(chain())

    @rule()
    def everything_goes_well(self) -> None:
        self.watch_delivers(len(self.pending))
        self.sync(iter(lambda: True, None))
        self.watch_delivers(len(self.pending))

    @rule(number=st.integers(1, 5))
    def watch_delivers(self, number: int) -> None:
        for _ in range(min(number, len(self.pending))):
            self.deliver_one()

    @rule(data=st.data(), phase=st.sampled_from(["Running", "Succeeded", "Failed", "Failed"]))
    def kubelet_reports(self, data: st.DataObject, phase: str) -> None:
        alive = [p for p in self.server.values() if not p.finished]
        if alive:
            self.finish(data.draw(st.sampled_from(alive)), phase)

    def finish(self, chosen: Pod, phase: str) -> None:
        finish_time = self.now if phase != "Running" else chosen.finish_time
        if phase == "Succeeded" and chosen.tracked:
            self.succeeded.add(chosen.uid)
        self.store(
            chosen.uid, replace(chosen, phase=phase, finish_time=finish_time, ready=phase == "Running")
        )

    @rule(data=st.data())
    def user_deletes_a_pod(self, data: st.DataObject) -> None:
        alive = [p for p in self.server.values() if not p.deleting]
        if alive:
            chosen = data.draw(st.sampled_from(alive))
            finish_time = chosen.finish_time or self.now
            self.store(chosen.uid, replace(chosen, deleting=True, finish_time=finish_time))

    @rule()
    def process_is_killed(self) -> None:
        self.new_process()

    @rule(parallelism=st.integers(0, 4))
    def user_scales(self, parallelism: int) -> None:
        self.job = replace(self.job, parallelism=parallelism)

    @rule(suspend=st.booleans())
    def user_suspends(self, suspend: bool) -> None:
        self.job = replace(self.job, suspend=suspend)

    @rule(seconds=st.sampled_from([1.0, 15.0, 100.0]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    def teardown(self) -> None:
        """Once nothing fails any more the Job comes to an end, and the counters tell the truth."""
        if not hasattr(self, "job"):
            return
        self.job = replace(self.job, suspend=False, parallelism=2)
        for _ in range(40):
            while self.pending:
                self.deliver_one()
            self.sync(iter(lambda: True, None))
            if self.job.finished:
                break
            for alive in [p for p in self.server.values() if not p.finished]:
                self.finish(alive, "Succeeded")
            self.now += 1000
        assert self.job.finished
        done = self.job.status
        assert not any(p.tracked for p in self.server.values())
        assert done.succeeded + done.failed == len(self.counted)
        if done.has("Complete") and self.job.completions is not None:
            assert done.succeeded >= self.job.completions
        assert self.succeeded <= self.counted, "no success is lost"


World.TestCase.settings = settings(max_examples=150, stateful_step_count=40)
TestWorld = World.TestCase
