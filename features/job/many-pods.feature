@large
Feature: A Job of hundreds of pods
  Many pods may finish at the same time, or while the controller is down. The status of the Job is one object of limited
  size, so they are counted in parts; and all of them are counted.

  @FIN-009.1
  Scenario: 600 failures are counted in parts
    Given a Job with 600 completions, parallelism 600 and backoffLimit 1000
    And within 150 seconds 600 pods are active
    And the implementation is killed
    And 600 pods fail that ended 0 seconds ago
    When the implementation is started again
    And within 150 seconds the Job counts 0 succeeded and 600 failed pods
    Then the record of the Job has never exceeded 20480 bytes

  @FIN-010.1
  Scenario: 600 successes complete a Job
    Given a Job with 600 completions and parallelism 600
    And within 150 seconds 600 pods are active
    And the implementation is killed
    And 600 pods succeed
    When the implementation is started again
    Then within 150 seconds the Job completes with 600 succeeded pods, and stays so
    And 600 pods have been created in all, and stays so
