Feature: A JobSet is left to its time to live and to its manager

  @JST-034.1
  Scenario Outline: A JobSet that has <end> is deleted after ttlSecondsAfterFinished
    Given a JobSet of 1 workers, kept for <seconds> seconds
    When the pods of Job workers-0 <how>
    Then the JobSet is gone
    And the JobSet was deleted <seconds> seconds after it finished

    Examples:
      | case | end       | how     | seconds |
      | a    | completed | succeed | 3       |
      | b    | failed    | fail    | 3       |
      | c    | completed | succeed | 0       |

  @JST-034.2
  Scenario: A JobSet is kept until its time to live has passed
    Given a JobSet of 1 workers, kept for 30 seconds
    And the pods of Job workers-0 succeed
    When the JobSet is Completed
    Then for 5 seconds the JobSet is there

  @JST-034.5
  Scenario: A time to live that is lowered on a finished JobSet is applied
    Given a JobSet of 1 workers, kept for 600 seconds
    And the pods of Job workers-0 succeed
    And the JobSet is Completed
    When the user gives the JobSet the ttlSecondsAfterFinished 4
    Then the JobSet is gone
    And the JobSet was deleted 4 seconds after it finished

  @JST-034.6
  Scenario: A time to live that is raised on a finished JobSet is kept
    Given a JobSet of 1 workers, kept for 6 seconds
    And the pods of Job workers-0 succeed
    And the JobSet is Completed
    When the user gives the JobSet the ttlSecondsAfterFinished 600
    Then for 6 seconds the JobSet is there

  @JST-034.7
  Scenario: A time to live that is raised on a finished JobSet is applied when it is over
    Given a JobSet of 1 workers, kept for 6 seconds
    And the pods of Job workers-0 succeed
    And the JobSet is Completed
    When the user gives the JobSet the ttlSecondsAfterFinished 10
    Then the JobSet is gone
    And the JobSet was deleted 10 seconds after it finished

  @JST-034.3
  Scenario: A JobSet whose time to live passes while the controller is down is deleted
    Given a JobSet of 1 workers, kept for 3 seconds
    And the pods of Job workers-0 succeed
    And the JobSet is Completed
    And the implementation is killed
    And 6 seconds pass
    When the implementation is started again
    Then eventually the JobSet is gone

  @JST-034.4 @fault
  Scenario Outline: A JobSet is deleted though the next deletion is <answer>
    Given a JobSet of 1 workers, kept for 2 seconds
    And the next JobSet deletion is <answer>
    When the pods of Job workers-0 succeed
    Then eventually the JobSet is gone

    Examples:
      | case | answer                        |
      | a    | answered with 500             |
      | b    | answered with 409             |
      | c    | applied but its reply is lost |

  @JST-048.1
  Scenario: A Job of a JobSet that is being deleted is not created again
    Given a JobSet of 1 leader and 1 workers
    And the pods of all Jobs of the JobSet run
    And a finalizer of another client holds the JobSet
    And the user deletes the JobSet
    When the user deletes Job workers-0 of the JobSet
    Then for 2 seconds Job workers-0 of the JobSet has been created 1 time in all

  @JST-048.2
  Scenario: A JobSet that is being deleted is not restarted when a Job fails
    Given a JobSet of 1 leader and 1 workers, restarted at most 2 times
    And the pods of all Jobs of the JobSet run
    And a finalizer of another client holds the JobSet
    And the user deletes the JobSet
    When the pods of Job workers-0 fail
    Then for 2 seconds Job workers-0 of the JobSet has been created 1 time in all

  @JST-035.1
  Scenario: A JobSet of another manager is not reconciled
    When a JobSet of 1 leader and 1 workers, managed by example.com/other
    Then for 2 seconds the JobSet has not been reconciled

  @JST-037.1
  Scenario: A JobSet that names the JobSet controller is reconciled
    When a JobSet of 1 workers, managed by jobset.sigs.k8s.io/jobset-controller
    Then the JobSet has only Job workers-0, and stays so
