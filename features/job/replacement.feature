Feature: podReplacementPolicy decides when a terminating pod is replaced
  With TerminatingOrFailed it is replaced as soon as it is terminating; with Failed, once it has finished.

  Rule: With TerminatingOrFailed a terminating pod is replaced

    @FAIL-045.1
    Scenario: With TerminatingOrFailed a terminating pod is replaced immediately
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And deleted pods stay terminating
      When the user deletes 1 pod
      Then eventually 3 pods have been created in all, and stays so
      And 1 pod is terminating, and stays so

    @FAIL-018.1
    Scenario: With TerminatingOrFailed a terminating pod counts as failed
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And deleted pods stay terminating
      When the user deletes 1 pod
      Then the Job reports 1 failed pod, and stays so

  @cap-PodReplacementPolicy
  Rule: With Failed a pod is replaced once it has finished

    @FAIL-046.1
    Scenario: With Failed a terminating pod is not replaced
      Given a Job with 2 completions, parallelism 2 and podReplacementPolicy Failed
      And 2 pods are running
      And deleted pods stay terminating
      When the user deletes 1 pod
      Then the Job reports 1 active and 1 terminating pods
      And for 2 seconds no more than 2 pods are created in all

    @FAIL-046.2
    Scenario: With Failed a deleted pod is replaced once it has finished
      Given a Job with 2 completions, parallelism 2 and podReplacementPolicy Failed
      And 2 pods are running
      And deleted pods stay terminating
      And the user deletes 1 pod
      And the Job reports 1 active and 1 terminating pods
      When the terminating pods end
      Then eventually 3 pods have been created in all, and stays so
      And eventually the Job reports 2 active, 0 terminating and 1 failed pods, and stays so

    @FAIL-063.1
    Scenario: With Failed a terminating pod does not count as failed
      Given a Job with 2 completions, parallelism 2, backoffLimit 0 and podReplacementPolicy Failed
      And 2 pods are running
      And deleted pods stay terminating
      When the user deletes 1 pod
      Then for 2 seconds the Job does not finish
      And the Job reports 1 terminating pod, as BAS-052 requires
      And now the Job reports 0 failed pods

    @FIN-003.3
    Scenario: With Failed a deleted pod of an index counts once it has finished
      Given an Indexed Job with 2 completions, parallelism 2 and podReplacementPolicy Failed
      And 2 pods are running
      And deleted pods stay terminating
      And the user deletes the pod of index 1
      And the Job reports 1 active and 1 terminating pods
      And 1 second passes
      When the terminating pods end
      Then eventually the Job reports 2 active, 0 terminating and 1 failed pods, and stays so

    @FIN-003.4
    Scenario: With Failed a deleted pod of an index is counted in order
      Given an Indexed Job with 2 completions, parallelism 2 and podReplacementPolicy Failed
      And 2 pods are running
      And deleted pods stay terminating
      And the user deletes the pod of index 1
      And the Job reports 1 active and 1 terminating pods
      When the terminating pods end
      Then 1 pod is recorded, then released, then counted

    @BAS-069.2
    Scenario: A terminating pod is replaced after a change to TerminatingOrFailed
      Given a Job with 2 completions, parallelism 2 and podReplacementPolicy Failed
      And 2 pods are running
      And deleted pods stay terminating
      And the user deletes 1 pod
      And the Job reports 1 active and 1 terminating pods
      When the Job is changed to podReplacementPolicy TerminatingOrFailed
      Then eventually 3 pods have been created in all, and stays so

    @FAIL-047.1
    Scenario: With Failed no pod is created while too many pods terminate
      Given a Job with 4 completions, parallelism 3 and podReplacementPolicy Failed
      And 3 pods are running
      And deleted pods stay terminating
      And the user deletes 3 pods
      And the Job reports 0 active and 3 terminating pods
      When the Job is changed to parallelism 1
      Then for 2 seconds no more than 3 pods are created in all
      And once the terminating pods end 1 pod is active

    @BAS-019.3
    Scenario: With Failed a Job is scaled down while other pods terminate
      Given a Job with 4 completions, parallelism 4 and podReplacementPolicy Failed
      And 4 pods are running
      And deleted pods stay terminating
      And the user deletes 2 pods
      And the Job reports 2 active and 2 terminating pods
      When the Job is changed to parallelism 1
      Then 1 pod is active, and stays so
      And for 2 seconds no more than 4 pods are created in all

    @FAIL-069.1
    Scenario Outline: With Failed a deleted pod of <a Job> that succeeds is counted as succeeded
      Given <a Job> with 2 completions, parallelism 2, backoffLimit 0 and podReplacementPolicy Failed
      And 2 pods are running
      And deleted pods stay terminating
      And the user deletes 1 pod
      And the Job reports 1 active and 1 terminating pods
      When the terminating pod succeeds
      Then the Job reports 1 active, 1 succeeded and 0 failed pods, and stays so
      And 2 pods have been created in all, and stays so, as FIN-008 requires

      Examples:
        | case | a Job          |
        | a    | a Job          |
        | b    | an Indexed Job |

    @FAIL-048.2
    Scenario: With Failed an index gets no second pod while a Pending one terminates
      Given an Indexed Job with 3 completions, parallelism 3 and podReplacementPolicy Failed
      And 3 pods are active
      And deleted pods stay terminating
      And the user deletes the pod of index 1
      When the pod of index 2 fails
      Then eventually the active pods have the indexes 0 and 2
      And for 2 seconds no more than 4 pods are created in all

    @FAIL-048.1
    Scenario: With Failed an index gets no second pod before the first has finished
      Given an Indexed Job with 3 completions, parallelism 3 and podReplacementPolicy Failed
      And 3 pods are running
      And deleted pods stay terminating
      And the user deletes the pod of index 1
      When the pod of index 2 fails
      Then eventually the active pods have the indexes 0 and 2
      And for 2 seconds no more than 4 pods are created in all
      And once the terminating pods end the active pods have the indexes 0, 1 and 2, as FAIL-046 requires

    @FAIL-048.3
    Scenario: With Failed a resumed Job gets no second pod of an index that terminates
      Given an Indexed Job with 2 completions, parallelism 2 and podReplacementPolicy Failed
      And 2 pods are running
      And deleted pods stay terminating
      And the user has suspended the Job
      When the user resumes the Job
      Then for 2 seconds no more than 2 pods are created in all
      And once the terminating pods end the active pods have the indexes 0 and 1, as FAIL-046 requires
