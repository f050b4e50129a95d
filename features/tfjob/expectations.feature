Feature: What a controller has created it does not create again

  Rule: Pods and services of all types are awaited

    @TFJ-015
    Scenario: No pod is asked for twice while the view of pods stands still
      Given the implementation's view of pods is frozen
      And a TFJob of 1 PS and 2 Workers
      And the TFJob has one pod for each of its 3 replicas
      When the user annotates the TFJob
      Then for 2 seconds no pod is asked for that the TFJob has already
      And once the view of pods catches up the TFJob has one pod for each of its 3 replicas

  Rule: A creation that failed is tried again

    @TFJ-016
    Scenario: Pods whose creation fails are created later
      Given the next 3 pod creations are answered with 500
      When a TFJob of 1 PS and 2 Workers
      Then the TFJob has one pod for each of its 3 replicas
