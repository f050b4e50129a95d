Feature: A Job of containers that really run
  Everywhere else the kubelet is played. Here a real one pulls up sandbox and container, and reports what became
  of them; the verdict must be the same.

  @BAS-013 @real-kubelet
  Scenario: A Job completes whose real containers end well
    When 2 real containers of a Job succeed
    Then the Job completes with 2 succeeded pods, and stays so
    And 2 pods have been created in all, and stays so

  @FAIL-002 @real-kubelet
  Scenario: A Job fails whose real container cannot be started
    When 1 real container of a Job fails
    Then the Job fails with reason BackoffLimitExceeded, and stays so
    And 1 pod has been created in all, and stays so
