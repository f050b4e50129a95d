Feature: A Job that is active too long fails
  activeDeadlineSeconds counts from startTime. It has effect by itself, whatever else happens or does not.
  A deadline is long enough here that no other look at the Job, such as one that follows a change of a pod, comes
  when it is due. That none takes effect before it is due is asked of every history (BAS-040).

  @BAS-039
  Scenario: A Job past its deadline fails and loses its pods
    Given a Job with 2 completions, parallelism 2 and activeDeadlineSeconds 2
    When 2 pods are running
    Then the Job fails by its deadline
    And 0 pods are active, and stays so

  @BAS-040
  Scenario: A deadline takes effect in time when nothing happens
    Given a Job with 1 completion, parallelism 1 and activeDeadlineSeconds 3
    When 1 pod is running
    Then the deadline of the Job takes effect
    And the deadline of the Job did not take effect before it was due
    And the deadline of the Job took effect no more than 2 seconds after it was due

  @BAS-041
  Scenario: A deadline takes effect in time after a restart
    Given a Job with 1 completion, parallelism 1 and activeDeadlineSeconds 6
    And 1 pod is running
    And the Job reports 1 active pod
    And 4 seconds pass
    When the implementation is killed and started again
    Then the deadline of the Job takes effect
    And the deadline of the Job took effect no more than 2 seconds after it was due

  @BAS-041
  Scenario: A deadline that passes while the implementation is down is past when it starts
    Given a Job with 1 completion, parallelism 1 and activeDeadlineSeconds 3
    And 1 pod is running
    And the Job reports 1 active pod
    And the implementation is killed
    And 3 seconds pass
    When the implementation is started again
    Then the deadline of the Job takes effect
    And the deadline of the Job took effect no more than 2 seconds after it was due

  @BAS-042
  Scenario: A running Job gets its first deadline
    Given a Job with 1 completion and parallelism 1
    And 1 pod is running
    When the Job is changed to activeDeadlineSeconds 1
    Then the deadline of the Job takes effect

  @BAS-042
  Scenario: A running Job gets an earlier deadline
    Given a Job with 1 completion, parallelism 1 and activeDeadlineSeconds 600
    And 1 pod is running
    When the Job is changed to activeDeadlineSeconds 1
    Then the deadline of the Job takes effect

  @BAS-042
  Scenario: A running Job gets a later deadline
    Given a Job with 1 completion, parallelism 1 and activeDeadlineSeconds 12
    And 1 pod is running
    When the Job is changed to activeDeadlineSeconds 600
    Then for 15 seconds the deadline of the Job does not take effect

  @BAS-043
  Scenario: A suspended Job has no deadline
    Given a Job with 1 completion and parallelism 1
    And 1 pod is running
    And the user has suspended the Job
    When the Job is changed to activeDeadlineSeconds 1
    Then for 5 seconds the deadline of the Job does not take effect

  @BAS-043
  Scenario: A resumed Job has its full deadline again
    Given a Job with 1 completion, parallelism 1 and activeDeadlineSeconds 6
    And 1 pod is running
    And the user has suspended the Job
    And 7 seconds pass
    When the user resumes the Job
    Then within 15 seconds the deadline of the Job takes effect
    And the deadline of the Job did not take effect before it was due
    And the startTime of the Job is not before it was resumed

  @BAS-044
  Scenario: A deadline takes effect for a Job without pods
    Given a Job with 1 completion, parallelism 0 and activeDeadlineSeconds 1
    Then the Job fails by its deadline
    And 0 pods have been created in all, and stays so

  @BAS-045
  Scenario: A Job that is past its deadline and its backoffLimit fails by backoffLimit
    Given a Job with 1 completion, parallelism 1, backoffLimit 0 and activeDeadlineSeconds 6
    And 1 pod is running
    And the Job reports 1 active pod
    And the implementation is killed
    And 1 pod fails
    And 6 seconds pass
    When the implementation is started again
    Then the Job fails with reason BackoffLimitExceeded, and stays so
