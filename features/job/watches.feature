Feature: Changes are observed after a watch is interrupted
  An API server closes watches at any time, and forgets old resource versions. A controller must continue to observe.

  @ROB-009.1 @fault
  Scenario: Changes are observed after the API server closes the watches
    Given a Job with 2 completions and parallelism 2
    And 2 pods are running
    And the Job reports 2 active pods
    When the server ends the watches of pods
    And the server ends the watches of jobs
    And 2 pods succeed
    Then eventually the Job completes with 2 succeeded pods, and stays so

  @ROB-010.1 @fault
  Scenario: Changes are observed after watches end with 410 Gone
    Given a Job with 2 completions and parallelism 2
    And 2 pods are running
    And the Job reports 2 active pods
    When the server ends the watches of pods with 410
    And the server ends the watches of jobs with 410
    And 2 pods succeed
    Then eventually the Job completes with 2 succeeded pods, and stays so

  @ROB-013.1 @fault
  Scenario: Pods are counted once while they are observed after their Job
    Given pods are seen 1.5 seconds late
    And a Job with 4 completions and parallelism 2
    When 2 pods succeed
    Then eventually the Job counts 2 succeeded and 0 failed pods
    And eventually 2 pods are active
    And for 5 seconds the Job does not finish
    And the counters of the Job are equal to what its pods did

  @ROB-014.1 @fault
  Scenario: The counts of a Job are true while all watch events are delayed
    Given jobs are seen 1.5 seconds late
    And pods are seen 1.5 seconds late
    And a Job with 4 completions and parallelism 2
    When 2 pods succeed
    Then eventually 2 pods are active, and stays so
    And eventually the counters of the Job are equal to what its pods did
    And eventually no finished pod of the Job has the tracking finalizer, and stays so

  @ROB-028.1
  Scenario: Nothing is written while a running Job does not change
    Given a Job with 2 completions and parallelism 2
    And 2 pods are running
    And the Job reports 2 active pods
    When 2 seconds pass
    Then for 2 seconds nothing is written

  @ROB-028.2
  Scenario: Nothing is written for a finished Job
    Given a Job with 1 completion and parallelism 1
    And 1 pod succeeds
    And the Job completes with 1 succeeded pod
    When 2 seconds pass
    Then for 2 seconds nothing is written

  @ROB-028.3
  Scenario: Nothing is written for a suspended Job
    Given a Job with 2 completions and parallelism 2
    And 2 pods are running
    And the user has suspended the Job
    And the Job reports 0 active pods
    When 2 seconds pass
    Then for 2 seconds nothing is written

  @ROB-028.4
  Scenario: Nothing is written while the replacement of a pod is delayed
    Given a Job with 2 completions and parallelism 2
    And 2 pods have failed before
    And 1 pod fails that ended 0 seconds ago
    And the Job reports 1 active and 3 failed pods
    When 2 seconds pass
    Then for 2 seconds nothing is written
