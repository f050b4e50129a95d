@cap-BackoffLimitPerIndex
Feature: Each index of a Job fails individually
  With backoffLimitPerIndex an Indexed Job counts the failures of each index. An index that exceeds the limit fails and
  is not retried; the others continue.

  Rule: An index fails when its failures exceed backoffLimitPerIndex; others continue

    @FAIL-035.1
    Scenario: An index that exceeds backoffLimitPerIndex fails and is not retried
      Given an Indexed Job with 3 completions, parallelism 3 and backoffLimitPerIndex 1
      And the pod of index 1 has failed 1 time before
      When the pod of index 1 fails
      Then the failed indexes of the Job are 1
      And for 2 seconds pods have been created for the indexes 0, 1, 1 and 2 and for no other
      And the active pods have the indexes 0 and 2

    @FAIL-035.2
    Scenario: The failures of other indexes do not count for an index
      Given an Indexed Job with 3 completions, parallelism 3 and backoffLimitPerIndex 1
      When the pods of indexes 0, 1 and 2 fail
      Then eventually pods have been created for the indexes 0, 0, 1, 1, 2 and 2 and for no other
      And for 2 seconds the failed indexes of the Job are none

    @FAIL-035.3
    Scenario: The next index runs after one has failed
      Given an Indexed Job with 2 completions, parallelism 1 and backoffLimitPerIndex 0
      When 1 pod fails
      Then pods have been created for the indexes 0 and 1 and for no other
      And for 2 seconds the Job does not finish

    @FAIL-042.1
    Scenario: The failed indexes are written as intervals
      Given an Indexed Job with 8 completions, parallelism 8 and backoffLimitPerIndex 0
      When the pods of indexes 1, 3, 4 and 5 fail
      Then the failed indexes of the Job are written as "1,3-5", and stays so

    @FAIL-065.1 @fault
    Scenario: A pod of a failed index that succeeds later loses the finalizer
      Given an Indexed Job with 2 completions, parallelism 2 and backoffLimitPerIndex 0
      And the pods of indexes 0 and 1 are running
      And deleted pods stay terminating
      And updates of a pod are answered with 500
      And the user deletes 1 pod
      And the fault has been triggered
      When the terminating pod succeeds
      Then once the faults end no finished pod of the Job has the tracking finalizer, and stays so

    @FAIL-068.1
    Scenario: Pods of one index that end differently lose the finalizer
      Given the implementation is killed
      And an Indexed Job with 3 completions, parallelism 3 and backoffLimitPerIndex 0
      And pod one of index 1 is given to the Job
      And pod other of index 1 is given to the Job
      And pod one, given to the Job, succeeds
      And pod other, given to the Job, fails
      When the implementation is started again
      Then no finished pod of the Job has the tracking finalizer, and stays so

  Rule: A deleted pod is a failure of its index, and a failed index stays failed

    Background:
      Given an Indexed Job with 3 completions, parallelism 3 and backoffLimitPerIndex 0
      And 3 pods are running

    @FAIL-035.4
    Scenario: A deleted pod fails its index with backoffLimitPerIndex 0
      When the user deletes the pod of index 1
      Then the failed indexes of the Job are 1, and stays so
      And pods have been created for the indexes 0, 1 and 2 and for no other, and stays so

    @FAIL-035.5
    Scenario: A failed index is not run again after its pod is deleted and a restart
      Given the pod of index 1 fails
      And the failed indexes of the Job are 1
      And the implementation is killed
      And the user deletes the finished pod
      When the implementation is started again
      Then for 2 seconds pods have been created for the indexes 0, 1 and 2 and for no other
      And the failed indexes of the Job are 1, and stays so

  Rule: Each pod carries the failure count of its index

    @FAIL-036.1
    Scenario: Each pod is created with the failure count of its index
      Given an Indexed Job with 2 completions, parallelism 2 and backoffLimitPerIndex 2
      And the pod of index 0 has failed 1 time before
      When the pod of index 0 fails
      Then eventually the pods of index 0 were made with the failure counts 0, 1 and 2
      And the pods of index 1 were made with the failure counts 0

    @FAIL-036.3 @cap-PodFailurePolicy
    Scenario: After an ignored failure the next pod has the failure count from before
      Given an Indexed Job with 1 completion and backoffLimitPerIndex 2, where exit code 42 means Ignore
      And the pod of index 0 has failed 1 time before
      When the pod of index 0 fails with exit code 42
      Then eventually the pods of index 0 were made with the failure counts 0, 1 and 1

    @FAIL-036.2 @cap-PodFailurePolicy
    Scenario: An ignored failure does not count for its index
      Given an Indexed Job with 1 completion and backoffLimitPerIndex 0, where exit code 42 means Ignore
      When the pod of index 0 fails with exit code 42
      Then eventually the pods of index 0 were made with the failure counts 0 and 0
      And the failed indexes of the Job are none, and stays so

    @FAIL-064.1 @cap-PodFailurePolicy
    Scenario: Each pod is created with the ignored failure count of its index
      Given an Indexed Job with 1 completion and backoffLimitPerIndex 2, where exit code 42 means Ignore
      And the pod of index 0 has failed 1 time before
      When the pod of index 0 fails with exit code 42
      Then eventually the pods of index 0 were made with the ignored failure counts 0, 0 and 1

    @FAIL-037.1
    Scenario: The failure count of an index survives its pod and a restart
      Given an Indexed Job with 2 completions, parallelism 2 and backoffLimitPerIndex 2
      And the pod of index 0 fails that ended 5 seconds ago
      And 2 seconds pass
      And the user deletes the finished pod
      When the implementation is killed and started again
      Then eventually the pods of index 0 were made with the failure counts 0 and 1, and stays so for 2 seconds

    @FAIL-037.2 @cap-ElasticIndexed
    Scenario: A failed pod does not wait for the next of its index once that is removed
      Given an Indexed Job with 3 completions, parallelism 3 and backoffLimitPerIndex 3
      And 3 pods are running
      And the pod of index 2 fails that ended 0 seconds ago
      And 1 second passes
      When the Job is changed to 2 completions and parallelism 2
      Then no finished pod of the Job has the tracking finalizer, as FIN-003 requires
      And pods have been created for the indexes 0, 1 and 2 and for no other, and stays so

    @FAIL-036.4
    Scenario: The pod that follows a deleted one has the failure count of its index
      Given an Indexed Job with 2 completions, parallelism 2 and backoffLimitPerIndex 2
      And 2 pods are running
      When the user deletes the pod of index 0
      Then eventually the pods of index 0 were made with the failure counts 0 and 1, and stays so

    @FAIL-044.1
    Scenario Outline: A failure count that is <text> counts as 0
      Given an Indexed Job with 1 completion and backoffLimitPerIndex 1
      And the failure count of the pod of index 0 is <text>
      When the pod of index 0 fails
      Then eventually pods have been created for the indexes 0 and 0 and for no other, and stays so
      And the failed indexes of the Job are none, and stays so

      Examples:
        | case | text    |
        | a    | removed |
        | b    | -3      |
        | c    | many    |

  Rule: Each index has its own back-off delay

    @FAIL-038.1
    Scenario: The failures of an index double the delay of its next pod
      Given an Indexed Job with 2 completions, parallelism 2 and backoffLimitPerIndex 3
      And the pod of index 0 has failed 1 time before
      When the pod of index 0 fails that ended 15 seconds ago
      Then eventually pods have been created for the indexes 0, 0, 0 and 1 and for no other, and stays so
      And the first pod of index 0 after its last failure came no earlier than 20 seconds after it

    @FAIL-038.2
    Scenario: The failures of other indexes do not delay a pod
      Given an Indexed Job with 4 completions, parallelism 4 and backoffLimitPerIndex 3
      And the pods of indexes 0, 1 and 2 have failed 1 time before
      When the pod of index 3 fails that ended 7 seconds ago
      Then within 20 seconds pods have been created for the indexes 0, 0, 1, 1, 2, 2, 3 and 3 and for no other, and stays so

    @FAIL-038.3
    Scenario: An index that waits for its delay does not hold up one that has never failed
      Given an Indexed Job with 2 completions, parallelism 1 and backoffLimitPerIndex 3
      When the pod of index 0 fails that ended 0 seconds ago
      Then pods have been created for the indexes 0 and 1 and for no other

    @FAIL-038.4
    Scenario: Indexes that wait for their delays do not take the slots of others
      Given an Indexed Job with 4 completions, parallelism 2 and backoffLimitPerIndex 3
      When the pods of indexes 0 and 1 fail that ended 0 seconds ago
      Then pods have been created for the indexes 0, 1, 2 and 3 and for no other

  Rule: Changes of a running Job are applied

    @BAS-069.1
    Scenario: A Job fails when maxFailedIndexes is lowered below its failed indexes
      Given an Indexed Job with 3 completions, parallelism 3, backoffLimitPerIndex 0 and maxFailedIndexes 2
      And the pods of indexes 0 and 1 fail
      And the failed indexes of the Job are 0,1
      When the Job is changed to maxFailedIndexes 1
      Then the Job fails with reason MaxFailedIndexesExceeded, and stays so

  @cap-PodFailurePolicy
  Rule: FailIndex fails an index immediately

    @FAIL-025.1
    Scenario: A failure with action FailIndex fails its index only
      Given an Indexed Job with 2 completions, parallelism 2 and backoffLimitPerIndex 3, where exit code 42 means FailIndex
      When the pod of index 0 fails with exit code 42
      Then the failed indexes of the Job are 0
      And for 2 seconds pods have been created for the indexes 0 and 1 and for no other
      And the active pods have the indexes 1

  Rule: A Job with failed indexes fails once all indexes have ended or too many failed

    @FAIL-039.1
    Scenario: A Job fails when each index has succeeded or failed
      Given an Indexed Job with 2 completions, parallelism 2 and backoffLimitPerIndex 0
      And the pod of index 0 fails
      And the failed indexes of the Job are 0
      When the pod of index 1 succeeds
      Then the Job fails with reason FailedIndexes, and stays so
      And the completed indexes of the Job are 1, and stays so
      And the Job reports 1 succeeded and 1 failed pods, and stays so, as FIN-003 requires

    @FAIL-040.1
    Scenario: A Job with more failed indexes than maxFailedIndexes fails
      Given an Indexed Job with 4 completions, parallelism 4, backoffLimitPerIndex 0 and maxFailedIndexes 1
      When the pods of indexes 0 and 1 fail
      Then the Job fails with reason MaxFailedIndexesExceeded, and stays so
      And 0 pods are active, and stays so
      And 4 pods have been created in all, and stays so

    @FAIL-040.2
    Scenario: A Job with maxFailedIndexes failed indexes continues
      Given an Indexed Job with 3 completions, parallelism 3, backoffLimitPerIndex 0 and maxFailedIndexes 1
      When the pod of index 0 fails
      Then the failed indexes of the Job are 0
      And for 2 seconds the Job does not finish

    @FAIL-040.3
    Scenario: A Job with fewer than maxFailedIndexes failed indexes continues
      Given an Indexed Job with 3 completions, parallelism 3, backoffLimitPerIndex 0 and maxFailedIndexes 2
      When the pod of index 0 fails
      Then the failed indexes of the Job are 0
      And for 2 seconds the Job does not finish

    @FAIL-040.4
    Scenario: A failed index counts towards maxFailedIndexes although its pod was deleted
      Given an Indexed Job with 3 completions, parallelism 3, backoffLimitPerIndex 0 and maxFailedIndexes 1
      And the pod of index 0 fails
      And the Job reports 1 failed pod
      And the user deletes the finished pod
      When the pod of index 1 fails
      Then the Job fails with reason MaxFailedIndexesExceeded, and stays so

    @FAIL-041.2
    Scenario: A Job with as many failures as backoffLimit in all indexes continues
      Given an Indexed Job with 3 completions, parallelism 3, backoffLimit 2 and backoffLimitPerIndex 2
      When the pods of indexes 0 and 1 fail
      Then for 2 seconds the Job does not finish
      And eventually pods have been created for the indexes 0, 0, 1, 1 and 2 and for no other, as IDX-013 requires

    @FAIL-041.1
    Scenario: The failures of all indexes together count towards backoffLimit
      Given an Indexed Job with 3 completions, parallelism 3, backoffLimit 1 and backoffLimitPerIndex 2
      When the pods of indexes 0 and 1 fail
      Then the Job fails with reason BackoffLimitExceeded, and stays so
