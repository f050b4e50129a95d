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

  @FAIL-058
  Scenario: A Job that names the implementation as its manager is worked on
    Given a Job that names the implementation as its manager with 2 completions and parallelism 2
    Then 2 pods are active

  @FAIL-059
  Scenario: A Job of another controller is left alone where one of its name was not
    Given a Job with 2 completions and parallelism 2
    And 2 pods are running
    And deleted pods stay terminating
    And the user deletes the Job
    And a Job that another controller manages with 2 completions and parallelism 2
    When the terminating pods end
    Then for 2 seconds the Job has no startTime
    And 2 pods have been created in all
