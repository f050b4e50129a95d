Feature: A Job runs to completion
  A Job with completions is over when so many of its pods have succeeded; until then it has as many active
  pods as parallelism says, but never more than are still needed.

  @BAS-013
  Scenario: A single pod that succeeds completes its Job
    Given a Job with 1 completion and parallelism 1
    When 1 pod succeeds
    Then the Job completes with 1 succeeded pod
    And the Job reports 0 active pods
    And 1 pod has been created in all
