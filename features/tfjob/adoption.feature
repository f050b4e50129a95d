Feature: Labels decide which pods and services belong to a TFJob

  @TFJ-020.1
  Scenario Outline: A TFJob adopts a <what> that has lost its controller reference
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    When the user takes the <what> of Worker 1 from the TFJob
    Then the <what> of Worker 1 belongs to the TFJob

    Examples:
      | case | what    |
      | a    | pod     |
      | b    | service |

  @TFJ-020.2 @fault
  Scenario Outline: A TFJob adopts a <what> even if its first update is <answer>
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the TFJob is Running
    And the next update of a <what> is <answer>
    When the user takes the <what> of Worker 1 from the TFJob
    Then eventually the <what> of Worker 1 belongs to the TFJob, and stays so

    Examples:
      | case | what    | answer                        |
      | a    | pod     | answered with 500             |
      | b    | pod     | answered with 409             |
      | c    | pod     | answered with 422             |
      | d    | pod     | applied but its reply is lost |
      | e    | service | answered with 500             |
      | f    | service | answered with 409             |
      | g    | service | answered with 422             |
      | h    | service | applied but its reply is lost |

  @TFJ-053.1
  Scenario: A pod whose labels name another TFJob is released
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    When the user changes the job-name of the pod of Worker 1 to other
    Then the pod of Worker 1 is released by the TFJob

  @TFJ-019.1
  Scenario: A succeeded replica is not run again when its pod is deleted
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And Worker 1 of the TFJob succeeds
    And the TFJob reports 1 active, 1 succeeded and 0 failed replicas of type Worker
    When the user makes the pod of Worker 1 vanish
    Then for 2 seconds Worker 1 of the TFJob has no active pod
    And for 2 seconds the TFJob is not Failed
