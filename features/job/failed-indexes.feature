@cap-BackoffLimitPerIndex
Feature: Each index of a Job fails by itself
  With backoffLimitPerIndex an Indexed Job counts the failures of each index. An index that has failed too often is
  given up, and the others go on.

  Rule: An index fails with one failure more than backoffLimitPerIndex, and the others go on

    @FAIL-035
    Scenario: An index that has failed once too often is given up
      Given an Indexed Job with 3 completions, parallelism 3 and backoffLimitPerIndex 1
      And the pod of index 1 has failed 1 time before
      When the pod of index 1 fails
      Then the failed indexes of the Job are 1
      And for 2 seconds pods have been created for the indexes 0, 1, 1 and 2 and for no other
      And the active pods have the indexes 0 and 2

    @FAIL-035
    Scenario: The failures of other indexes are no failures of an index
      Given an Indexed Job with 3 completions, parallelism 3 and backoffLimitPerIndex 1
      When the pods of indexes 0, 1 and 2 fail
      Then in the end pods have been created for the indexes 0, 0, 1, 1, 2 and 2 and for no other
      And for 2 seconds the failed indexes of the Job are none

    @FAIL-035
    Scenario: An index after one that has failed is run
      Given an Indexed Job with 2 completions, parallelism 1 and backoffLimitPerIndex 0
      When 1 pod fails
      Then pods have been created for the indexes 0 and 1 and for no other
      And for 2 seconds the Job does not finish

    @FAIL-042
    Scenario: The failed indexes are written as the completed ones
      Given an Indexed Job with 8 completions, parallelism 8 and backoffLimitPerIndex 0
      When the pods of indexes 1, 3, 4 and 5 fail
      Then the failed indexes of the Job are written as "1,3-5", and stays so

    @FAIL-065 @fault
    Scenario: An index that has failed does not succeed later
      Given an Indexed Job with 2 completions, parallelism 2 and backoffLimitPerIndex 0
      And the pods of indexes 0 and 1 are running
      And deleted pods stay terminating
      And updates of a pod are answered with 500
      And the user deletes 1 pod
      And the fault has struck
      When the terminating pod succeeds
      Then once the faults end no finished pod of the Job has the tracking finalizer, and stays so

  Rule: Each pod carries how often its index has failed before

    @FAIL-036
    Scenario: Each pod is made with the failures of its index
      Given an Indexed Job with 2 completions, parallelism 2 and backoffLimitPerIndex 2
      And the pod of index 0 has failed 1 time before
      When the pod of index 0 fails
      Then in the end the pods of index 0 were made with the failure counts 0, 1 and 2
      And the pods of index 1 were made with the failure counts 0

    @FAIL-036 @cap-PodFailurePolicy
    Scenario: A failure that is ignored is none of its index
      Given an Indexed Job with 1 completion and backoffLimitPerIndex 0, where exit code 42 means Ignore
      When the pod of index 0 fails with exit code 42
      Then in the end the pods of index 0 were made with the failure counts 0 and 0
      And the failed indexes of the Job are none, and stays so

    @FAIL-064 @cap-PodFailurePolicy
    Scenario: Each pod is made with the failures of its index that do not count
      Given an Indexed Job with 1 completion and backoffLimitPerIndex 2, where exit code 42 means Ignore
      And the pod of index 0 has failed 1 time before
      When the pod of index 0 fails with exit code 42
      Then in the end the pods of index 0 were made with the ignored failure counts 0, 0 and 1

    @FAIL-037
    Scenario: The failures of an index outlive its pod and the process
      Given an Indexed Job with 2 completions, parallelism 2 and backoffLimitPerIndex 2
      And the pod of index 0 fails that ended 5 seconds ago
      And 2 seconds pass
      And the user deletes the finished pod
      When the implementation is killed and started again
      Then in the end the pods of index 0 were made with the failure counts 0 and 1, and stays so for 2 seconds

    @FAIL-044
    Scenario Outline: A failure count that is <text> is 0
      Given an Indexed Job with 1 completion and backoffLimitPerIndex 1
      And the failure count of the pod of index 0 is <text>
      When the pod of index 0 fails
      Then in the end pods have been created for the indexes 0 and 0 and for no other, and stays so
      And the failed indexes of the Job are none, and stays so

      Examples:
        | text    |
        | removed |
        | -3      |
        | many    |

  Rule: The delay of each index is its own

    @FAIL-038
    Scenario: The failures of an index delay its next pod
      Given an Indexed Job with 2 completions, parallelism 2 and backoffLimitPerIndex 3
      And the pod of index 0 has failed 1 time before
      When the pod of index 0 fails that ended 15 seconds ago
      Then in the end pods have been created for the indexes 0, 0, 0 and 1 and for no other, and stays so
      And the first pod of index 0 after its last failure came no earlier than 20 seconds after it

    @FAIL-038
    Scenario: The failures of other indexes do not delay a pod
      Given an Indexed Job with 4 completions, parallelism 4 and backoffLimitPerIndex 3
      And the pods of indexes 0, 1 and 2 have failed 1 time before
      When the pod of index 3 fails that ended 7 seconds ago
      Then within 20 seconds pods have been created for the indexes 0, 0, 1, 1, 2, 2, 3 and 3 and for no other, and stays so

  Rule: What is changed while the Job runs takes effect

    @BAS-069
    Scenario: A Job fails when fewer indexes may fail than have failed
      Given an Indexed Job with 3 completions, parallelism 3, backoffLimitPerIndex 0 and maxFailedIndexes 2
      And the pods of indexes 0 and 1 fail
      And the failed indexes of the Job are 0,1
      When the Job is changed to maxFailedIndexes 1
      Then the Job fails with reason MaxFailedIndexesExceeded, and stays so

  @cap-PodFailurePolicy
  Rule: FailIndex gives an index up at once

    @FAIL-025
    Scenario: A failure that means FailIndex fails its index and no other
      Given an Indexed Job with 2 completions, parallelism 2 and backoffLimitPerIndex 3, where exit code 42 means FailIndex
      When the pod of index 0 fails with exit code 42
      Then the failed indexes of the Job are 0
      And for 2 seconds pods have been created for the indexes 0 and 1 and for no other
      And the active pods have the indexes 1

  Rule: A Job with failed indexes fails, when each index is decided or too many have failed

    @FAIL-039
    Scenario: A Job fails when each index has succeeded or failed
      Given an Indexed Job with 2 completions, parallelism 2 and backoffLimitPerIndex 0
      And the pod of index 0 fails
      And the failed indexes of the Job are 0
      When the pod of index 1 succeeds
      Then the Job fails with reason FailedIndexes, and stays so
      And the completed indexes of the Job are 1, and stays so
      And the Job reports 1 succeeded and 1 failed pods, and stays so

    @FAIL-040
    Scenario: More failed indexes than maxFailedIndexes end the Job
      Given an Indexed Job with 4 completions, parallelism 4, backoffLimitPerIndex 0 and maxFailedIndexes 1
      When the pods of indexes 0 and 1 fail
      Then the Job fails with reason MaxFailedIndexesExceeded, and stays so
      And 0 pods are active, and stays so
      And 4 pods have been created in all, and stays so

    @FAIL-040
    Scenario: As many failed indexes as maxFailedIndexes are borne
      Given an Indexed Job with 3 completions, parallelism 3, backoffLimitPerIndex 0 and maxFailedIndexes 1
      When the pod of index 0 fails
      Then the failed indexes of the Job are 0
      And for 2 seconds the Job does not finish

    @FAIL-041
    Scenario: The failures of all indexes together reach backoffLimit
      Given an Indexed Job with 3 completions, parallelism 3, backoffLimit 1 and backoffLimitPerIndex 2
      When the pods of indexes 0 and 1 fail
      Then the Job fails with reason BackoffLimitExceeded, and stays so
