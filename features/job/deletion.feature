Feature: Of too many pods those are deleted that lose the least
  A Job has too many pods when its user asks for less at once. What runs already has done work.

  Rule: The pods that have come the least far go first

    @EXP-023
    Scenario: A pod that is on no node goes before one that is
      Given an Indexed Job with 2 completions and parallelism 2
      And the pod of index 1 is on a node
      When the Job is changed to parallelism 1
      Then the active pods have the indexes 1, and stays so

    @EXP-023
    Scenario: A pod that was not started goes before one that runs
      Given an Indexed Job with 2 completions and parallelism 2
      And the pods of indexes 0 and 1 are on a node
      And the pod of index 0 is running
      When the Job is changed to parallelism 1
      Then the active pods have the indexes 0, and stays so

    @EXP-023
    Scenario: A pod that is not ready goes before one that is
      Given an Indexed Job with 2 completions and parallelism 2
      And the pods of indexes 0 and 1 are running
      And the pod of index 0 is not ready
      When the Job is changed to parallelism 1
      Then the active pods have the indexes 1, and stays so

  Rule: A deletion that fails is tried again

    @EXP-026 @fault
    Scenario: As many pods go as are too many though deletions fail
      Given a Job with 5 completions and parallelism 5
      And 5 pods are running
      And the next 2 pod deletions are answered with 500
      When the Job is changed to parallelism 2
      And the fault has struck
      Then once the faults end 2 pods are active, and stays so for 2 seconds

    @EXP-028 @fault
    Scenario: A pod that could not be let go at first is removed later, and is no failure
      Given a Job with 4 completions and parallelism 3
      And 3 pods are running
      And the next 2 updates of a pod are answered with 500
      When the Job is changed to parallelism 1
      And the fault has struck
      Then once the faults end 1 pod is active
      And for 2 seconds the Job reports 0 failed pods
