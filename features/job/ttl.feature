@cap-TTLAfterFinished
Feature: A finished Job is deleted after its time to live
  ttlSecondsAfterFinished counts from the moment in which the Job became Complete or Failed.

  @BAS-046
  Scenario: A Job is deleted when its time to live is over
    Given a Job with 1 completion, parallelism 1 and ttlSecondsAfterFinished 2
    When 1 pod succeeds
    And the Job completes with 1 succeeded pod
    Then the Job is deleted
    And the Job was not deleted before its time to live was over
    And the deletion of the Job names this very Job

  @BAS-079
  Scenario: A Job whose time to live is over goes after its pods
    Given a Job with 1 completion, parallelism 1 and ttlSecondsAfterFinished 2
    When 1 pod succeeds
    Then in the end the Job is deleted
    And the deletion of the Job is in the foreground

  @BAS-046
  Scenario: A failed Job is deleted when its time to live is over
    Given a Job with 1 completion, parallelism 1, backoffLimit 0 and ttlSecondsAfterFinished 2
    When 1 pod fails
    And the Job fails with reason BackoffLimitExceeded
    Then the Job is deleted
    And the Job was not deleted before its time to live was over

  @BAS-046
  Scenario: A Job that ran for long is not deleted before its time to live is over
    Given a Job with 1 completion, parallelism 1 and ttlSecondsAfterFinished 4
    And 1 pod is running
    And 3 seconds pass
    When 1 pod succeeds
    And the Job completes with 1 succeeded pod
    Then the Job is deleted
    And the Job was not deleted before its time to live was over

  @BAS-046
  Scenario: A Job whose time to live ends while no process runs is deleted by the next one
    Given a Job with 1 completion, parallelism 1 and ttlSecondsAfterFinished 10
    And 1 pod succeeds
    And the Job completes with 1 succeeded pod
    And the implementation is killed
    And 10 seconds pass
    When the implementation is started again
    Then the Job is deleted

  @BAS-047
  Scenario: A Job with no time to live is deleted as soon as it is finished
    Given a Job with 1 completion, parallelism 1 and ttlSecondsAfterFinished 0
    When 1 pod succeeds
    Then the Job is deleted

  @BAS-047
  Scenario: An unfinished Job is not deleted
    Given a Job with 2 completions, parallelism 1 and ttlSecondsAfterFinished 0
    When 1 pod succeeds
    Then for 2 seconds the Job is not deleted

  @BAS-047
  Scenario: A finished Job without a time to live is not deleted
    Given a Job with 1 completion and parallelism 1
    When 1 pod succeeds
    Then the Job completes with 1 succeeded pod
    And for 2 seconds the Job is not deleted

  @BAS-049
  Scenario: A finished Job gets a time to live
    Given a Job with 1 completion and parallelism 1
    And 1 pod succeeds
    And the Job completes with 1 succeeded pod
    When the Job is changed to ttlSecondsAfterFinished 2
    Then the Job is deleted
    And the Job was not deleted before its time to live was over

  @BAS-049
  Scenario: A finished Job gets a shorter time to live
    Given a Job with 1 completion, parallelism 1 and ttlSecondsAfterFinished 600
    And 1 pod succeeds
    And the Job completes with 1 succeeded pod
    When the Job is changed to ttlSecondsAfterFinished 2
    Then the Job is deleted
    And the Job was not deleted before its time to live was over

  @BAS-048 @fault
  Scenario: A time to live that was lengthened holds though that is not seen yet
    Given a Job with 1 completion, parallelism 1 and ttlSecondsAfterFinished 5
    And 1 pod succeeds
    And the Job completes with 1 succeeded pod
    And 1 second passes
    And the implementation's view of jobs is frozen
    When the Job is changed to ttlSecondsAfterFinished 600
    Then for 6 seconds the Job is not deleted
