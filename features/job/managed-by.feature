Feature: A Job is managed by one controller
  spec.managedBy names it. Where it names another one, the Job is not touched.

  @FAIL-057
  Scenario: A Job that another controller manages is left alone
    Given a Job that another controller manages with 2 completions and parallelism 2
    Then for 2 seconds no more than 0 pods are created in all
    And no change of the Job is asked for

  @FAIL-057
  Scenario: A Job that another controller manages is left alone by a new process
    Given the implementation is killed
    And a Job that another controller manages with 2 completions and parallelism 2
    When the implementation is started again
    Then for 2 seconds no more than 0 pods are created in all
    And no change of the Job is asked for
