Feature: Failed pods are replaced later and later
  10 seconds after the first failure, 20 after the second, 40 after the third. Here pods have failed some time ago
  by what their node tells, so that only the last seconds of a delay are waited for. Who counts from when a failure
  was seen waits longer, and may.

  Rule: Each failure in a row doubles the delay

    @FAIL-008
    Scenario Outline: A pod that failed is replaced no earlier than after <delay> seconds
      Given a Job with 4 completions and parallelism 2
      And <before> has failed before
      When 1 pod fails that ended <ago> seconds ago
      Then in the end <in all> pods have been created in all, and stays so
      And the first pod after the last failure came no earlier than <delay> seconds after it

      Examples:
        | before | delay | ago | in all |
        | no pod | 10    | 5   | 3      |
        | 1 pod  | 20    | 15  | 4      |
        | 2 pods | 40    | 35  | 5      |

    @FAIL-012
    Scenario: The delay is kept when no other pod is active
      Given a Job with 1 completion and parallelism 1
      When 1 pod fails that ended 5 seconds ago
      Then in the end 2 pods have been created in all, and stays so
      And the first pod after the last failure came no earlier than 10 seconds after it

    @FAIL-010
    Scenario: Pods that fail together count each
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And the implementation is killed
      And 3 pods fail that ended 33 seconds ago
      When the implementation is started again
      Then in the end 6 pods have been created in all, and stays so
      And the first pod after the last failure came no earlier than 40 seconds after it

    @FAIL-009
    Scenario: No delay is longer than 10 minutes
      Given a Job with 9 completions, parallelism 9 and backoffLimit 20
      And 9 pods are running
      And the implementation is killed
      And 9 pods fail that ended 600 seconds ago
      When the implementation is started again
      Then within 20 seconds 18 pods have been created in all, and stays so

    @FAIL-011
    Scenario: A success makes the next failure the first again
      Given a Job with 4 completions and parallelism 1
      And 2 pods have failed before
      And 1 pod succeeds
      When 1 pod fails that ended 5 seconds ago
      Then within 20 seconds 5 pods have been created in all, and stays so
      And the first pod after the last failure came no earlier than 10 seconds after it

    @FAIL-013
    Scenario Outline: The delay counts from when the pod ended: <told>
      Given a Job with 2 completions and parallelism 1
      And 2 pods have failed before
      When 1 pod fails that ended 35 seconds ago<told>
      Then within 20 seconds 4 pods have been created in all, and stays so
      And the first pod after the last failure came no earlier than 40 seconds after it

      Examples:
        | told                           |
        |                                |
        | , by their Ready conditions alone |

    @ROB-036
    Scenario: A pod that ends in the future by its node's clock is replaced
      Given a Job with 1 completion and parallelism 1
      When 1 pod fails that ended 3600 seconds from now
      Then within 20 seconds 2 pods have been created in all, and stays so

    @ROB-036
    Scenario: A pod that ends in the future by its node's clock is replaced after a restart
      Given a Job with 1 completion and parallelism 1
      And 1 pod fails that ended 3600 seconds from now
      And the Job reports 1 failed pod
      When the implementation is killed and started again
      Then in the end 2 pods have been created in all, and stays so

  Rule: Only replacements are delayed

    @FAIL-014
    Scenario: Failures are counted while a replacement is delayed
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      When 1 pod fails that ended 0 seconds ago
      And 1 pod fails that ended 0 seconds ago
      Then the Job reports 2 failed pods, and stays so
      And 3 pods have been created in all, and stays so

    @FAIL-014
    Scenario: A Job fails while a replacement is delayed
      Given a Job with 3 completions, parallelism 3 and backoffLimit 1
      And 3 pods are running
      And 1 pod fails that ended 0 seconds ago
      And the Job reports 1 failed pod
      When 1 pod fails that ended 0 seconds ago
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And 3 pods have been created in all, and stays so

    @FAIL-014
    Scenario: A Job is made smaller while a replacement is delayed
      Given a Job with 4 completions and parallelism 4
      And 4 pods are running
      And 1 pod fails that ended 0 seconds ago
      And the Job reports 1 failed pod
      When the Job is changed to parallelism 1
      Then 1 pod is active, and stays so
      And 4 pods have been created in all, and stays so

    @FAIL-015
    Scenario: The pods that are active are told while a replacement is delayed
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running and ready
      And the Job reports 2 active and 2 ready pods
      When 1 pod fails that ended 0 seconds ago
      Then the Job reports 1 active, 1 ready and 1 failed pods, and stays so
      And no status write has been refused as invalid
