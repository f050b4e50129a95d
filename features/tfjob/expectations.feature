Feature: What a controller has created it does not create again

  Rule: Pods and services of all types are awaited

    @TFJ-015 @fault
    Scenario: No pod is asked for twice while the view of pods stands still
      Given the implementation's view of pods is frozen
      And a TFJob of 1 PS and 2 Workers
      And the TFJob has one pod for each of its 3 replicas
      When the user annotates the TFJob
      Then for 2 seconds no pod is asked for that the TFJob has already
      And once the view of pods catches up the TFJob has one pod for each of its 3 replicas

  Rule: A creation that failed is tried again

    @TFJ-016 @fault
    Scenario Outline: What could not be created is created later
      Given the next 3 <what> creations are answered with 500
      When a TFJob of 1 PS and 2 Workers
      Then in the end the TFJob has one pod for each of its 3 replicas, and stays so
      And in the end the TFJob has 3 pods and as many services, and stays so

      Examples:
        | what    |
        | pod     |
        | service |

    @TFJ-017 @fault
    Scenario: A pod whose creation timed out is created later
      Given the next pod creation is answered with 504
      When a TFJob of 1 PS and 2 Workers
      Then in the end the TFJob has one pod for each of its 3 replicas, and stays so

  Rule: Whatever is lost, each replica has one pod

    @TFJ-001 @fault
    Scenario: Replies to creations are lost
      Given every 2nd pod creation is carried out but its reply is lost
      When a TFJob of 1 PS and 3 Workers
      Then in the end the TFJob has one pod for each of its 4 replicas, and stays so
      And in the end the TFJob has 4 pods and as many services, and stays so

    @TFJ-001 @fault
    Scenario Outline: The controller is killed while it makes pods
      Given the implementation is killed just after its <nth> pod creation and started again
      When a TFJob of 1 PS and 2 Workers
      Then in the end the TFJob has one pod for each of its 3 replicas, and stays so
      And in the end the TFJob has 3 pods and as many services, and stays so

      Examples:
        | nth |
        | 1st |
        | 3rd |

    @TFJ-034 @fault
    Scenario: Pods are seen late
      Given a TFJob of 1 Chief and 2 Workers
      And its replicas run
      And pods are seen 2 seconds late
      When Chief 0 of the TFJob succeeds
      Then the TFJob is Succeeded, and stays so

    @TFJ-026 @fault
    Scenario: The status cannot be written at first
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the next 2 updates of the TFJob status are answered with 500
      When Worker 1 of the TFJob fails with exit code 1
      Then in the end the TFJob is Failed, and stays so
