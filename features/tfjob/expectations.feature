Feature: Created pods and services are not created again

  Rule: Pods of all replica types are expected

    @TFJ-015.1 @fault
    Scenario: No pod is created twice while watch events for pods are withheld
      Given the implementation's view of pods is stale
      And a TFJob of 1 PS and 2 Workers
      And the TFJob has one pod for each of its 3 replicas
      When the user annotates the TFJob
      Then for 2 seconds no pod is requested that the TFJob has already
      And once the view of pods catches up the TFJob has one pod for each of its 3 replicas, as TFJ-001 requires

  Rule: A failed creation is retried

    @TFJ-016.1 @fault
    Scenario Outline: A <what> whose creation failed is created later
      Given the next 3 <what> creations are answered with 500
      When a TFJob of 1 PS and 2 Workers
      Then eventually the TFJob has one pod for each of its 3 replicas, and stays so
      And eventually the TFJob has 3 pods and as many services, and stays so

      Examples:
        | case | what    |
        | a    | pod     |
        | b    | service |

    @TFJ-016.2
    Scenario: A pod is created once no pod of another client has its name
      Given another client has a pod of the name of Worker 1
      And a TFJob of 1 PS and 2 Workers
      And 1 second passes
      When another client deletes its pod of the name of Worker 1
      Then eventually the TFJob has one pod for each of its 3 replicas, and stays so

    @TFJ-017.1 @fault
    Scenario: A pod whose creation timed out is created later
      Given the next pod creation is answered with 504
      When a TFJob of 1 PS and 2 Workers
      Then eventually the TFJob has one pod for each of its 3 replicas, and stays so

  Rule: Each replica has one pod despite faults

    @TFJ-001.1 @fault
    Scenario: Each replica has one pod although responses to creations are lost
      Given every 2nd pod creation is applied but its reply is lost
      When a TFJob of 1 PS and 3 Workers
      Then eventually the TFJob has one pod for each of its 4 replicas, and stays so
      And eventually the TFJob has 4 pods and as many services, and stays so

    @TFJ-001.2 @fault
    Scenario Outline: Each replica has one pod after a crash at the <nth> pod creation
      Given the implementation is killed just after its <nth> pod creation and started again
      When a TFJob of 1 PS and 2 Workers
      Then eventually the TFJob has one pod for each of its 3 replicas, and stays so
      And eventually the TFJob has 3 pods and as many services, and stays so

      Examples:
        | case | nth |
        | a    | 1st |
        | b    | 3rd |

    @TFJ-034.1 @fault
    Scenario: A TFJob succeeds while watch events for pods are delayed
      Given a TFJob of 1 Chief and 2 Workers
      And its replicas run
      And pods are seen 2 seconds late
      When Chief 0 of the TFJob succeeds
      Then the TFJob is Succeeded, and stays so

    @TFJ-026.1 @fault
    Scenario: A TFJob fails although its status cannot be written at first
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the next 2 updates of the TFJob status are answered with 500
      When Worker 1 of the TFJob fails with exit code 1
      Then eventually the TFJob is Failed, and stays so

  Rule: A TFJob comes to the same end whatever fails on the way

    @TFJ-070.1 @fault
    Scenario Outline: A TFJob has its pods and Services after crashes just <moment> each 4th write
      Given the implementation is killed just <moment> every 4th write from write 1 on and started again
      When a TFJob of 1 PS and 2 Workers
      Then eventually the TFJob has one pod for each of its 3 replicas
      And eventually the TFJob has 3 pods and as many services, and stays so
      And once the faults end the implementation runs

      Examples:
        | case | moment |
        | a    | before |
        | b    | after  |
