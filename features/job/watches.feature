Feature: What is watched is seen again after an interruption
  An API server ends watches as it likes, and forgets old versions. A controller has to go on all the same.

  @ROB-009 @fault
  Scenario: Watches that the server ends are begun again
    Given a Job with 2 completions and parallelism 2
    And 2 pods are running
    And the Job reports 2 active pods
    When the server ends the watches of pods
    And the server ends the watches of jobs
    And 2 pods succeed
    Then in the end the Job completes with 2 succeeded pods, and stays so

  @ROB-010 @fault
  Scenario: Watches whose version the server has forgotten are begun anew
    Given a Job with 2 completions and parallelism 2
    And 2 pods are running
    And the Job reports 2 active pods
    When the server ends the watches of pods with 410
    And the server ends the watches of jobs with 410
    And 2 pods succeed
    Then in the end the Job completes with 2 succeeded pods, and stays so

  @ROB-013 @fault
  Scenario: Pods that are seen late against their Job are counted once
    Given pods are seen 1.5 seconds late
    And a Job with 4 completions and parallelism 2
    When 2 pods succeed
    Then in the end the Job counts 2 succeeded and 0 failed pods
    And in the end 2 pods are active
    And for 5 seconds the Job does not finish
    And the counters of the Job are equal to what its pods did

  @ROB-014 @fault
  Scenario: A Job of which everything is seen late ends as ever
    Given jobs are seen 1.5 seconds late
    And pods are seen 1.5 seconds late
    And a Job with 4 completions and parallelism 2
    When 2 pods succeed
    Then in the end 2 pods are active, and stays so
    And in the end the counters of the Job are equal to what its pods did
    And in the end no finished pod of the Job has the tracking finalizer, and stays so

  @ROB-028
  Scenario: Nothing is written for a Job that goes on as it is
    Given a Job with 2 completions and parallelism 2
    And 2 pods are running
    And the Job reports 2 active pods
    When 2 seconds pass
    Then for 2 seconds nothing is written

  @ROB-028
  Scenario: Nothing is written for a Job that is finished
    Given a Job with 1 completion and parallelism 1
    And 1 pod succeeds
    And the Job completes with 1 succeeded pod
    When 2 seconds pass
    Then for 2 seconds nothing is written
