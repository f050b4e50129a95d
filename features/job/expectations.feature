Feature: No pod too many, however late the implementation sees its pods
  What a controller sees of the cluster is always a little old. It must know which pods it has created before
  it sees them, and must not stop its other work while it waits for them.

  Rule: Pods that were created are not created again before they are seen

    @EXP-001 @fault
    Scenario: Pods that were created but not yet seen are not created again
      Given the implementation's view of pods is frozen
      And a Job with 3 completions and parallelism 3
      And 3 pods have been created in all
      When the Job is changed to backoffLimit 5
      Then for 2 seconds no more than 3 pods are created in all
      And the view of pods catches up
      And 3 pods succeed
      And the Job completes with 3 succeeded pods

    @EXP-001 @fault
    Scenario: Pods that are not seen for long are not created again
      Given the implementation's view of pods is frozen
      And a Job with 3 completions and parallelism 3
      And 3 pods have been created in all
      And 10 seconds pass
      When the Job is changed to backoffLimit 5
      Then for 2 seconds no more than 3 pods are created in all

    @EXP-002 @fault
    Scenario: Each completion gets one pod while pods are seen late
      Given pods are seen 1.5 seconds late
      And a Job with 3 completions and parallelism 2
      When 2 pods succeed
      And 1 pod succeeds
      Then the Job completes with 3 succeeded pods, and stays so
      And 3 pods have been created in all, and stays so

    @EXP-002 @fault
    Scenario: Each completion gets one pod while pods are seen very late
      Given pods are seen 10 seconds late
      And a Job with 2 completions and parallelism 2
      When 2 pods succeed
      Then in the end the Job completes with 2 succeeded pods, and stays so
      And 2 pods have been created in all, and stays so

    @EXP-043 @fault
    Scenario: Each completion gets one pod while Jobs are seen late
      Given jobs are seen 1.5 seconds late
      And a Job with 3 completions and parallelism 2
      When 2 pods succeed
      And 1 pod succeeds
      Then the Job completes with 3 succeeded pods, and stays so
      And 3 pods have been created in all, and stays so

  Rule: While the implementation waits to see its pods it still counts those that it sees

    @EXP-005 @fault
    Scenario: A pod that ended is recorded and released while a created pod is not seen yet
      Given a Job with 4 completions and parallelism 2
      And 2 pods are running
      And the implementation's view of pods freezes at its next pod creation
      When 1 pod succeeds
      Then 3 pods have been created in all, and stays so
      And the Job accounts for 1 succeeded pod
      And no finished pod of the Job has the tracking finalizer, and stays so

  Rule: A new process knows the pods that there are

    @EXP-007 @fault
    Scenario: A restart creates no pod that there is, however late it is seen
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And pods are seen 1.5 seconds late
      When the implementation is killed and started again
      Then for 2 seconds no more than 3 pods are created in all

    @EXP-007 @fault
    Scenario: A restart in the middle of creation creates only the pods that are missing
      Given the implementation is killed just after its 2nd pod creation and started again
      When a Job is created with 4 completions and parallelism 4
      Then 4 pods are active
      And for 2 seconds no more than 4 pods are created in all

    @EXP-009 @fault
    Scenario: A creation whose reply is lost leaves no pod too many
      Given pods are seen 1.5 seconds late
      And the next pod creation is carried out but its reply is lost
      When a Job is created with 3 completions and parallelism 3
      And 2 seconds pass
      Then in the end 3 pods are active, and stays so
