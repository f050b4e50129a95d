Feature: Each finished pod is counted exactly once
  A pod of a Job carries a finalizer until it is counted, and is counted in three writes: its UID is recorded in
  the status of the Job, its finalizer is removed, its UID becomes a count. So no pod is lost, none counts twice.

  Rule: A pod is recorded, loses the finalizer, then is counted

    @FIN-001.1
    Scenario: Every pod is created with the tracking finalizer
      Given a Job with 2 completions and parallelism 2
      When 1 pod fails
      Then eventually 3 pods have been created in all, and stays so
      And every pod of the Job was created with the tracking finalizer

    @FIN-003.1
    Scenario: Pods are counted in order: record, remove the finalizer, count
      Given a Job with 3 completions and parallelism 3
      When 2 pods succeed
      And 1 pod fails
      Then 3 pods are recorded, then released, then counted
      And the Job counts 2 succeeded and 1 failed pods, and stays so

    @FIN-003.2
    Scenario: A pod that finished while the controller was down is counted in order
      Given the implementation is killed
      And a Job with 1 completion and parallelism 1
      And a pod that a user made is given to the Job
      When 1 pod succeeds
      And the implementation is started again
      Then 1 pod is recorded, then released, then counted

    @FIN-004.1 @fault
    Scenario Outline: Pods keep their finalizer while status writes are <treated>
      Given a Job with 3 completions and parallelism 3
      And the Job reports 3 active pods
      And every pod of the Job was created with the tracking finalizer
      And updates of the Job status are <treated>
      When 3 pods succeed
      And the fault has been triggered
      Then for 2 seconds no pod of the Job loses the tracking finalizer
      And once the faults end the Job completes with 3 succeeded pods, as <rule> requires

      Examples:
        | case | treated                   | rule    |
        | a    | answered with 500         | ROB-018 |
        | b    | held before taking effect | FIN-003 |

    @FIN-005.1 @fault
    Scenario: A UID stays recorded while its pod keeps the finalizer
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And updates of pods are answered with 500
      When 3 pods succeed
      And the Job accounts for 3 succeeded pods
      Then for 2 seconds no recorded UID leaves the record of the Job

    @FIN-005.2
    Scenario: Each UID that leaves the record raises a counter by one
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      When 3 pods succeed
      Then each write that takes UIDs from the record of the Job raises their counter by as many, and stays so

    @FIN-006.1 @fault
    Scenario: Counts hold no pod twice when responses to status writes are lost
      Given a Job with 4 completions and parallelism 2
      And the Job reports 2 active pods
      And the next 2 updates of the Job status are applied but their replies are lost
      When 2 pods succeed
      And the Job reports 2 succeeded pods
      And 2 pods succeed
      Then the Job completes with 4 succeeded pods, and stays so, as ROB-022 requires
      And each of 4 pods that ended is counted once at most, and never forgotten

    @FIN-018.1
    Scenario: The finalizer of another client is not removed from a counted pod
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And the user adds the finalizer batchproof.dev/keep to 2 running pods
      When 2 pods succeed
      Then the Job completes with 2 succeeded pods, and stays so
      And no pod of the Job has the tracking finalizer, and stays so
      And 2 pods have the finalizer batchproof.dev/keep, and stays so

    @FIN-018.2 @fault
    Scenario: A finalizer that another client adds during the removal is not removed
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      And updates of pods are held before taking effect
      When 1 pod succeeds
      And the fault has been triggered
      And the user adds the finalizer batchproof.dev/keep to the finished pod
      Then once the faults end the Job completes with 1 succeeded pod, and stays so
      And 1 pod has the finalizer batchproof.dev/keep, and stays so

  Rule: Deleted pods are counted

    @FIN-007.1
    Scenario: A succeeded pod that is deleted immediately is counted
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      When 3 pods succeed
      And the user deletes the 3 finished pods
      Then the Job completes with 3 succeeded pods, and stays so
      And the Job counts 3 succeeded and 0 failed pods, and stays so
      And 3 pods have been created in all, and stays so, as FIN-008 requires

    @FIN-007.2 @fault
    Scenario: A succeeded pod that is deleted before its finalizer is removed is counted
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And updates of pods are held before taking effect
      When 3 pods succeed
      And the fault has been triggered
      And the user deletes the 3 finished pods
      Then once the faults end the Job completes with 3 succeeded pods, and stays so
      And the counters of the Job are equal to what its pods did

    @FIN-007.3 @fault
    Scenario: A succeeded pod that is deleted after its finalizer is removed is counted
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      And updates of pods are applied but not answered
      When 1 pod succeeds
      And no finished pod of the Job has the tracking finalizer
      And the user deletes the finished pod
      Then once the faults end the Job completes with 1 succeeded pod, and stays so
      And the counters of the Job are equal to what its pods did

    @FIN-007.4 @fault
    Scenario: A succeeded pod that is deleted before it is recorded is counted
      Given a Job with 3 completions and parallelism 3
      And the Job reports 3 active pods
      And updates of the Job status are held before taking effect
      When 3 pods succeed
      And the fault has been triggered
      And the user deletes the 3 finished pods
      Then once the faults end the Job completes with 3 succeeded pods, and stays so
      And the counters of the Job are equal to what its pods did

    @FIN-039.1
    Scenario: Succeeded pods that are deleted while the controller is down are counted
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And the implementation is killed
      And 3 pods succeed
      And the user deletes the 3 finished pods
      When the implementation is started again
      Then the Job completes with 3 succeeded pods, and stays so
      And 3 pods have been created in all, and stays so, as FIN-008 requires

    @FIN-039.2
    Scenario: Failed pods that are deleted while the controller is down are counted
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And the implementation is killed
      And 2 pods fail
      And the user deletes the 2 finished pods
      When the implementation is started again
      Then the Job counts 0 succeeded and 2 failed pods, and stays so

    @FIN-008.1
    Scenario: Work of finished pods is not repeated when the pods are deleted
      Given a Job with 4 completions and parallelism 2
      And 2 pods succeed
      And the Job reports 2 succeeded pods
      When the user deletes the 2 finished pods
      And 2 pods succeed
      Then the Job completes with 4 succeeded pods, and stays so
      And 4 pods have been created in all, and stays so

  Rule: Finalizers that cannot be removed delay their own pods only

    @FIN-011.1 @fault
    Scenario: A pod whose finalizer cannot be removed does not block other counts
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And updates of 1 running pod are answered with 500
      When 3 pods succeed
      And the fault has been triggered
      Then the Job reports 2 succeeded pods
      And once the faults end no finished pod of the Job has the tracking finalizer, and stays so

    @FIN-011.2 @fault
    Scenario Outline: A finalizer is removed after <count> removals were answered with <status>
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      And the next <count> updates of a pod are answered with <status>
      When 1 pod succeeds
      Then eventually the Job completes with 1 succeeded pod, and stays so
      And no finished pod of the Job has the tracking finalizer, and stays so

      Examples:
        | case | count | status |
        | a    | 2     | 409    |
        | b    | 3     | 422    |

    @FIN-011.3 @fault
    Scenario: A pod whose finalizer removal is rejected as invalid does not block others
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And updates of 1 running pod are answered with 422
      When 3 pods succeed
      And the fault has been triggered
      Then the Job reports 2 succeeded pods
      And once the faults end no finished pod of the Job has the tracking finalizer, and stays so

    @FIN-012.1 @fault
    Scenario: A pod that is gone before its finalizer is removed is counted
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      And updates of pods are held before taking effect
      When 1 pod succeeds
      And the fault has been triggered
      And the implementation's view of pods is stale
      And the user makes the finished pod vanish
      Then once the faults end the Job counts 1 succeeded and 0 failed pods, and stays so

  Rule: Counting many pods does not block other Jobs

    @FIN-040.1 @fault
    Scenario: A small Job completes while many pods of another lose the finalizer slowly
      Given a Job with 60 completions and parallelism 60
      And a Job b with 1 completion and parallelism 1
      And eventually 60 pods are active
      And updates of pods take 0.5 seconds each
      When 60 pods succeed
      And the fault has been triggered
      And 1 pod of Job b succeeds
      Then Job b completes with 1 succeeded pod, and stays so

  Rule: A stale cache does not lead to double counts

    @FIN-013.1 @fault
    Scenario: A pod whose finalizer removal is not observed is not counted again
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And the implementation's view of pods becomes stale at its next update of a pod
      When 1 pod succeeds
      And the Job reports 1 succeeded pod
      And the Job is changed to backoffLimit 5
      Then for 2 seconds the Job accounts for 1 succeeded pod

    @FIN-014.1 @fault
    Scenario: Counters are not computed from a stale Job
      Given a Job with 3 completions and parallelism 3
      And the Job reports 3 active pods
      And the implementation's view of jobs becomes stale at its next update of the Job status
      When 1 pod succeeds
      And the Job accounts for 1 succeeded pod
      And 1 pod succeeds
      Then for 2 seconds each of 2 pods that ended is counted once at most, and never forgotten
      And every status write of the Job named the version that it was computed from

    @FIN-014.2 @fault
    Scenario: A status write that conflicts with another client is computed again
      Given a Job with 3 completions and parallelism 3
      And the Job reports 3 active pods
      And the next update of the Job status is held before taking effect
      When 3 pods succeed
      And the fault has been triggered
      And another client labels the Job
      Then once the faults end the Job completes with 3 succeeded pods, and stays so

    @ROB-017.1 @fault
    Scenario: A status write is retried after a conflict
      Given a Job with 3 completions and parallelism 3
      And the Job reports 3 active pods
      And the next 2 updates of the Job status are answered with 409
      When 3 pods succeed
      Then the Job completes with 3 succeeded pods, and stays so

    @ROB-017.2 @fault
    Scenario: A status write is retried after many conflicts
      Given a Job with 3 completions and parallelism 3
      And the Job reports 3 active pods
      And the next 6 updates of the Job status are answered with 409
      When 3 pods succeed
      Then within 150 seconds the Job completes with 3 succeeded pods, and stays so

    @FIN-015.1 @fault
    Scenario: A deleted pod that is recorded as failed stays failed if it succeeds later
      Given a Job with 3 completions and parallelism 2
      And deleted pods stay terminating
      And 2 pods are running
      And updates of pods are answered with 500
      When the user deletes 1 pod
      And the fault has been triggered
      And the terminating pod succeeds
      Then once the faults end the Job counts 0 succeeded and 1 failed pods, and stays so

    @FIN-015.2 @fault
    Scenario: The replacement of a pod recorded as failed is kept if it succeeds later
      Given a Job with 1 completion and parallelism 1
      And deleted pods stay terminating
      And 1 pod is running
      And updates of pods are answered with 500
      When the user deletes 1 pod
      And the fault has been triggered
      And the terminating pod succeeds
      Then once the faults end 1 pod is active, and stays so for 2 seconds

    @FIN-043.1 @fault
    Scenario Outline: A recorded success stays one if its pod turns Failed, with <limit>
      Given a Job with 1 completion, parallelism 1 and <limit>
      And updates of pods are answered with 500
      And 1 pod succeeds
      And the Job accounts for 1 succeeded pod
      When another client sets the phase of 1 finished pod to Failed
      Then once the faults end the Job counts 1 succeeded and 0 failed pods, and stays so
      And no status write has been refused as invalid
      And 1 pod has been created in all

      Examples:
        | case | limit          |
        | a    | backoffLimit 6 |
        | b    | backoffLimit 0 |

    @FIN-043.3 @fault
    Scenario Outline: A Job continues if a recorded success turns Failed, and <event>
      Given a Job with 2 completions, parallelism 1 and backoffLimit 0
      And updates of pods are answered with 500
      And 1 pod succeeds
      And the Job accounts for 1 succeeded pod
      And the fault has been triggered
      When another client sets the phase of 1 finished pod to Failed
      And <event>
      Then once the faults end the Job counts 1 succeeded and 0 failed pods, and stays so

      Examples:
        | case | event                                          |
        | a    | 2 seconds pass                                 |
        | b    | the implementation is killed and started again |

    @FIN-043.2 @fault
    Scenario: A recorded index stays completed if its pod turns Failed
      Given an Indexed Job with 2 completions and parallelism 1
      And updates of pods are answered with 500
      And the pod of index 0 succeeds
      And the fault has been triggered
      When another client sets the phase of 1 finished pod to Failed
      Then once the faults end no finished pod of the Job has the tracking finalizer
      And the Job accounts for 1 succeeded pod, and stays so
      And pods have been created for the indexes 0 and 1 and for no other

  Rule: A Job finishes after the last of its pods is counted

    @FIN-020.1 @fault
    Scenario: A Job is not Complete while its pods keep the finalizer
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And updates of pods are answered with 500
      When 3 pods succeed
      And the fault has been triggered
      Then for 2 seconds the Job does not finish
      And once the faults end the Job completes with 3 succeeded pods, as ROB-018 requires

    @FIN-020.2 @fault
    Scenario: A Job is not Failed while its pods keep the finalizer
      Given a Job with 3 completions, parallelism 3 and backoffLimit 0
      And 3 pods are running
      And updates of pods are held before taking effect
      When 1 pod fails
      And the fault has been triggered
      Then for 2 seconds the Job does not finish
      And once the faults end the Job fails with reason BackoffLimitExceeded, as FAIL-002 requires

    @FIN-025.1 @fault
    Scenario: A pod that succeeds while its Job fails does not block the end of the Job
      Given a Job with 2 completions, parallelism 2 and backoffLimit 0
      And deleted pods stay terminating
      And updates of pods are answered with 500
      And 1 pod fails
      And 0 pods are active, and stays so for 2 seconds
      When the terminating pod succeeds
      Then once the faults end the Job fails with reason BackoffLimitExceeded, and stays so
      And no status write has been refused as invalid

    @FIN-021.1
    Scenario: No pod of a failed Job has the tracking finalizer
      Given a Job with 4 completions, parallelism 4 and backoffLimit 0
      And 4 pods are running
      When 1 pod succeeds
      And 1 pod fails
      Then the Job fails with reason BackoffLimitExceeded, and stays so, as FAIL-002 requires
      And no pod of the Job has the tracking finalizer, and stays so

  Rule: The finalizer is removed from pods without a controller only

    @FIN-031.1
    Scenario: A pod without a controller loses the tracking finalizer
      Given a Job with 1 completion and parallelism 1
      When a user creates pod stray with the tracking finalizer and no controller
      Then pod stray does not have the tracking finalizer

    @FIN-032.1
    Scenario Outline: A deleted pod of a <kind> of <group> keeps the tracking finalizer
      Given pod stray with the tracking finalizer is controlled by a <kind> of <group>
      When the user deletes pod stray
      Then for 2 seconds pod stray has the tracking finalizer

      Examples:
        | case | kind    | group          |
        | a    | Job     | example.com/v1 |
        | b    | CronJob | batch/v1       |
        | c    | Job     | batch.example.com/v1 |

    @FIN-032.2
    Scenario: A pod of another controller keeps the finalizer when a matching Job is gone
      Given a Job with 1 completion, parallelism 1 and selector shared
      And pod stray with the tracking finalizer matches the Job and is controlled by a Job of example.com/v1
      And 1 pod is running
      When the user deletes the Job
      And the Job is gone
      Then for 2 seconds pod stray has the tracking finalizer
