Feature: A Job gives up when too many of its pods fail

  Rule: A Job fails when more pods have failed than backoffLimit says, and not before

    @FAIL-001
    Scenario: A Job goes on as long as no more pods have failed than backoffLimit says
      Given a Job with 3 completions, parallelism 3 and backoffLimit 2
      And 3 pods are running
      When 2 pods fail
      Then for 2 seconds the Job does not finish
      And in the end the Job reports 3 active and 2 failed pods

    @FAIL-001
    Scenario: A Job fails with the first failure above backoffLimit
      Given a Job with 1 completion and backoffLimit 1
      And 1 pod has failed before
      When 1 pod fails
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And the Job reports 2 failed pods, and stays so
      And 2 pods have been created in all, and stays so

    @FAIL-001
    Scenario: A failure above backoffLimit fails a Job that has as many pods as it wants
      Given a Job with 3 completions, parallelism 2 and backoffLimit 0
      And 2 pods are running
      And the implementation is killed
      And 1 pod fails
      And the Job is changed to parallelism 1
      When the implementation is started again
      Then in the end the Job fails with reason BackoffLimitExceeded, and stays so

    @FAIL-002
    Scenario: The first failure fails a Job with backoffLimit 0
      Given a Job with 2 completions, parallelism 1 and backoffLimit 0
      And 1 pod is running
      When 1 pod fails
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And the Job reports 1 failed pod, and stays so
      And 1 pod has been created in all, and stays so

    @FAIL-003 @fault
    Scenario: Requests that go wrong are no failures of pods
      Given a Job with 2 completions, parallelism 2 and backoffLimit 1
      And 2 pods are running
      And every 2nd update of the Job status is answered with 409
      And the next 3 pod creations are answered with 500
      When 1 pod fails
      Then in the end 3 pods have been created in all
      And in the end the Job reports 2 active and 1 failed pods
      And for 2 seconds the Job does not finish

    @FAIL-019
    Scenario: A pod that was disrupted is a failure
      Given a Job with 2 completions, parallelism 1 and backoffLimit 0
      And 1 pod is running
      When 1 pod fails with condition DisruptionTarget
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And the Job reports 1 failed pod, and stays so

  Rule: The pods of a Job that fails are deleted and counted

    @FAIL-004
    Scenario: A Job that fails counts the pods that it takes with it
      Given a Job with 5 completions, parallelism 5 and backoffLimit 1
      And 5 pods are running
      When 2 pods fail
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And 0 pods are active, and stays so
      And the Job reports 5 failed pods, and stays so

    @FAIL-005
    Scenario: What fails while its Job is being ended is counted, also after a restart
      Given a Job with 4 completions, parallelism 4 and backoffLimit 0
      And 4 pods are running
      And deleted pods stay terminating
      And 1 pod fails
      And 3 pods are terminating
      When the implementation is killed and started again
      Then once the terminating pods end the Job fails with reason BackoffLimitExceeded, and stays so
      And the Job reports 4 failed pods, and stays so

  Rule: backoffLimit may be changed while the Job runs

    @FAIL-017
    Scenario: A Job goes on when backoffLimit is raised before it is exceeded
      Given a Job with 3 completions, parallelism 3 and backoffLimit 1
      And 3 pods are running
      And 1 pod fails
      And the Job is changed to backoffLimit 2
      When 1 pod fails
      Then in the end the Job reports 3 active and 2 failed pods
      And for 2 seconds the Job does not finish

    @FAIL-017
    Scenario: A Job fails when backoffLimit is lowered below what has failed
      Given a Job with 3 completions, parallelism 3 and backoffLimit 6
      And 3 pods are running
      And 2 pods fail
      And the Job reports 2 failed pods
      When the Job is changed to backoffLimit 1
      Then the Job fails with reason BackoffLimitExceeded, and stays so

  Rule: A new process knows what has failed before

    @FAIL-016
    Scenario: Failures before a restart count towards backoffLimit
      Given a Job with 3 completions, parallelism 3 and backoffLimit 2
      And 3 pods are running
      And 2 pods fail
      And the Job reports 2 failed pods
      And the implementation is killed and started again
      When 1 pod fails
      Then the Job fails with reason BackoffLimitExceeded, and stays so

  Rule: Containers that are restarted in their pods count towards backoffLimit, but are no failed pods

    @FAIL-006
    Scenario Outline: Restarts of containers reach backoffLimit: <what>
      Given a Job with 2 completions, parallelism 2, backoffLimit <limit>, restartPolicy OnFailure and initContainer setup
      And 2 pods are running
      When <containers> of 2 pods have been restarted <times> times
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And 0 pods are active, and stays so

      Examples:
        | what                            | limit | containers            | times   |
        | the sum of two pods             | 3     | the containers        | 2 and 1 |
        | init containers                 | 3     | init containers setup | 1 and 2 |
        | any restart with backoffLimit 0 | 0     | the containers        | 0 and 1 |

    @FAIL-006
    Scenario: A Job goes on as long as restarts have not reached backoffLimit
      Given a Job with 2 completions, parallelism 2, backoffLimit 3 and restartPolicy OnFailure
      And 2 pods are running
      When the containers of 2 pods have been restarted 1 and 1 times
      Then for 2 seconds the Job does not finish

    @FAIL-007
    Scenario: A container that is restarted in its pod is no failed pod
      Given a Job with 2 completions, parallelism 2, backoffLimit 4 and restartPolicy OnFailure
      And 2 pods are running
      When the containers of 2 pods have been restarted 3 and 0 times
      Then for 2 seconds no more than 2 pods are created in all
      And the Job reports 2 active and 0 failed pods

  Rule: Who looks at a Job that failed is told why

    @FAIL-061
    Scenario: The message of a Job that failed by backoffLimit says so
      Given a Job with 1 completion and backoffLimit 0
      When 1 pod fails
      Then the Job is Failed with reason BackoffLimitExceeded and message "Job has reached the specified backoff limit"
