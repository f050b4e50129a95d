Feature: Failed pods are replaced after a growing back-off delay
  10 seconds after the first failure, 20 after the second, 40 after the third. The pods here have finish times in the
  past, so that only the last seconds of a delay must pass. A controller that counts from the time at which it observed
  the failure waits longer, which is allowed.

  Rule: Each consecutive failure doubles the delay

    @FAIL-008.1
    Scenario Outline: A failed pod is replaced no earlier than after <delay> seconds
      Given a Job with 4 completions and parallelism 2
      And <before> has failed before
      When 1 pod fails that ended <ago> seconds ago
      Then eventually <in all> pods have been created in all, and stays so
      And the first pod after the last failure came no earlier than <delay> seconds after it

      Examples:
        | case | before | delay | ago | in all |
        | a    | no pod | 10    | 5   | 3      |
        | b    | 1 pod  | 20    | 15  | 4      |
        | c    | 2 pods | 40    | 35  | 5      |

    @FAIL-008.2 @fault
    Scenario: The delay holds if the response to the record of the failure is lost
      Given a Job with 2 completions and parallelism 1
      And 1 pod is running
      And the Job reports 1 active and 0 ready pods
      And the next update of the Job status is applied but its reply is lost
      When 1 pod fails that ended 5 seconds ago
      Then eventually 2 pods have been created in all, and stays so
      And the first pod after the last failure came no earlier than 10 seconds after it

    @FAIL-008.3
    Scenario: The delay holds if the failure is observed together with an earlier success
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And the implementation is killed
      And 1 pod succeeds
      And 2 seconds pass
      And 1 pod fails
      When the implementation is started again
      Then eventually the first pod after the last failure came no earlier than 10 seconds after it

    @FAIL-012.1
    Scenario: The delay holds if no other pod is active
      Given a Job with 1 completion and parallelism 1
      When 1 pod fails that ended 5 seconds ago
      Then eventually 2 pods have been created in all, and stays so
      And the first pod after the last failure came no earlier than 10 seconds after it

    @FAIL-010.1
    Scenario: Each of several simultaneous failures doubles the delay
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And the implementation is killed
      And 3 pods fail that ended 33 seconds ago
      When the implementation is started again
      Then eventually 6 pods have been created in all, and stays so
      And the first pod after the last failure came no earlier than 40 seconds after it

    @FAIL-010.2
    Scenario: Six failures delay the next pod by 320 seconds and not by the maximum
      Given a Job with 6 completions, parallelism 6 and backoffLimit 20
      And 6 pods are running
      And the implementation is killed
      And 6 pods fail that ended 312 seconds ago
      When the implementation is started again
      Then within 20 seconds 12 pods have been created in all, and stays so
      And the first pod after the last failure came no earlier than 320 seconds after it

    @FAIL-009.1
    Scenario: The delay is at most 10 minutes
      Given a Job with 9 completions, parallelism 9 and backoffLimit 20
      And 9 pods are running
      And the implementation is killed
      And 9 pods fail that ended 600 seconds ago
      When the implementation is started again
      Then within 20 seconds 18 pods have been created in all, and stays so

    @FAIL-011.1
    Scenario: After a success the next failure has the delay of the first
      Given a Job with 4 completions and parallelism 1
      And 2 pods have failed before
      And 1 pod succeeds
      When 1 pod fails that ended 5 seconds ago
      Then within 20 seconds 5 pods have been created in all, and stays so
      And the first pod after the last failure came no earlier than 10 seconds after it

    @FAIL-013.1
    Scenario Outline: The delay starts when the pod finished<told>
      Given a Job with 2 completions and parallelism 1
      And 2 pods have failed before
      When 1 pod fails that ended 35 seconds ago<told>
      Then within 20 seconds 4 pods have been created in all, and stays so
      And the first pod after the last failure came no earlier than 40 seconds after it

      Examples:
        | case | told                           |
        | a    |                                |
        | b    | , by their Ready conditions alone |

    @FAIL-013.2
    Scenario: The delay starts when the sidecar of a pod finished
      Given a Job with 2 completions, parallelism 1 and sidecarContainer proxy
      And 2 pods have failed before
      When 1 pod fails that ended 60 seconds ago, its sidecar 35 seconds ago
      Then within 20 seconds 4 pods have been created in all, and stays so
      And the first pod after the last failure came no earlier than 40 seconds after it

    @ROB-036.1
    Scenario: A pod whose finish time is in the future is replaced
      Given a Job with 1 completion and parallelism 1
      When 1 pod fails that ended 3600 seconds from now
      Then within 20 seconds 2 pods have been created in all, and stays so

    @ROB-036.2
    Scenario: A pod whose finish time is in the future is replaced after a restart
      Given a Job with 1 completion and parallelism 1
      And 1 pod fails that ended 3600 seconds from now
      And the Job reports 1 failed pod
      When the implementation is killed and started again
      Then eventually 2 pods have been created in all, and stays so

  Rule: Only replacements are delayed

    @FAIL-014.1
    Scenario: Failures are counted while a replacement is delayed
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      When 1 pod fails that ended 0 seconds ago
      And 1 pod fails that ended 0 seconds ago
      Then the Job reports 2 failed pods, and stays so

    @FAIL-014.2
    Scenario: A Job fails while a replacement is delayed
      Given a Job with 3 completions, parallelism 3 and backoffLimit 1
      And 3 pods are running
      And 1 pod fails that ended 0 seconds ago
      And the Job reports 1 failed pod
      When 1 pod fails that ended 0 seconds ago
      Then the Job fails with reason BackoffLimitExceeded, and stays so

    @FAIL-014.3
    Scenario: Excess pods are deleted while a replacement is delayed
      Given a Job with 4 completions and parallelism 4
      And 4 pods are running
      And 1 pod fails that ended 0 seconds ago
      And the Job reports 1 failed pod
      When the Job is changed to parallelism 1
      Then 1 pod is active, and stays so

    @FAIL-014.4
    Scenario: A Job completes while a replacement is delayed
      Given a work-queue Job with parallelism 2
      And 2 pods are running
      And 1 pod fails that ended 0 seconds ago
      And the Job reports 1 failed pod
      When 1 pod succeeds
      Then the Job completes with 1 succeeded pod, and stays so
      And 2 pods have been created in all, and stays so

    @FAIL-014.5
    Scenario: A Job completes as soon as a pod succeeds after several have failed
      Given a Job with 1 completion and parallelism 1
      And 3 pods have failed before
      When 1 pod succeeds
      Then the Job completes with 1 succeeded pod, and stays so
      And the Job reports 3 failed pods, and stays so

    @FAIL-014.6
    Scenario Outline: A success is counted while the replacement <of what> is delayed
      Given <a Job> with 3 completions and parallelism 2
      And 2 pods are running
      And 1 pod fails that ended 0 seconds ago
      And the Job reports 1 failed pod
      When 1 pod succeeds
      Then the Job reports 1 succeeded pod, and stays so

      Examples:
        | case | of what        | a Job          |
        | a    | of a pod       | a Job          |
        | b    | of an index    | an Indexed Job |

    @FAIL-014.7 @cap-SuccessPolicy
    Scenario: A Job completes by its success rule while a replacement is delayed
      Given an Indexed Job with 2 completions and parallelism 2, where index 1 means success
      And 2 pods are running
      And the pod of index 0 fails that ended 0 seconds ago
      And the Job reports 1 failed pod
      When the pod of index 1 succeeds
      Then the Job completes with 1 succeeded pod, and stays so

    @FAIL-015.1
    Scenario: Active pods are reported while a replacement is delayed
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running and ready
      And the Job reports 2 active and 2 ready pods
      When 1 pod fails that ended 0 seconds ago
      Then the Job reports 1 active, 1 ready and 1 failed pods, and stays so
      And no status write has been refused as invalid

    @FAIL-015.2 @cap-BackoffLimitPerIndex
    Scenario: Active pods are reported while an index waits for its delay
      Given an Indexed Job with 2 completions, parallelism 2 and backoffLimitPerIndex 3
      And 2 pods are running and ready
      And the Job reports 2 active and 2 ready pods
      When the pod of index 0 fails that ended 0 seconds ago
      Then the Job reports 1 active and 1 ready pods, and stays so
      And no status write has been refused as invalid
