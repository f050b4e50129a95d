Feature: The status of a JobSet counts its Jobs

  @JST-032.1
  Scenario: Jobs are counted as ready and active by ReplicatedJob
    Given a JobSet of 1 leader and 2 workers, with 2 pods each
    And Job workers-1 has 2 active pods
    When the pods of Job workers-0 run
    Then the JobSet reports 1 ready, 2 active, 0 suspended, 0 succeeded and 0 failed Jobs of workers
    And the JobSet reports 0 ready, 1 active, 0 suspended, 0 succeeded and 0 failed Jobs of leader

  @JST-032.2
  Scenario: A Job that has succeeded is counted
    Given a JobSet of 2 workers
    And Job workers-1 has 1 active pod
    When the pods of Job workers-0 succeed
    Then the JobSet reports 0 ready, 1 active, 0 suspended, 1 succeeded and 0 failed Jobs of workers, and stays so

  @JST-032.3
  Scenario: A Job that has failed is counted
    Given a JobSet of 1 workers
    When the pods of Job workers-0 fail
    Then the JobSet reports 0 ready, 0 active, 0 suspended, 0 succeeded and 1 failed Jobs of workers

  @JST-032.7
  Scenario: A failed Job of an earlier restart is not counted
    Given a JobSet of 2 workers, restarted at most 1 time
    And the pods of all Jobs of the JobSet run
    And the user adds a finalizer to Job workers-0 of the JobSet
    And the pods of Job workers-0 fail
    When Job workers-1 of the JobSet has been created 2 times in all
    Then the JobSet reports 0 ready, 1 active, 0 suspended, 0 succeeded and 0 failed Jobs of workers, and stays so

  @JST-032.4
  Scenario: Suspended Jobs are counted
    Given a JobSet of 2 workers
    And the pods of all Jobs of the JobSet run
    When the user suspends the JobSet
    Then the JobSet reports 0 ready, 0 active, 2 suspended, 0 succeeded and 0 failed Jobs of workers

  @JST-032.6
  Scenario: The Jobs of a JobSet that has completed are counted
    Given a JobSet of 1 leader and 2 workers
    And the pods of Job leader-0 succeed
    And the pods of Job workers-0 succeed
    When the pods of Job workers-1 succeed
    Then the JobSet is Completed
    And the JobSet reports 0 ready, 0 active, 0 suspended, 2 succeeded and 0 failed Jobs of workers, and stays so
    And the JobSet reports 0 ready, 0 active, 0 suspended, 1 succeeded and 0 failed Jobs of leader, and stays so

  @JST-032.5
  Scenario: A Job whose pods terminate before it fails is not counted as failed
    Given a JobSet of 1 workers, with 2 pods each
    And deleted pods stay terminating
    And 1 pod of Job workers-0 fails
    When Job workers-0 reports FailureTarget
    Then the JobSet reports 0 ready, 0 active, 0 suspended, 0 succeeded and 0 failed Jobs of workers, and stays so for 2 seconds
    And once the terminating pods end the JobSet reports 0 ready, 0 active, 0 suspended, 0 succeeded and 1 failed Jobs of workers
