Feature: The status of a Job tells how it stands
  Counters follow the pods, times are set once, and the conditions announce how the Job ends before it does.

  Rule: status.active, ready and terminating come to equal the numbers of such pods

    @BAS-050
    Scenario: The active pods of a Job are counted
      Given a Job with 4 completions and parallelism 3
      And 3 pods are running
      And the Job reports 3 active pods
      When 2 pods succeed
      Then the Job reports 2 active and 2 succeeded pods, and stays so

    @BAS-050
    Scenario: A pod that was there before the process is counted as active
      Given the implementation is killed
      And a Job with 1 completion and parallelism 1
      And a pod that a user made is given to the Job
      When the implementation is started again
      Then the Job reports 1 active pod, and stays so

    @BAS-050
    Scenario: A pod being deleted is not active
      Given a work-queue Job with parallelism 3
      And deleted pods stay terminating
      And 3 pods are running
      And 1 pod succeeds
      And the Job reports 2 active and 1 succeeded pods
      When the user deletes 1 pod
      Then the Job reports 1 active pod, and stays so

    @BAS-051
    Scenario: The ready pods of a Job are counted
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And the Job reports 3 active and 0 ready pods
      When 2 pods are running and ready
      Then the Job reports 3 active and 2 ready pods, and stays so

    @BAS-051
    Scenario: A pod that has finished is not ready
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running and ready
      And the Job reports 3 ready pods
      When 1 pod succeeds
      Then the Job reports 2 active and 2 ready pods, and stays so

    @BAS-051
    Scenario: A ready pod that is being deleted is not counted as ready
      Given a Job with 3 completions and parallelism 3
      And deleted pods stay terminating
      And 3 pods are running and ready
      And the Job reports 3 ready pods
      When the user suspends the Job
      Then the Job reports 0 active and 0 ready pods, and stays so

    @BAS-052
    Scenario: A pod being deleted is counted as terminating
      Given a Job with 2 completions and parallelism 2
      And deleted pods stay terminating
      And 2 pods are running
      When the user deletes 1 pod
      Then the Job reports 1 terminating pod, and stays so

    @BAS-052
    Scenario: Pods being deleted are counted until they are gone
      Given a Job with 2 completions and parallelism 2
      And deleted pods stay terminating
      And 2 pods are running
      And the user deletes 1 pod
      And the Job reports 1 terminating pod
      When the terminating pods end
      Then the Job reports 2 active and 0 terminating pods, and stays so

    @ROB-030
    Scenario: Pods that end within a second are told together
      Given a Job with 8 completions and parallelism 8
      And 8 pods are running
      And the Job reports 8 active pods
      When 8 pods succeed one after another
      Then the Job completes with 8 succeeded pods, and stays so
      And the status of the Job has been written no more than 8 times within any second

  Rule: The times of a Job are set once

    @BAS-053
    Scenario: A Job has a startTime when it is first handled
      When a Job is created with 2 completions and parallelism 1
      Then the Job has started

    @BAS-053
    Scenario: A Job starts when it is first handled and its startTime stays
      Given a Job with 2 completions and parallelism 1
      And the Job has started
      And 1 pod is running
      And 1 second passes
      When 1 pod succeeds
      Then the Job reports 1 active and 1 succeeded pods, and stays so
      And the startTime of the Job has never changed

    @BAS-053
    Scenario: The startTime of a Job survives a restart of the implementation
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      And the Job has started
      And 1 second passes
      And the implementation is killed and started again
      When 1 pod succeeds
      Then the Job completes with 1 succeeded pod, and stays so
      And the startTime of the Job has never changed

    @BAS-054
    Scenario: The completionTime of a Job comes with its completion
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      When 1 pod succeeds
      Then the Job completes with 1 succeeded pod, and stays so
      And the completionTime of the Job came with Complete and has not changed

    @BAS-054
    Scenario: A Job that fails has no completionTime
      Given a Job with 1 completion and backoffLimit 0
      And 1 pod is running
      When 1 pod fails
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And the Job has never had a completionTime

  Rule: The end of a Job is announced with its reason before it comes

    @BAS-055
    Scenario: SuccessCriteriaMet comes no later than Complete, for the same reason
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      When 2 pods succeed
      Then the Job completes with 2 succeeded pods, and stays so
      And the Job had SuccessCriteriaMet no later than Complete, both with reason CompletionsReached

    @BAS-056
    Scenario Outline: FailureTarget comes no later than Failed, for the reason <reason>
      Given a Job with 2 completions, parallelism 2 and <limit>
      And 2 pods are running
      When <event>
      Then the Job fails with reason <reason>, and stays so
      And the Job had FailureTarget no later than Failed, both with reason <reason>

      Examples:
        | limit                   | event          | reason               |
        | backoffLimit 0          | 1 pod fails    | BackoffLimitExceeded |
        | activeDeadlineSeconds 1 | 2 seconds pass | DeadlineExceeded     |

    @BAS-076
    Scenario Outline: A Job that is <condition> because of <reason> says so in known words
      Given a Job with 2 completions, parallelism 2 and <limit>
      And 2 pods are running
      When <event>
      And the Job <ends>
      Then the Job is <condition> with reason <reason> and message "<message>"

      Examples:
        | condition | limit                   | event          | ends                                   | reason               | message                                       |
        | Complete  | backoffLimit 0          | 2 pods succeed | completes with 2 succeeded pods        | CompletionsReached   | Reached expected number of succeeded pods     |
        | Failed    | backoffLimit 0          | 1 pod fails    | fails with reason BackoffLimitExceeded | BackoffLimitExceeded | Job has reached the specified backoff limit   |
        | Failed    | activeDeadlineSeconds 1 | 2 seconds pass | fails by its deadline                  | DeadlineExceeded     | Job was active longer than specified deadline |
