Feature: A Job that ends ends once and for good
  It is over when its last pod is, it is told once, and nothing that happens later starts it again.

  Rule: A Job does not finish while a pod of it is active or terminating

    @BAS-057
    Scenario: A Job that is to complete waits for a pod that terminates
      Given a Job with 1 completion and parallelism 1
      And deleted pods stay terminating
      And 1 pod is running
      And the user deletes 1 pod
      When 1 pod succeeds
      Then for 2 seconds the Job does not finish
      And once the terminating pods end the Job completes with 1 succeeded pod
      And no pod of the Job was active or terminating when it finished

    @BAS-057
    Scenario: A Job that is to fail waits for the pods that terminate
      Given a Job with 3 completions, parallelism 3 and backoffLimit 0
      And deleted pods stay terminating
      And 3 pods are running
      When 1 pod fails
      Then for 2 seconds the Job does not finish
      And once the terminating pods end the Job fails with reason BackoffLimitExceeded
      And no pod of the Job was active or terminating when it finished

    @EXP-006 @fault
    Scenario: A Job that is to fail waits for pods that are not seen yet
      Given the implementation's view of pods is frozen
      And a Job with 2 completions, parallelism 2 and activeDeadlineSeconds 1
      And 2 pods have been created in all
      When 3 seconds pass
      Then once the view of pods catches up the Job fails by its deadline
      And now no pod of the Job was active or terminating when it finished

  Rule: A finished Job has nothing left to count

    @BAS-058
    Scenario Outline: A finished Job counts no pod as active, terminating or uncounted
      Given a Job with 3 completions, parallelism 3 and backoffLimit 0
      And 3 pods are running
      When <event>
      Then the Job finishes
      And the Job has counted no pod as active, terminating or uncounted since it finished

      Examples:
        | event          |
        | 3 pods succeed |
        | 1 pod fails    |

  Rule: A Job has one terminal condition and keeps it

    @BAS-059 @fault
    Scenario: A Job that could both complete and fail does one of both
      Given a work-queue Job with parallelism 2 and backoffLimit 0
      And 2 pods are running
      And the implementation's view of pods is frozen
      And 1 pod succeeds
      And 1 pod fails
      When the view of pods catches up
      Then the Job finishes
      And for 2 seconds the Job keeps its one terminal condition

    @BAS-059
    Scenario: The terminal condition of a Job survives a restart of the implementation
      Given a Job with 1 completion and backoffLimit 0
      And 1 pod is running
      And 1 pod fails
      And the Job fails with reason BackoffLimitExceeded
      When the implementation is killed and started again
      Then for 2 seconds the Job keeps its one terminal condition

  Rule: Pods that have finished are left for their user to look at

    @BAS-078
    Scenario: The finished pods of a finished Job stay
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      When 1 pod fails
      And 2 pods succeed
      Then the Job completes with 2 succeeded pods
      And for 5 seconds 3 finished pods of the Job are there

  Rule: No pod is created for a finished Job

    @BAS-060
    Scenario: A complete Job gets no pod when its pods are deleted
      Given a Job with 1 completion and parallelism 1
      And 1 pod succeeds
      And the Job completes with 1 succeeded pod
      When the user deletes the pods of the Job
      Then for 2 seconds no more than 1 pod is created in all

    @BAS-060
    Scenario Outline: A failed Job gets no pod when <event>
      Given a Job with 2 completions, parallelism 1 and backoffLimit 0
      And 1 pod fails
      And the Job fails with reason BackoffLimitExceeded
      When <event>
      Then for 2 seconds no more than 1 pod is created in all

      Examples:
        | event                                          |
        | the user deletes the pods of the Job           |
        | the Job is changed to parallelism 2            |
        | the implementation is killed and started again |

    @BAS-075 @fault
    Scenario: A finished Job gets no pod while the implementation's view of it is stale
      Given a Job with 1 completion and parallelism 1
      And the Job reports 1 active pod
      And 1 pod is running
      And the implementation's view of jobs is frozen
      When 1 pod succeeds
      Then for 5 seconds no more than 1 pod is created in all
      And once the view of jobs catches up the Job completes with 1 succeeded pod
      And 1 pod has been created in all

  Rule: What happens is told by Events

    @BAS-061
    Scenario: A Job that completes tells it once
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      When 2 pods succeed
      Then the Job completes with 2 succeeded pods
      And exactly one Normal event Completed says "Job completed"
      And for 2 seconds no second Normal event Completed follows

    @BAS-061
    Scenario: A Job that fails tells its reason once
      Given a Job with 2 completions, parallelism 2 and backoffLimit 0
      And 2 pods are running
      When 1 pod fails
      Then the Job fails with reason BackoffLimitExceeded
      And exactly one Warning event BackoffLimitExceeded says "Job has reached the specified backoff limit"
      And for 2 seconds no second Warning event BackoffLimitExceeded follows

    @FIN-024 @fault
    Scenario Outline: The end of a Job is told once though <which> update failed
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      And the Job reports 1 active pod
      And <which> update of the Job status is answered with 500
      When 1 pod succeeds
      And in the end the Job completes with 1 succeeded pod
      Then exactly one Normal event Completed says "Job completed"
      And for 2 seconds no second Normal event Completed follows

      Examples:
        | which    |
        | the next |
        | the 2nd  |

    @BAS-063
    Scenario: That more pods have succeeded than were wanted is told
      Given the implementation is killed
      And a Job with 1 completion and parallelism 1
      And pod one without an index is given to the Job
      And pod other without an index is given to the Job
      And 2 pods succeed
      When the implementation is started again
      Then the Job completes with 2 succeeded pods, and stays so
      And exactly one Warning event TooManySucceededPods says "Too many succeeded pods running after completion count reached"

    @ROB-008
    Scenario: A new process does not tell again what the one before has told
      Given a Job with 1 completion and parallelism 1
      And 1 pod succeeds
      And the Job completes with 1 succeeded pod
      And exactly one Normal event Completed says "Job completed"
      When the implementation is killed and started again
      Then for 2 seconds no second Normal event Completed follows

    @BAS-062
    Scenario: Each pod that is created is told
      When a Job is created with 3 completions and parallelism 3
      Then 3 pods are active, and stays so
      And one Normal event SuccessfulCreate names each pod that was created

    @BAS-062
    Scenario: Each pod that is deleted is told
      Given a Job with 6 completions and parallelism 3
      And 3 pods are running
      When the Job is changed to parallelism 1
      Then 1 pod is active, and stays so
      And one Normal event SuccessfulDelete names each pod that was deleted

    @BAS-062 @fault
    Scenario: A pod creation that fails is told
      Given the next pod creation is answered with 500
      When a Job is created with 1 completion and parallelism 1
      Then a Warning event FailedCreate says "Error creating: " and the error
      And 1 pod is active, and stays so

  Rule: A Job being deleted gets and loses no pod, and its finished pods are let go

    @BAS-065
    Scenario: A Job being deleted gets no pod
      Given a Job with 4 completions, parallelism 2 and finalizer batchproof.dev/hold
      And 2 pods are running
      And the user deletes the Job
      When 1 pod succeeds
      Then for 2 seconds no more than 2 pods are created in all

    @BAS-065
    Scenario: A Job being deleted loses no pod when parallelism is lowered
      Given a Job with 4 completions, parallelism 2 and finalizer batchproof.dev/hold
      And 2 pods are running
      And the user deletes the Job
      When the Job is changed to parallelism 1
      Then for 2 seconds 2 pods are active

    @BAS-065
    Scenario: A pod that finishes while its Job is being deleted is let go
      Given a Job with 4 completions, parallelism 2 and finalizer batchproof.dev/hold
      And 2 pods are active
      And the user deletes the Job
      When 1 pod succeeds
      Then in the end no finished pod of the Job has the tracking finalizer, and stays so

  Rule: A Job leaves the pods of other Jobs alone

    @BAS-066
    Scenario: A Job gets its own pods beside those of another that match its selector
      Given a Job a with 2 completions, parallelism 2 and label shared
      And 2 pods of Job a are running
      When a Job b is created with 2 completions, parallelism 2 and selector shared
      Then 2 pods of Job b are active, and stays so

    @BAS-066
    Scenario: A Job does not count pods of another that match its selector
      Given a Job a with 2 completions, parallelism 2 and label shared
      And a Job b with 2 completions, parallelism 2 and selector shared
      And 2 pods of Job b are running
      When 2 pods of Job a succeed
      Then Job a completes with 2 succeeded pods
      And Job b reports 2 active, 0 succeeded and 0 failed pods
      And for 2 seconds no pod changes its controller
      And Job b reports 2 active, 0 succeeded and 0 failed pods

    @BAS-066
    Scenario: A Job does not delete pods of another that match its selector
      Given a Job a with 4 completions, parallelism 2 and selector shared
      And a Job b with 4 completions, parallelism 2 and label shared
      And 2 pods of Job a are running
      And 2 pods of Job b are running
      When Job a is changed to parallelism 0
      Then 0 pods of Job a are active
      And for 2 seconds 2 pods of Job b are active
      And 2 pods of Job b have been created in all
