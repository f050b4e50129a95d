"""The programs: a controller each, which chooses its own ways; the first has none of its own."""

import sys

from tests.unusual.job import ways
from tests.unusual.job.controller import Program, main
from tests.unusual.job.decide import Choices

PROGRAMS = {
    "usual": Program(),
    # The delay of a replacement counts from when this process saw the failure.
    "backs_off_from_observation": Program(choices=Choices(begins=lambda failure: failure.seen)),
    # No pod ends before it was created: the delay of a replacement counts from then if its node says so.
    "backs_off_from_creation": Program(
        choices=Choices(begins=lambda it: min(max(it.finished, it.created), it.seen))
    ),
    # A success does not end a row of failures: each failure of a Job delays the next pod longer.
    "forgets_no_failure": Program(choices=Choices(begins=lambda failure: failure.seen, resets=False)),
    # A Job whose time to live is over is deleted in the background: it goes before its pods.
    "deletes_in_the_background": Program(propagation="Background"),
    # A surplus pod is marked, deleted, and released last: it may have ended by then.
    "marks_and_deletes": Program(remove=ways.mark_then_delete),
    # Pods are created and deleted before the status is written, and the first refusal ends a look at a Job.
    "status_last": Program(order=("create", "status", "delete", "release"), stops_at_errors=True),
    # Pods have names of its own making, and the highest indexes come first.
    "names_and_orders_otherwise": Program(
        choices=Choices(indexes=lambda free, count: free[::-1][:count]), names=ways.own_name, at_once=50
    ),
    # Of surplus pods the oldest go first, however far they have come.
    "oldest_first": Program(choices=Choices(first_to_go=lambda pod: pod.created)),
    # It makes one request after the other, and waits for each answer.
    "one_request_at_a_time": Program(at_once=1, in_turn=True),
    # It creates or deletes one pod, and looks at the Job again.
    "one_pod_a_look": Program(choices=Choices(most_pods=1), pause_s=0.02),
    # No status write records more than one pod.
    "records_one_at_a_time": Program(choices=Choices(most_records=1), pause_s=0.02),
    # It lists everything from time to time, and pays no heed to what it watches.
    "polls": Program(looks_every_s=0.7),
    # It applies statuses on the server's side, and replaces pods whole.
    "applies": Program(write=ways.apply_status, release=ways.release_by_put),
    # It sends JSON merge patches of the version that it has read.
    "merges": Program(write=ways.merge_status, release=ways.release_by_merge_patch),
    # It sends JSON patches that test what they change.
    "patches": Program(write=ways.json_patch_status, release=ways.release_by_json_patch),
    # It has none of the optional parts: no time to live, no change of completions.
    "declares_nothing": Program(propagation=""),
}

if __name__ == "__main__":
    main(PROGRAMS[sys.argv[2]])
