@cap-Suspension
Feature: A TFJob is suspended and resumed

  @TFJ-041.1
  Scenario: A TFJob created suspended gets no pods and services
    Given a suspended TFJob of 1 PS and 2 Workers
    When the TFJob is Suspended
    Then for 2 seconds the TFJob has 0 pods and as many services

  @TFJ-040.4
  Scenario: A suspended TFJob with ttlSecondsAfterFinished is not deleted
    Given a suspended TFJob of 1 PS and 2 Workers with the ttlSecondsAfterFinished 0
    When the TFJob is Suspended
    Then for 5 seconds the TFJob still exists

  @TFJ-040.5
  Scenario: A resumed TFJob with ttlSecondsAfterFinished is not deleted
    Given a suspended TFJob of 1 PS and 2 Workers with the ttlSecondsAfterFinished 0
    And the TFJob is Suspended
    When the user resumes the TFJob
    Then for 5 seconds the TFJob still exists

  @TFJ-042.1
  Scenario: The pods and services of a suspended TFJob are deleted
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the TFJob is Running
    When the user suspends the TFJob
    Then the TFJob is Suspended
    And the TFJob has 0 pods and as many services
    And the TFJob reports 0 active, 0 succeeded and 0 failed replicas of type Worker, and stays so
    And for 2 seconds the TFJob is not Running

  @TFJ-042.2
  Scenario: A resumed TFJob gets its pods again
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the user suspends the TFJob
    And the TFJob is Suspended
    And the TFJob has 0 pods and as many services
    When the user resumes the TFJob
    Then the TFJob has one pod for each of its 3 replicas, and stays so
    And the TFJob is Suspended no more, and stays so

  @TFJ-042.3
  Scenario: No replica of a suspended TFJob is reported as active
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the TFJob reports 1 active, 0 succeeded and 0 failed replicas of type PS
    And the TFJob reports 2 active, 0 succeeded and 0 failed replicas of type Worker
    When the user suspends the TFJob
    Then the TFJob reports 0 active, 0 succeeded and 0 failed replicas of type PS, and stays so
    And the TFJob reports 0 active, 0 succeeded and 0 failed replicas of type Worker, and stays so

  @TFJ-042.4
  Scenario: A resumed TFJob gets its services again
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the user suspends the TFJob
    And the TFJob has 0 pods and as many services
    And the TFJob is Suspended
    When the user resumes the TFJob
    Then the TFJob has 3 pods and as many services, and stays so

  @TFJ-042.6 @fault
  Scenario Outline: Services of a suspended TFJob go though the next deletion is <answer>
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the TFJob is Running
    And the next service deletion is <answer>
    When the user suspends the TFJob
    Then eventually the TFJob has 0 pods and as many services, and stays so
    And eventually the TFJob is Suspended

    Examples:
      | case | answer                        |
      | a    | answered with 500             |
      | b    | answered with 409             |
      | c    | applied but its reply is lost |

  @TFJ-042.7
  Scenario: A TFJob that runs and has ttlSecondsAfterFinished is suspended
    Given a TFJob of 1 PS and 2 Workers with the ttlSecondsAfterFinished 0
    And its replicas run
    And the TFJob is Running
    When the user suspends the TFJob
    Then the TFJob is Suspended, and stays so
    And the TFJob has 0 pods and as many services, and stays so

  @TFJ-071.4
  Scenario: Nothing is written for a suspended TFJob
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the user suspends the TFJob
    And the TFJob is Suspended
    And the TFJob has 0 pods and as many services
    And the user annotates the TFJob
    When 2 seconds pass
    Then for 2 seconds nothing is written

  @TFJ-052.1
  Scenario: A resumed TFJob has a new startTime
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the user suspends the TFJob
    And the TFJob is Suspended
    And 1 second passes
    When the user resumes the TFJob
    Then the startTime of the TFJob is the time of its resume, and stays so for 2 seconds

  @TFJ-043.1
  Scenario: One Event reports the suspension of a TFJob
    Given a suspended TFJob of 1 PS and 2 Workers
    And the TFJob is Suspended
    When the user annotates the TFJob
    Then a Normal event TFJobSuspended of the TFJob is recorded
    And for 2 seconds no second Normal event TFJobSuspended of the TFJob follows

  @TFJ-072.2
  Scenario Outline: A TFJob that is <end> gets no pods when it is suspended and resumed
    Given a TFJob of 1 PS and 2 Workers with the cleanPodPolicy All
    And its replicas run
    And <event>
    And the TFJob has 0 pods and as many services
    And the user suspends the TFJob
    And 1 second passes
    When the user resumes the TFJob
    Then for 2 seconds the TFJob has 0 pods and as many services

    Examples:
      | case | end       | event                                        |
      | a    | Succeeded | Worker 0 of the TFJob succeeds               |
      | b    | Failed    | Worker 1 of the TFJob fails with exit code 1 |
