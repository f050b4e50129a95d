Feature: One of several replicas is the leader
  Replicas elect a leader by a Lease, and only its holder writes. The others are on standby.

  @ROB-001.1 @cap-LeaderElection
  Scenario: Only the leader writes
    Given 2 replicas of which one leads
    And a Job with 2 completions and parallelism 1
    When 1 pod succeeds
    And 1 pod succeeds
    And the Job completes with 2 succeeded pods
    Then only the replica that held the Lease has written

  @ROB-001.2 @cap-LeaderElection @fault
  Scenario: A leader that loses its connection does not write beside the new one
    Given 2 replicas of which one leads
    And a Job with 1 completion and parallelism 1
    When the leader cannot reach the API server
    And another replica takes over
    And every replica reaches the API server again
    And 1 pod succeeds
    And the Job completes with 1 succeeded pod
    Then only the replica that held the Lease has written

  @ROB-002.1 @cap-LeaderElection @fault
  Scenario: A standby replica takes over from a leader that was killed
    Given 2 replicas of which one leads
    And a Job with 2 completions and parallelism 1
    And 1 pod is running
    When the leader is killed
    And 1 pod succeeds
    Then another replica takes over
    And the Job reports 1 active and 1 succeeded pods, and stays so

  @ROB-003.1 @cap-LeaderElection
  Scenario: A leader that receives SIGTERM releases the Lease
    Given 2 replicas of which one leads
    When the leader is asked to end
    Then the replica that led has given the Lease up

  @ROB-004.1 @cap-LeaderElection @fault
  Scenario: A leader that cannot renew its Lease stops writing
    Given 2 replicas of which one leads
    And a Job with 2 completions and parallelism 1
    And 1 pod is running
    When updates of the Lease are answered with 500
    And the Lease runs out
    And 1 pod succeeds
    And 2 seconds pass
    Then only the replica that held the Lease has written

  @ROB-005.1 @cap-LeaderElection @fault
  Scenario: A leader that was paused does not write without the Lease
    Given 2 replicas of which one leads
    And a Job with 4 completions and parallelism 1
    And the Job reports 1 active pod
    When the leader is paused until another replica takes over
    And 1 pod succeeds
    And 1 pod succeeds
    And 1 pod succeeds
    Then for 5 seconds only the replica that held the Lease has written
