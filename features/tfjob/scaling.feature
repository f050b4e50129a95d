Feature: The number of replicas is changed while a TFJob runs

  @TFJ-010
  Scenario: A TFJob that grows gets what it lacks
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    When the user changes the TFJob to 4 Workers
    Then the TFJob has one pod for each of its 5 replicas
    And the TFJob has 5 pods and as many services

  @TFJ-010
  Scenario: A TFJob that shrinks loses the highest indexes
    Given a TFJob of 1 PS and 3 Workers
    And its replicas run
    When the user changes the TFJob to 1 Worker
    Then the TFJob has one pod for each of its 2 replicas, and stays so
    And the TFJob has 2 pods and as many services, and stays so

  @TFJ-013
  Scenario: A pod that is too much fails, and the TFJob does not
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And deleted pods stay terminating
    And the user changes the TFJob to 1 Worker
    And the TFJob has one pod for each of its 2 replicas
    When the terminating pod of the TFJob fails with exit code 137
    Then for 2 seconds the TFJob is not Failed

  Rule: Labels that say nothing, or too much, do no harm

    @TFJ-011
    Scenario: A pod whose index is no number is overlooked
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the user changes the replica-index of the pod of Worker 1 to none
      When Worker 1 of the TFJob fails with exit code 1
      Then for 2 seconds the TFJob is not Failed
      And the implementation runs

    @TFJ-012
    Scenario: A second pod for an index leads to no third
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      When a user makes another pod with the labels and the controller of that of Worker 1
      Then for 2 seconds Worker 1 of the TFJob has had no more than 2 pods
      And for 2 seconds the TFJob is not Failed
