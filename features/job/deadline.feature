Feature: A Job that is active too long fails
  activeDeadlineSeconds is measured from startTime and is enforced even if nothing else changes. The deadlines here are
  long enough that no other reconciliation of the Job, such as one after a change of a pod, happens when they expire.
  That none is enforced early is checked in every history (BAS-040).

  @BAS-039.1
  Scenario: A Job past its deadline fails and its pods are deleted
    Given a Job with 2 completions, parallelism 2 and activeDeadlineSeconds 2
    When 2 pods are running
    Then the Job fails by its deadline
    And 0 pods are active, and stays so

  @BAS-040.1
  Scenario: A deadline is enforced in time if nothing else changes
    Given a Job with 1 completion, parallelism 1 and activeDeadlineSeconds 3
    When 1 pod is running
    Then the deadline of the Job takes effect
    And the deadline of the Job did not take effect before it was due
    And the deadline of the Job took effect no more than 2 seconds after it was due

  @BAS-040.2
  Scenario Outline: A deadline far in the future is never enforced early
    Given a Job with 1 completion, parallelism 1 and activeDeadlineSeconds <seconds>
    And 1 pod is running
    And for 5 seconds 1 pod is active
    When 1 pod succeeds
    Then the Job completes with 1 succeeded pod, and stays so

    Examples:
      | case | seconds             |
      | a    | 2147483648          |
      | b    | 9223372037          |
      | c    | 10000000000         |
      | d    | 9223372036854775807 |

  @BAS-040.3
  Scenario: The deadline of a Job is enforced in time after one of its name was deleted
    Given a Job with 1 completion, parallelism 1 and activeDeadlineSeconds 5
    And 3 seconds pass
    And the user deletes the Job
    And the Job is gone
    When a Job is created with 1 completion, parallelism 1 and activeDeadlineSeconds 5
    Then within 15 seconds the deadline of the Job takes effect
    And the deadline of the Job did not take effect before it was due
    And the deadline of the Job took effect no more than 2 seconds after it was due

  @BAS-040.4
  Scenario: The deadline of a resumed Job is enforced in time
    Given a Job with 1 completion, parallelism 1 and activeDeadlineSeconds 4
    And 1 pod is running
    And the user has suspended the Job
    And 5 seconds pass
    When the user resumes the Job
    Then within 15 seconds the deadline of the Job takes effect
    And the deadline of the Job took effect no more than 2 seconds after it was due

  @BAS-040.5
  Scenario: The deadline of a Job whose pods have become ready is enforced in time
    Given a Job with 2 completions, parallelism 2 and activeDeadlineSeconds 5
    And the Job reports 2 active pods
    When 2 pods are running and ready
    Then within 15 seconds the deadline of the Job takes effect
    And the deadline of the Job did not take effect before it was due
    And the deadline of the Job took effect no more than 2 seconds after it was due

  @BAS-041.1
  Scenario: A deadline is enforced in time after a restart
    Given a Job with 1 completion, parallelism 1 and activeDeadlineSeconds 6
    And 1 pod is running
    And the Job reports 1 active pod
    And 4 seconds pass
    When the implementation is killed and started again
    Then the deadline of the Job takes effect
    And the deadline of the Job took effect no more than 2 seconds after it was due

  @BAS-041.2
  Scenario: A deadline that expires while the controller is down is enforced at its start
    Given a Job with 1 completion, parallelism 1 and activeDeadlineSeconds 3
    And 1 pod is running
    And the Job reports 1 active pod
    And the implementation is killed
    And 3 seconds pass
    When the implementation is started again
    Then the deadline of the Job takes effect
    And the deadline of the Job took effect no more than 2 seconds after it was due

  @FIN-007.5
  Scenario Outline: A success before the deadline that is observed after it is counted: <a Job>
    Given <a Job> and activeDeadlineSeconds 4
    And the Job reports 1 active pod
    And the implementation is killed
    And 1 pod succeeds
    And 4 seconds pass
    When the implementation is started again
    Then the Job finishes
    And the Job counts 1 succeeded and 0 failed pods, and stays so

    Examples:
      | case | a Job                                 |
      | a    | a Job with 1 completion, parallelism 1 |
      | b    | a work-queue Job with parallelism 1    |

  @BAS-042.1
  Scenario: A deadline that is set on a running Job is enforced
    Given a Job with 1 completion and parallelism 1
    And 1 pod is running
    When the Job is changed to activeDeadlineSeconds 1
    Then the deadline of the Job takes effect

  @BAS-042.2
  Scenario: A deadline that is lowered on a running Job is enforced
    Given a Job with 1 completion, parallelism 1 and activeDeadlineSeconds 600
    And 1 pod is running
    When the Job is changed to activeDeadlineSeconds 1
    Then the deadline of the Job takes effect

  @BAS-042.3
  Scenario: A deadline that is raised on a running Job is not enforced early
    Given a Job with 1 completion, parallelism 1 and activeDeadlineSeconds 12
    And 1 pod is running
    When the Job is changed to activeDeadlineSeconds 600
    Then for 15 seconds the deadline of the Job does not take effect

  @BAS-042.5
  Scenario: A deadline that is raised on a running Job is enforced in time
    Given a Job with 1 completion, parallelism 1 and activeDeadlineSeconds 6
    And 1 pod is running
    And the Job reports 1 active pod
    When the Job is changed to activeDeadlineSeconds 10
    Then within 15 seconds the deadline of the Job takes effect
    And the deadline of the Job did not take effect before it was due
    And the deadline of the Job took effect no more than 2 seconds after it was due

  @BAS-042.4
  Scenario: A deadline that is raised far into the future is not enforced early
    Given a Job with 1 completion, parallelism 1 and activeDeadlineSeconds 600
    And 1 pod is running
    When the Job is changed to activeDeadlineSeconds 10000000000
    Then for 5 seconds the deadline of the Job does not take effect

  @BAS-043.1
  Scenario: The deadline of a suspended Job is not enforced
    Given a Job with 1 completion and parallelism 1
    And 1 pod is running
    And the user has suspended the Job
    When the Job is changed to activeDeadlineSeconds 1
    Then for 5 seconds the deadline of the Job does not take effect

  @BAS-043.2
  Scenario: The deadline of a resumed Job starts again
    Given a Job with 1 completion, parallelism 1 and activeDeadlineSeconds 6
    And 1 pod is running
    And the user has suspended the Job
    And 7 seconds pass
    When the user resumes the Job
    Then within 15 seconds the deadline of the Job takes effect
    And the deadline of the Job did not take effect before it was due
    And the startTime of the Job is the time of its resume

  @BAS-044.1
  Scenario: The deadline of a Job without pods is enforced
    Given a Job with 1 completion, parallelism 0 and activeDeadlineSeconds 1
    Then the Job fails by its deadline
    And 0 pods have been created in all, and stays so

  @BAS-045.1
  Scenario: A Job past its deadline and its backoffLimit fails with BackoffLimitExceeded
    Given a Job with 1 completion, parallelism 1, backoffLimit 0 and activeDeadlineSeconds 6
    And 1 pod is running
    And the Job reports 1 active pod
    And the implementation is killed
    And 1 pod fails
    And 6 seconds pass
    When the implementation is started again
    Then the Job fails with reason BackoffLimitExceeded, and stays so
