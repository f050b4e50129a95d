Feature: Pods without a Volcano Job get PodGroups

  @VOL-059.1
  Scenario: A single pod gets its own PodGroup
    Given pod plain for the scheduler volcano requests 2 CPUs
    Then pod plain is in a PodGroup of its own that needs 2 CPUs

  @VOL-059.2
  Scenario: The PodGroup of a pod is in the queue that the pod names
    Given a queue
    And the queue is Open
    When pod plain for the scheduler volcano requests 1 CPU in the queue
    Then the PodGroup of pod plain is in the queue

  @VOL-087.1
  Scenario: The PodGroup of a pod has the priority of the pod
    When pod plain for the scheduler volcano requests 1 CPU and is critical for the cluster
    Then the PodGroup of pod plain has the priorityClassName of the pod, and stays so

  @VOL-059.3 @fault
  Scenario: The annotation of a pod with its PodGroup is retried
    Given the next update of a pod is answered with 500
    When pod plain for the scheduler volcano requests 1 CPU
    Then eventually pod plain is in a PodGroup of its own that needs 1 CPU

  @VOL-059.4 @fault
  Scenario Outline: A pod gets its annotation although an update of the pod is <how>
    Given the next update of a pod is <how>
    When pod plain for the scheduler volcano requests 1 CPU
    Then eventually pod plain is in a PodGroup of its own that needs 1 CPU

    Examples:
      | case | how                               |
      | a    | answered with 409                 |
      | b    | answered with 422                 |
      | c    | applied but its reply is lost     |

  @VOL-059.5 @fault
  Scenario: A pod gets a PodGroup of its own although one of its name was deleted
    Given the next update of a pod takes 5 seconds
    And pod plain for the scheduler volcano requests 1 CPU
    And the fault has been triggered
    And the user deletes pod plain
    And a second later pod plain for the scheduler volcano requests 2 CPUs, which no watch shows
    And 6 seconds pass
    When the server ends the watches of pods with 410
    Then once the view of pods catches up pod plain is in a PodGroup of its own that needs 2 CPUs, and stays so

  @VOL-059.20
  Scenario: A pod with an owner that does not control it gets its own PodGroup
    When pod plain for the scheduler volcano has an owner that does not control it
    Then pod plain is in a PodGroup of its own that needs 1 CPU

  @VOL-060.1
  Scenario: A pod of another scheduler gets no PodGroup
    Given pod plain for the scheduler other requests 1 CPU
    Then for 2 seconds pod plain is in no PodGroup

  @VOL-060.2
  Scenario: The pods of a ReplicaSet for another scheduler get no PodGroup
    Given a ReplicaSet of 2 pods for the scheduler other
    Then for 2 seconds no PodGroup has been made for a pod or its controller

  @VOL-084.1
  Scenario: A pod that names a PodGroup gets no other
    Given the user creates PodGroup lone in the queue
    When pod plain for the scheduler volcano requests 1 CPU and names PodGroup lone
    Then for 2 seconds no PodGroup has been made for a pod or its controller

  @VOL-084.2
  Scenario: A ReplicaSet whose pods name a PodGroup gets no other
    Given the user creates PodGroup lone in the queue
    And a ReplicaSet of 2 pods for the scheduler volcano that name PodGroup lone
    And 1 second passes
    When another client labels the ReplicaSet
    Then for 2 seconds no PodGroup has been made for a pod or its controller

  @VOL-061.1
  Scenario: The pods of one ReplicaSet share a PodGroup
    Given a ReplicaSet of 3 pods for the scheduler volcano
    Then 3 pods of the ReplicaSet share one PodGroup
    And for 2 seconds 3 pods of the ReplicaSet share one PodGroup

  @VOL-061.6
  Scenario: The pods of a ReplicaSet that had none for a while share a PodGroup
    Given a ReplicaSet of 2 pods for the scheduler volcano
    And 2 pods of the ReplicaSet share one PodGroup
    And the user changes the ReplicaSet to 0 pods
    And 2 seconds pass
    When the user changes the ReplicaSet to 3 pods
    Then eventually 3 pods of the ReplicaSet share one PodGroup, and stays so

  @VOL-061.7
  Scenario: The pods of a ReplicaSet that has none for a moment share a PodGroup
    Given a ReplicaSet of 2 pods for the scheduler volcano
    And 2 pods of the ReplicaSet share one PodGroup
    And the user changes the ReplicaSet to 0 pods
    When the user changes the ReplicaSet to 3 pods
    Then eventually 3 pods of the ReplicaSet share one PodGroup, and stays so

  @VOL-061.8 @fault
  Scenario: The pods of a ReplicaSet that had none share a PodGroup if observed late
    Given a ReplicaSet of 2 pods for the scheduler volcano
    And 2 pods of the ReplicaSet share one PodGroup
    And the implementation's view of replicasets is stale
    And the user changes the ReplicaSet to 0 pods
    And the user changes the ReplicaSet to 3 pods
    And 1 second passes
    When the view of replicasets catches up
    Then eventually 3 pods of the ReplicaSet share one PodGroup, and stays so

  @VOL-062.1
  Scenario: A ReplicaSet without pods has no PodGroup
    Given a ReplicaSet of 2 pods for the scheduler volcano
    And 2 pods of the ReplicaSet share one PodGroup
    When the user changes the ReplicaSet to 0 pods
    Then no PodGroup is left
    And for 2 seconds no PodGroup is left

  @VOL-061.2
  Scenario: The pods of a ReplicaSet that has the name of an earlier one share a PodGroup
    Given a ReplicaSet of 2 pods for the scheduler volcano
    And 2 pods of the ReplicaSet share one PodGroup
    When the user replaces the ReplicaSet by a ReplicaSet of 3 pods
    Then eventually 3 pods of the ReplicaSet share one PodGroup, and stays so

  @VOL-061.3
  Scenario: The pods of a ReplicaSet share a PodGroup once those of one of its name end
    Given a ReplicaSet of 2 pods for the scheduler volcano
    And 2 pods of the ReplicaSet share one PodGroup
    And the pods of the ReplicaSet run
    And deleted pods stay terminating
    And the user replaces the ReplicaSet by a ReplicaSet of 3 pods
    And 1 second passes
    When the terminating pods end
    Then eventually 3 pods of the ReplicaSet share one PodGroup, and stays so

  @VOL-061.4 @fault
  Scenario Outline: Pods of a ReplicaSet with the name of another share a PodGroup: <when>
    Given a ReplicaSet of 2 pods for the scheduler volcano
    And 2 pods of the ReplicaSet share one PodGroup
    When the implementation <seen> that the ReplicaSet is replaced by one of 3 pods
    Then eventually 3 pods of the ReplicaSet share one PodGroup, and stays so

    Examples:
      | case | when       | seen      |
      | a    | late watch | sees late |
      | b    | watch gap  | misses    |

  @VOL-061.5
  Scenario Outline: The pods of a ReplicaSet that another client <changes> share a PodGroup
    Given a ReplicaSet of 2 pods for the scheduler volcano
    And 2 pods of the ReplicaSet share one PodGroup
    When another client <changes> the ReplicaSet
    Then for 2 seconds 2 pods of the ReplicaSet share one PodGroup

    Examples:
      | case | changes           |
      | a    | labels            |
      | b    | annotates         |
      | c    | gives an owner to |

  Rule: The PodGroup of a StatefulSet follows it

    Background:
      Given a StatefulSet of 2 pods for the scheduler volcano, each requesting 2 CPUs
      And 2 pods of the StatefulSet share one PodGroup that needs 2 CPUs

    @VOL-091.1
    Scenario Outline: The PodGroup needs what the pods of a StatefulSet request since a change: <how>
      When the user changes the StatefulSet to 2 pods, each requesting <cpus>
      Then eventually 2 pods of the StatefulSet share one PodGroup that needs <cpus>, and stays so

      Examples:
        | case | how  | cpus   |
        | a    | less | 1 CPU  |
        | b    | more | 4 CPUs |

    @VOL-091.2
    Scenario: The PodGroup needs what the pods of a StatefulSet request that has more pods
      When the user changes the StatefulSet to 4 pods, each requesting 3 CPUs
      Then eventually 4 pods of the StatefulSet share one PodGroup that needs 3 CPUs, and stays so

    @VOL-090.1
    Scenario: A StatefulSet without pods has no PodGroup
      When the user changes the StatefulSet to 0 pods, each requesting 2 CPUs
      Then no PodGroup is left
      And for 2 seconds no PodGroup is left

    @VOL-061.9
    Scenario: The pods of a StatefulSet that has none for a moment share a PodGroup
      Given the user changes the StatefulSet to 0 pods, each requesting 2 CPUs
      When the user changes the StatefulSet to 3 pods, each requesting 2 CPUs
      Then eventually 3 pods of the StatefulSet share one PodGroup that needs 2 CPUs, and stays so
