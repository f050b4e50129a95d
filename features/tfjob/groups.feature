@cap-PodGroups
Feature: A TFJob is started as a whole by a gang scheduler

  @TFJ-044
  Scenario: The PodGroup asks for all replicas
    Given a TFJob of 1 PS and 2 Workers
    When the TFJob has one pod for each of its 3 replicas
    Then the PodGroup of the TFJob asks for 3 pods, and stays so

  @TFJ-044
  Scenario: The PodGroup asks for as many pods as the user says
    Given a TFJob of 1 PS and 2 Workers with the minAvailable 2
    When the TFJob has one pod for each of its 3 replicas
    Then the PodGroup of the TFJob asks for 2 pods, and stays so

  @TFJ-046 @cap-VolcanoPodGroups
  Scenario: Pods name their PodGroup and their type to Volcano
    Given a TFJob of 1 PS and 2 Workers
    When the TFJob has one pod for each of its 3 replicas
    Then each pod of the TFJob has named its PodGroup since it was created

  @TFJ-058 @cap-CoschedulingPodGroups
  Scenario: Pods name their PodGroup to scheduler-plugins
    Given a TFJob of 1 PS and 2 Workers
    When the TFJob has one pod for each of its 3 replicas
    Then each pod of the TFJob has named its PodGroup since it was created

  @TFJ-047
  Scenario: Pods that name no scheduler are given to the gang scheduler
    Given a TFJob of 1 PS and 2 Workers whose pod templates name no scheduler
    When the TFJob has one pod for each of its 3 replicas
    Then each pod of the TFJob is given to a gang scheduler

  @TFJ-047
  Scenario: Pods that name a scheduler are left to it
    Given a TFJob of 1 PS and 2 Workers
    When the TFJob has one pod for each of its 3 replicas
    Then for 2 seconds each pod of the TFJob is given to the scheduler of its template

  @TFJ-048
  Scenario: The PodGroup grows with its TFJob
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    When the user changes the TFJob to 4 Workers
    Then the PodGroup of the TFJob asks for 5 pods, and stays so
    And the TFJob has one pod for each of its 5 replicas, and stays so

  @TFJ-049
  Scenario: A PodGroup that is right is not written again
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the TFJob is Running
    When the user annotates the TFJob
    Then for 2 seconds no PodGroup is changed by the implementation

  Rule: A PodGroup ends with what it is for

    @TFJ-050
    Scenario: The PodGroup of a TFJob that has succeeded is deleted
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      When Worker 0 of the TFJob succeeds
      Then the TFJob is Succeeded
      And the PodGroup of the TFJob was made once and is gone
      And for 2 seconds the PodGroup of the TFJob was made once and is gone

    @TFJ-050 @cap-Suspension
    Scenario: The PodGroup of a TFJob that is suspended is deleted
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      When the user suspends the TFJob
      Then the TFJob is Suspended
      And the PodGroup of the TFJob was made once and is gone
      And for 2 seconds the PodGroup of the TFJob was made once and is gone

  Rule: Volcano says when pods may be created

    @TFJ-045 @cap-VolcanoPodGroups
    Scenario: No pod is created before the PodGroup is let in
      Given the scheduler lets PodGroups wait
      And a TFJob of 1 PS and 2 Workers
      When the PodGroup of the TFJob asks for 3 pods
      Then for 2 seconds the TFJob has 0 pods and as many services

    @TFJ-045 @cap-VolcanoPodGroups
    Scenario: Pods are created once the PodGroup is let in
      Given the scheduler lets PodGroups wait
      And a TFJob of 1 PS and 2 Workers
      And the PodGroup of the TFJob asks for 3 pods
      When the scheduler lets the PodGroup of the TFJob in
      Then the TFJob has one pod for each of its 3 replicas, and stays so

    @TFJ-057 @cap-VolcanoPodGroups
    Scenario: A PodGroup has the queue and the priority of its TFJob
      Given a TFJob of 1 PS and 2 Workers with the queue left and the priorityClass high
      When the TFJob has one pod for each of its 3 replicas
      Then the PodGroup of the TFJob says queue left
      And the PodGroup of the TFJob says priorityClassName high
