Feature: A JobSet has one Job for each replica

  @JST-001.1
  Scenario: A JobSet has exactly one Job for each index of each ReplicatedJob
    When a JobSet of 1 leader and 2 workers
    Then the JobSet has the Jobs leader-0, workers-0 and workers-1, and stays so for 1 second

  @JST-001.2
  Scenario: A child Job that is deleted is created again
    Given a JobSet of 2 workers
    And the JobSet has the Jobs workers-0 and workers-1
    When the user deletes Job workers-1 of the JobSet
    Then Job workers-1 of the JobSet has been created 2 times in all
    And the JobSet has the Jobs workers-0 and workers-1, and stays so

  @JST-001.3 @fault
  Scenario: A controller with a stale cache of Jobs makes one Job for each replica
    Given the implementation's view of jobs is stale
    When a JobSet of 1 leader and 2 workers
    Then once the view of jobs catches up the JobSet has the Jobs leader-0, workers-0 and workers-1, and stays so

  @JST-001.4
  Scenario: A JobSet that starts in order has all its Jobs once the first ones run
    Given a JobSet of 1 leader and 2 workers, started in order
    When the pods of Job leader-0 run
    Then the JobSet has the Jobs leader-0, workers-0 and workers-1, and stays so

  @JST-001.5
  Scenario: A JobSet that is created again has Jobs of its own
    Given a JobSet of 1 leader and 1 workers
    And the pods of Job workers-0 fail
    And the JobSet is Failed
    And the user deletes the JobSet with all that was made for it
    When the user creates the same JobSet again
    Then the JobSet has the Jobs leader-0 and workers-0, and stays so

  @JST-001.6 @fault
  Scenario: A JobSet that is created again in a watch gap has Jobs of its own
    Given a JobSet of 1 leader and 1 workers
    And the pods of Job workers-0 fail
    And the JobSet is Failed
    And the implementation's view of jobsets is stale
    And the user deletes the JobSet with all that was made for it
    And the user creates the same JobSet again
    When the server ends the watches of jobsets with 410
    Then once the view of jobsets catches up the JobSet has the Jobs leader-0 and workers-0, and stays so

  @JST-001.7
  Scenario: A JobSet has its Jobs beside one of the same name in another namespace
    Given a JobSet of the same name fails in another namespace
    And 3 seconds pass
    When a JobSet of 1 leader and 1 workers
    Then the JobSet has the Jobs leader-0 and workers-0, and stays so

  @JST-001.8
  Scenario: A Job that has the name of a child Job does not block another ReplicatedJob
    Given a user creates Job a-leader-0 with the labels of a Job of leader
    When a JobSet of 1 leader and 2 workers
    Then the JobSet has the Jobs workers-0 and workers-1, and stays so

  @JST-001.9
  Scenario: A child Job is created once no Job of another client has its name
    Given a user creates Job a-leader-0 with the labels of a Job of leader
    And a JobSet of 1 leader
    And 1 second passes
    When the user deletes Job leader-0 of the JobSet
    Then eventually the JobSet has only Job leader-0, and stays so

  @JST-001.10
  Scenario: A Job that waited for another stays when that is not ready any more
    Given a JobSet of 1 leader and 1 workers, whose workers wait until leader is Ready
    And the pods of Job leader-0 run
    And the pods of Job workers-0 run
    When the pods of Job leader-0 are not ready any more
    Then for 2 seconds the JobSet has the Jobs leader-0 and workers-0

  @JST-001.11
  Scenario: A JobSet has its Jobs though its Service has been made by another client
    Given a user creates service a
    When a JobSet of 1 leader and 2 workers
    Then the JobSet has the Jobs leader-0, workers-0 and workers-1, and stays so

  @JST-001.12
  Scenario: A Job that waited for another stays when the node of that one returns
    Given a JobSet of 1 leader and 1 workers, whose workers wait until leader is Ready
    And the pods of Job leader-0 run
    And the pods of Job workers-0 run
    And the node of Job leader-0 cannot be reached
    And the JobSet reports 0 ready, 1 active, 0 suspended, 0 succeeded and 0 failed Jobs of leader
    When the pods of Job leader-0 run
    Then the JobSet has the Jobs leader-0 and workers-0, and stays so
    And Job workers-0 of the JobSet has been created 1 time in all

  @JST-001.13 @fault
  Scenario: A Job that is deleted in a watch gap is created again
    Given a JobSet of 1 leader and 1 workers
    And the JobSet has the Jobs leader-0 and workers-0
    And the implementation's view of jobs is stale
    And the user deletes Job workers-0 of the JobSet
    When the server ends the watches of jobs with 410
    Then once the view of jobs catches up Job workers-0 of the JobSet has been created 2 times in all, and stays so

  @JST-001.14
  Scenario: The Jobs of a JobSet stay when its labels change
    Given a JobSet of 1 leader and 1 workers
    And the pods of all Jobs of the JobSet run
    When the user changes the labels of the JobSet
    Then for 2 seconds the JobSet has the Jobs leader-0 and workers-0
    And Job workers-0 of the JobSet has been created 1 time in all

  @JST-002.1
  Scenario: A child Job and its pods carry the labels of their replica
    When a JobSet of 1 leader and 2 workers
    Then the JobSet has the Jobs leader-0, workers-0 and workers-1
    And each Job of the JobSet and its pod template have the labels of their replica

  @JST-003.1
  Scenario: Each child Job has a global index of its own
    When a JobSet of 2 leaders and 2 workers
    Then the global indexes of the Jobs of the JobSet are 0 to 3

  @JST-004.1
  Scenario: Two Jobs of one template have different job keys
    Given a JobSet of 1 leader and 2 workers
    When the JobSet has the Jobs leader-0, workers-0 and workers-1
    Then each Job of the JobSet has a job-key of its own

  @JST-047.1
  Scenario Outline: Each child Job and its pods name the coordinator, <where>
    When a JobSet of 1 leader and 2 workers, coordinated by pod 1 of workers-0<where its pods are>, with 2 pods each
    Then the JobSet has the Jobs leader-0, workers-0 and workers-1
    And each Job of the JobSet and its pod template name the coordinator <host>

    Examples:
      | case | where                        | where its pods are      | host              |
      | a    | in the domain of the JobSet  |                         | a-workers-0-1.a   |
      | b    | in a subdomain               | , in the subdomain ring | a-workers-0-1.ring |

  @JST-005.1
  Scenario: A child Job is made as its template says
    Given a JobSet of 1 leader and 2 workers, whose templates say much
    When the JobSet has the Jobs leader-0, workers-0 and workers-1
    Then each Job of the JobSet is made as its template says

  @JST-006.1
  Scenario: A child Job and the Service name the JobSet as their controller
    When a JobSet of 1 leader and 2 workers
    Then each Job and service of the JobSet names it as the controller that it blocks
