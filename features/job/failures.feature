Feature: A Job fails when too many of its pods fail

  Rule: A Job fails when its failed pods exceed backoffLimit, and not before

    @FAIL-001.1
    Scenario: A Job with backoffLimit failed pods continues
      Given a Job with 3 completions, parallelism 3 and backoffLimit 2
      And 3 pods are running
      When 2 pods fail
      Then for 2 seconds the Job does not finish
      And the Job reports 2 failed pods
      And eventually 3 pods are active, as BAS-015 requires

    @FAIL-001.2
    Scenario: A Job fails with the first failure above backoffLimit
      Given a Job with 1 completion and backoffLimit 1
      And 1 pod has failed before
      When 1 pod fails
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And the Job reports 2 failed pods, and stays so

    @FAIL-001.5
    Scenario: A failed pod that is deleted later counts towards backoffLimit
      Given a Job with 1 completion and backoffLimit 1
      And 1 pod has failed before
      And the Job reports 1 failed pod
      And the user deletes the finished pod
      When 1 pod fails
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And the Job reports 2 failed pods, and stays so
      And 2 pods have been created in all, and stays so

    @FAIL-001.6
    Scenario: Failures before and after a success count together towards backoffLimit
      Given a Job with 3 completions, parallelism 1 and backoffLimit 1
      And 1 pod has failed before
      And 1 pod succeeds
      And the Job reports 1 succeeded and 1 failed pods
      When 1 pod fails
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And the Job reports 1 succeeded and 2 failed pods, and stays so

    @FAIL-001.3
    Scenario: A failure above backoffLimit fails a Job that desires no more pods
      Given a Job with 3 completions, parallelism 2 and backoffLimit 0
      And 2 pods are running
      And the implementation is killed
      And 1 pod fails
      And the Job is changed to parallelism 1
      When the implementation is started again
      Then eventually the Job fails with reason BackoffLimitExceeded, and stays so

    @FAIL-001.4
    Scenario Outline: A Job with the highest backoffLimit continues after <event>
      Given a Job with 2 completions, parallelism 2, backoffLimit 2147483647 and restartPolicy <policy>
      And 2 pods are running
      When <event>
      Then for 2 seconds the Job does not finish
      And eventually 2 pods are active, as BAS-015 requires

      Examples:
        | case | event                                                | policy    |
        | a    | 1 pod fails                                          | Never     |
        | b    | the containers of 2 pods have been restarted 2 and 1 times | OnFailure |

    @FAIL-002.1
    Scenario: The first failure fails a Job with backoffLimit 0
      Given a Job with 2 completions, parallelism 1 and backoffLimit 0
      And 1 pod is running
      When 1 pod fails
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And the Job reports 1 failed pod, and stays so
      And 1 pod has been created in all, and stays so

    @FAIL-002.3
    Scenario Outline: The first deleted pod fails <a Job> with backoffLimit 0
      Given <a Job> with 1 completion, parallelism 1 and backoffLimit 0
      And 1 pod is running
      When the user deletes 1 pod
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And the Job reports 1 failed pod, and stays so
      And 1 pod has been created in all, and stays so

      Examples:
        | case | a Job          |
        | a    | a Job          |
        | b    | an Indexed Job |

    @FAIL-002.4
    Scenario: A deleted pod that terminates slowly fails a Job with backoffLimit 0
      Given a Job with 1 completion, parallelism 1 and backoffLimit 0
      And 1 pod is running
      And deleted pods stay terminating
      When the user deletes 1 pod
      Then for 2 seconds no more than 1 pod is created in all
      And once the terminating pods end the Job fails with reason BackoffLimitExceeded, and stays so
      And now 1 pod has been created in all

    @FAIL-002.5
    Scenario: A pod that is deleted while the controller is down fails its Job
      Given a Job with 1 completion, parallelism 1 and backoffLimit 0
      And 1 pod is running
      And the Job reports 1 active pod
      And the implementation is killed
      And the user deletes 1 pod
      When the implementation is started again
      Then eventually the Job fails with reason BackoffLimitExceeded, and stays so
      And 1 pod has been created in all, and stays so

    @FAIL-002.6
    Scenario: The first pod that the kubelet rejects fails a Job with backoffLimit 0
      Given a Job with 2 completions, parallelism 1 and backoffLimit 0
      And 1 pod is active
      When the kubelet rejects 1 pod
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And the Job reports 1 failed pod, and stays so
      And 1 pod has been created in all, and stays so

    @FAIL-003.1 @fault
    Scenario: Rejected requests do not count towards backoffLimit
      Given a Job with 2 completions, parallelism 2 and backoffLimit 1
      And 2 pods are running
      And every 2nd update of the Job status is answered with 409
      And the next 3 pod creations are answered with 500
      When 1 pod fails
      Then eventually 3 pods have been created in all
      And eventually the Job reports 2 active and 1 failed pods
      And for 2 seconds the Job does not finish

    @FAIL-019.1
    Scenario: A disrupted pod counts towards backoffLimit
      Given a Job with 2 completions, parallelism 1 and backoffLimit 0
      And 1 pod is running
      When 1 pod fails with condition DisruptionTarget
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And the Job reports 1 failed pod, and stays so

    @FAIL-019.2
    Scenario: A pod that never ran and whose node is gone counts as one failure
      Given an Indexed Job with 2 completions and parallelism 2
      And the pods of indexes 0 and 1 are on a node
      And the pod of index 0 fails with condition DisruptionTarget
      When the user deletes the finished pod
      Then the Job reports 1 failed pod, and stays so
      And eventually pods have been created for the indexes 0, 0 and 1 and for no other, and stays so

  Rule: The pods of a Job that fails are deleted and counted

    @FAIL-004.1
    Scenario: A Job that fails counts its deleted pods as failed
      Given a Job with 5 completions, parallelism 5 and backoffLimit 0
      And 5 pods are running
      When 1 pod fails
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And 0 pods are active, and stays so
      And the Job reports 5 failed pods, and stays so

    @FAIL-004.2
    Scenario Outline: A Job that fails by <cause> counts its deleted pods as failed
      Given a Job with 2 completions, parallelism 2, <limits>
      And 2 pods are running
      When <event>
      Then the Job finishes
      And the Job reports 2 failed pods, and stays so

      Examples:
        | case | cause              | limits                                     | event                                                      |
        | a    | container restarts | backoffLimit 1 and restartPolicy OnFailure | the containers of 2 pods have been restarted 1 and 0 times |
        | b    | its deadline       | backoffLimit 6 and activeDeadlineSeconds 3 | 4 seconds pass                                             |

    @FAIL-005.1
    Scenario: Pods that fail while their Job fails are counted, even after a restart
      Given a Job with 4 completions, parallelism 4 and backoffLimit 0
      And 4 pods are running
      And deleted pods stay terminating
      And 1 pod fails
      And 3 pods are terminating
      When the implementation is killed and started again
      Then once the terminating pods end the Job fails with reason BackoffLimitExceeded, and stays so
      And the Job reports 4 failed pods, and stays so

  Rule: backoffLimit may be changed while the Job runs

    @FAIL-017.1
    Scenario: A Job continues when backoffLimit is raised before it is exceeded
      Given a Job with 3 completions, parallelism 3 and backoffLimit 1
      And 3 pods are running
      And 1 pod fails
      And the Job is changed to backoffLimit 2
      When 1 pod fails
      Then eventually the Job reports 3 active and 2 failed pods
      And for 2 seconds the Job does not finish

    @FAIL-017.2
    Scenario: A Job fails when backoffLimit is lowered below its failed pods
      Given a Job with 3 completions, parallelism 3 and backoffLimit 6
      And 3 pods are running
      And 2 pods fail
      And the Job reports 2 failed pods
      When the Job is changed to backoffLimit 1
      Then the Job fails with reason BackoffLimitExceeded, and stays so

  Rule: Failures survive a restart

    @FAIL-016.1
    Scenario: Failures before a restart count towards backoffLimit
      Given a Job with 3 completions, parallelism 3 and backoffLimit 2
      And 3 pods are running
      And 2 pods fail
      And the Job reports 2 failed pods
      And the implementation is killed and started again
      When 1 pod fails
      Then the Job fails with reason BackoffLimitExceeded, and stays so

    @FAIL-016.2
    Scenario: Failures before a restart count although their pods were deleted
      Given a Job with 3 completions, parallelism 3 and backoffLimit 2
      And 2 pods fail
      And the Job reports 2 failed pods
      And the implementation is killed
      And the user deletes the 2 finished pods
      And 1 pod fails
      When the implementation is started again
      Then eventually the Job fails with reason BackoffLimitExceeded, and stays so

  Rule: Container restarts count towards backoffLimit, but not as failed pods

    @FAIL-006.1
    Scenario Outline: Container restarts that reach backoffLimit fail the Job: <what>
      Given a Job with 2 completions, parallelism 2, backoffLimit <limit>, restartPolicy OnFailure and initContainer setup
      And 2 pods are running
      When <containers> of 2 pods have been restarted <times> times
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And 0 pods are active, and stays so, as FAIL-004 requires

      Examples:
        | case | what                            | limit | containers            | times   |
        | a    | the sum of two pods             | 3     | the containers        | 2 and 1 |
        | b    | init containers                 | 3     | init containers setup | 1 and 2 |
        | c    | any restart with backoffLimit 0 | 0     | the containers        | 0 and 1 |

    @FAIL-006.2
    Scenario: A Job continues while container restarts are below backoffLimit
      Given a Job with 2 completions, parallelism 2, backoffLimit 3 and restartPolicy OnFailure
      And 2 pods are running
      When the containers of 2 pods have been restarted 1 and 1 times
      Then for 2 seconds the Job does not finish

    @FAIL-006.4
    Scenario: A Job with backoffLimit 0 whose containers have not been restarted completes
      Given a Job with 2 completions, parallelism 2, backoffLimit 0 and restartPolicy OnFailure
      And 2 pods are running
      And the containers of 2 pods have been restarted 0 and 0 times
      And for 2 seconds the Job does not finish
      When 2 pods succeed
      Then the Job completes with 2 succeeded pods, and stays so

    @FAIL-006.5
    Scenario: Restarts of the init containers of Pending pods fail the Job
      Given a Job with 2 completions, parallelism 2, backoffLimit 3, restartPolicy OnFailure and initContainer setup
      And 2 pods are active
      When init containers setup of 2 pending pods have been restarted 1 and 2 times
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And 0 pods are active, and stays so, as FAIL-004 requires

    @FAIL-006.3 @fault
    Scenario: Container restarts fail a Job although one pod cannot be deleted at first
      Given a Job with 2 completions, parallelism 2, backoffLimit 3 and restartPolicy OnFailure
      And 2 pods are running
      And pod deletions after the 1st are answered with 500
      When the containers of 2 pods have been restarted 2 and 1 times
      And the fault has been triggered
      And 2 seconds pass
      Then once the faults end the Job fails with reason BackoffLimitExceeded, and stays so

    @FAIL-007.2
    Scenario: With restartPolicy Never no container restart counts as a failed pod
      Given a Job with 2 completions, parallelism 2, backoffLimit 1 and restartPolicy Never
      And 2 pods are running
      When the containers of 2 pods have been restarted 3 and 0 times
      Then for 2 seconds the Job does not finish
      And now the Job reports 0 failed pods

    @FAIL-007.1
    Scenario: A container restart does not count as a failed pod
      Given a Job with 2 completions, parallelism 2, backoffLimit 4 and restartPolicy OnFailure
      And 2 pods are running
      When the containers of 2 pods have been restarted 3 and 0 times
      Then for 2 seconds no more than 2 pods are created in all
      And now the Job reports 0 failed pods

  Rule: The message of a failed Job has the cause

    @FAIL-061.1
    Scenario: The message of a Job that exceeds backoffLimit is the standard message
      Given a Job with 1 completion and backoffLimit 0
      When 1 pod fails
      Then the Job is Failed with reason BackoffLimitExceeded and message "Job has reached the specified backoff limit"
