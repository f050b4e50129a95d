Feature: The status of a TFJob reports its progress

  @TFJ-032.1
  Scenario: The conditions of a TFJob never contradict each other
    Given a TFJob of 1 PS and 2 Workers with the restartPolicy ExitCode
    And its replicas run
    And Worker 1 of the TFJob fails with exit code 137
    And Worker 1 of the TFJob is replaced
    And its replicas run
    When Worker 0 of the TFJob succeeds
    And the TFJob is Succeeded
    Then the conditions of the TFJob have never contradicted each other

  @TFJ-054.1
  Scenario Outline: The conditions of a TFJob have their reasons, up to <end>
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the TFJob is Running
    When <what>
    Then the TFJob has been <end> for the reason TFJob<end>
    And the TFJob has been Created for the reason TFJobCreated
    And the TFJob has been Running for the reason TFJobRunning

    Examples:
      | case | what                                         | end       |
      | a    | Worker 0 of the TFJob succeeds               | Succeeded |
      | b    | Worker 1 of the TFJob fails with exit code 1 | Failed    |

  @TFJ-033.1 @fault
  Scenario: A TFJob that is changed before it is first observed is Created
    Given the implementation's view of tfjobs is stale
    And a TFJob of 1 Worker
    When the user annotates the TFJob
    Then once the view of tfjobs catches up the TFJob has been Created for the reason TFJobCreated

  @TFJ-033.2 @fault
  Scenario: A TFJob that was created while the controller was down is Created
    Given the implementation is killed
    And a TFJob of 1 Worker
    When the implementation is started again
    Then the TFJob has been Created for the reason TFJobCreated

  @TFJ-074.1 @cap-Suspension
  Scenario: A resumed TFJob is Running again once its pods run
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the TFJob is Running
    And the user suspends the TFJob and, once it is Suspended, resumes it
    And the TFJob has one pod for each of its 3 replicas
    When its replicas run
    Then the TFJob is Running, and stays so
    And the conditions of the TFJob have never contradicted each other, as TFJ-032 requires

  @TFJ-074.2 @cap-Suspension
  Scenario: A TFJob that was created suspended and is resumed is Running once its pods run
    Given a suspended TFJob of 1 PS and 2 Workers
    And the TFJob is Suspended
    And the user resumes the TFJob
    And the TFJob has one pod for each of its 3 replicas
    When its replicas run
    Then the TFJob is Running, and stays so

  @TFJ-074.3
  Scenario: A TFJob whose failed pod was replaced is Running again once its pods run
    Given a TFJob of 1 Worker with the restartPolicy OnFailure
    And its replicas run
    And the TFJob is Running
    And Worker 0 of the TFJob fails with exit code 1
    And Worker 0 of the TFJob is replaced
    When its replicas run
    Then the TFJob is Running, and stays so
    And the conditions of the TFJob have never contradicted each other, as TFJ-032 requires

  @TFJ-036.1
  Scenario: Pods are counted by type and phase
    Given a TFJob of 1 PS and 3 Workers
    And its replicas run
    When Worker 1 of the TFJob succeeds
    Then the TFJob reports 2 active, 1 succeeded and 0 failed replicas of type Worker
    And the TFJob reports 1 active, 0 succeeded and 0 failed replicas of type PS, and stays so

  @TFJ-036.3
  Scenario: Pods that do not run yet are not counted as active
    Given a TFJob of 1 PS and 2 Workers
    When the TFJob has one pod for each of its 3 replicas
    Then for 2 seconds the TFJob reports 0 active, 0 succeeded and 0 failed replicas of type Worker
    And the TFJob reports 0 active, 0 succeeded and 0 failed replicas of type PS

  @TFJ-036.5
  Scenario: Pods that run and are not ready are counted as active
    Given a TFJob of 1 PS and 2 Workers
    When its replicas run, and are not ready
    Then the TFJob reports 2 active, 0 succeeded and 0 failed replicas of type Worker, and stays so

  @TFJ-036.4
  Scenario: The end of a pod of a TFJob of the same name elsewhere is not counted
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the TFJob reports 2 active, 0 succeeded and 0 failed replicas of type Worker
    When the pod of Worker 1 of a TFJob of the same name fails in another namespace
    Then for 2 seconds the TFJob reports 2 active, 0 succeeded and 0 failed replicas of type Worker
    And for 2 seconds the TFJob is not Failed

  @TFJ-036.6
  Scenario Outline: Pods that run after their TFJob is <ended> are counted as active: <cause>
    Given a TFJob of <replicas>
    And its replicas run
    When <event>
    And the TFJob is <ended>
    Then the TFJob reports 1 active, 0 succeeded and 0 failed replicas of type PS, and stays so for 2 seconds
    And the TFJob reports <active> active, <succeeded> succeeded and <failed> failed replicas of type Worker, and stays so

    Examples:
      | case | cause           | replicas                    | event                                        | ended     | active | succeeded | failed |
      | a    | Worker 0 ends   | 1 PS and 2 Workers          | Worker 0 of the TFJob succeeds               | Succeeded | 1      | 1         | 0      |
      | b    | its Chief ends  | 1 Chief, 1 PS and 2 Workers | Chief 0 of the TFJob succeeds                | Succeeded | 2      | 0         | 0      |
      | c    | a Worker fails  | 1 PS and 2 Workers          | Worker 1 of the TFJob fails with exit code 1 | Failed    | 1      | 0         | 1      |

  @TFJ-036.7
  Scenario: Pods that run after their TFJob has succeeded are active after a restart too
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And Worker 0 of the TFJob succeeds
    And the TFJob is Succeeded
    And the implementation is killed
    When the implementation is started again
    Then for 2 seconds the TFJob reports 1 active, 0 succeeded and 0 failed replicas of type PS
    And for 2 seconds the TFJob reports 1 active, 1 succeeded and 0 failed replicas of type Worker

  @TFJ-036.2
  Scenario: A pod that has failed is counted
    Given a TFJob of 1 Chief and 2 Workers
    And its replicas run
    When Worker 1 of the TFJob fails with exit code 1
    Then the TFJob reports 1 active, 0 succeeded and 1 failed replicas of type Worker, and stays so

  @TFJ-078.1
  Scenario: A condition of a TFJob that changes has the time of its change
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the TFJob is Running
    And 1 second passes
    And Worker 0 of the TFJob succeeds
    When the TFJob is Succeeded
    Then for 2 seconds lastTransitionTime of each condition of the TFJob is the time of its last change

  @TFJ-078.2 @fault
  Scenario: The conditions of a TFJob keep their times when the controller is started again
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the TFJob is Running
    And 1 second passes
    And the implementation is killed and started again
    When Worker 0 of the TFJob succeeds
    And the TFJob is Succeeded
    Then for 2 seconds lastTransitionTime of each condition of the TFJob is the time of its last change

  Rule: startTime and completionTime are set once

    @TFJ-037.1
    Scenario: No time in the status is changed once it is set
      Given a TFJob of 1 PS and 1 Worker
      And its replicas run
      And 1 second passes
      And Worker 0 of the TFJob succeeds
      And the TFJob has a startTime and a completionTime
      And 1 second passes
      When PS 0 of the TFJob succeeds
      Then for 2 seconds no time in the status of the TFJob has been changed once it was set

    @TFJ-031.1
    Scenario: A failed TFJob has a completionTime
      Given a TFJob of 1 Worker with the restartPolicy ExitCode
      And its replicas run
      When Worker 0 of the TFJob fails with exit code 1
      Then the TFJob is Failed, and stays so
      And the TFJob has a startTime and a completionTime

    @TFJ-031.2
    Scenario: A TFJob that fails while it restarts has a completionTime
      Given a TFJob of 1 Worker with the restartPolicy ExitCode
      And its replicas run
      And Worker 0 of the TFJob fails with exit code 137
      And Worker 0 of the TFJob is replaced
      When Worker 0 of the TFJob fails with exit code 1 and never ran
      Then the TFJob is Failed, and stays so
      And the TFJob has a startTime and a completionTime

  Rule: Nothing is written while nothing changes

    @TFJ-071.1
    Scenario: Nothing is written while a running TFJob does not change
      Given a TFJob of 1 Chief, 1 PS and 2 Workers
      And its replicas run
      And the TFJob is Running
      And the TFJob reports 2 active, 0 succeeded and 0 failed replicas of type Worker
      And the user annotates the TFJob
      When 2 seconds pass
      Then for 2 seconds nothing is written

    @TFJ-071.2
    Scenario Outline: Nothing is written for a succeeded TFJob with cleanPodPolicy <policy>
      Given a TFJob of 1 Chief, 1 PS and 2 Workers with the cleanPodPolicy <policy>
      And its replicas run
      And Chief 0 of the TFJob succeeds
      And the TFJob is Succeeded
      And the user annotates the TFJob
      When 2 seconds pass
      Then for 2 seconds nothing is written

      Examples:
        | case | policy  |
        | a    | None    |
        | b    | Running |
        | c    | All     |

    @TFJ-071.3
    Scenario Outline: Nothing is written for a TFJob that has failed <how>
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy <policy> and the backoffLimit 0
      And its replicas run
      And <event>
      And the TFJob is Failed
      And the user annotates the TFJob
      When 2 seconds pass
      Then for 2 seconds nothing is written

      Examples:
        | case | how              | policy    | event                                                 |
        | a    | with a Worker    | Never     | Worker 1 of the TFJob fails with exit code 1          |
        | b    | by backoffLimit  | OnFailure | the containers of Worker 1 have been restarted 1 time |
