Feature: Each pod of an Indexed Job stands for one index
  An Indexed Job has the indexes from 0 to completions - 1. Each pod is told its index, each index has to succeed
  once, and status.completedIndexes lists those that have.

  Rule: A pod knows its index

    @IDX-001
    Scenario Outline: A pod has its index in its <place>
      When an Indexed Job is created with 3 completions and parallelism 3
      Then the active pods have the indexes 0, 1 and 2, and stays so
      And every pod has its index in its <place>

      Examples:
        | place    |
        | hostname |
        | name     |

    @IDX-001
    Scenario: A pod that takes the place of a failed one has the same identity
      Given an Indexed Job with 3 completions and parallelism 3
      When the pod of index 1 fails
      Then the active pods have the indexes 0, 1 and 2, and stays so
      And every pod has its index in its hostname

    @IDX-025
    Scenario: A pod repeats its index in a label
      When an Indexed Job is created with 3 completions and parallelism 3
      Then the active pods have the indexes 0, 1 and 2, and stays so
      And every pod has its index in its label

    @IDX-002
    Scenario: All containers of a pod have its index in their environment
      When an Indexed Job of 2 completions whose pods have an init container
      Then the active pods have the indexes 0 and 1, and stays so
      And every pod has its index in its environment

    @IDX-026
    Scenario: A variable that the user has defined stays as it is
      When an Indexed Job of 2 completions whose pods have JOB_COMPLETION_INDEX of the user's own
      Then the active pods have the indexes 0 and 1, and stays so
      And now JOB_COMPLETION_INDEX is mine in every container of every pod

    @IDX-006
    Scenario: The pods of a Job that is not Indexed have no index
      Given a Job with 2 completions and parallelism 1
      When 1 pod succeeds
      Then 2 pods have been created in all, and stays so
      And no pod has an index

    @IDX-007
    Scenario: The pods of a subdomain can be found by their indexes
      When an Indexed Job of 2 completions whose pods have the subdomain workers
      Then every pod is in the subdomain workers
      And every pod has its index in its hostname

    @IDX-007
    Scenario: The hostname of the template makes way for that of the index
      When an Indexed Job of 2 completions whose pods have the hostname same-for-all
      Then the active pods have the indexes 0 and 1, and stays so
      And every pod has its index in its hostname

    @IDX-008
    Scenario: The longest hostnames that there can be are whole
      When the long-named Indexed Job of 2 completions is created
      Then the active pods of the long-named Job have the indexes 0 and 1, and stays so
      And every pod of the long-named Job has its index in its hostname

  Rule: There is one pod for each index at most, and the lowest indexes come first

    @IDX-009
    Scenario: However high parallelism is, each index has one pod
      When an Indexed Job is created with 3 completions and parallelism 100000
      Then the active pods have the indexes 0, 1 and 2
      And for 2 seconds pods have been created for the indexes 0, 1 and 2 and for no other

    @IDX-010
    Scenario: Of two pods of one index one is deleted
      Given the implementation is killed
      And an Indexed Job with 2 completions and parallelism 2
      And pod one of index 1 is given to the Job
      And pod other of index 1 is given to the Job
      When the implementation is started again
      Then the active pods have the indexes 0 and 1, and stays so
      And the Job reports 0 failed pods, and stays so

    @IDX-027
    Scenario: Of two pods of one index the one that runs is kept
      Given the implementation is killed
      And an Indexed Job with 2 completions and parallelism 2
      And pod one of index 1 is given to the Job
      And pod other of index 1 is given to the Job
      And pod one, given to the Job, is running
      When the implementation is started again
      And the active pods have the indexes 0 and 1
      Then pod one is active

    @IDX-011
    Scenario Outline: A pod <which> is deleted, and counts for nothing
      Given the implementation is killed
      And an Indexed Job with 3 completions and parallelism 3
      And pod stray <which> is given to the Job
      When the implementation is started again
      Then the active pods have the indexes 0, 1 and 2
      And for 2 seconds the Job reports 0 succeeded and 0 failed pods

      Examples:
        | which              |
        | without an index   |
        | of index -1        |
        | of index elsewhere |
        | of index 3         |

    @IDX-011
    Scenario Outline: A pod without a valid index that <ends> counts for nothing
      Given the implementation is killed
      And an Indexed Job with 2 completions and parallelism 2
      And pod stray of index 2 is given to the Job
      And pod stray, given to the Job, <ends>
      When the implementation is started again
      Then the active pods have the indexes 0 and 1
      And for 2 seconds the Job reports 0 succeeded and 0 failed pods

      Examples:
        | ends     |
        | succeeds |
        | fails    |

    @IDX-012
    Scenario: The first pods have the lowest indexes
      Given an Indexed Job with 6 completions and parallelism 3
      Then the active pods have the indexes 0, 1 and 2, and stays so

    @IDX-012
    Scenario: The lowest indexes come first
      Given an Indexed Job with 6 completions and parallelism 3
      And the pod of index 1 succeeds
      And the active pods have the indexes 0, 2 and 3
      When the pods of indexes 0 and 3 fail
      Then the active pods have the indexes 0, 2 and 3, and stays so

    @IDX-013
    Scenario: An index whose pod has failed is tried again
      Given an Indexed Job with 3 completions and parallelism 3
      When the pod of index 1 fails
      Then the active pods have the indexes 0, 1 and 2, and stays so
      And pods have been created for the indexes 0, 1, 1 and 2 and for no other, and stays so

    @IDX-028
    Scenario: No second pod is created for an index that has one
      Given an Indexed Job with 4 completions and parallelism 3
      When 1 pod succeeds
      And 4 pods have been created in all
      Then for 2 seconds pods have been created for the indexes 0, 1, 2 and 3 and for no other

    @IDX-028 @fault
    Scenario: No second pod is created for an index whose pod is not seen yet
      Given the implementation's view of pods is frozen
      When an Indexed Job is created with 2 completions and parallelism 2
      And the active pods have the indexes 0 and 1
      Then for 2 seconds pods have been created for the indexes 0 and 1 and for no other

  Rule: Each index has to succeed once

    @IDX-003
    Scenario Outline: The completed indexes <which> are written as "<text>"
      Given an Indexed Job with 8 completions and parallelism 8
      When the pods of indexes <which> succeed
      Then the completed indexes of the Job are written as "<text>", and stays so

      Examples:
        | which            | text    |
        | 1, 3, 4, 5 and 7 | 1,3-5,7 |
        | 6, 4 and 0       | 0,4,6   |

    @IDX-003
    Scenario: The last gap between completed indexes is closed
      Given an Indexed Job with 5 completions and parallelism 5
      And the pods of indexes 0, 1, 3 and 4 succeed
      And the completed indexes of the Job are 0,1,3,4
      When the pod of index 2 succeeds
      Then the completed indexes of the Job are written as "0-4", and stays so

    @IDX-004
    Scenario: Two pods of one index that succeed together are one success
      Given the implementation is killed
      And an Indexed Job with 3 completions and parallelism 2
      And pod one of index 1 is given to the Job
      And pod other of index 1 is given to the Job
      And 2 pods succeed
      When the implementation is started again
      Then the completed indexes of the Job are 1, and stays so
      And the Job reports 1 succeeded pod, and stays so

    @IDX-005
    Scenario: A Job is complete when each index has succeeded
      Given an Indexed Job with 3 completions and parallelism 3
      When 3 pods succeed
      Then the Job completes with 3 succeeded pods, and stays so
      And the completed indexes of the Job are 0-2, and stays so

    @IDX-005
    Scenario: As many successes as completions are not enough if an index lacks
      Given the implementation is killed
      And an Indexed Job with 2 completions and parallelism 2
      And pod one of index 1 is given to the Job
      And pod other of index 1 is given to the Job
      And 2 pods succeed
      When the implementation is started again
      Then the active pods have the indexes 0
      And for 2 seconds the Job does not finish

    @IDX-014
    Scenario: A second success of an index changes nothing
      Given the implementation is killed
      And an Indexed Job with 3 completions and parallelism 2
      And it is recorded that the indexes 0 are completed
      And pod late of index 0 is given to the Job
      And pod late, given to the Job, succeeds
      When the implementation is started again
      Then for 2 seconds the Job reports 1 succeeded pod
      And the completed indexes of the Job are 0

    @IDX-015
    Scenario: Completed indexes that are written in another way are understood
      Given the implementation is killed
      And an Indexed Job with 5 completions and parallelism 5
      And it is recorded that the indexes 0-1,2 are completed
      When the implementation is started again
      Then the active pods have the indexes 3 and 4
      And for 2 seconds pods have been created for the indexes 3 and 4 and for no other

    @IDX-022
    Scenario: A completed index is not run again though its pod and the process are gone
      Given an Indexed Job with 4 completions and parallelism 2
      And 1 pod succeeds
      And 3 pods have been created in all
      And the implementation is killed
      And the user deletes the finished pod
      When 1 pod succeeds
      And the implementation is started again
      Then pods have been created for the indexes 0, 1, 2 and 3 and for no other, and stays so

    @IDX-024
    Scenario: The last indexes of a hundred thousand are run
      Given the implementation is killed
      And an Indexed Job with 100000 completions and parallelism 4
      And it is recorded that the indexes 0-99996 are completed
      When the implementation is started again
      Then the active pods have the indexes 99997, 99998 and 99999, and stays so

    @IDX-024
    Scenario: A Job of a hundred thousand indexes completes
      Given the implementation is killed
      And an Indexed Job with 100000 completions and parallelism 4
      And it is recorded that the indexes 0-99996 are completed
      And the implementation is started again
      And the active pods have the indexes 99997, 99998 and 99999
      When 3 pods succeed
      Then the Job completes with 100000 succeeded pods, and stays so
      And the completed indexes of the Job are written as "0-99999", and stays so
