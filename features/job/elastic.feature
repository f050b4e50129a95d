@cap-ElasticIndexed
Feature: An Indexed Job grows and shrinks
  Where parallelism equals completions, both can be changed together. Indexes come and go at the upper end.

  Rule: What is done follows the completions of now

    @IDX-016 @fault
    Scenario: A Job that grows while its end is being written goes on
      Given an Indexed Job with 2 completions and parallelism 2
      And the Job reports 2 active pods
      And the next update of the Job status is held before taking effect
      And 2 pods succeed
      And the fault has struck
      When the Job is changed to 3 completions and parallelism 3
      Then once the faults end the active pods have the indexes 2
      And for 2 seconds the Job does not finish

    @IDX-017
    Scenario: A Job that grows gets pods for its new indexes only
      Given an Indexed Job with 2 completions and parallelism 2
      And the Job reports 2 active pods
      When the Job is changed to 4 completions and parallelism 4
      Then the active pods have the indexes 0, 1, 2 and 3
      And for 2 seconds pods have been created for the indexes 0, 1, 2 and 3 and for no other

    @IDX-017
    Scenario: A Job that shrinks loses the pods of its highest indexes
      Given an Indexed Job with 4 completions and parallelism 4
      And the pods of indexes 2 and 3 are running
      When the Job is changed to 2 completions and parallelism 2
      Then the active pods have the indexes 0 and 1
      And for 2 seconds pods have been created for the indexes 0, 1, 2 and 3 and for no other

  Rule: What was counted of indexes that are gone

    @IDX-018
    Scenario: A Job that shrinks forgets the successes of indexes that are gone
      Given an Indexed Job with 4 completions and parallelism 4
      And the pods of indexes 0 and 3 succeed
      And the Job reports 2 succeeded pods
      When the Job is changed to 2 completions and parallelism 2
      Then the Job reports 1 active and 1 succeeded pods, and stays so
      And the completed indexes of the Job are 0, and stays so

    @IDX-019
    Scenario: An index that was gone is run again though it had succeeded
      Given an Indexed Job with 3 completions and parallelism 3
      And the pod of index 2 succeeds
      And the Job reports 1 succeeded pod
      And the Job is changed to 2 completions and parallelism 2
      And the Job reports 0 succeeded pods
      When the Job is changed to 3 completions and parallelism 3
      Then the active pods have the indexes 0, 1 and 2, and stays so

    @IDX-021
    Scenario: Pods that a shrinking Job deletes are not failures
      Given an Indexed Job with 4 completions, parallelism 4 and backoffLimit 0
      And 4 pods are running
      When the Job is changed to 2 completions and parallelism 2
      Then the active pods have the indexes 0 and 1
      And for 2 seconds the Job reports 0 failed pods

    @IDX-021
    Scenario: Failures of indexes that are gone stay counted
      Given an Indexed Job with 3 completions and parallelism 3
      And the pod of index 2 fails
      And the Job reports 3 active and 1 failed pods
      When the Job is changed to 2 completions and parallelism 2
      Then the active pods have the indexes 0 and 1
      And for 2 seconds the Job reports 1 failed pod

  Rule: A Job is complete when nothing is left to do

    @IDX-020
    Scenario Outline: A Job that shrinks to <what> is complete
      Given an Indexed Job with 3 completions and parallelism 3
      And the pod of index 0 succeeds
      And the Job reports 2 active and 1 succeeded pods
      When the Job is changed to <spec>
      Then the Job completes with <count>, and stays so
      And 3 pods have been created in all, and stays so

      Examples:
        | what               | spec                            | count            |
        | nothing            | 0 completions and parallelism 0 | 0 succeeded pods |
        | what has succeeded | 1 completion and parallelism 1  | 1 succeeded pod  |

    @IDX-020
    Scenario: A suspended Job that shrinks to what has succeeded is complete
      Given an Indexed Job with 3 completions and parallelism 3
      And the pod of index 0 succeeds
      And the Job reports 2 active and 1 succeeded pods
      And the user has suspended the Job
      When the Job is changed to 1 completion and parallelism 1
      Then the Job completes with 1 succeeded pod, and stays so
