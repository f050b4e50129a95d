Feature: A JobSet survives failed requests, stale caches and crashes

  @JST-036.1
  Scenario: The implementation keeps running after a JobSet has failed
    Given a JobSet of 2 workers
    And the pods of Job workers-1 fail
    And the JobSet is Failed
    When 1 second passes
    Then the implementation runs

  @JST-038.1 @fault
  Scenario Outline: A status that could not be written is written later: <status>
    Given a JobSet of 1 workers
    And the pods of Job workers-0 run
    And updates of the JobSet status are answered with <status>
    And the pods of Job workers-0 succeed
    And Job workers-0 has completed
    When the fault has been triggered
    Then once the faults end the JobSet is Completed

    Examples:
      | case | status |
      | a    | 500    |
      | b    | 409    |
      | c    | 422    |

  @JST-041.1 @fault
  Scenario Outline: A restart survives a kill of the controller after its first <request>
    Given a JobSet of 1 leader and 2 workers, restarted at most 3 times
    And the pods of all Jobs of the JobSet run
    And the implementation is killed just after its 1st <request> and started again
    When the pods of Job workers-1 fail
    Then eventually the JobSet has the Jobs leader-0, workers-0 and workers-1, and stays so
    And eventually Job workers-1 of the JobSet has been created 2 times in all
    And the JobSet reports 1 restart, of which 1 counts, and stays so for 1 second

    Examples:
      | case | request      |
      | a    | Job deletion |
      | b    | Job creation |

  @JST-042.1 @fault
  Scenario: A failure that is seen again with a stale JobSet is counted once
    Given a JobSet of 1 workers, restarted at most 3 times
    And the JobSet reports 0 ready, 1 active, 0 suspended, 0 succeeded and 0 failed Jobs of workers
    And the user adds a finalizer to Job workers-0 of the JobSet
    And the implementation's view of jobsets is stale
    And the pods of Job workers-0 fail
    And Job workers-0 has failed
    When the user removes the finalizer of Job workers-0 of the JobSet
    Then once the view of jobsets catches up the JobSet reports 1 restart, of which 1 counts, and stays so

  @JST-043.1 @fault
  Scenario Outline: What could not be created is created later: <fault>
    Given <fault>
    When a JobSet of 1 leader and 2 workers
    Then eventually the JobSet has the Jobs leader-0, workers-0 and workers-1, and stays so
    And eventually the JobSet has one service, a, which is headless and selects all its pods

    Examples:
      | case | fault                                                          |
      | a    | the next 2 Job creations are answered with 500                 |
      | b    | the next Job creation is refused by a quota with 403           |
      | c    | the next service creation is answered with 500                 |
      | d    | the next Job creation is applied but its reply is lost     |
      | e    | the next 9 Job creations are refused because the name is taken |
      | f    | the next service creation is answered with 409                 |
      | g    | the next service creation is answered with 422                 |
      | h    | the next service creation is applied but its reply is lost |

  @JST-045.1
  Scenario: Nothing is written while a running JobSet does not change
    Given a JobSet of 1 leader and 2 workers, with 2 pods each
    And the pods of all Jobs of the JobSet run
    And the JobSet reports 2 ready, 2 active, 0 suspended, 0 succeeded and 0 failed Jobs of workers
    And the user annotates the JobSet
    When 2 seconds pass
    Then for 2 seconds nothing is written

  @JST-045.3
  Scenario Outline: Nothing is written for a JobSet that <what>
    Given a JobSet of 1 leader and 1 workers<how>
    And <event>
    And the JobSet is <condition>
    And <its Jobs>
    And the user annotates the JobSet
    When 2 seconds pass
    Then for 2 seconds nothing is written

    Examples:
      | case | what                    | how                | event                         | condition               | its Jobs                              |
      | a    | is suspended            |                    | the user suspends the JobSet  | Suspended               | Job leader-0 has 0 active pods        |
      | b    | has failed              |                    | the pods of Job leader-0 fail | Failed                  | Job workers-0 of the JobSet is gone   |
      | c    | waits for its first Job | , started in order | Job leader-0 has 1 active pod | StartupPolicyInProgress | 2 seconds pass                        |

  @JST-045.2
  Scenario: Nothing is written for a completed JobSet
    Given a JobSet of 1 workers
    And the pods of Job workers-0 run
    And the pods of Job workers-0 succeed
    And the JobSet is Completed
    And the user annotates the JobSet
    When 2 seconds pass
    Then for 2 seconds nothing is written
