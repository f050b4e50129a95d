Feature: Of several replicas one works
  Replicas stand by for each other. They elect a leader by a Lease, and only the one that holds it works.

  @ROB-001 @cap-LeaderElection
  Scenario: Only the replica that leads works
    Given 2 replicas of which one leads
    And a Job with 2 completions and parallelism 1
    When 1 pod succeeds
    And 1 pod succeeds
    Then the Job completes with 2 succeeded pods, and stays so
    And only the replica that held the Lease has written

  @ROB-001 @cap-LeaderElection @fault
  Scenario: A leader that was cut off does not work beside the one that took over
    Given 2 replicas of which one leads
    And a Job with 1 completion and parallelism 1
    When the leader cannot reach the API server
    And another replica takes over
    And every replica reaches the API server again
    And 1 pod succeeds
    Then the Job completes with 1 succeeded pod, and stays so
    And only the replica that held the Lease has written

  @ROB-002 @cap-LeaderElection @fault
  Scenario: A replica that stands by takes over from a leader that died
    Given 2 replicas of which one leads
    And a Job with 2 completions and parallelism 1
    And 1 pod is running
    When the leader is killed
    And 1 pod succeeds
    Then another replica takes over
    And the Job reports 1 active and 1 succeeded pods, and stays so

  @ROB-003 @cap-LeaderElection
  Scenario: A leader that is asked to end gives the Lease up
    Given 2 replicas of which one leads
    When the leader is asked to end
    Then the replica that led has given the Lease up

  @ROB-004 @cap-LeaderElection @fault
  Scenario: A leader that cannot renew its Lease stops
    Given 2 replicas of which one leads
    And a Job with 2 completions and parallelism 1
    And 1 pod is running
    When updates of the Lease are answered with 500
    And the Lease runs out
    And 1 pod succeeds
    And 2 seconds pass
    Then only the replica that held the Lease has written

  @ROB-005 @cap-LeaderElection @fault
  Scenario: A leader that stood still does not go on as if it led
    Given 2 replicas of which one leads
    And a Job with 2 completions and parallelism 1
    And the Job reports 1 active pod
    When the leader stands still
    And another replica takes over
    And the replica that stood still goes on
    And 1 pod succeeds
    Then for 5 seconds only the replica that held the Lease has written
