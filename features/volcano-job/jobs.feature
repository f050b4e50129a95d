Feature: A Volcano Job waits for its PodGroup, runs and ends
  The scheduler lets a PodGroup in when its queue has room; only then are pods made. The steps play the scheduler.

  Rule: A Job is Pending at first, with a PodGroup of its own

    @VOL-001
    Scenario: A new Volcano Job is Pending
      Given a Volcano Job of 3 pods with minAvailable 2
      Then the Volcano Job begins as Pending, with version 0 and its minimum in its status

    @VOL-002
    Scenario Outline: A Volcano Job has a PodGroup of its minimum in its queue
      Given a Volcano Job of <replicas> pods with minAvailable <minimum>
      Then a PodGroup of the Volcano Job asks for <minimum> pods in its queue

      Examples:
        | replicas | minimum |
        | 3        | 2       |
        | 4        | 3       |

  Rule: Pods wait until their PodGroup is let in

    @VOL-004
    Scenario: No pod is created for a PodGroup that is not let in
      Given a Volcano Job of 3 pods with minAvailable 3
      When the Volcano Job has a PodGroup
      Then for 2 seconds the Volcano Job has 0 pods

    @VOL-004
    Scenario: All pods are created once the PodGroup is let in
      Given a Volcano Job of 4 pods with minAvailable 2
      When the scheduler lets its PodGroup in
      Then the Volcano Job has 4 pods, and stays so

    @VOL-006
    Scenario: Pods tell whose they are
      Given a Volcano Job of 2 pods with minAvailable 2
      When the scheduler lets its PodGroup in
      Then the Volcano Job has 2 pods, and stays so
      And each pod of the Volcano Job is named by its task, and names its Job, task, version and PodGroup

  Rule: The phases follow the pods

    @VOL-014
    Scenario: A Volcano Job runs with its minimum
      Given a Volcano Job of 3 pods with minAvailable 2
      And the scheduler lets its PodGroup in
      When 2 pods of the Volcano Job run
      Then the Volcano Job is Running, and stays so

    @VOL-014
    Scenario: A Volcano Job below its minimum stays Pending
      Given a Volcano Job of 3 pods with minAvailable 3
      And the scheduler lets its PodGroup in
      When 2 pods of the Volcano Job run
      Then for 2 seconds the Volcano Job is Pending

    @VOL-016
    Scenario: A Volcano Job whose pods all succeed is Completed
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      When 2 pods of the Volcano Job succeed
      Then the Volcano Job is Completed, and stays so

    @VOL-016
    Scenario: A Volcano Job with too few successes is Failed
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      When 1 pod of the Volcano Job succeeds
      And 1 pod of the Volcano Job fails
      Then the Volcano Job is Failed, and stays so
