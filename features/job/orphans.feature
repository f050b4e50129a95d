Feature: A pod whose Job is gone is held by nobody
  The tracking finalizer keeps a pod until it is counted. When nobody will count it any more, the pod has to be let
  go, or it stays for ever.

  Rule: The pods of a deleted Job go, or are left to nobody, as its user has asked

    @FIN-026
    Scenario: A deleted Job takes its pods along
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And 1 pod succeeds
      When the user deletes the Job
      Then in the end the Job is gone
      And in the end no pod of the Job is left, and stays so

    @FIN-027
    Scenario: A Job that is deleted in the foreground goes after its pods
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And 1 pod succeeds
      When the user deletes the Job with foreground propagation
      Then in the end the Job is gone
      And in the end no pod of the Job is left, and stays so

    @FIN-028
    Scenario: Pods that outlive their Job run on and are not held
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      When the user deletes the Job with orphan propagation
      Then in the end the Job is gone
      And in the end 2 pods that the Job had are there without a controller and without the tracking finalizer, and stays so

  Rule: The next process lets go of pods whose Job went while none ran

    @FIN-029
    Scenario: Pods of a Job that was deleted while no process ran are let go
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And the implementation is killed
      And 1 pod succeeds
      And the user deletes the Job
      And the Job is gone
      When the implementation is started again
      Then in the end no pod of the Job is left, and stays so

    @FIN-029
    Scenario: Pods that outlived their Job while no process ran are not held
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And the implementation is killed
      And the user deletes the Job with orphan propagation
      And the Job is gone
      When the implementation is started again
      Then in the end 2 pods that the Job had are there without a controller and without the tracking finalizer, and stays so

  Rule: A finalizer that could not be removed is tried again

    @FIN-030 @fault
    Scenario: Pods that could not be let go at first are let go later
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And the implementation is killed
      And the user deletes the Job with orphan propagation
      And the Job is gone
      And the next 4 updates of a pod are answered with 500
      When the implementation is started again
      Then in the end 2 pods that the Job had are there without a controller and without the tracking finalizer, and stays so

    @FIN-030 @fault
    Scenario: A deleted pod that could not be let go with its Job is let go later
      Given a Job with 2 completions and parallelism 2
      And updates of pods are answered with 500
      And 1 pod succeeds
      And the user deletes the finished pod
      When the user deletes the Job
      And the Job is gone
      And 2 seconds pass
      Then once the faults end no pod of the Job is left, and stays so

  Rule: Nobody counts for a finished Job, so nothing of it is held

    @FIN-022
    Scenario: A deleted pod that a finished Job got late is not held
      Given a Job with 1 completion and parallelism 1
      And 1 pod succeeds
      And the Job completes with 1 succeeded pod
      And a pod that a user made is given to the Job
      When the user deletes the pods of the Job
      Then no pod of the Job is left, and stays so

  Rule: A pod is held as long as its Job may count it

    @FIN-033 @fault
    Scenario: A pod that a new process sees before its Job is counted
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      And the implementation is killed
      And 1 pod succeeds
      And the user deletes the finished pod
      And jobs are seen 1.5 seconds late
      When the implementation is started again
      Then in the end the Job completes with 1 succeeded pod, and stays so

    @FIN-034
    Scenario: A deleted pod of a Job that another controller manages keeps the finalizer
      Given a Job that another controller manages with 1 completion and parallelism 1
      And a pod that a user made is given to the Job
      When the user deletes 1 pod
      Then for 2 seconds no pod of the Job loses the tracking finalizer

  Rule: A Job has nothing to do with the pods of another that had its name

    @FIN-035
    Scenario: Pods of a Job that was made anew are no longer held and are not counted
      Given a Job with 2 completions and parallelism 2
      And 2 pods are active
      And the implementation is killed
      And the user deletes the Job
      And a Job with 2 completions and parallelism 0
      When the implementation is started again
      Then in the end no pod of the Job is left
      And for 2 seconds the Job reports 0 succeeded and 0 failed pods
