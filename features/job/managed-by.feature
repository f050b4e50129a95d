Feature: A Job is managed by one controller
  spec.managedBy names the controller. A Job that names another one is not touched.

  @FAIL-057.1
  Scenario: A Job of another controller is not touched
    Given a Job that another controller manages with 2 completions and parallelism 2
    Then for 2 seconds no more than 0 pods are created in all
    And no change of the Job is requested

  @FAIL-057.2
  Scenario: A Job of another controller is not touched after a restart
    Given the implementation is killed
    And a Job that another controller manages with 2 completions and parallelism 2
    When the implementation is started again
    Then for 2 seconds no more than 0 pods are created in all
    And no change of the Job is requested

  @FAIL-067.1 @cap-ManagedBy
  Scenario Outline: A Job that names <whom> is not touched
    Given a Job that names <whom> with 2 completions and parallelism 2
    When 2 pods are active
    Then for 2 seconds no pod is made or changed by the implementation
    And no change of the Job is requested

    Examples:
      | case | whom                    |
      | a    | no controller           |
      | b    | the built-in controller |

  @FAIL-067.2 @cap-ManagedBy
  Scenario: A Job of the built-in controller is not touched up to its end
    Given a Job that names no controller with 2 completions and parallelism 2
    And 2 pods are running
    When 2 pods succeed
    And the Job completes with 2 succeeded pods
    Then for 2 seconds no pod is made or changed by the implementation
    And no change of the Job is requested

  @FAIL-058.1
  Scenario: A Job whose managedBy names the implementation is reconciled
    Given a Job that names the implementation as its manager with 2 completions and parallelism 2
    Then 2 pods are active, and stays so

  @FAIL-059.1
  Scenario: A Job of another controller is not touched, even if one of its name was
    Given a Job with 2 completions and parallelism 2
    And 2 pods are running
    And deleted pods stay terminating
    And the user deletes the Job
    And a Job that another controller manages with 2 completions and parallelism 2
    When the terminating pods end
    Then for 2 seconds no write of the implementation to the Job takes effect
    And for 2 seconds no more than 2 pods are created in all

  @FIN-042.1 @cap-ManagedBy
  Scenario: Pods do not carry the finalizer of the built-in controller
    Given a Job with 2 completions and parallelism 2
    When 2 pods are active
    Then 0 pods have the finalizer batch.kubernetes.io/job-tracking, and stays so

  @FIN-042.3 @cap-ManagedBy
  Scenario: A pod that is adopted does not get the finalizer of the built-in controller
    Given the implementation is killed
    And a Job with 2 completions and parallelism 1
    And a user makes pod p with the labels of the Job's pods
    When the implementation is started again
    And pod p belongs to the Job
    Then 0 pods have the finalizer batch.kubernetes.io/job-tracking, and stays so

  @FIN-042.2 @cap-ManagedBy
  Scenario: The finalizer of the built-in controller stays on pods that end
    Given a Job with 2 completions and parallelism 2
    And 2 pods are running
    And the user adds the finalizer batch.kubernetes.io/job-tracking to 2 running pods
    When 2 pods succeed
    And eventually the Job completes with 2 succeeded pods
    Then 2 pods have the finalizer batch.kubernetes.io/job-tracking, and stays so
