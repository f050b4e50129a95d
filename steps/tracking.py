"""Steps about finished pods: their finalizers, and how they are recorded and counted."""

from __future__ import annotations

from pytest_bdd import parsers, step, then

from batchproof.judgement.claims import always, eventually, never, now
from batchproof.judgement.facts.counting import (
    counted_in_three_writes,
    counted_once,
    counts_are_true,
    job_accounts,
    job_counts,
    record_left,
    records_become_counts,
)
from batchproof.judgement.facts.pods import active_pods_exactly
from batchproof.judgement.facts.tracking import (
    created_tracked,
    no_finished_tracked,
    none_tracked,
    pod_released,
    pod_tracked,
    pod_untracked,
    pods_with_finalizer,
)
from batchproof.judgement.facts.writes import status_writes_versioned
from batchproof.labels import TRACKING_FINALIZER
from batchproof.world import JOB, World

FINISHED = r"(?:(?P<count>\d+) finished pods|finished pod)"
KEPT = "batchproof.dev/keep"
STRAY = "stray"
NOBODY = "0d7c5a7e-5b0e-4c59-9d0c-6f6b3c1f7a11"
"""The UID of a controller that is none of the Jobs of the scenario."""

GROUP = {"batchproof.dev/group": "shared"}
"""The labels by which a Job ``with selector shared`` knows its pods."""

# -- what users and nodes do to pods that have ended


@step(parsers.re(r"the user deletes the " + FINISHED))
def user_deletes_finished_pods(world: World, count: str | None) -> None:
    world.delete_pods(world.finished(int(count or 1)))


@step(parsers.re(r"the user makes the " + FINISHED + " vanish"))
def user_wipes_finished_pods(world: World, count: str | None) -> None:
    world.wipe_pods(world.finished(int(count or 1)))


@step("the terminating pod succeeds")
def terminating_pod_succeeds(world: World) -> None:
    world.end_pods(world.terminating(1), exit_code=0)


@step(parsers.re(r"the user adds a finalizer to the " + FINISHED))
def user_adds_finalizer(world: World, count: str | None) -> None:
    world.add_finalizer(world.finished(int(count or 1)), KEPT)


@step(parsers.parse("the user adds a finalizer to {count:d} running pods"))
def user_adds_finalizer_to_running(world: World, count: int) -> None:
    world.add_finalizer(world.active(count), KEPT)


@step("a user creates a pod with the tracking finalizer and no controller")
def pod_without_controller(world: World) -> None:
    world.create_pod(STRAY, finalizers=[TRACKING_FINALIZER])


@step(
    parsers.re(
        r"a pod with the tracking finalizer (?P<matching>that matches the Job and is )?"
        r"controlled by a (?P<kind>\w+) of (?P<group>[\w.]+/\w+)"
    )
)
def pod_of_another_controller(world: World, matching: str | None, kind: str, group: str) -> None:
    owner = {"apiVersion": group, "kind": kind, "name": JOB, "uid": NOBODY, "controller": True}
    labels = GROUP if matching else {}
    world.create_pod(STRAY, labels=labels, finalizers=[TRACKING_FINALIZER], ownerReferences=[owner])


@step("the user deletes that pod")
def user_deletes_that_pod(world: World) -> None:
    # The garbage collector deletes it too, for want of its owner. Then it is gone if its finalizer was taken.
    world.delete_pods([pod for pod in world.seen.pods if pod.name == STRAY])


# -- the tracking finalizer


@then("every pod of the Job was created with the tracking finalizer")
def pods_created_tracked(world: World) -> None:
    world.claim(eventually(created_tracked(job=JOB)))


@then("no pod of the Job loses the tracking finalizer for 2 seconds")
def no_pod_released(world: World) -> None:
    world.claim(never(pod_released(job=JOB)))


@then("no pod of the Job has the tracking finalizer")
def no_pod_tracked(world: World) -> None:
    world.claim(eventually(none_tracked(job=JOB)))


@step("no finished pod of the Job has the tracking finalizer")
def no_finished_pod_tracked(world: World) -> None:
    world.claim(eventually(no_finished_tracked(job=JOB)))


@then(parsers.re(r"(?P<count>\d+) pods? still (?:has|have) the user's finalizer"))
def finalizer_still_there(world: World, count: str) -> None:
    world.claim(eventually(pods_with_finalizer(job=JOB, count=int(count), finalizer=KEPT)))


@then("that pod loses the tracking finalizer")
def that_pod_released(world: World) -> None:
    world.claim(eventually(pod_untracked(pod=STRAY)))


@then("that pod keeps the tracking finalizer for 2 seconds")
def that_pod_tracked(world: World) -> None:
    world.claim(always(pod_tracked(pod=STRAY)))


# -- records and counts


@step(parsers.re(r"the Job accounts for (?P<count>\d+) (?P<outcome>succeeded|failed) pods?"))
def job_accounts_for(world: World, count: str, outcome: str) -> None:
    world.claim(eventually(job_accounts(job=JOB, outcome=outcome, count=int(count))))


@then(
    parsers.re(
        r"the Job keeps accounting for (?P<count>\d+) (?P<outcome>succeeded|failed) pods? for 2 seconds"
    )
)
def job_keeps_accounting_for(world: World, count: str, outcome: str) -> None:
    world.claim(always(job_accounts(job=JOB, outcome=outcome, count=int(count))))


@step(parsers.parse("the Job counts {succeeded:d} succeeded and {failed:d} failed pods"))
def job_counts_both(world: World, succeeded: int, failed: int) -> None:
    world.claim(eventually(job_counts(job=JOB, succeeded=succeeded, failed=failed), within="recovery"))


@then(parsers.parse("once the faults end the Job counts {succeeded:d} succeeded and {failed:d} failed pods"))
def job_counts_after_faults(world: World, succeeded: int, failed: int) -> None:
    world.lift()
    world.claim(eventually(job_counts(job=JOB, succeeded=succeeded, failed=failed), within="recovery"))


@then(parsers.re(r"once the faults end (?P<count>\d+) pods? stays? active for 2 seconds"))
def pods_stay_after_faults(world: World, count: str) -> None:
    world.lift()
    world.claim(always(active_pods_exactly(job=JOB, count=int(count))))


@then(parsers.re(r"(?P<count>\d+) pods? (?:is|are) recorded, then released, then counted"))
def counted_in_order(world: World, count: str) -> None:
    world.claim(eventually(counted_in_three_writes(job=JOB, count=int(count)), within="settle"))


@then("no recorded UID leaves the record for 2 seconds")
def no_uid_leaves(world: World) -> None:
    world.claim(never(record_left(job=JOB)))


@then("each write that takes UIDs from the record raises their counter by as many")
def records_count(world: World) -> None:
    world.claim(eventually(records_become_counts(job=JOB)))


@then(parsers.parse("of {most:d} pods that ended none is counted twice or forgotten for 2 seconds"))
def nothing_is_miscounted(world: World, most: int) -> None:
    world.claim(always(counted_once(job=JOB, most=most)))


@then(parsers.parse("of {most:d} pods that ended none was ever counted twice or forgotten"))
def nothing_was_miscounted(world: World, most: int) -> None:
    world.claim(now(counted_once(job=JOB, most=most)))


@then("the counters of the Job are equal to what its pods did")
def counters_are_true(world: World) -> None:
    world.claim(eventually(counts_are_true(job=JOB)))


@then("every status write named the version that it was computed from")
def status_writes_name_version(world: World) -> None:
    world.claim(now(status_writes_versioned(job=JOB)))
