Feature: Pods and services have the labels and the template of their TFJob

  @TFJ-003.1
  Scenario Outline: Labels name the replica, and <leader> as the master
    Given a TFJob of <replicas>
    When the TFJob has <count> pods and as many services
    Then each pod and service of the TFJob carries the labels of its replica
    And <leader> alone is the master of the TFJob, and stays so

    Examples:
      | case | replicas                    | count | leader   |
      | a    | 1 PS and 2 Workers          | 3     | Worker 0 |
      | b    | 1 Chief and 2 Workers       | 3     | Chief 0  |
      | c    | 1 Master, 1 PS and 1 Worker | 3     | Master 0 |

  @TFJ-004.1
  Scenario: Pods and services have an owner reference to their TFJob
    Given a TFJob of 1 PS and 2 Workers
    When the TFJob has 3 pods and as many services
    Then each pod and service of the TFJob has a controller reference to it, with blockOwnerDeletion

  @TFJ-005.1
  Scenario: Pods are created from their template
    Given a TFJob of 1 PS and 2 Workers whose pod templates say much
    When the TFJob has one pod for each of its 3 replicas
    Then each pod of the TFJob is made as its template says

  Rule: Fields that are not set have defaults

    @TFJ-008.1
    Scenario Outline: The default of a <type> is one replica with restartPolicy Never
      Given a TFJob that says the pod template of a <type> and nothing else
      When the TFJob has 1 pod and as many services
      Then the TFJob has one pod for each of its 1 replica, and stays so
      And each pod of the TFJob has the restartPolicy Never
      And each replica of the TFJob has a headless service that leads to it alone, and stays so

      Examples:
        | case | type   |
        | a    | Worker |
        | b    | worker |
        | c    | WORKER |

    @TFJ-008.2
    Scenario: The default cleanPodPolicy keeps the pods of a finished TFJob
      Given a TFJob that says the pod template of a worker and nothing else
      And its replicas run
      When Worker 0 of the TFJob succeeds
      Then the TFJob is Succeeded
      And the TFJob reports 0 active, 1 succeeded and 0 failed replicas of type Worker
      And for 2 seconds the TFJob has 1 pod and as many services

  Rule: The pods of a replica have its restart policy

    @TFJ-021.1
    Scenario Outline: The restartPolicy <policy> replaces that of the template
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy <policy> whose pod templates say much
      When the TFJob has one pod for each of its 3 replicas
      Then each pod of the TFJob has the restartPolicy <given>

      Examples:
        | case | policy    | given     |
        | a    | Never     | Never     |
        | b    | Always    | Always    |
        | c    | OnFailure | OnFailure |
        | d    | ExitCode  | Never     |
