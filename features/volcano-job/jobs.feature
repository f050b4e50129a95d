Feature: A Volcano Job waits for its PodGroup, runs and ends
  The scheduler sets a PodGroup to Inqueue when its queue has enough resources; only then pods are created. The steps
  act as the scheduler.

  Rule: A new Job is Pending and has its own PodGroup

    @VOL-001.1
    Scenario: A new Volcano Job is Pending
      Given a Volcano Job of 3 pods with minAvailable 2
      Then the Volcano Job begins as Pending, with version 0 and its minimum in its status

    @VOL-001.2
    Scenario: A Volcano Job is Pending if one of its name has ended
      Given the scheduler admits every PodGroup
      And a Volcano Job of 1 pod with minAvailable 1
      And 1 pod of the Volcano Job runs
      And the user commands CompleteJob
      And the Volcano Job is Completed
      When the user replaces the Volcano Job and its pods by a Volcano Job of its name
      Then the Volcano Job is Pending, and stays so
      And the Volcano Job reports version 0, and stays so

    @VOL-002.1
    Scenario Outline: A Volcano Job has a PodGroup with its minimum in its queue
      Given a Volcano Job of <replicas> pods with minAvailable <minimum>
      Then a PodGroup of the Volcano Job needs <minimum> pods in its queue

      Examples:
        | case | replicas | minimum |
        | a    | 3        | 2       |
        | b    | 4        | 3       |

  Rule: Pods are created once their PodGroup is Inqueue

    @VOL-004.1
    Scenario: No pod of a Volcano Job is created while its PodGroup is Pending
      Given a Volcano Job of 3 pods with minAvailable 3
      When the Volcano Job has a PodGroup
      Then for 2 seconds the Volcano Job has 0 pods

    @VOL-004.2
    Scenario: All pods of a Volcano Job are created once its PodGroup is Inqueue
      Given a Volcano Job of 4 pods with minAvailable 2
      When the scheduler admits its PodGroup
      Then the Volcano Job has 4 pods, and stays so

    @VOL-006.1
    Scenario: Pods name their Volcano Job, task, version and PodGroup
      Given a Volcano Job of 2 pods with minAvailable 2
      When the scheduler admits its PodGroup
      Then the Volcano Job has 2 pods, and stays so
      And each pod of the Volcano Job is named by its task, and names its Job, task, version and PodGroup

    @VOL-006.20
    Scenario: Pods name their Volcano Job although their template names another
      Given a Volcano Job of 2 pods annotated like a pod of another Job with minAvailable 2
      When the scheduler admits its PodGroup
      Then the Volcano Job has 2 pods, and stays so
      And each pod of the Volcano Job is named by its task, and names its Job, task, version and PodGroup
      And each pod of the Volcano Job carries the version that the Job had

  Rule: The phases follow the pods

    @VOL-014.1
    Scenario: A Volcano Job is Running once its minimum runs
      Given a Volcano Job of 3 pods with minAvailable 2
      And the scheduler admits its PodGroup
      When 2 pods of the Volcano Job run
      Then the Volcano Job is Running, and stays so

    @VOL-014.2
    Scenario: A Volcano Job below its minimum stays Pending
      Given a Volcano Job of 3 pods with minAvailable 3
      And the scheduler admits its PodGroup
      When 2 pods of the Volcano Job run
      Then for 2 seconds the Volcano Job is Pending

    @VOL-014.3
    Scenario Outline: A pod that has <ended> counts for the minimum of a Volcano Job
      Given a Volcano Job of 3 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 1 pod of the Volcano Job runs
      And 1 pod of the Volcano Job <ends>
      And for 2 seconds the Volcano Job is Pending
      When 1 pod of the Volcano Job runs
      Then the Volcano Job is Running, and stays so

      Examples:
        | case | ended     | ends     |
        | a    | succeeded | succeeds |
        | b    | failed    | fails    |

    @VOL-016.1
    Scenario: A Volcano Job whose pods all succeed is Completed
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      When 2 pods of the Volcano Job succeed
      Then the Volcano Job is Completed, and stays so

    @VOL-016.6
    Scenario: A Volcano Job whose PodGroup waits again is Completed when its pods succeed
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And the scheduler lets its PodGroup wait
      When 2 pods of the Volcano Job succeed
      Then the Volcano Job is Completed, and stays so

    @VOL-016.7 @fault
    Scenario: A Volcano Job is Completed while its PodGroup cannot be updated
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And updates of PodGroups are answered with 403
      And the user changes minAvailable to 1
      When 2 pods of the Volcano Job succeed
      Then the Volcano Job is Completed, and stays so

    @VOL-016.2
    Scenario: A Volcano Job with too few successes is Failed
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      When 1 pod of the Volcano Job succeeds
      And 1 pod of the Volcano Job fails
      Then the Volcano Job is Failed, and stays so
