@cap-TTLAfterFinished
Feature: A finished Job is deleted after ttlSecondsAfterFinished
  ttlSecondsAfterFinished is measured from the time at which the Job became Complete or Failed.

  @BAS-046.1
  Scenario: A complete Job is deleted after ttlSecondsAfterFinished
    Given a Job with 1 completion, parallelism 1 and ttlSecondsAfterFinished 2
    When 1 pod succeeds
    And the Job completes with 1 succeeded pod
    Then the Job is deleted
    And the Job was not deleted before its time to live was over
    And the deletion of the Job names this very Job

  @BAS-079.1
  Scenario: A Job with an expired TTL is deleted with foreground propagation
    Given a Job with 1 completion, parallelism 1 and ttlSecondsAfterFinished 2
    When 1 pod succeeds
    Then eventually the Job is deleted
    And the deletion of the Job is in the foreground

  @BAS-046.2
  Scenario: A failed Job is deleted after ttlSecondsAfterFinished
    Given a Job with 1 completion, parallelism 1, backoffLimit 0 and ttlSecondsAfterFinished 2
    When 1 pod fails
    And the Job fails with reason BackoffLimitExceeded
    Then the Job is deleted
    And the Job was not deleted before its time to live was over

  @BAS-046.3
  Scenario: A Job that ran for longer than its TTL is not deleted before it expires
    Given a Job with 1 completion, parallelism 1 and ttlSecondsAfterFinished 4
    And 1 pod is running
    And 3 seconds pass
    When 1 pod succeeds
    And the Job completes with 1 succeeded pod
    Then the Job is deleted
    And the Job was not deleted before its time to live was over

  @BAS-046.6
  Scenario: A Job has its own time to live after one of its name was deleted
    Given a Job with 1 completion, parallelism 1 and ttlSecondsAfterFinished 6
    And 1 pod succeeds
    And the Job completes with 1 succeeded pod
    And the user deletes the Job
    When a Job is created with 1 completion, parallelism 1 and ttlSecondsAfterFinished 6
    And 1 pod succeeds
    Then within 15 seconds the Job is deleted
    And the Job was not deleted before its time to live was over

  @BAS-046.7
  Scenario: The time to live of a Job starts when its last pod has terminated
    Given a Job with 2 completions, parallelism 2, backoffLimit 0 and ttlSecondsAfterFinished 4
    And 2 pods are running
    And deleted pods stay terminating
    And 1 pod fails
    And 3 seconds pass
    When the terminating pods end
    Then eventually the Job is deleted
    And the Job was not deleted before its time to live was over

  @BAS-046.4
  Scenario: A Job whose TTL expires while the controller is down is deleted
    Given a Job with 1 completion, parallelism 1 and ttlSecondsAfterFinished 10
    And 1 pod succeeds
    And the Job completes with 1 succeeded pod
    And the implementation is killed
    And 10 seconds pass
    When the implementation is started again
    Then the Job is deleted

  @BAS-046.5 @fault
  Scenario Outline: A Job whose TTL has expired is deleted although its deletion is <treated>
    Given a Job with 1 completion, parallelism 1 and ttlSecondsAfterFinished 1
    And the next Job deletion is <treated>
    When 1 pod succeeds
    And the Job completes with 1 succeeded pod
    Then eventually the Job is deleted
    And eventually the Job is gone

    Examples:
      | case | treated                                  |
      | a    | answered with 500                        |
      | b    | answered with 409                        |
      | c    | applied but its reply is lost            |

  @BAS-047.1
  Scenario: A Job with ttlSecondsAfterFinished 0 is deleted once it has finished
    Given a Job with 1 completion, parallelism 1 and ttlSecondsAfterFinished 0
    When 1 pod succeeds
    Then the Job is deleted

  @BAS-047.6
  Scenario: A finished Job with the highest ttlSecondsAfterFinished is not deleted
    Given a Job with 1 completion, parallelism 1 and ttlSecondsAfterFinished 2147483647
    When 1 pod succeeds
    And the Job completes with 1 succeeded pod
    Then for 2 seconds the Job is not deleted

  @BAS-047.2
  Scenario: An unfinished Job is not deleted
    Given a Job with 2 completions, parallelism 1 and ttlSecondsAfterFinished 0
    When 1 pod succeeds
    Then for 2 seconds the Job is not deleted

  @BAS-047.3
  Scenario: A finished Job without ttlSecondsAfterFinished is not deleted
    Given a Job with 1 completion and parallelism 1
    When 1 pod succeeds
    Then the Job completes with 1 succeeded pod
    And for 2 seconds the Job is not deleted

  @BAS-049.1
  Scenario: A TTL that is set on a finished Job is applied
    Given a Job with 1 completion and parallelism 1
    And 1 pod succeeds
    And the Job completes with 1 succeeded pod
    When the Job is changed to ttlSecondsAfterFinished 2
    Then the Job is deleted
    And the Job was not deleted before its time to live was over

  @BAS-049.2
  Scenario: A TTL that is lowered on a finished Job is applied
    Given a Job with 1 completion, parallelism 1 and ttlSecondsAfterFinished 600
    And 1 pod succeeds
    And the Job completes with 1 succeeded pod
    When the Job is changed to ttlSecondsAfterFinished 2
    Then the Job is deleted
    And the Job was not deleted before its time to live was over

  @BAS-049.3
  Scenario: A TTL that is raised on a finished Job is applied when it is over
    Given a Job with 1 completion, parallelism 1 and ttlSecondsAfterFinished 6
    And 1 pod succeeds
    And the Job completes with 1 succeeded pod
    When the Job is changed to ttlSecondsAfterFinished 10
    Then within 15 seconds the Job is deleted
    And the Job was not deleted before its time to live was over

  @BAS-048.1 @fault
  Scenario: A raised TTL holds even if the change is not observed yet
    Given a Job with 1 completion, parallelism 1 and ttlSecondsAfterFinished 5
    And 1 pod succeeds
    And the Job completes with 1 succeeded pod
    And 1 second passes
    And the implementation's view of jobs is stale
    When the Job is changed to ttlSecondsAfterFinished 600
    Then for 6 seconds the Job is not deleted

  @BAS-048.2 @fault
  Scenario: A Job whose time to live was removed is not deleted before that is seen
    Given a Job with 1 completion, parallelism 1 and ttlSecondsAfterFinished 5
    And 1 pod succeeds
    And the Job completes with 1 succeeded pod
    And 1 second passes
    And the implementation's view of jobs is stale
    When the user removes ttlSecondsAfterFinished from the Job
    Then for 6 seconds the Job is not deleted
