@cap-ElasticIndexed
Feature: An Indexed Job is scaled up and down
  When parallelism equals completions, both can be changed together. Indexes are added and removed at the upper end.

  Rule: The current completions decide

    @IDX-016.1 @fault
    Scenario: A Job that is scaled up while its completion is written does not finish
      Given an Indexed Job with 2 completions and parallelism 2
      And the Job reports 2 active pods
      And the next update of the Job status is held before taking effect
      And 2 pods succeed
      And the fault has been triggered
      When the Job is changed to 3 completions and parallelism 3
      Then once the faults end the active pods have the indexes 2
      And for 2 seconds the Job does not finish

    @IDX-017.1
    Scenario: A Job that is scaled up gets pods for its new indexes only
      Given an Indexed Job with 2 completions and parallelism 2
      And the Job reports 2 active pods
      When the Job is changed to 4 completions and parallelism 4
      Then the active pods have the indexes 0, 1, 2 and 3
      And for 2 seconds pods have been created for the indexes 0, 1, 2 and 3 and for no other

    @IDX-017.2
    Scenario: The pods of the highest indexes are deleted when a Job is scaled down
      Given an Indexed Job with 4 completions and parallelism 4
      And the pods of indexes 2 and 3 are running
      When the Job is changed to 2 completions and parallelism 2
      Then the active pods have the indexes 0 and 1
      And for 2 seconds pods have been created for the indexes 0, 1, 2 and 3 and for no other

  Rule: Counts of removed indexes

    @IDX-018.1
    Scenario: Successes of removed indexes are no longer counted
      Given an Indexed Job with 4 completions and parallelism 4
      And the pods of indexes 0, 2 and 3 succeed
      And the Job reports 3 succeeded pods
      When the Job is changed to 2 completions and parallelism 2
      Then the Job reports 1 active and 1 succeeded pods, and stays so
      And the completed indexes of the Job are 0, and stays so

    @IDX-018.2 @cap-BackoffLimitPerIndex
    Scenario: A Job that is scaled down below its failed index completes
      Given an Indexed Job with 3 completions, parallelism 3 and backoffLimitPerIndex 0
      And the pod of index 2 fails
      And the failed indexes of the Job are 2
      And the Job is changed to 2 completions and parallelism 2
      When the pods of indexes 0 and 1 succeed
      Then the Job completes with 2 succeeded pods, and stays so
      And the failed indexes of the Job are none, and stays so
      And no status write has been refused as invalid

    @IDX-019.1
    Scenario: A removed index that is added again is run again
      Given an Indexed Job with 3 completions and parallelism 3
      And the pod of index 2 succeeds
      And the Job reports 1 succeeded pod
      And the Job is changed to 2 completions and parallelism 2
      And the Job reports 0 succeeded pods
      When the Job is changed to 3 completions and parallelism 3
      Then the active pods have the indexes 0, 1 and 2, and stays so

    @IDX-021.1
    Scenario: Pods deleted by scaling down are not counted as failed
      Given an Indexed Job with 4 completions, parallelism 4 and backoffLimit 0
      And 4 pods are running
      When the Job is changed to 2 completions and parallelism 2
      Then the active pods have the indexes 0 and 1
      And for 2 seconds the Job reports 0 failed pods

    @IDX-021.2
    Scenario: Failures of removed indexes stay counted
      Given an Indexed Job with 3 completions and parallelism 3
      And the pod of index 2 fails
      And the Job reports 3 active and 1 failed pods
      When the Job is changed to 2 completions and parallelism 2
      Then the active pods have the indexes 0 and 1
      And for 2 seconds the Job reports 1 failed pod

  Rule: A Job completes when no index is left to run

    @IDX-020.1
    Scenario Outline: A Job that is scaled down to <what> completes
      Given an Indexed Job with 3 completions and parallelism 3
      And the pod of index 0 succeeds
      And the Job reports 2 active and 1 succeeded pods
      When the Job is changed to <spec>
      Then the Job completes with <count>, and stays so
      And 3 pods have been created in all, and stays so

      Examples:
        | case | what               | spec                            | count            |
        | a    | nothing            | 0 completions and parallelism 0 | 0 succeeded pods |
        | b    | what has succeeded | 1 completion and parallelism 1  | 1 succeeded pod  |

    @IDX-020.2
    Scenario: A suspended Job that is scaled down to its succeeded indexes completes
      Given an Indexed Job with 3 completions and parallelism 3
      And the pod of index 0 succeeds
      And the Job reports 2 active and 1 succeeded pods
      And the user has suspended the Job
      When the Job is changed to 1 completion and parallelism 1
      Then the Job completes with 1 succeeded pod, and stays so
