Feature: A Job finishes once and for good
  A Job finishes after its last pod, its end is reported once, and no later change starts it again.

  Rule: A Job does not finish while a pod of it is active or terminating

    @BAS-057.1
    Scenario: A Job does not complete before its terminating pod is gone
      Given a Job with 1 completion and parallelism 1
      And deleted pods stay terminating
      And 1 pod is running
      And the user deletes 1 pod
      When 1 pod succeeds
      Then for 2 seconds the Job does not finish
      And once the terminating pods end the Job completes with 1 succeeded pod, as BAS-013 requires
      And no pod of the Job was active or terminating when it finished

    @BAS-057.2
    Scenario: A Job does not fail before its terminating pods are gone
      Given a Job with 3 completions, parallelism 3 and backoffLimit 0
      And deleted pods stay terminating
      And 3 pods are running
      When 1 pod fails
      Then for 2 seconds the Job does not finish
      And once the terminating pods end the Job fails with reason BackoffLimitExceeded, as FAIL-002 requires
      And no pod of the Job was active or terminating when it finished

    @EXP-006.1 @fault
    Scenario: A Job does not fail before pods that are not observed yet are gone
      Given the implementation's view of pods is stale
      And a Job with 2 completions, parallelism 2 and activeDeadlineSeconds 1
      And 2 pods have been created in all
      When 3 seconds pass
      Then once the view of pods catches up the Job fails by its deadline
      And now no pod of the Job was active or terminating when it finished

  Rule: A finished Job has nothing left to count

    @BAS-058.1
    Scenario Outline: A finished Job counts no pod as active, terminating or uncounted
      Given a Job with 3 completions, parallelism 3 and backoffLimit 0
      And 3 pods are running
      When <event>
      Then the Job finishes
      And the Job has counted no pod as active, terminating or uncounted since it finished

      Examples:
        | case | event          |
        | a    | 3 pods succeed |
        | b    | 1 pod fails    |

  Rule: A Job has one terminal condition and keeps it

    @BAS-059.1 @fault
    Scenario: A Job that could complete and fail has one terminal condition
      Given a work-queue Job with parallelism 2 and backoffLimit 0
      And 2 pods are running
      And the implementation's view of pods is stale
      And 1 pod succeeds
      And 1 pod fails
      When the view of pods catches up
      Then the Job finishes
      And for 2 seconds the Job keeps its one terminal condition

    @BAS-059.2
    Scenario: The terminal condition of a Job survives a restart of the implementation
      Given a Job with 1 completion and backoffLimit 0
      And 1 pod is running
      And 1 pod fails
      And the Job fails with reason BackoffLimitExceeded
      When the implementation is killed and started again
      Then for 2 seconds the Job keeps its one terminal condition

  Rule: Finished pods are not deleted

    @BAS-078.1
    Scenario: The finished pods of a finished Job are not deleted
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      When 1 pod fails
      And 2 pods succeed
      And the Job completes with 2 succeeded pods
      Then for 5 seconds 3 finished pods of the Job are there

    @BAS-078.2
    Scenario Outline: The finished pods of a Job that fails by <cause> are not deleted
      Given a Job with 3 completions, parallelism 3 and <limit>
      And 3 pods are running
      And <before>
      When <event>
      And the Job finishes
      Then for 5 seconds 2 finished pods of the Job are there

      Examples:
        | case | cause        | limit                   | before         | event          |
        | a    | backoffLimit | backoffLimit 0          | 1 pod succeeds | 1 pod fails    |
        | b    | its deadline | activeDeadlineSeconds 6 | 2 pods succeed | 6 seconds pass |

  Rule: No pod is created for a finished Job

    @BAS-060.1
    Scenario: A complete Job gets no pod when its pods are deleted
      Given a Job with 1 completion and parallelism 1
      And 1 pod succeeds
      And the Job completes with 1 succeeded pod
      When the user deletes the pods of the Job
      Then for 2 seconds no more than 1 pod is created in all

    @BAS-060.2
    Scenario Outline: A failed Job gets no pod when <event>
      Given a Job with 2 completions, parallelism 1 and backoffLimit 0
      And 1 pod fails
      And the Job fails with reason BackoffLimitExceeded
      When <event>
      Then for 2 seconds no more than 1 pod is created in all

      Examples:
        | case | event                                          |
        | a    | the user deletes the pods of the Job           |
        | b    | the Job is changed to parallelism 2            |
        | c    | the implementation is killed and started again |

    @BAS-075.1 @fault
    Scenario: A finished Job gets no pod while the cache of Jobs is stale
      Given a Job with 1 completion and parallelism 1
      And the Job reports 1 active pod
      And 1 pod is running
      And the implementation's view of jobs is stale
      When 1 pod succeeds
      Then for 5 seconds no more than 1 pod is created in all
      And once the view of jobs catches up the Job completes with 1 succeeded pod, as ROB-014 requires
      And now 1 pod has been created in all

  Rule: Events report what happens to a Job

    @BAS-061.1
    Scenario: One Event reports the completion of a Job
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      When 2 pods succeed
      Then the Job completes with 2 succeeded pods
      And exactly one Normal event Completed says "Job completed"
      And for 2 seconds no second Normal event Completed follows

    @BAS-061.2
    Scenario: One Event reports the failure of a Job
      Given a Job with 2 completions, parallelism 2 and backoffLimit 0
      And 2 pods are running
      When 1 pod fails
      Then the Job fails with reason BackoffLimitExceeded
      And exactly one Warning event BackoffLimitExceeded says "Job has reached the specified backoff limit"
      And for 2 seconds no second Warning event BackoffLimitExceeded follows

    @FIN-024.1 @fault
    Scenario Outline: One Event reports the completion of a Job although <which> update failed
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      And the Job reports 1 active pod
      And <which> update of the Job status is answered with 500
      When 1 pod succeeds
      And eventually the Job completes with 1 succeeded pod
      Then exactly one Normal event Completed says "Job completed"
      And for 2 seconds no second Normal event Completed follows

      Examples:
        | case | which    |
        | a    | the next |
        | b    | the 2nd  |

    @BAS-063.1
    Scenario: An Event reports more succeeded pods than completions
      Given the implementation is killed
      And a Job with 1 completion and parallelism 1
      And pod one without an index is given to the Job
      And pod other without an index is given to the Job
      And 2 pods succeed
      When the implementation is started again
      And the Job completes with 2 succeeded pods
      Then exactly one Warning event TooManySucceededPods says "Too many succeeded pods running after completion count reached"

    @ROB-008.1
    Scenario: A restarted controller records no second Event for the end of a Job
      Given a Job with 1 completion and parallelism 1
      And 1 pod succeeds
      And the Job completes with 1 succeeded pod
      And exactly one Normal event Completed says "Job completed"
      When the implementation is killed and started again
      Then for 2 seconds no second Normal event Completed follows

    @BAS-062.1
    Scenario: An Event reports each pod creation
      When a Job is created with 3 completions and parallelism 3
      And 3 pods are active
      Then one Normal event SuccessfulCreate names each pod that was created

    @BAS-062.2
    Scenario: An Event reports each pod deletion
      Given a Job with 6 completions and parallelism 3
      And 3 pods are running
      When the Job is changed to parallelism 1
      And 1 pod is active
      Then one Normal event SuccessfulDelete names each pod that was deleted

    @BAS-062.3 @fault
    Scenario: An Event reports a failed pod creation
      Given the next pod creation is answered with 500
      When a Job is created with 1 completion and parallelism 1
      Then a Warning event FailedCreate says "Error creating: " and the error
      And 1 pod is active, and stays so, as ROB-018 requires

  Rule: A Job being deleted gets and loses no pod, except finished ones

    @BAS-065.1
    Scenario: A Job being deleted gets no pod
      Given a Job with 4 completions, parallelism 2 and finalizer batchproof.dev/hold
      And 2 pods are running
      And the user deletes the Job
      When 1 pod succeeds
      Then for 2 seconds no more than 2 pods are created in all

    @BAS-065.2
    Scenario: No pod of a Job being deleted is deleted when parallelism is lowered
      Given a Job with 4 completions, parallelism 2 and finalizer batchproof.dev/hold
      And 2 pods are running
      And the user deletes the Job
      When the Job is changed to parallelism 1
      Then for 2 seconds 2 pods are active

    @BAS-065.3
    Scenario: A pod that finishes while its Job is being deleted loses the finalizer
      Given a Job with 4 completions, parallelism 2 and finalizer batchproof.dev/hold
      And 2 pods are active
      And the user deletes the Job
      When 1 pod succeeds
      Then eventually no finished pod of the Job has the tracking finalizer, and stays so

  Rule: A Job does not touch the pods of other Jobs

    @BAS-066.1
    Scenario: A Job gets its own pods although pods of another Job match its selector
      Given a Job a with 2 completions, parallelism 2 and label shared
      And 2 pods of Job a are running
      When a Job b is created with 2 completions, parallelism 2 and selector shared
      Then 2 pods of Job b are active, and stays so

    @BAS-066.2
    Scenario: A Job does not count pods of another Job that match its selector
      Given a Job a with 2 completions, parallelism 2 and label shared
      And a Job b with 2 completions, parallelism 2 and selector shared
      And 2 pods of Job b are running
      When 2 pods of Job a succeed
      And Job a completes with 2 succeeded pods
      Then for 2 seconds no pod changes its controller
      And now Job b reports 0 succeeded and 0 failed pods
      And Job b reports 2 active pods, as BAS-050 requires

    @BAS-066.3
    Scenario: A Job does not delete pods of another Job that match its selector
      Given a Job a with 4 completions, parallelism 2 and selector shared
      And a Job b with 4 completions, parallelism 2 and label shared
      And 2 pods of Job a are running
      And 2 pods of Job b are running
      When Job a is changed to parallelism 0
      And 0 pods of Job a are active
      Then for 2 seconds 2 pods of Job b are active
      And now 2 pods of Job b have been created in all

    @BAS-066.4
    Scenario: A Job does not count pods of a Job of the same name in another namespace
      Given the implementation is killed
      And a Job of the same name with 2 running pods in another namespace
      And a Job with 2 completions, parallelism 2 and selector shared
      When the implementation is started again
      Then 2 pods are active, and stays so
      And the Job reports 2 active, 0 succeeded and 0 failed pods, and stays so
