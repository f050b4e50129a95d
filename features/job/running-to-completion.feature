Feature: A Job runs to completion

  @BAS-013
  Scenario: A single pod that succeeds completes its Job
    Given a Job with 1 completion
    When 1 pod succeeds
    Then the Job completes with 1 succeeded pod

  @FIN-003 @fault
  Scenario: Finished pods keep their finalizer while status writes fail
    Given a Job with 3 completions and parallelism 3
    And 3 pods are running
    And updates of the Job status are answered with 500
    When 3 pods succeed
    Then the Job does not complete
    And once the faults end the Job completes with 3 succeeded pods
