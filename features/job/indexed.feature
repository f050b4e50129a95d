Feature: Each pod of an Indexed Job runs one index
  An Indexed Job has the indexes from 0 to completions - 1. Each pod has its index in its environment, each index must
  succeed once, and status.completedIndexes lists those that have.

  Rule: A pod knows its index

    @IDX-001.1
    Scenario Outline: A pod has its index in its <place>
      When an Indexed Job is created with 3 completions and parallelism 3
      Then the active pods have the indexes 0, 1 and 2, and stays so
      And every pod has its index in its <place>

      Examples:
        | case | place    |
        | a    | hostname |
        | b    | name     |

    @IDX-001.2
    Scenario: The replacement of a failed pod has the same hostname
      Given an Indexed Job with 3 completions and parallelism 3
      When the pod of index 1 fails
      Then the active pods have the indexes 0, 1 and 2, and stays so
      And every pod has its index in its hostname

    @IDX-025.1
    Scenario: A pod repeats its index in a label
      When an Indexed Job is created with 3 completions and parallelism 3
      Then the active pods have the indexes 0, 1 and 2, and stays so
      And every pod has its index in its label

    @IDX-002.1
    Scenario: All containers of a pod have its index in their environment
      When an Indexed Job with 2 completions and parallelism 2 whose pods have an init container
      Then the active pods have the indexes 0 and 1, and stays so
      And every pod has its index in its environment

    @IDX-026.1
    Scenario: A variable JOB_COMPLETION_INDEX of the user is not replaced
      When an Indexed Job with 2 completions and parallelism 2 whose pods have JOB_COMPLETION_INDEX of the user's own
      Then the active pods have the indexes 0 and 1, and stays so
      And now JOB_COMPLETION_INDEX is mine in every container of every pod

    @IDX-006.1
    Scenario: The pods of a Job that is not Indexed have no index
      Given a Job with 2 completions and parallelism 1
      When 1 pod succeeds
      And 2 pods have been created in all
      Then no pod has an index

    @IDX-007.1
    Scenario: Pods with a subdomain have the hostname of their index
      When an Indexed Job with 2 completions and parallelism 2 whose pods have the subdomain workers
      Then every pod is in the subdomain workers
      And every pod has its index in its hostname

    @IDX-007.2
    Scenario: The hostname of the index replaces that of the template
      When an Indexed Job with 2 completions and parallelism 2 whose pods have the hostname same-for-all
      Then the active pods have the indexes 0 and 1, and stays so
      And every pod has its index in its hostname

    @IDX-008.1
    Scenario: A hostname of the maximum length is not truncated
      When the long-named Indexed Job of 2 completions is created
      Then the active pods of the long-named Job have the indexes 0 and 1, and stays so
      And every pod of the long-named Job has its index in its hostname

  Rule: Each index has at most one pod, and the lowest indexes are first

    @IDX-009.1
    Scenario: Each index has one pod even if parallelism exceeds completions
      When an Indexed Job is created with 3 completions and parallelism 100000
      Then the active pods have the indexes 0, 1 and 2
      And for 2 seconds pods have been created for the indexes 0, 1 and 2 and for no other

    @IDX-010.1
    Scenario: Of two pods of one index one is deleted
      Given the implementation is killed
      And an Indexed Job with 2 completions and parallelism 2
      And pod one of index 1 is given to the Job
      And pod other of index 1 is given to the Job
      When the implementation is started again
      Then the active pods have the indexes 0 and 1, and stays so
      And the Job reports 0 failed pods, and stays so

    @IDX-027.1
    Scenario: Of two pods of one index the running one is kept
      Given the implementation is killed
      And an Indexed Job with 2 completions and parallelism 2
      And pod one of index 1 is given to the Job
      And pod other of index 1 is given to the Job
      And pod one, given to the Job, is running
      When the implementation is started again
      And the active pods have the indexes 0 and 1
      Then pod one is active

    @IDX-011.1
    Scenario Outline: A pod <which> is deleted and not counted
      Given the implementation is killed
      And an Indexed Job with 3 completions and parallelism 3
      And pod stray <which> is given to the Job
      When the implementation is started again
      Then the active pods have the indexes 0, 1 and 2
      And for 2 seconds the Job reports 0 succeeded and 0 failed pods

      Examples:
        | case | which              |
        | a    | without an index   |
        | b    | of index -1        |
        | c    | of index elsewhere |
        | d    | of index 3         |

    @IDX-011.2
    Scenario Outline: A pod without a valid index that <ends> is not counted
      Given the implementation is killed
      And an Indexed Job with 2 completions and parallelism 2
      And pod stray of index 2 is given to the Job
      And pod stray, given to the Job, <ends>
      When the implementation is started again
      Then the active pods have the indexes 0 and 1
      And for 2 seconds the Job reports 0 succeeded and 0 failed pods

      Examples:
        | case | ends     |
        | a    | succeeds |
        | b    | fails    |

    @IDX-012.1
    Scenario: The first pods get the lowest indexes
      Given an Indexed Job with 6 completions and parallelism 3
      Then the active pods have the indexes 0, 1 and 2, and stays so

    @IDX-012.2
    Scenario: Failed pods of the lowest indexes are replaced first
      Given an Indexed Job with 6 completions and parallelism 3
      And the pod of index 1 succeeds
      And the active pods have the indexes 0, 2 and 3
      When the pods of indexes 0 and 3 fail
      Then the active pods have the indexes 0, 2 and 3, and stays so

    @IDX-013.1
    Scenario: An index whose pod has failed is retried
      Given an Indexed Job with 3 completions and parallelism 3
      When the pod of index 1 fails
      Then the active pods have the indexes 0, 1 and 2, and stays so
      And pods have been created for the indexes 0, 1, 1 and 2 and for no other, and stays so

    @IDX-028.1
    Scenario: No second pod is created for an index with an active pod
      Given an Indexed Job with 4 completions and parallelism 3
      When 1 pod succeeds
      And 4 pods have been created in all
      Then for 2 seconds pods have been created for the indexes 0, 1, 2 and 3 and for no other

    @IDX-028.2 @fault
    Scenario: No second pod is created for an index whose pod is not observed yet
      Given the implementation's view of pods is stale
      When an Indexed Job is created with 2 completions and parallelism 2
      And the active pods have the indexes 0 and 1
      Then for 2 seconds pods have been created for the indexes 0 and 1 and for no other

  Rule: A pod keeps the index that it was created with

    @IDX-029.1
    Scenario Outline: No pod is deleted or replaced when another client <changes>
      Given an Indexed Job with 2 completions and parallelism 2
      And the pods of indexes 0 and 1 are running
      And the Job reports 2 active pods
      When another client <changes>
      Then for 2 seconds 2 pods are active
      And now pods have been created for the indexes 0 and 1 and for no other

      Examples:
        | case | changes                                        |
        | a    | sets index 0 in the annotation of its pod to 1 |
        | b    | sets index 0 in the annotation of its pod to 7 |
        | c    | removes index 0 from the annotation of its pod |
        | d    | sets index 0 in the label of its pod to 1      |

    @IDX-029.2
    Scenario Outline: A pod completes its index although another client <changes>
      Given an Indexed Job with 2 completions and parallelism 1
      And the pod of index 0 is running
      And the Job reports 1 active pod
      And another client <changes>
      When 1 pod succeeds
      Then the completed indexes of the Job are 0, and stays so
      And pods have been created for the indexes 0 and 1 and for no other, and stays so

      Examples:
        | case | changes                                        |
        | a    | sets index 0 in the annotation of its pod to 1 |
        | b    | sets index 0 in the label of its pod to 1      |

    @IDX-029.3
    Scenario: A pod whose index was changed completes its own index after a restart
      Given an Indexed Job with 2 completions and parallelism 1
      And the pod of index 0 is running
      And the Job reports 1 active pod
      And the implementation is killed
      And another client sets index 0 in the annotation of its pod to 1
      When 1 pod succeeds
      And the implementation is started again
      Then the completed indexes of the Job are 0, and stays so

  Rule: Each index must succeed once

    @IDX-003.1
    Scenario Outline: The completed indexes <which> are written as "<text>"
      Given an Indexed Job with 8 completions and parallelism 8
      When the pods of indexes <which> succeed
      Then the completed indexes of the Job are written as "<text>", and stays so

      Examples:
        | case | which            | text    |
        | a    | 1, 3, 4, 5 and 7 | 1,3-5,7 |
        | b    | 6, 4 and 0       | 0,4,6   |

    @IDX-003.2
    Scenario: The last gap between completed indexes is closed
      Given an Indexed Job with 5 completions and parallelism 5
      And the pods of indexes 0, 1, 3 and 4 succeed
      And the completed indexes of the Job are 0,1,3,4
      When the pod of index 2 succeeds
      Then the completed indexes of the Job are written as "0-4", and stays so

    @IDX-004.1
    Scenario: Two succeeded pods of one index count as one success
      Given the implementation is killed
      And an Indexed Job with 3 completions and parallelism 2
      And pod one of index 1 is given to the Job
      And pod other of index 1 is given to the Job
      And 2 pods succeed
      When the implementation is started again
      Then the completed indexes of the Job are 1, and stays so
      And the Job reports 1 succeeded pod, and stays so

    @IDX-005.1
    Scenario: A Job is complete when each index has succeeded
      Given an Indexed Job with 3 completions and parallelism 3
      When 3 pods succeed
      Then the Job completes with 3 succeeded pods, and stays so
      And the completed indexes of the Job are 0-2, and stays so

    @IDX-005.2
    Scenario: A Job does not complete while an index has not succeeded
      Given the implementation is killed
      And an Indexed Job with 2 completions and parallelism 2
      And pod one of index 1 is given to the Job
      And pod other of index 1 is given to the Job
      And 2 pods succeed
      When the implementation is started again
      Then the active pods have the indexes 0
      And for 2 seconds the Job does not finish

    @IDX-014.1
    Scenario: A second success of an index is not counted
      Given the implementation is killed
      And an Indexed Job with 3 completions and parallelism 2
      And it is recorded that the indexes 0 are completed
      And pod late of index 0 is given to the Job
      And pod late, given to the Job, succeeds
      When the implementation is started again
      Then for 2 seconds the Job reports 1 succeeded pod
      And the completed indexes of the Job are 0

    @IDX-015.1
    Scenario: Every accepted form of completedIndexes is read
      Given the implementation is killed
      And an Indexed Job with 5 completions and parallelism 5
      And it is recorded that the indexes 0-1,2 are completed
      When the implementation is started again
      Then the active pods have the indexes 3 and 4
      And for 2 seconds pods have been created for the indexes 3 and 4 and for no other

    @IDX-022.1
    Scenario: A completed index is not run again after its pod is deleted and a restart
      Given an Indexed Job with 4 completions and parallelism 2
      And 1 pod succeeds
      And the Job has counted and released 1 succeeded pod
      And the implementation is killed
      And the user deletes the finished pod
      When 1 pod succeeds
      And the implementation is started again
      Then pods have been created for the indexes 0, 1, 2 and 3 and for no other, and stays so

    @IDX-024.1
    Scenario: The last indexes of a Job of 100000 completions are run
      Given the implementation is killed
      And an Indexed Job with 100000 completions and parallelism 4
      And it is recorded that the indexes 0-99996 are completed
      When the implementation is started again
      Then the active pods have the indexes 99997, 99998 and 99999, and stays so

    @IDX-024.2
    Scenario: A Job of 100000 completions completes
      Given the implementation is killed
      And an Indexed Job with 100000 completions and parallelism 4
      And it is recorded that the indexes 0-99996 are completed
      And the implementation is started again
      And the active pods have the indexes 99997, 99998 and 99999
      When 3 pods succeed
      Then the Job completes with 100000 succeeded pods, and stays so
      And the completed indexes of the Job are written as "0-99999", and stays so
