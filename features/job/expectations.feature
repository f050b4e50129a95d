Feature: No excess pod is created, however late pods are observed
  What a controller sees of the cluster is always a little old. It must know which pods it has created before
  it sees them, and must not stop its other work while it waits for them.

  Rule: Created pods are not created again before they are observed

    @EXP-001.1 @fault
    Scenario: Created pods that are not observed yet are not created again
      Given the implementation's view of pods is stale
      And a Job with 3 completions and parallelism 3
      And 3 pods have been created in all
      When the Job is changed to backoffLimit 5
      Then for 2 seconds no more than 3 pods are created in all
      And the view of pods catches up
      And 3 pods succeed
      And the Job completes with 3 succeeded pods, as ROB-014 requires

    @EXP-001.2 @fault
    Scenario: Created pods that are not observed for long are not created again
      Given the implementation's view of pods is stale
      And a Job with 3 completions and parallelism 3
      And 3 pods have been created in all
      And 10 seconds pass
      When the Job is changed to backoffLimit 5
      Then for 2 seconds no more than 3 pods are created in all

    @EXP-002.1 @fault
    Scenario: Each completion gets one pod while watch events for pods are delayed
      Given pods are seen 1.5 seconds late
      And a Job with 3 completions and parallelism 2
      When 2 pods succeed
      And 1 pod succeeds
      Then the Job completes with 3 succeeded pods, and stays so, as ROB-014 requires
      And 3 pods have been created in all, and stays so

    @EXP-002.2 @fault
    Scenario: Each completion gets one pod while events for pods are delayed by 10 seconds
      Given pods are seen 10 seconds late
      And a Job with 2 completions and parallelism 2
      When 2 pods succeed
      Then eventually the Job completes with 2 succeeded pods, and stays so, as ROB-014 requires
      And 2 pods have been created in all, and stays so

    @EXP-043.1 @fault
    Scenario: Each completion gets one pod while watch events for Jobs are delayed
      Given jobs are seen 1.5 seconds late
      And a Job with 3 completions and parallelism 2
      When 2 pods succeed
      And 1 pod succeeds
      Then the Job completes with 3 succeeded pods, and stays so
      And 3 pods have been created in all, and stays so

  Rule: Pods that are observed are counted while others are not observed yet

    @EXP-005.1 @fault
    Scenario: A succeeded pod is counted while a created pod is not observed yet
      Given a Job with 4 completions and parallelism 2
      And 2 pods are running
      And the implementation's view of pods becomes stale at its next pod creation
      When 1 pod succeeds
      Then 3 pods have been created in all, and stays so
      And the Job accounts for 1 succeeded pod
      And no finished pod of the Job has the tracking finalizer, and stays so

    @EXP-005.2 @fault
    Scenario: A failed pod is counted while a created pod is not observed yet
      Given a Job with 4 completions and parallelism 2
      And 2 pods are running
      And the implementation's view of pods becomes stale at its next pod creation
      When 1 pod fails
      Then 3 pods have been created in all, and stays so
      And the Job accounts for 1 failed pod
      And no finished pod of the Job has the tracking finalizer, and stays so

  Rule: A restarted controller knows the existing pods

    @EXP-007.1 @fault
    Scenario: A restart creates no excess pod while watch events for pods are delayed
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And pods are seen 1.5 seconds late
      When the implementation is killed and started again
      Then for 2 seconds no more than 3 pods are created in all

    @EXP-007.2 @fault
    Scenario: A restart during pod creation creates the missing pods only
      Given the implementation is killed just after its 2nd pod creation and started again
      When a Job is created with 4 completions and parallelism 4
      And 4 pods are active
      Then for 2 seconds no more than 4 pods are created in all

    @EXP-009.1 @fault
    Scenario: A creation whose response is lost leaves no excess pod
      Given pods are seen 1.5 seconds late
      And the next pod creation is applied but its reply is lost
      When a Job is created with 3 completions and parallelism 3
      And 2 seconds pass
      Then eventually 3 pods are active, and stays so
