Feature: Of excess pods those that lose the least work are deleted
  A Job has excess pods when its user lowers parallelism. Pods that are running have done work.

  Rule: The pods with the least progress are deleted first

    @EXP-023.1
    Scenario: An unscheduled pod is deleted before a scheduled one
      Given an Indexed Job with 2 completions and parallelism 2
      And the pod of index 1 is on a node
      When the Job is changed to parallelism 1
      Then the active pods have the indexes 1, and stays so

    @EXP-023.2
    Scenario: A scheduled pod is deleted before a running one
      Given an Indexed Job with 2 completions and parallelism 2
      And the pods of indexes 0 and 1 are on a node
      And the pod of index 0 is running
      When the Job is changed to parallelism 1
      Then the active pods have the indexes 0, and stays so

    @EXP-023.3
    Scenario: A pod that is not ready is deleted before a ready one
      Given an Indexed Job with 2 completions and parallelism 2
      And the pods of indexes 0 and 1 are running
      And the pod of index 0 is not ready
      When the Job is changed to parallelism 1
      Then the active pods have the indexes 1, and stays so

  Rule: A failed deletion is retried

    @EXP-026.1 @fault
    Scenario: All excess pods are deleted even if deletions fail at first
      Given a Job with 5 completions and parallelism 5
      And 5 pods are running
      And the next 2 pod deletions are answered with 500
      When the Job is changed to parallelism 2
      And the fault has been triggered
      Then once the faults end 2 pods are active, and stays so for 2 seconds

    @EXP-026.2 @fault
    Scenario Outline: All excess pods are deleted after deletions were answered with <status>
      Given a Job with 5 completions and parallelism 5
      And 5 pods are running
      And the next 4 pod deletions are answered with <status>
      When the Job is changed to parallelism 2
      And the fault has been triggered
      Then eventually 2 pods are active, and stays so for 2 seconds

      Examples:
        | case | status |
        | a    | 409    |
        | b    | 403    |

    @EXP-028.1 @fault
    Scenario: An excess pod whose finalizer stays at first is not counted as failed
      Given a Job with 4 completions and parallelism 3
      And 3 pods are running
      And the next 2 updates of a pod are answered with 500
      When the Job is changed to parallelism 1
      And the fault has been triggered
      Then once the faults end 1 pod is active
      And for 2 seconds the Job reports 0 failed pods
