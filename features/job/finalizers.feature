Feature: Each finished pod is counted exactly once
  A pod of a Job carries a finalizer until it is counted, and is counted in three writes: its UID is recorded in
  the status of the Job, its finalizer is removed, its UID becomes a count. So no pod is lost, none counts twice.

  Rule: A pod is recorded, then released, then counted

    @FIN-001
    Scenario: Every pod is created with the tracking finalizer
      Given a Job with 2 completions and parallelism 2
      When 1 pod fails
      Then in the end 3 pods have been created in all, and stays so
      And every pod of the Job was created with the tracking finalizer

    @FIN-003
    Scenario: Pods that succeeded or failed are recorded, released and counted in this order
      Given a Job with 3 completions and parallelism 3
      When 2 pods succeed
      And 1 pod fails
      Then 3 pods are recorded, then released, then counted
      And the Job counts 2 succeeded and 1 failed pods, and stays so

    @FIN-003
    Scenario: A pod that ended while no process ran is recorded, released and counted
      Given the implementation is killed
      And a Job with 1 completion and parallelism 1
      And a pod that a user made is given to the Job
      When 1 pod succeeds
      And the implementation is started again
      Then 1 pod is recorded, then released, then counted

    @FIN-004 @fault
    Scenario Outline: Pods keep their finalizer while status writes are <treated>
      Given a Job with 3 completions and parallelism 3
      And the Job reports 3 active pods
      And updates of the Job status are <treated>
      When 3 pods succeed
      And the fault has struck
      Then for 2 seconds no pod of the Job loses the tracking finalizer
      And once the faults end the Job completes with 3 succeeded pods

      Examples:
        | treated                   |
        | answered with 500         |
        | held before taking effect |

    @FIN-005 @fault
    Scenario: A UID stays recorded while its pod keeps the finalizer
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And updates of pods are answered with 500
      When 3 pods succeed
      And the Job accounts for 3 succeeded pods
      Then for 2 seconds no recorded UID leaves the record of the Job
      And once the faults end the Job completes with 3 succeeded pods
      And each write that takes UIDs from the record of the Job raises their counter by as many

    @FIN-006 @fault
    Scenario: Counts only rise and hold no pod twice when replies to status writes are lost
      Given a Job with 4 completions and parallelism 2
      And the Job reports 2 active pods
      And the next 2 updates of the Job status are carried out but their replies are lost
      When 2 pods succeed
      And the Job reports 2 succeeded pods
      And 2 pods succeed
      Then the Job completes with 4 succeeded pods, and stays so
      And each of 4 pods that ended is counted once at most, and never forgotten

    @FIN-018
    Scenario: Another client's finalizer stays on a released pod
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And the user adds the finalizer batchproof.dev/keep to 2 running pods
      When 2 pods succeed
      Then the Job completes with 2 succeeded pods, and stays so
      And no pod of the Job has the tracking finalizer, and stays so
      And 2 pods have the finalizer batchproof.dev/keep, and stays so

    @FIN-018 @fault
    Scenario: A finalizer that another client adds just before the release stays on the pod
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      And updates of pods are held before taking effect
      When 1 pod succeeds
      And the fault has struck
      And the user adds the finalizer batchproof.dev/keep to the finished pod
      Then once the faults end the Job completes with 1 succeeded pod, and stays so
      And 1 pod has the finalizer batchproof.dev/keep, and stays so

  Rule: Pods that are deleted are counted all the same

    @FIN-007
    Scenario: A succeeded pod that is deleted at once is counted
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      When 3 pods succeed
      And the user deletes the 3 finished pods
      Then the Job completes with 3 succeeded pods, and stays so
      And the Job counts 3 succeeded and 0 failed pods, and stays so
      And 3 pods have been created in all, and stays so

    @FIN-007 @fault
    Scenario: A succeeded pod that is deleted before its release is counted
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And updates of pods are held before taking effect
      When 3 pods succeed
      And the fault has struck
      And the user deletes the 3 finished pods
      Then once the faults end the Job completes with 3 succeeded pods, and stays so
      And the counters of the Job are equal to what its pods did

    @FIN-007 @fault
    Scenario: A succeeded pod that is deleted after its release is counted
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      And updates of pods are carried out but not answered
      When 1 pod succeeds
      And no finished pod of the Job has the tracking finalizer
      And the user deletes the finished pod
      Then once the faults end the Job completes with 1 succeeded pod, and stays so
      And the counters of the Job are equal to what its pods did

    @FIN-007 @fault
    Scenario: A succeeded pod that is deleted before it is recorded is counted
      Given a Job with 3 completions and parallelism 3
      And the Job reports 3 active pods
      And updates of the Job status are held before taking effect
      When 3 pods succeed
      And the fault has struck
      And the user deletes the 3 finished pods
      Then once the faults end the Job completes with 3 succeeded pods, and stays so
      And the counters of the Job are equal to what its pods did

    @FIN-039
    Scenario: Succeeded pods deleted while no process runs are counted by the next one
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And the implementation is killed
      And 3 pods succeed
      And the user deletes the 3 finished pods
      When the implementation is started again
      Then the Job completes with 3 succeeded pods, and stays so
      And 3 pods have been created in all, and stays so

    @FIN-039
    Scenario: Failed pods deleted while no process runs are counted by the next one
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And the implementation is killed
      And 2 pods fail
      And the user deletes the 2 finished pods
      When the implementation is started again
      Then the Job counts 0 succeeded and 2 failed pods, and stays so

    @FIN-008
    Scenario: Deleting the finished pods of a running Job does not repeat their work
      Given a Job with 4 completions and parallelism 2
      And 2 pods succeed
      And the Job reports 2 succeeded pods
      When the user deletes the 2 finished pods
      And 2 pods succeed
      Then the Job completes with 4 succeeded pods, and stays so
      And 4 pods have been created in all, and stays so

  Rule: Finalizers that cannot be removed delay their own pods only

    @FIN-011 @fault
    Scenario: A pod that cannot be released does not keep others from being counted
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And updates of 1 running pod are answered with 500
      When 3 pods succeed
      And the fault has struck
      Then the Job reports 2 succeeded pods
      And once the faults end the Job completes with 3 succeeded pods, and stays so

    @FIN-012 @fault
    Scenario: A pod that is gone when it is to be released counts as released
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      And updates of pods are held before taking effect
      When 1 pod succeeds
      And the fault has struck
      And the implementation's view of pods is frozen
      And the user makes the finished pod vanish
      Then once the faults end the Job counts 1 succeeded and 0 failed pods, and stays so

  Rule: Counting many pods keeps no other Job waiting

    @FIN-040 @fault
    Scenario: A small Job completes while the many pods of another are released slowly
      Given a Job with 60 completions and parallelism 60
      And a Job b with 1 completion and parallelism 1
      And in the end 60 pods are active
      And updates of pods take 0.5 seconds each
      When 60 pods succeed
      And the fault has struck
      And 1 pod of Job b succeeds
      Then Job b completes with 1 succeeded pod, and stays so

  Rule: What is seen late is not counted twice

    @FIN-013 @fault
    Scenario: A released pod that is still seen with its finalizer is not counted again
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And the implementation's view of pods freezes at its next update of a pod
      When 1 pod succeeds
      And the Job reports 1 succeeded pod
      And the Job is changed to backoffLimit 5
      Then for 2 seconds the Job accounts for 1 succeeded pod

    @FIN-014 @fault
    Scenario: Counters are not computed from a Job that is seen late
      Given a Job with 3 completions and parallelism 3
      And the Job reports 3 active pods
      And the implementation's view of jobs freezes at its next update of the Job status
      When 1 pod succeeds
      And the Job accounts for 1 succeeded pod
      And 1 pod succeeds
      Then for 2 seconds each of 2 pods that ended is counted once at most, and never forgotten
      And every status write of the Job named the version that it was computed from

    @FIN-014 @fault
    Scenario: A status write that another client's change overtakes is computed again
      Given a Job with 3 completions and parallelism 3
      And the Job reports 3 active pods
      And the next update of the Job status is held before taking effect
      When 3 pods succeed
      And the fault has struck
      And another client labels the Job
      Then once the faults end the Job completes with 3 succeeded pods, and stays so

    @ROB-017 @fault
    Scenario: A status write that meets a conflict is tried again until it is written
      Given a Job with 3 completions and parallelism 3
      And the Job reports 3 active pods
      And the next 2 updates of the Job status are answered with 409
      When 3 pods succeed
      Then the Job completes with 3 succeeded pods, and stays so

    @ROB-017 @fault
    Scenario: A status write that meets many conflicts is tried again until it is written
      Given a Job with 3 completions and parallelism 3
      And the Job reports 3 active pods
      And the next 6 updates of the Job status are answered with 409
      When 3 pods succeed
      Then within 150 seconds the Job completes with 3 succeeded pods, and stays so

    @FIN-015 @fault
    Scenario: A deleted pod that is recorded as failed stays failed when it succeeds later
      Given a Job with 3 completions and parallelism 2
      And deleted pods stay terminating
      And 2 pods are running
      And updates of pods are answered with 500
      When the user deletes 1 pod
      And the fault has struck
      And the terminating pod succeeds
      Then once the faults end the Job counts 0 succeeded and 1 failed pods, and stays so

    @FIN-015 @fault
    Scenario: A pod recorded as failed keeps its replacement when it succeeds later
      Given a Job with 1 completion and parallelism 1
      And deleted pods stay terminating
      And 1 pod is running
      And updates of pods are answered with 500
      When the user deletes 1 pod
      And the fault has struck
      And the terminating pod succeeds
      Then once the faults end 1 pod is active, and stays so for 2 seconds

  Rule: A Job is finished after the last of its pods is released and counted

    @FIN-020 @fault
    Scenario: A Job is not Complete while its pods keep the finalizer
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And updates of pods are answered with 500
      When 3 pods succeed
      And the fault has struck
      Then for 2 seconds the Job does not finish
      And once the faults end the Job completes with 3 succeeded pods

    @FIN-020 @fault
    Scenario: A Job is not Failed while its pods keep the finalizer
      Given a Job with 3 completions, parallelism 3 and backoffLimit 0
      And 3 pods are running
      And updates of pods are held before taking effect
      When 1 pod fails
      And the fault has struck
      Then for 2 seconds the Job does not finish
      And once the faults end the Job fails with reason BackoffLimitExceeded

    @FIN-025 @fault
    Scenario: A pod that succeeds once its Job fails does not keep it from ending
      Given a Job with 2 completions, parallelism 2 and backoffLimit 0
      And deleted pods stay terminating
      And updates of pods are answered with 500
      And 1 pod fails
      And 0 pods are active
      When the terminating pod succeeds
      Then once the faults end the Job fails with reason BackoffLimitExceeded, and stays so
      And no status write has been refused as invalid

    @FIN-021
    Scenario: No pod of a failed Job has the tracking finalizer
      Given a Job with 4 completions, parallelism 4 and backoffLimit 0
      And 4 pods are running
      When 1 pod succeeds
      And 1 pod fails
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And no pod of the Job has the tracking finalizer, and stays so

  Rule: The finalizer goes from pods of nobody, and stays on pods of somebody else

    @FIN-031
    Scenario: A pod without a controller loses the tracking finalizer
      Given a Job with 1 completion and parallelism 1
      When a user creates pod stray with the tracking finalizer and no controller
      Then pod stray does not have the tracking finalizer

    @FIN-032
    Scenario Outline: A deleted pod of a <kind> of <group> keeps the tracking finalizer
      Given pod stray with the tracking finalizer is controlled by a <kind> of <group>
      When the user deletes pod stray
      Then for 2 seconds pod stray has the tracking finalizer

      Examples:
        | kind    | group          |
        | Job     | example.com/v1 |
        | CronJob | batch/v1       |

    @FIN-032
    Scenario: A pod of another controller outlives the Job that it matches, still tracked
      Given a Job with 1 completion, parallelism 1 and selector shared
      And pod stray with the tracking finalizer matches the Job and is controlled by a Job of example.com/v1
      And 1 pod is running
      When the user deletes the Job
      And the Job is gone
      Then for 2 seconds pod stray has the tracking finalizer
