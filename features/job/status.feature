Feature: The status of a Job reports its progress
  Counters follow the pods, times are set once, and interim conditions announce the outcome of the Job.

  Rule: status.active, ready and terminating eventually equal the numbers of pods

    @BAS-050.1
    Scenario: The active pods of a Job are counted
      Given a Job with 4 completions and parallelism 3
      And 3 pods are running
      And the Job reports 3 active pods
      When 2 pods succeed
      Then the Job reports 2 active and 2 succeeded pods, and stays so

    @BAS-050.2
    Scenario: A pod that existed before the controller started is counted as active
      Given the implementation is killed
      And a Job with 1 completion and parallelism 1
      And a pod that a user made is given to the Job
      When the implementation is started again
      Then the Job reports 1 active pod, and stays so

    @BAS-050.3
    Scenario: A terminating pod is not counted as active
      Given a work-queue Job with parallelism 3
      And deleted pods stay terminating
      And 3 pods are running
      And 1 pod succeeds
      And the Job reports 2 active and 1 succeeded pods
      When the user deletes 1 pod
      Then the Job reports 1 active pod, and stays so

    @BAS-051.1
    Scenario: The ready pods of a Job are counted
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And the Job reports 3 active and 0 ready pods
      When 2 pods are running and ready
      Then the Job reports 3 active and 2 ready pods, and stays so

    @BAS-051.2
    Scenario: A finished pod is not counted as ready
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running and ready
      And the Job reports 3 ready pods
      When 1 pod succeeds
      Then the Job reports 2 active and 2 ready pods, and stays so

    @BAS-051.3
    Scenario: A ready pod that is terminating is not counted as ready
      Given a Job with 3 completions and parallelism 3
      And deleted pods stay terminating
      And 3 pods are running and ready
      And the Job reports 3 ready pods
      When the user suspends the Job
      Then the Job reports 0 active and 0 ready pods, and stays so

    @BAS-051.4 @fault
    Scenario Outline: Ready pods that cannot be deleted are counted as ready <when>
      Given a Job with 2 completions, parallelism 2 and activeDeadlineSeconds <deadline>
      And 2 pods are running and ready
      And the Job reports 2 active and 2 ready pods
      And pod deletions are answered with 500
      When <event>
      And the fault has been triggered
      And 1 second passes
      Then the Job reports 2 active and 2 ready pods, and stays so for 2 seconds

      Examples:
        | case | when                     | deadline | event                               |
        | a    | after the deadline       | 4        | 5 seconds pass                      |
        | b    | in a suspended Job       | 600      | the user suspends the Job           |
        | c    | in a Job that has shrunk | 600      | the Job is changed to parallelism 1 |

    @BAS-052.1
    Scenario: A terminating pod is counted as terminating
      Given a Job with 2 completions and parallelism 2
      And deleted pods stay terminating
      And 2 pods are running
      When the user deletes 1 pod
      Then the Job reports 1 terminating pod, and stays so

    @BAS-052.2
    Scenario: Terminating pods are counted until they are gone
      Given a Job with 2 completions and parallelism 2
      And deleted pods stay terminating
      And 2 pods are running
      And the user deletes 1 pod
      And the Job reports 1 terminating pod
      When the terminating pods end
      Then the Job reports 2 active and 0 terminating pods, and stays so

    @ROB-030.1
    Scenario: Pods that finish within a second are reported in few writes
      Given a Job with 8 completions and parallelism 8
      And 8 pods are running
      And the Job reports 8 active pods
      When 8 pods succeed one after another
      And the Job completes with 8 succeeded pods
      Then the status of the Job has been written no more than 8 times within any second

  Rule: The times of a Job are set once

    @BAS-053.1
    Scenario: A Job has a startTime when it is first reconciled
      When a Job is created with 2 completions and parallelism 1
      Then the Job has started

    @BAS-053.2
    Scenario: The startTime of a Job does not change
      Given a Job with 2 completions and parallelism 1
      And the Job has started
      And 1 pod is running
      And 1 second passes
      When 1 pod succeeds
      Then the Job reports 1 active and 1 succeeded pods, and stays so
      And the startTime of the Job has never changed

    @BAS-053.3
    Scenario: The startTime of a Job survives a restart of the controller
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      And the Job has started
      And 1 second passes
      And the implementation is killed and started again
      When 1 pod succeeds
      Then the Job completes with 1 succeeded pod, and stays so
      And the startTime of the Job has never changed

    @BAS-054.1
    Scenario: The completionTime of a Job is set with Complete
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      When 1 pod succeeds
      Then the Job completes with 1 succeeded pod, and stays so
      And the completionTime of the Job came with Complete and has not changed

    @BAS-054.2
    Scenario: A Job that fails has no completionTime
      Given a Job with 1 completion and backoffLimit 0
      And 1 pod is running
      When 1 pod fails
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And the Job has never had a completionTime

  Rule: SuccessCriteriaMet and FailureTarget announce the end of a Job

    @BAS-055.1
    Scenario: SuccessCriteriaMet is set no later than Complete, with the same reason
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      When 2 pods succeed
      Then the Job completes with 2 succeeded pods, and stays so
      And the Job had SuccessCriteriaMet no later than Complete, both with reason CompletionsReached

    @BAS-056.1
    Scenario Outline: FailureTarget is set no later than Failed, with reason <reason>
      Given a Job with 2 completions, parallelism 2 and <limit>
      And 2 pods are running
      When <event>
      And the Job finishes
      Then the Job had FailureTarget no later than Failed, both with reason <reason>

      Examples:
        | case | limit                   | event          | reason               |
        | a    | backoffLimit 0          | 1 pod fails    | BackoffLimitExceeded |
        | b    | activeDeadlineSeconds 3 | 4 seconds pass | DeadlineExceeded     |

    @BAS-080.1
    Scenario Outline: FailureTarget with reason <reason> is set while pods terminate
      Given a Job with 2 completions, parallelism 2 and <limit>
      And deleted pods stay terminating
      And 2 pods are running
      When <event>
      Then the Job has FailureTarget with reason <reason>
      And for 2 seconds the Job does not finish

      Examples:
        | case | limit                   | event          | reason               |
        | a    | backoffLimit 0          | 1 pod fails    | BackoffLimitExceeded |
        | b    | activeDeadlineSeconds 3 | 4 seconds pass | DeadlineExceeded     |

    @BAS-080.2 @cap-BackoffLimitPerIndex
    Scenario: FailureTarget is set while pods of other indexes terminate
      Given an Indexed Job with 2 completions, parallelism 2, backoffLimitPerIndex 0 and maxFailedIndexes 0
      And deleted pods stay terminating
      And 2 pods are running
      When the pod of index 0 fails
      Then the Job has FailureTarget with reason MaxFailedIndexesExceeded
      And for 2 seconds the Job does not finish

    @BAS-080.3
    Scenario: SuccessCriteriaMet is set while a pod terminates
      Given a Job with 2 completions and parallelism 2
      And deleted pods stay terminating
      And 2 pods are running
      And the user deletes 1 pod
      And 2 pods are running
      When 2 pods succeed
      Then the Job has SuccessCriteriaMet with reason CompletionsReached
      And for 2 seconds the Job does not finish

    @BAS-081.1 @fault
    Scenario Outline: FailureTarget with reason <reason> is set although no pod can be deleted
      Given a Job with 2 completions, parallelism 2 and <limit>
      And 2 pods are running
      And pod deletions are answered with 500
      When <event>
      And the fault has been triggered
      Then the Job has FailureTarget with reason <reason>
      And once the faults end the Job finishes, as <rule> requires

      Examples:
        | case | limit                   | event          | reason               | rule     |
        | a    | backoffLimit 0          | 1 pod fails    | BackoffLimitExceeded | FAIL-002 |
        | b    | activeDeadlineSeconds 3 | 4 seconds pass | DeadlineExceeded     | BAS-039  |

    @BAS-081.2 @fault @cap-BackoffLimitPerIndex
    Scenario: FailureTarget is set although no pod of another index can be deleted
      Given an Indexed Job with 2 completions, parallelism 2, backoffLimitPerIndex 0 and maxFailedIndexes 0
      And 2 pods are running
      And pod deletions are answered with 500
      When the pod of index 0 fails
      And the fault has been triggered
      Then the Job has FailureTarget with reason MaxFailedIndexesExceeded
      And once the faults end the Job finishes, as FAIL-040 requires

    @BAS-081.3 @fault @cap-PodFailurePolicy
    Scenario: FailureTarget by a rule is set although no other pod can be deleted
      Given a Job with 2 completions and parallelism 2, where exit code 42 means FailJob
      And 2 pods are running
      And pod deletions are answered with 500
      When 1 pod fails with exit code 42
      And the fault has been triggered
      Then the Job has FailureTarget with reason PodFailurePolicy
      And once the faults end the Job finishes, as FAIL-021 requires

    @BAS-081.4 @fault @cap-SuccessPolicy
    Scenario: SuccessCriteriaMet by a rule is set although no other pod can be deleted
      Given an Indexed Job with 2 completions and parallelism 2, where index 0 means success
      And 2 pods are running
      And pod deletions are answered with 500
      When the pod of index 0 succeeds
      And the fault has been triggered
      Then the Job has SuccessCriteriaMet with reason SuccessPolicy
      And once the faults end the Job finishes, as FAIL-051 requires

    @BAS-083.1
    Scenario Outline: A Job lists <condition> once although another client has set it to False
      Given a Job with 2 completions, parallelism 2 and backoffLimit 0
      And 2 pods are running
      And another client sets <condition> of the Job to False
      When <event>
      And the Job finishes
      Then no condition of the Job has been listed twice

      Examples:
        | case | condition          | event          |
        | a    | FailureTarget      | 1 pod fails    |
        | b    | SuccessCriteriaMet | 2 pods succeed |

    @BAS-076.1
    Scenario Outline: The condition <condition> with reason <reason> has the standard message
      Given a Job with 2 completions, parallelism 2 and <limit>
      And 2 pods are running
      When <event>
      And the Job <ends>
      Then the Job is <condition> with reason <reason> and message "<message>"

      Examples:
        | case | condition | limit                   | event          | ends                                   | reason               | message                                       |
        | a    | Complete  | backoffLimit 0          | 2 pods succeed | completes with 2 succeeded pods        | CompletionsReached   | Reached expected number of succeeded pods     |
        | c    | Failed    | activeDeadlineSeconds 1 | 2 seconds pass | fails by its deadline                  | DeadlineExceeded     | Job was active longer than specified deadline |
