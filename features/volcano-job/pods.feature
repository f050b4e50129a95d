Feature: Pods of no Volcano Job get PodGroups too

  @VOL-059
  Scenario: A pod gets a PodGroup of its own
    Given pod plain for the scheduler volcano asks for 2 CPUs
    Then pod plain is in a PodGroup of its own that asks for 2 CPUs

  @VOL-059
  Scenario: The PodGroup of a pod is in the queue that the pod names
    Given a queue
    And the queue is Open
    When pod plain for the scheduler volcano asks for 1 CPU in the queue
    Then the PodGroup of pod plain is in the queue

  @VOL-059 @fault
  Scenario: A pod that could not be told its PodGroup is told it later
    Given the next update of a pod is answered with 500
    When pod plain for the scheduler volcano asks for 1 CPU
    Then in the end pod plain is in a PodGroup of its own that asks for 1 CPU

  @VOL-060
  Scenario: A pod of another scheduler gets no PodGroup
    Given pod plain for the scheduler other asks for 1 CPU
    Then for 2 seconds pod plain is in no PodGroup

  @VOL-061
  Scenario: The pods of one ReplicaSet share a PodGroup
    Given a ReplicaSet of 3 pods for the scheduler volcano
    Then 3 pods of the ReplicaSet share one PodGroup
    And for 2 seconds 3 pods of the ReplicaSet share one PodGroup

  @VOL-062
  Scenario: A ReplicaSet without pods has no PodGroup
    Given a ReplicaSet of 2 pods for the scheduler volcano
    And 2 pods of the ReplicaSet share one PodGroup
    When the user changes the ReplicaSet to 0 pods
    Then no PodGroup is left
    And for 2 seconds no PodGroup is left
