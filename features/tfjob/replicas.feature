Feature: A TFJob has a pod and a service for each replica
  A replica has a type, such as PS or Worker, and an index. Its name is prescribed: others find it by that.

  Rule: There is one pod for each index of each type

    @TFJ-001
    Scenario Outline: Each replica has a pod of its name
      Given a TFJob of <replicas>
      Then the TFJob has one pod for each of its <count> replicas
      And for 2 seconds the TFJob has one pod for each of its <count> replicas

      Examples:
        | replicas                       | count |
        | 1 PS and 2 Workers             | 3     |
        | 1 Chief, 2 Workers and 1 PS    | 4     |

    @TFJ-018
    Scenario: A pod that vanishes before it has run is replaced
      Given a TFJob of 1 PS and 2 Workers
      And the TFJob has one pod for each of its 3 replicas
      When the user makes the pod of Worker 1 vanish
      Then Worker 1 of the TFJob is replaced
      And the TFJob has one pod for each of its 3 replicas, and stays so

    @TFJ-056
    Scenario: A running pod that is deleted is replaced
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure
      And its replicas run
      And deleted pods stay terminating
      When the user deletes the pod of Worker 1
      Then for 2 seconds the TFJob is not Failed
      And once the terminating pods end Worker 1 of the TFJob is replaced

  Rule: Each replica is found by its service

    @TFJ-002
    Scenario: Each replica has a headless service
      Given a TFJob of 1 PS and 2 Workers
      Then the TFJob has one pod for each of its 3 replicas, and stays so
      And each replica of the TFJob has a headless service that leads to it alone, and stays so

    @TFJ-002
    Scenario: The service of a replica has the port that its container names
      Given a TFJob of 1 PS and 2 Workers whose pod templates say much
      Then the TFJob has one pod for each of its 3 replicas, and stays so
      And each replica of the TFJob has a headless service that leads to it alone, and stays so

  Rule: TF_CONFIG tells each replica of all

    @TFJ-006
    Scenario: Each pod is told all addresses and which replica it is
      Given a TFJob of 2 PS and 2 Workers
      When the TFJob has one pod for each of its 4 replicas
      Then the TF_CONFIG of each pod names all replicas and its own

    @TFJ-006
    Scenario: A single replica has no TF_CONFIG
      Given a TFJob of 1 Worker
      When the TFJob has one pod for each of its 1 replica
      Then for 2 seconds no pod of the TFJob has a TF_CONFIG

    @TFJ-007
    Scenario: With dynamic Workers a Worker is told of no other
      Given a TFJob of 2 PS and 2 Workers with the enableDynamicWorker true
      When the TFJob has one pod for each of its 4 replicas
      Then the TF_CONFIG of each Worker names all PS and no other Worker
