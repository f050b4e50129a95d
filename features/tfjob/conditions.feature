Feature: The status of a TFJob tells what has become of it

  @TFJ-032
  Scenario: Conditions follow each other
    Given a TFJob of 1 PS and 2 Workers with the restartPolicy ExitCode
    And its replicas run
    And Worker 1 of the TFJob fails with exit code 137
    And Worker 1 of the TFJob is replaced
    And its replicas run
    When Worker 0 of the TFJob succeeds
    Then the TFJob is Succeeded, and stays so
    And the conditions of the TFJob have never contradicted each other

  @TFJ-054
  Scenario Outline: Conditions have their reasons
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the TFJob is Running
    When <what>
    Then the TFJob has been <end> for the reason TFJob<end>
    And the TFJob has been Created for the reason TFJobCreated
    And the TFJob has been Running for the reason TFJobRunning

    Examples:
      | what                                         | end       |
      | Worker 0 of the TFJob succeeds               | Succeeded |
      | Worker 1 of the TFJob fails with exit code 1 | Failed    |

  @TFJ-033 @fault
  Scenario: A TFJob that is changed at once is Created
    Given the implementation's view of tfjobs is frozen
    And a TFJob of 1 Worker
    When the user annotates the TFJob
    Then once the view of tfjobs catches up the TFJob has been Created for the reason TFJobCreated

  @TFJ-033 @fault
  Scenario: A TFJob that was made while no controller ran is Created
    Given the implementation is killed
    And a TFJob of 1 Worker
    When the implementation is started again
    Then the TFJob has been Created for the reason TFJobCreated

  @TFJ-036
  Scenario: Pods are counted by type and phase
    Given a TFJob of 1 PS and 3 Workers
    And its replicas run
    When Worker 1 of the TFJob succeeds
    Then the TFJob reports 2 active, 1 succeeded and 0 failed replicas of type Worker
    And the TFJob reports 1 active, 0 succeeded and 0 failed replicas of type PS, and stays so

  @TFJ-036
  Scenario: A pod that has failed is counted
    Given a TFJob of 1 Chief and 2 Workers
    And its replicas run
    When Worker 1 of the TFJob fails with exit code 1
    Then the TFJob reports 1 active, 0 succeeded and 1 failed replicas of type Worker, and stays so

  Rule: When a TFJob began and ended is told once

    @TFJ-037
    Scenario: No time is changed once it is told
      Given a TFJob of 1 PS and 1 Worker
      And its replicas run
      And 1 second passes
      And Worker 0 of the TFJob succeeds
      And the TFJob has a startTime and a completionTime
      And 1 second passes
      When PS 0 of the TFJob succeeds
      Then for 2 seconds no time in the status of the TFJob has been changed once it was set

    @TFJ-031
    Scenario: A TFJob that fails is told to have ended
      Given a TFJob of 1 Worker with the restartPolicy ExitCode
      And its replicas run
      When Worker 0 of the TFJob fails with exit code 1
      Then the TFJob is Failed, and stays so
      And the TFJob has a startTime and a completionTime

    @TFJ-031
    Scenario: A TFJob that fails while it restarts is told to have ended
      Given a TFJob of 1 Worker with the restartPolicy ExitCode
      And its replicas run
      And Worker 0 of the TFJob fails with exit code 137
      And Worker 0 of the TFJob is replaced
      When Worker 0 of the TFJob fails with exit code 1 and never ran
      Then the TFJob is Failed, and stays so
      And the TFJob has a startTime and a completionTime
