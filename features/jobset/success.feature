Feature: A JobSet completes by its success policy

  @JST-015.1
  Scenario: A JobSet completes once all its Jobs are complete
    Given a JobSet of 1 leader and 2 workers
    And the pods of Job leader-0 succeed
    And the pods of Job workers-0 succeed
    When the pods of Job workers-1 succeed
    Then the JobSet is Completed, and stays so

  @JST-015.2
  Scenario: A JobSet completes once all Jobs of the targeted ReplicatedJob are complete
    Given a JobSet of 1 leader and 2 workers, completed by all of workers
    And the pods of Job workers-0 succeed
    When the pods of Job workers-1 succeed
    Then the JobSet is Completed, and stays so

  @JST-015.3
  Scenario: A JobSet does not complete before all its Jobs are complete
    Given a JobSet of 1 leader and 2 workers
    And the pods of Job workers-0 succeed
    When Job workers-0 has completed
    Then for 2 seconds the JobSet is not Completed

  @JST-015.6
  Scenario: A JobSet does not complete with one Job of each ReplicatedJob
    Given a JobSet of 1 leader and 2 workers
    And the pods of Job leader-0 succeed
    And the pods of Job workers-0 succeed
    When Job workers-0 has completed
    Then for 2 seconds the JobSet is not Completed

  @JST-015.4
  Scenario: A JobSet does not complete while a Job that met its criteria has pods
    Given a JobSet of 1 workers, with 2 pods each, whose Jobs succeed with their first pod
    And deleted pods stay terminating
    And 1 pod of Job workers-0 succeeds
    When Job workers-0 reports SuccessCriteriaMet
    Then for 2 seconds the JobSet is not Completed
    And once the terminating pods end the JobSet is Completed

  @JST-015.5
  Scenario: A complete Job of an earlier restart does not complete the JobSet
    Given a JobSet of 2 workers, restarted at most 1 time
    And the pods of Job workers-0 succeed
    And Job workers-0 has completed
    And the user adds a finalizer to Job workers-0 of the JobSet
    And the pods of Job workers-1 fail
    And Job workers-1 of the JobSet has been created 2 times in all
    When the pods of Job workers-1 succeed
    Then for 2 seconds the JobSet is not Completed

  @JST-015.7 @fault
  Scenario: A JobSet completes whose Jobs have completed while the controller was down
    Given a JobSet of 2 workers
    And the pods of all Jobs of the JobSet run
    And the implementation is killed
    And the pods of Job workers-0 succeed
    And the pods of Job workers-1 succeed
    And Job workers-1 has completed
    When the implementation is started again
    Then eventually the JobSet is Completed, and stays so

  @JST-015.8
  Scenario Outline: A JobSet completes beside a ReplicatedJob without replicas: <when>
    Given a JobSet of 0 leaders and 1 workers<policy>
    And the JobSet has only Job workers-0
    When the pods of Job workers-0 succeed
    Then the JobSet is Completed, and stays so

    Examples:
      | case | when                  | policy                        |
      | a    | by all of its Jobs    |                               |
      | b    | by those of the other | , completed by all of workers |
      | c    | started in order      | , started in order            |

  @JST-016.1
  Scenario: One Job of the targeted ReplicatedJob completes a JobSet by the policy Any
    Given a JobSet of 1 leader and 2 workers, completed by any of workers
    When the pods of Job workers-1 succeed
    Then the JobSet is Completed, and stays so

  @JST-016.2
  Scenario: A Job of a ReplicatedJob that is not targeted does not complete a JobSet
    Given a JobSet of 1 leader and 2 workers, completed by any of workers
    And the pods of Job leader-0 succeed
    When Job leader-0 has completed
    Then for 2 seconds the JobSet is not Completed

  @JST-016.3
  Scenario: Any Job completes a JobSet by the policy Any without a target
    Given a JobSet of 1 leader and 2 workers, completed by any Job
    When the pods of Job workers-1 succeed
    Then the JobSet is Completed, and stays so

  @JST-017.1
  Scenario Outline: Active Jobs of a finished JobSet are deleted <how>
    Given a JobSet of 1 leader and 1 workers, completed by any of leader<part>
    And Job workers-0 has 1 active pod
    When the pods of Job leader-0 succeed
    Then Job workers-0 of the JobSet is gone, and stays so

    Examples:
      | case | how                        | part                   |
      | a    | without a TTL              |                        |
      | b    | before its TTL passes      | , kept for 100 seconds |

  @JST-017.2
  Scenario Outline: Active Jobs of a JobSet that fails <how> are deleted
    Given a JobSet of 1 leader and 1 workers<policy>
    And the pods of Job workers-0 run
    When the pods of Job leader-0 fail
    Then the JobSet is Failed, and stays so, as <rule> requires
    And Job workers-0 of the JobSet is gone, and stays so

    Examples:
      | case | how                 | policy                                                           | rule    |
      | a    | with its first Job  |                                                                  | JST-019 |
      | b    | after its restarts  | , restarted at most 0 times                                      | JST-021 |
      | c    | by a rule           | , restarted at most 3 times, with the rule FailJobSet of leader  | JST-024 |

  @JST-018.1
  Scenario: A JobSet that has completed gets no Job any more
    Given a JobSet of 1 leader
    And the pods of Job leader-0 succeed
    And the JobSet is Completed
    When the user deletes Job leader-0 of the JobSet
    Then for 2 seconds Job leader-0 of the JobSet has been created 1 time in all

  @JST-018.2
  Scenario: A JobSet that has failed gets no Job any more
    Given a JobSet of 1 leader
    And the pods of Job leader-0 fail
    And the JobSet is Failed
    When the user deletes Job leader-0 of the JobSet
    Then for 2 seconds Job leader-0 of the JobSet has been created 1 time in all

  @JST-033.1
  Scenario Outline: The terminal state of a JobSet is <state>
    Given a JobSet of 2 workers
    And the pods of Job workers-0 succeed
    When the pods of Job workers-1 <how>
    Then the terminal state of the JobSet is <state>

    Examples:
      | case | how     | state     |
      | a    | succeed | Completed |
      | b    | fail    | Failed    |

  @JST-044.1
  Scenario: A JobSet that has failed stays so
    Given a JobSet of 2 workers
    And the pods of Job workers-0 fail
    And the JobSet is Failed
    When the user annotates the JobSet
    Then for 2 seconds the JobSet is Failed
