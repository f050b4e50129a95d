Feature: A Job with real containers
  All other scenarios simulate the kubelet. Here a real one starts sandbox and container and reports their outcome; the
  verdict must be the same.

  @BAS-013.1 @real-kubelet
  Scenario: A Job completes when its real containers succeed
    When 2 real containers of a Job succeed
    Then the Job completes with 2 succeeded pods, and stays so
    And 2 pods have been created in all, and stays so

  @FAIL-002.2 @real-kubelet
  Scenario: A Job fails when its real container cannot be started
    When 1 real container of a Job fails
    Then the Job fails with reason BackoffLimitExceeded, and stays so
    And 1 pod has been created in all, and stays so
