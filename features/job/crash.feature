Feature: A process that is killed loses nothing and counts nothing twice
  All that a process knows it has written down, so that the next one can go on wherever it ended.

  Rule: What a killed process has recorded is counted once by the next one

    @FIN-019 @fault
    Scenario: Recorded pods of a killed process are counted by the next one
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And updates of pods are answered with 500
      When 3 pods succeed
      And the fault has struck
      And the implementation is killed and started again
      Then once the faults end the Job completes with 3 succeeded pods, and stays so
      And each of 3 pods that ended is counted once at most, and never forgotten

    @FIN-019 @fault
    Scenario: A recorded pod that vanishes while no process runs is counted by the next one
      Given a Job with 1 completion and parallelism 1
      And updates of pods are answered with 500
      When 1 pod succeeds
      And the fault has struck
      And the implementation is killed
      And the user makes the finished pod vanish
      And the implementation is started again
      Then the Job completes with 1 succeeded pod, and stays so

  Rule: Killed at any write, the implementation comes to the true counts

    @FIN-036 @fault
    Scenario Outline: Killed just <moment> every 4th write from write <write> on, it counts truly
      Given the implementation is killed just <moment> every 4th write from write <write> on and started again
      And a Job with 3 completions and parallelism 3
      When 1 pod fails
      And 3 pods succeed
      Then in the end the Job completes with 3 succeeded pods
      And the counters of the Job are equal to what its pods did
      And 0 pods are active
      And once the faults end the implementation runs

      Examples:
        | moment | write |
        | before | 1     |
        | before | 2     |
        | before | 3     |
        | before | 4     |
        | after  | 1     |
        | after  | 2     |
        | after  | 3     |
        | after  | 4     |

    @EXP-027 @fault
    Scenario: A pod that is being removed when the process is killed is no failure
      Given a Job with 4 completions and parallelism 2
      And 2 pods are running
      And the Job reports 2 active pods
      And the implementation is killed just after write 1 and started again
      When the Job is changed to parallelism 1
      Then in the end 1 pod is active
      And once the faults end the implementation runs
      And for 2 seconds the Job reports 0 failed pods

  Rule: Killed at any write, the implementation brings a Job to the same end

    @ROB-006 @fault
    Scenario Outline: Killed just after every 2nd write from write <write> on, a Job fails as ever
      Given the implementation is killed just after every 2nd write from write <write> on and started again
      And a Job with 2 completions, parallelism 2 and backoffLimit 0
      When 1 pod fails
      Then in the end the Job fails with reason BackoffLimitExceeded
      And in the end 0 pods are active
      And in the end no finished pod of the Job has the tracking finalizer
      And once the faults end the implementation runs

      Examples:
        | write |
        | 1     |
        | 2     |

  Rule: The implementation works on until it is killed

    @ROB-038
    Scenario: The implementation goes on when a Job has ended
      Given a Job with 1 completion and parallelism 1
      And 1 pod succeeds
      And the Job completes with 1 succeeded pod
      When 1 second passes
      Then the implementation runs
