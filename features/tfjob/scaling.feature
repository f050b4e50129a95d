Feature: The number of replicas is changed while a TFJob runs

  @TFJ-010.1
  Scenario: A TFJob that is scaled up gets the missing pods and services
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    When the user changes the TFJob to 4 Workers
    Then the TFJob has one pod for each of its 5 replicas, and stays so
    And the TFJob has 5 pods and as many services, and stays so

  @TFJ-010.2
  Scenario: The highest indexes are deleted when a TFJob is scaled down
    Given a TFJob of 1 PS and 3 Workers
    And its replicas run
    When the user changes the TFJob to 1 Worker
    Then the TFJob has one pod for each of its 2 replicas, and stays so
    And the TFJob has 2 pods and as many services, and stays so

  @TFJ-010.5 @fault
  Scenario: A TFJob is scaled down while the controller is down
    Given a TFJob of 1 PS and 3 Workers
    And its replicas run
    And the TFJob is Running
    And the implementation is killed
    And the user changes the TFJob to 1 Worker
    When the implementation is started again
    Then eventually the TFJob has 2 pods and as many services, and stays so

  @TFJ-010.3
  Scenario Outline: A TFJob is scaled up after <what> changed
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And another client <change>
    When the user changes the TFJob to 3 Workers
    Then the TFJob has one pod for each of its 4 replicas, and stays so
    And eventually the TFJob has 4 pods and as many services, and stays so
    And Worker 1 of the TFJob has had no more than 1 pod, as TFJ-001 requires

    Examples:
      | case | what                         | change                                          |
      | a    | its owner                    | makes the TFJob the child of an object          |
      | b    | the annotations of a service | annotates the service of Worker 1               |
      | c    | the labels of a service      | labels the service of Worker 1                  |
      | d    | the selector of a service    | changes the selector of the service of Worker 1 |

  @TFJ-013.1
  Scenario: The failure of an excess pod does not fail the TFJob
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And deleted pods stay terminating
    And the user changes the TFJob to 1 Worker
    And the TFJob has one pod for each of its 2 replicas
    When the terminating pod of the TFJob fails with exit code 137
    Then for 2 seconds the TFJob is not Failed

  @TFJ-013.2
  Scenario: The failure of an excess PS does not fail the TFJob
    Given a TFJob of 2 PS and 2 Workers
    And its replicas run
    And deleted pods stay terminating
    And the user changes the TFJob to 1 PS
    And the TFJob has one pod for each of its 3 replicas
    When the terminating pod of the TFJob fails with exit code 137
    Then for 2 seconds the TFJob is not Failed

  Rule: Invalid and duplicate labels are tolerated

    @TFJ-011.1
    Scenario: A pod whose replica-index is not a number is ignored
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the user changes the replica-index of the pod of Worker 1 to none
      When Worker 1 of the TFJob fails with exit code 1
      Then for 2 seconds the TFJob is not Failed
      And the implementation runs

    @TFJ-012.1
    Scenario: A second pod for an index does not lead to a third
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      When a user makes another pod with the labels and the controller of that of Worker 1
      Then for 2 seconds Worker 1 of the TFJob has had no more than 2 pods
      And for 2 seconds the TFJob is not Failed
