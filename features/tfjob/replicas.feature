Feature: A TFJob has a pod and a service for each replica
  A replica has a type, such as PS or Worker, and an index. Its name is prescribed, so that the others can find it.

  Rule: There is one pod for each index of each type

    @TFJ-001.3
    Scenario Outline: Each replica has one pod with its name
      Given a TFJob of <replicas>
      Then the TFJob has one pod for each of its <count> replicas
      And for 2 seconds the TFJob has one pod for each of its <count> replicas

      Examples:
        | case | replicas                       | count |
        | a    | 1 PS and 2 Workers             | 3     |
        | b    | 1 Chief, 2 Workers and 1 PS    | 4     |

    @TFJ-018.1
    Scenario: A pod that is removed before it runs is replaced
      Given a TFJob of 1 PS and 2 Workers
      And the TFJob has one pod for each of its 3 replicas
      When the user makes the pod of Worker 1 vanish
      Then Worker 1 of the TFJob is replaced
      And the TFJob has one pod for each of its 3 replicas, and stays so

    @TFJ-018.2
    Scenario: All pods of a TFJob are replaced that are removed before they run
      Given a TFJob of 1 PS and 2 Workers
      And the TFJob has one pod for each of its 3 replicas
      And the user makes the pod of PS 0 vanish
      And the user makes the pod of Worker 0 vanish
      When the user makes the pod of Worker 1 vanish
      Then the TFJob has one pod for each of its 3 replicas, and stays so
      And for 2 seconds the TFJob is not Failed

    @TFJ-056.1
    Scenario: A running pod that is deleted is replaced
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure
      And its replicas run
      And deleted pods stay terminating
      When the user deletes the pod of Worker 1
      Then for 2 seconds the TFJob is not Failed
      And once the terminating pods end Worker 1 of the TFJob is replaced

    @TFJ-056.2 @fault
    Scenario: A running pod that vanishes is replaced while no status can be written
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure
      And the TFJob has one pod for each of its 3 replicas
      And updates of the TFJob status are answered with 422
      And its replicas run
      And the fault has been triggered
      When the user makes the pod of Worker 1 vanish
      Then Worker 1 of the TFJob is replaced

    @TFJ-056.3
    Scenario: A deleted pod that ends with exit code 137 is replaced
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy ExitCode
      And its replicas run
      And deleted pods stay terminating
      And the user deletes the pod of Worker 1
      When the terminating pod of the TFJob fails with exit code 137
      Then for 2 seconds the TFJob is not Failed
      And once the terminating pods end Worker 1 of the TFJob is replaced

    @TFJ-056.4 @fault
    Scenario: A running pod that vanishes in a watch gap is replaced
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure
      And its replicas run
      And the TFJob reports 2 active, 0 succeeded and 0 failed replicas of type Worker
      And the implementation's view of pods is stale
      And the user makes the pod of Worker 1 vanish
      When the server ends the watches of pods with 410
      Then once the view of pods catches up Worker 1 of the TFJob is replaced
      And the implementation runs, as TFJ-051 requires

    @TFJ-001.4
    Scenario: A TFJob that is created again has its own pods once the old ones are gone
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And deleted pods stay terminating
      And the user deletes the TFJob with all that it controls
      And a TFJob of 1 PS and 2 Workers
      When the terminating pods end
      Then eventually the TFJob has one pod for each of its 3 replicas, and stays so
      And eventually the TFJob has 3 pods and as many services, and stays so

    @TFJ-001.6
    Scenario: A TFJob that is created again after one of its name has failed has its pods
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy Never
      And its replicas run
      And Worker 1 of the TFJob fails with exit code 1
      And the TFJob is Failed
      And the user deletes the TFJob with all that it controls
      When a TFJob of 1 PS and 2 Workers with the restartPolicy Never
      Then eventually the TFJob has one pod for each of its 3 replicas, and stays so
      And for 2 seconds the TFJob is not Failed

    @TFJ-001.7 @fault
    Scenario: Each replica has one pod although no service can be created
      Given service creations are answered with 422
      When a TFJob of 1 PS and 2 Workers
      Then eventually the TFJob has one pod for each of its 3 replicas, and stays so

    @TFJ-001.8
    Scenario: A replica whose node cannot be reached for a time keeps its pod
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the TFJob reports 2 active, 0 succeeded and 0 failed replicas of type Worker
      And the node of Worker 1 cannot be reached
      And 1 second passes
      When the pod of Worker 1 runs again
      Then for 2 seconds Worker 1 of the TFJob has had no more than 1 pod
      And the TFJob reports 2 active, 0 succeeded and 0 failed replicas of type Worker

    @TFJ-001.9
    Scenario: The pods of a TFJob stay when its labels change
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      When the user changes the labels of the TFJob
      Then for 2 seconds Worker 1 of the TFJob has had no more than 1 pod
      And the TFJob has one pod for each of its 3 replicas, and stays so

    @TFJ-001.15
    Scenario: The pods of a TFJob stay when one of them loses its annotations
      Given a TFJob of 1 PS and 2 Workers whose pod templates say much
      And its replicas run
      When another client takes the annotations from the pod of Worker 1
      Then for 2 seconds Worker 1 of the TFJob has had no more than 1 pod
      And the TFJob reports 2 active, 0 succeeded and 0 failed replicas of type Worker, and stays so, as TFJ-036 requires

    @TFJ-001.10
    Scenario: A pod of another client that has the name of a replica does not block another
      Given another client has a pod of the name of PS 0
      When a TFJob of 1 PS and 2 Workers
      Then eventually Worker 0 of the TFJob has an active pod
      And eventually Worker 1 of the TFJob has an active pod

    @TFJ-001.11
    Scenario: Each replica has its pod though another client has a service of its name
      Given another client has a service of the name of PS 0
      When a TFJob of 1 PS and 2 Workers
      Then eventually the TFJob has one pod for each of its 3 replicas, and stays so

    @TFJ-001.12 @fault
    Scenario: A TFJob that is created again in a watch gap has its own pods
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy Never
      And Worker 1 of the TFJob fails with exit code 1 and never ran
      And the TFJob is Failed
      And the implementation's view of tfjobs is stale
      And the user deletes the TFJob with all that it controls
      And a TFJob of 1 PS and 3 Workers with the restartPolicy Never
      When the server ends the watches of tfjobs with 410
      Then once the view of tfjobs catches up the TFJob has one pod for each of its 4 replicas, and stays so

    @TFJ-001.13 @fault
    Scenario: A TFJob that is created again and observed with a delay has its own pods
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy Never
      And its replicas run
      And Worker 1 of the TFJob fails with exit code 1
      And the TFJob is Failed
      And tfjobs are seen 2 seconds late
      And the user deletes the TFJob with all that it controls
      When a TFJob of 1 PS and 3 Workers with the restartPolicy Never
      Then eventually the TFJob has one pod for each of its 4 replicas, and stays so

  Rule: Nothing is created for a TFJob that is being deleted

    @TFJ-075.1
    Scenario Outline: A TFJob that is being deleted gets no pod when one <what>
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure
      And its replicas run
      And the TFJob is Running
      And a finalizer of another client holds the TFJob
      And the user deletes the TFJob
      When <event>
      Then for 2 seconds Worker 1 of the TFJob has had no more than 1 pod

      Examples:
        | case | what     | event                                        |
        | a    | vanishes | the user makes the pod of Worker 1 vanish    |
        | b    | fails    | Worker 1 of the TFJob fails with exit code 1 |

    @TFJ-075.2
    Scenario: A TFJob that is being deleted gets no service again
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the TFJob has 3 pods and as many services
      And a finalizer of another client holds the TFJob
      And the user deletes the TFJob
      When the user deletes the service of Worker 1
      Then for 2 seconds the service of Worker 1 does not belong to the TFJob

  Rule: Each replica has a service

    @TFJ-002.1
    Scenario: Each replica has a headless service
      Given a TFJob of 1 PS and 2 Workers
      Then the TFJob has one pod for each of its 3 replicas, and stays so
      And each replica of the TFJob has a headless service that leads to it alone, and stays so

    @TFJ-002.2
    Scenario: The service of a replica has the port that its container names
      Given a TFJob of 1 PS and 2 Workers whose pod templates say much
      Then the TFJob has one pod for each of its 3 replicas, and stays so
      And each replica of the TFJob has a headless service that leads to it alone, and stays so

    @TFJ-002.3
    Scenario: A service that is deleted is created again
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the TFJob has 3 pods and as many services
      When the user deletes the service of Worker 1
      Then the TFJob has 3 pods and as many services, and stays so

    @TFJ-002.4 @fault
    Scenario: A service that is deleted in a watch gap is created again
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the TFJob has 3 pods and as many services
      And the implementation's view of services is stale
      And the user deletes the service of Worker 1
      When the server ends the watches of services with 410
      Then once the view of services catches up the TFJob has 3 pods and as many services, and stays so

  Rule: TF_CONFIG lists the replicas

    @TFJ-006.1
    Scenario: TF_CONFIG has all addresses and the replica of the pod
      Given a TFJob of 2 PS and 2 Workers
      When the TFJob has one pod for each of its 4 replicas
      Then the TF_CONFIG of each pod names all replicas and its own

    @TFJ-006.3
    Scenario Outline: TF_CONFIG has the addresses of <replicas>
      Given a TFJob of <replicas>
      When the TFJob has one pod for each of its <count> replicas
      Then the TF_CONFIG of each pod names all replicas and its own

      Examples:
        | case | replicas                         | count |
        | a    | 1 Chief and 2 Workers            | 3     |
        | b    | 1 Worker and 1 Evaluator         | 2     |
        | c    | 1 Chief, 2 PS and 1 Evaluator    | 4     |

    @TFJ-006.2
    Scenario: A single replica has no TF_CONFIG
      Given a TFJob of 1 Worker
      When the TFJob has one pod for each of its 1 replica
      Then for 2 seconds no pod of the TFJob has a TF_CONFIG

    @TFJ-007.1
    Scenario: With dynamic Workers, TF_CONFIG of a Worker names no other Worker
      Given a TFJob of 2 PS and 2 Workers with the enableDynamicWorker true
      When the TFJob has one pod for each of its 4 replicas
      Then the TF_CONFIG of each Worker names all PS and no other Worker

    @TFJ-007.2
    Scenario: With dynamic Workers, TF_CONFIG of the Chief names all PS
      Given a TFJob of 1 Chief, 2 PS and 2 Workers with the enableDynamicWorker true
      When the TFJob has one pod for each of its 5 replicas
      Then the TF_CONFIG of Chief 0 names all PS
      And the TF_CONFIG of each Worker names all PS and no other Worker
