Feature: The Jobs of a JobSet are those that it controls

  @JST-039.1
  Scenario: A failed Job of a deleted JobSet does not fail a new one of the same name
    Given a JobSet of 1 workers
    And the pods of Job workers-0 fail
    And the JobSet is Failed
    And the user adds a finalizer to Job workers-0 of the JobSet
    And the user deletes the JobSet
    When the user creates the same JobSet again
    Then for 2 seconds the JobSet is not Failed

  @JST-039.2
  Scenario: A complete Job of a deleted JobSet does not complete a new one of the same name
    Given a JobSet of 1 workers
    And the pods of Job workers-0 succeed
    And the JobSet is Completed
    And the user adds a finalizer to Job workers-0 of the JobSet
    And the user deletes the JobSet
    When the user creates the same JobSet again
    Then for 2 seconds the JobSet is not Completed

  @JST-040.1
  Scenario: The failure of a Job with the labels of a JobSet does not fail it
    Given a JobSet of 1 workers
    And a user creates Job other with the labels of a Job of workers
    And the pod of the user's Job other fails
    When the pods of Job workers-0 run
    Then for 2 seconds the JobSet is not Failed
    And for 1 second Job other, which the JobSet does not control, has not been changed

  @JST-040.2
  Scenario: A restart leaves a Job alone that only has the labels of the JobSet
    Given a JobSet of 1 workers, restarted at most 1 time
    And a user creates Job other with the labels of a Job of workers
    And Job other of the user has an active pod
    And the pods of Job workers-0 fail
    When Job workers-0 of the JobSet has been created 2 times in all
    Then for 1 second Job other, which the JobSet does not control, has not been changed

  @JST-040.3
  Scenario: A Job of another client that has the name of a child Job is not changed
    Given a user creates Job a-workers-0 with the labels of a Job of workers
    When a JobSet of 1 workers
    Then for 2 seconds Job a-workers-0, which the JobSet does not control, has not been changed

  @JST-040.4
  Scenario: The failure of a Job that was taken from its JobSet does not fail it
    Given a JobSet of 1 leader and 1 workers
    And the pods of all Jobs of the JobSet run
    And another client takes Job workers-0 from the JobSet
    When the pod of the user's Job a-workers-0 fails
    Then for 2 seconds the JobSet is not Failed
