@cap-Suspension
Feature: A TFJob is suspended and resumed

  @TFJ-041
  Scenario: A TFJob that is created suspended gets nothing
    Given a suspended TFJob of 1 PS and 2 Workers
    When the TFJob is Suspended
    Then for 2 seconds the TFJob has 0 pods and as many services

  @TFJ-042
  Scenario: A TFJob that is suspended loses its pods and services
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the TFJob is Running
    When the user suspends the TFJob
    Then the TFJob is Suspended
    And the TFJob has 0 pods and as many services
    And the TFJob reports 0 active, 0 succeeded and 0 failed replicas of type Worker
    And for 2 seconds the TFJob is not Running

  @TFJ-042
  Scenario: A TFJob that is resumed begins anew
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the user suspends the TFJob
    And the TFJob is Suspended
    And the TFJob has 0 pods and as many services
    When the user resumes the TFJob
    Then the TFJob has one pod for each of its 3 replicas, and stays so
    And the TFJob is Suspended no more

  @TFJ-052
  Scenario: The startTime of a TFJob that is resumed is anew
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the user suspends the TFJob
    And the TFJob is Suspended
    And 1 second passes
    When the user resumes the TFJob
    Then the startTime of the TFJob is not before it was resumed, and stays so for 2 seconds

  @TFJ-043
  Scenario: That a TFJob is suspended is told once
    Given a suspended TFJob of 1 PS and 2 Workers
    And the TFJob is Suspended
    When the user annotates the TFJob
    Then for 2 seconds no second Normal event TFJobSuspended of the TFJob follows
