Feature: A JobSet restarts or fails by its failure policy

  @JST-019.1
  Scenario: A JobSet without a failure policy fails with its first Job
    Given a JobSet of 2 workers
    When the pods of Job workers-1 fail
    Then the JobSet is Failed, and stays so

  @JST-019.2
  Scenario: A JobSet fails whose condition Failed another client has set to False
    Given a JobSet of 2 workers
    And the pods of Job workers-0 run
    And another client sets the condition Failed of the JobSet to False
    When the pods of Job workers-1 fail
    Then the JobSet is Failed, and stays so

  @JST-019.3
  Scenario: A JobSet fails beside a Job whose label names no ReplicatedJob
    Given a JobSet of 1 leader and 1 workers
    And the pods of all Jobs of the JobSet run
    And another client renames the ReplicatedJob of Job workers-0 of the JobSet
    When the pods of Job leader-0 fail
    Then the JobSet is Failed, and stays so
    And the implementation runs, as JST-036 requires

  @JST-020.1
  Scenario: A failed Job restarts all Jobs of its JobSet
    Given a JobSet of 1 leader and 2 workers, restarted at most 2 times
    And the pods of all Jobs of the JobSet run
    When the pods of Job workers-1 fail
    Then Job workers-1 of the JobSet has been created 2 times in all
    And Job workers-0 of the JobSet has been created 2 times in all
    And Job leader-0 of the JobSet has been created 2 times in all
    And each Job of the JobSet and its pod template have the labels of their replica

  @JST-020.8 @fault
  Scenario: A Job that fails while the controller is down restarts its JobSet
    Given a JobSet of 2 workers, restarted at most 1 time
    And the pods of all Jobs of the JobSet run
    And the implementation is killed
    And the pods of Job workers-0 fail
    And Job workers-0 has failed
    When the implementation is started again
    Then eventually Job workers-1 of the JobSet has been created 2 times in all, and stays so

  @JST-020.2 @fault
  Scenario Outline: A restart is completed though deletions of Jobs are answered with <status>
    Given a JobSet of 1 workers, restarted at most 2 times
    And the pods of Job workers-0 run
    And Job deletions are answered with <status>
    And the pods of Job workers-0 fail
    When the fault has been triggered
    Then once the faults end Job workers-0 of the JobSet has been created 2 times in all

    Examples:
      | case | status |
      | a    | 500    |
      | b    | 409    |

  @JST-020.3 @fault
  Scenario: A restart is completed though the reply to the deletion of a Job is lost
    Given a JobSet of 1 leader and 1 workers, restarted at most 2 times
    And the pods of Job workers-0 run
    And the next Job deletion is applied but its reply is lost
    When the pods of Job workers-0 fail
    Then eventually Job workers-0 of the JobSet has been created 2 times in all, and stays so
    And eventually Job leader-0 of the JobSet has been created 2 times in all, and stays so

  @JST-020.4
  Scenario: A Job whose pod PodGC has marked as failed restarts its JobSet
    Given a JobSet of 1 leader and 1 workers, restarted at most 2 times
    And the pods of all Jobs of the JobSet run
    When PodGC marks the pods of Job workers-0 as failed
    Then Job workers-0 of the JobSet has been created 2 times in all
    And Job leader-0 of the JobSet has been created 2 times in all

  @JST-020.5
  Scenario Outline: A failed Job restarts its JobSet after another client <change>
    Given a JobSet of 1 leader and 1 workers, restarted at most 2 times
    And the pods of all Jobs of the JobSet run
    And another client <change> Job workers-0 of the JobSet
    When the pods of Job workers-0 fail
    Then Job workers-0 of the JobSet has been created 2 times in all
    And Job leader-0 of the JobSet has been created 2 times in all

    Examples:
      | case | change                           |
      | a    | labels                           |
      | b    | annotates                        |
      | c    | sets a condition of              |
      | d    | changes activeDeadlineSeconds of |

  @JST-020.7
  Scenario Outline: A JobSet restarts after another client <change> its Service
    Given a JobSet of 1 leader, restarted at most 2 times
    And the JobSet has one service, a, which is headless and selects all its pods
    And another client <change> the service of the JobSet
    When the pods of Job leader-0 fail
    Then Job leader-0 of the JobSet has been created 2 times in all
    And the JobSet has one service, a, which is headless and selects all its pods, and stays so, as JST-007 requires

    Examples:
      | case | change                          |
      | a    | labels                          |
      | b    | annotates                       |
      | c    | gives another owner to          |
      | d    | changes the session affinity of |

  @JST-020.6
  Scenario: A Job that fails though its pods are not disrupted restarts its JobSet
    Given a JobSet of 1 workers, restarted at most 2 times, whose Jobs ignore disruptions
    And the pods of Job workers-0 run
    And another client sets DisruptionTarget of the pods of Job workers-0 to False
    When the pods of Job workers-0 fail
    Then Job workers-0 of the JobSet has been created 2 times in all

  @JST-021.1
  Scenario: A JobSet whose restarts are used up fails
    Given a JobSet of 1 workers, restarted at most 1 time
    And the pods of Job workers-0 fail
    And Job workers-0 of the JobSet has been created 2 times in all
    When the pods of Job workers-0 fail
    Then the JobSet is Failed, and stays so

  @JST-021.2
  Scenario: A JobSet that may not restart fails
    Given a JobSet of 1 workers, restarted at most 0 times
    When the pods of Job workers-0 fail
    Then the JobSet is Failed, and stays so

  @JST-022.1
  Scenario: A restart by RestartJobSetAndIgnoreMaxRestarts is not counted
    Given a JobSet of 1 workers, restarted at most 0 times, with the rule RestartJobSetAndIgnoreMaxRestarts
    When the pods of Job workers-0 fail
    Then the JobSet reports 1 restart, of which 0 count, and stays so
    And Job workers-0 of the JobSet has been created 2 times in all

  @JST-023.1
  Scenario: Jobs that fail together restart a JobSet once
    Given a JobSet of 3 workers, restarted at most 3 times
    When the pods of all Jobs of the JobSet fail
    Then the JobSet reports 1 restart, of which 1 counts, and stays so for 2 seconds

  @JST-023.2
  Scenario: A JobSet that is created again counts its restarts from 0
    Given a JobSet of 1 workers, restarted at most 1 time
    And the pods of Job workers-0 fail
    And Job workers-0 of the JobSet has been created 2 times in all
    And the user deletes the JobSet with all that was made for it
    And the user creates the same JobSet again
    When the pods of Job workers-0 fail
    Then the JobSet reports 1 restart, of which 1 counts, and stays so

  @JST-023.3 @fault
  Scenario: A restart is counted once though the replies to updates of the status are lost
    Given a JobSet of 1 workers, restarted at most 3 times
    And the pods of Job workers-0 run
    And updates of the JobSet status are applied but their replies are lost
    And the pods of Job workers-0 fail
    When Job workers-0 of the JobSet has been created 2 times in all
    Then once the faults end the JobSet reports 1 restart, of which 1 counts, and stays so

  @JST-023.6
  Scenario: A failed Job of an earlier restart does not restart the JobSet again
    Given a JobSet of 2 workers, restarted at most 3 times
    And the pods of all Jobs of the JobSet run
    And the user adds a finalizer to Job workers-0 of the JobSet
    And the pods of Job workers-0 fail
    And Job workers-1 of the JobSet has been created 2 times in all
    When the pods of Job workers-1 run
    Then the JobSet reports 1 restart, of which 1 counts, and stays so for 2 seconds

  @JST-023.4
  Scenario: Containers that are restarted do not restart the JobSet
    Given a JobSet of 1 workers, restarted at most 3 times
    And the pods of Job workers-0 run
    When the containers of Job workers-0 have been restarted 2 times
    Then for 2 seconds the JobSet reports 0 restarts, of which 0 count

  @JST-023.5
  Scenario: A pod whose disruption its Job ignores does not restart the JobSet
    Given a JobSet of 1 workers, restarted at most 2 times, whose Jobs ignore disruptions
    And the pods of Job workers-0 run
    And another client sets DisruptionTarget of the pods of Job workers-0 to True
    When the pods of Job workers-0 fail
    Then for 2 seconds the JobSet reports 0 restarts, of which 0 count

  @JST-024.1
  Scenario: A JobSet fails by a rule before its restarts are used up
    Given a JobSet of 1 workers, restarted at most 3 times, with the rule FailJobSet for the reason PodFailurePolicy
    When the pods of Job workers-0 fail with exit code 42
    Then the JobSet is Failed, and stays so

  @JST-025.1
  Scenario: The first rule that matches decides before a later one
    Given a JobSet of 1 workers, with the rule RestartJobSetAndIgnoreMaxRestarts of workers and the rule FailJobSet
    When the pods of Job workers-0 fail
    Then the JobSet reports 1 restart, of which 0 count, and stays so

  @JST-025.2
  Scenario: A rule for another reason does not decide
    Given a JobSet of 1 workers, restarted at most 1 time, with the rule FailJobSet for the reason PodFailurePolicy
    When the pods of Job workers-0 fail
    Then the JobSet reports 1 restart, of which 1 counts, and stays so

  @JST-025.3
  Scenario: A rule for another ReplicatedJob does not decide
    Given a JobSet of 1 leader and 1 workers, restarted at most 1 time, with the rule FailJobSet of leader
    When the pods of Job workers-0 fail
    Then the JobSet reports 1 restart, of which 1 counts, and stays so

  @JST-026.1
  Scenario: With BlockingRecreate no Job is created while an earlier one is there
    Given a JobSet of 1 leader and 1 workers, restarted at most 1 time, each restart after all Jobs are gone
    And the pods of all Jobs of the JobSet run
    And deleted pods stay terminating
    And the pods of Job workers-0 fail
    When the JobSet reports 1 restart, of which 1 counts
    Then for 2 seconds Job workers-0 of the JobSet has been created 1 time in all
    And once the terminating pods end Job workers-0 of the JobSet has been created 2 times in all
    And no Job of the JobSet was created while one of an earlier restart was there

  @JST-050.1
  Scenario: A Job of a restart is not created while pods of the one before terminate
    Given a JobSet of 2 workers, restarted at most 1 time
    And the pods of all Jobs of the JobSet run
    And deleted pods stay terminating
    And the pods of Job workers-1 fail
    When the JobSet reports 1 restart, of which 1 counts
    Then for 2 seconds Job workers-0 of the JobSet has been created 1 time in all
    And once the terminating pods end Job workers-0 of the JobSet has been created 2 times in all, as JST-020 requires

  @JST-051.1
  Scenario: A Job of a restart does not wait until another Job is gone
    Given a JobSet of 1 leader and 2 workers, restarted at most 1 time
    And the pods of all Jobs of the JobSet run
    And the user adds a finalizer to Job workers-0 of the JobSet
    When the pods of Job workers-1 fail
    Then Job workers-1 of the JobSet has been created 2 times in all, and stays so
    And Job leader-0 of the JobSet has been created 2 times in all, and stays so
