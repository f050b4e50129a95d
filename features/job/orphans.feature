Feature: Orphaned pods do not keep the tracking finalizer
  The tracking finalizer keeps a pod until it is counted. When no controller will count it, the finalizer must be
  removed, or the pod can never be deleted.

  Rule: Propagation decides whether the pods of a deleted Job are deleted or orphaned

    @FIN-026.1
    Scenario: Background deletion of a Job removes its pods
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And 1 pod succeeds
      When the user deletes the Job
      Then eventually the Job is gone
      And eventually no pod of the Job is left, and stays so

    @FIN-027.1
    Scenario: Foreground deletion of a Job removes its pods, then the Job
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And 1 pod succeeds
      When the user deletes the Job with foreground propagation
      Then eventually the Job is gone
      And eventually no pod of the Job is left, and stays so

    @FIN-028.1
    Scenario: Orphaned pods keep running and lose the finalizer
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And 1 second passes
      When the user deletes the Job with orphan propagation
      Then eventually the Job is gone
      And eventually 2 pods that the Job had are there without a controller and without the tracking finalizer, and stays so

    @FIN-026.2 @fault
    Scenario: A pod that is created after the deletion of its Job is removed
      Given the next pod creation is held before taking effect
      And a Job with 1 completion and parallelism 1
      And the fault has been triggered
      When the user deletes the Job
      And the Job is gone
      And 2 seconds pass
      Then once the faults end no pod of the Job is left, and stays so

  Rule: A restarted controller removes the finalizer from orphaned pods

    @FIN-029.1
    Scenario: Pods of a Job that was deleted while the controller was down are removed
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And the implementation is killed
      And 1 pod succeeds
      And the user deletes the Job
      And the Job is gone
      When the implementation is started again
      Then eventually no pod of the Job is left, and stays so

    @FIN-029.2
    Scenario: Pods that were orphaned while the controller was down lose the finalizer
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And the implementation is killed
      And 1 second passes
      And the user deletes the Job with orphan propagation
      And the Job is gone
      When the implementation is started again
      Then eventually 2 pods that the Job had are there without a controller and without the tracking finalizer, and stays so

  Rule: The removal of a finalizer is retried

    @FIN-030.1 @fault
    Scenario: The removal of the finalizer from orphaned pods is retried
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And the implementation is killed
      And the user deletes the Job with orphan propagation
      And the Job is gone
      And the next 4 updates of a pod are answered with 500
      When the implementation is started again
      Then eventually 2 pods that the Job had are there without a controller and without the tracking finalizer, and stays so

    @FIN-030.2 @fault
    Scenario: The removal of the finalizer from a deleted orphaned pod is retried
      Given a Job with 2 completions and parallelism 2
      And updates of pods are answered with 500
      And 1 pod succeeds
      And the user deletes the finished pod
      When the user deletes the Job
      And the Job is gone
      And 2 seconds pass
      Then once the faults end no pod of the Job is left, and stays so

  Rule: Pods of a finished Job do not keep the finalizer

    @FIN-022.1
    Scenario: A deleted pod that a finished Job got late loses the finalizer
      Given a Job with 1 completion and parallelism 1
      And 1 pod succeeds
      And the Job completes with 1 succeeded pod
      And a pod that a user made is given to the Job
      When the user deletes the pods of the Job
      Then no pod of the Job is left, and stays so

  Rule: A pod keeps the finalizer while its Job may count it

    @FIN-033.1 @fault
    Scenario: A pod that a restarted controller observes before its Job is counted
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      And the implementation is killed
      And 1 pod succeeds
      And the user deletes the finished pod
      And jobs are seen 1.5 seconds late
      When the implementation is started again
      Then eventually the Job completes with 1 succeeded pod, and stays so

    @FIN-034.1
    Scenario: A deleted pod of a Job of another controller keeps the finalizer
      Given a Job that another controller manages with 1 completion and parallelism 1
      And a pod that a user made is given to the Job
      When the user deletes 1 pod
      Then for 2 seconds no pod of the Job loses the tracking finalizer

  Rule: Pods of a deleted Job are orphans, even if a Job of the same name exists

    @FIN-035.1
    Scenario: Pods of a Job that was recreated lose the finalizer and are not counted
      Given a Job with 2 completions and parallelism 2
      And 2 pods are active
      And the implementation is killed
      And the user deletes the Job
      And a Job with 2 completions and parallelism 0
      When the implementation is started again
      Then eventually no pod of the Job is left
      And for 2 seconds the Job reports 0 succeeded and 0 failed pods
