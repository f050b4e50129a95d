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

  @FAIL-067 @cap-ManagedBy
  Scenario Outline: A Job that names <whom> is left to the built-in controller
    Given a Job that names <whom> with 2 completions and parallelism 2
    When 2 pods are active
    Then for 2 seconds no pod is made or changed by the implementation
    And no change of the Job is asked for

    Examples:
      | whom                    |
      | no controller           |
      | the built-in controller |

  @FAIL-067 @cap-ManagedBy
  Scenario: A Job of the built-in controller is left alone up to its end
    Given a Job that names no controller with 2 completions and parallelism 2
    And 2 pods are running
    When 2 pods succeed
    And the Job completes with 2 succeeded pods
    Then for 2 seconds no pod is made or changed by the implementation
    And no change of the Job is asked for

  @FAIL-058
  Scenario: A Job that names the implementation as its manager is worked on
    Given a Job that names the implementation as its manager with 2 completions and parallelism 2
    Then 2 pods are active, and stays so

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

  @FIN-042 @cap-ManagedBy
  Scenario: Pods do not carry the finalizer of the built-in controller
    Given a Job with 2 completions and parallelism 2
    When 2 pods are active
    Then 0 pods have the finalizer batch.kubernetes.io/job-tracking, and stays so

  @FIN-042 @cap-ManagedBy
  Scenario: The finalizer of the built-in controller stays on pods that end
    Given a Job with 2 completions and parallelism 2
    And 2 pods are running
    And the user adds the finalizer batch.kubernetes.io/job-tracking to 2 running pods
    When 2 pods succeed
    Then in the end the Job completes with 2 succeeded pods, and stays so
    And 2 pods have the finalizer batch.kubernetes.io/job-tracking, and stays so
