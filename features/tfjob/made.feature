Feature: Pods and services say whose they are, and are made as the TFJob says

  @TFJ-003
  Scenario Outline: Labels say which replica it is, and who leads
    Given a TFJob of <replicas>
    When the TFJob has <count> pods and as many services
    Then each pod and service of the TFJob carries the labels of its replica
    And <leader> alone is the master of the TFJob

    Examples:
      | replicas                    | count | leader   |
      | 1 PS and 2 Workers          | 3     | Worker 0 |
      | 1 Chief and 2 Workers       | 3     | Chief 0  |
      | 1 Master, 1 PS and 1 Worker | 3     | Master 0 |

  @TFJ-004
  Scenario: Pods and services go when their TFJob goes
    Given a TFJob of 1 PS and 2 Workers
    When the TFJob has 3 pods and as many services
    Then each pod and service of the TFJob names it as the controller that it holds up

  @TFJ-005
  Scenario: Pods have what their template says
    Given a TFJob of 1 PS and 2 Workers whose pod templates say much
    When the TFJob has one pod for each of its 3 replicas
    Then each pod of the TFJob is made as its template says

  Rule: What is not said has a default

    @TFJ-008
    Scenario Outline: One replica that is never restarted is the default
      Given a TFJob that says the pod template of a <type> and nothing else
      When the TFJob has 1 pod and as many services
      Then the TFJob has one pod for each of its 1 replica, and stays so
      And each pod of the TFJob has the restartPolicy Never
      And each replica of the TFJob has a headless service that leads to it alone, and stays so

      Examples:
        | type   |
        | Worker |
        | worker |
        | WORKER |

    @TFJ-008
    Scenario: The pods of a finished TFJob stay by default
      Given a TFJob that says the pod template of a worker and nothing else
      And its replicas run
      When Worker 0 of the TFJob succeeds
      Then the TFJob is Succeeded
      And the TFJob reports 0 active, 1 succeeded and 0 failed replicas of type Worker
      And for 2 seconds the TFJob has 1 pod and as many services

  Rule: The restart policy of a replica is that of its pod

    @TFJ-021
    Scenario Outline: The restart policy of the template does not count
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy <policy> whose pod templates say much
      When the TFJob has one pod for each of its 3 replicas
      Then each pod of the TFJob has the restartPolicy <given>

      Examples:
        | policy    | given     |
        | Never     | Never     |
        | Always    | Always    |
        | OnFailure | OnFailure |
        | ExitCode  | Never     |
