Feature: Labels say what belongs to a TFJob

  @TFJ-020
  Scenario Outline: What nobody controls any more is taken back
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    When the user takes the <what> of Worker 1 from the TFJob
    Then the <what> of Worker 1 belongs to the TFJob

    Examples:
      | what    |
      | pod     |
      | service |

  @TFJ-053
  Scenario: A pod that names another TFJob is let go
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    When the user changes the job-name of the pod of Worker 1 to other
    Then the pod of Worker 1 is released by the TFJob

  @TFJ-019
  Scenario: A replica that has succeeded is not run again when its pod is gone
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And Worker 1 of the TFJob succeeds
    And the TFJob reports 1 active, 1 succeeded and 0 failed replicas of type Worker
    When the user makes the pod of Worker 1 vanish
    Then for 2 seconds Worker 1 of the TFJob has no active pod
    And for 2 seconds the TFJob is not Failed
