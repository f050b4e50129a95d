Feature: A Job says when a pod that terminates is replaced
  By podReplacementPolicy TerminatingOrFailed, as soon as it terminates; by Failed, once it has ended.

  Rule: With TerminatingOrFailed a pod is replaced while it terminates

    @FAIL-045
    Scenario: A pod that terminates is replaced
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And deleted pods stay terminating
      When the user deletes 1 pod
      Then in the end 3 pods have been created in all, and stays so
      And 1 pod is terminating, and stays so

    @FAIL-018
    Scenario: A pod that terminates counts as failed before it has ended
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And deleted pods stay terminating
      When the user deletes 1 pod
      Then the Job reports 1 failed pod, and stays so

  @cap-PodReplacementPolicy
  Rule: With Failed a pod is replaced once it has ended

    @FAIL-046
    Scenario: A pod that terminates is not replaced
      Given a Job with 2 completions, parallelism 2 and podReplacementPolicy Failed
      And 2 pods are running
      And deleted pods stay terminating
      When the user deletes 1 pod
      Then the Job reports 1 active and 1 terminating pods
      And for 2 seconds no more than 2 pods are created in all

    @FAIL-046
    Scenario: A pod is replaced once it has ended
      Given a Job with 2 completions, parallelism 2 and podReplacementPolicy Failed
      And 2 pods are running
      And deleted pods stay terminating
      And the user deletes 1 pod
      And the Job reports 1 active and 1 terminating pods
      When the terminating pods end
      Then in the end 3 pods have been created in all, and stays so
      And in the end the Job reports 2 active, 0 terminating and 1 failed pods, and stays so

    @FAIL-063
    Scenario: A pod that terminates is not counted before it has ended
      Given a Job with 2 completions, parallelism 2, backoffLimit 0 and podReplacementPolicy Failed
      And 2 pods are running
      And deleted pods stay terminating
      When the user deletes 1 pod
      Then the Job reports 1 terminating pod
      And for 2 seconds the Job does not finish
      And the Job reports 0 failed pods

    @FIN-003
    Scenario: A pod of an index that terminates is counted once it has ended
      Given an Indexed Job with 2 completions, parallelism 2 and podReplacementPolicy Failed
      And 2 pods are running
      And deleted pods stay terminating
      And the user deletes the pod of index 1
      And the Job reports 1 active and 1 terminating pods
      And 1 second passes
      When the terminating pods end
      Then in the end the Job reports 2 active, 0 terminating and 1 failed pods, and stays so

    @BAS-069
    Scenario: A pod that terminates is replaced once the policy has changed
      Given a Job with 2 completions, parallelism 2 and podReplacementPolicy Failed
      And 2 pods are running
      And deleted pods stay terminating
      And the user deletes 1 pod
      And the Job reports 1 active and 1 terminating pods
      When the Job is changed to podReplacementPolicy TerminatingOrFailed
      Then in the end 3 pods have been created in all, and stays so

    @FAIL-047
    Scenario: More pods terminate than the Job wants
      Given a Job with 4 completions, parallelism 3 and podReplacementPolicy Failed
      And 3 pods are running
      And deleted pods stay terminating
      And the user deletes 3 pods
      And the Job reports 0 active and 3 terminating pods
      When the Job is changed to parallelism 1
      Then for 2 seconds no more than 3 pods are created in all
      And once the terminating pods end 1 pod is active

    @FAIL-048
    Scenario: An index of which a pod terminates gets no other before that has ended
      Given an Indexed Job with 3 completions, parallelism 3 and podReplacementPolicy Failed
      And 3 pods are running
      And deleted pods stay terminating
      And the user deletes the pod of index 1
      When the pod of index 2 fails
      Then in the end the active pods have the indexes 0 and 2
      And for 2 seconds no more than 4 pods are created in all
      And once the terminating pods end the active pods have the indexes 0, 1 and 2
