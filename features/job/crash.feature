Feature: A controller that is killed loses no pod and counts none twice
  A controller stores all that it knows, so that it can continue after a restart, wherever it was killed.

  Rule: Pods that were recorded before a crash are counted once

    @FIN-019.1 @fault
    Scenario: Recorded pods are counted after a restart
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      And updates of pods are answered with 500
      When 3 pods succeed
      And the fault has been triggered
      And the implementation is killed and started again
      Then once the faults end the Job completes with 3 succeeded pods, and stays so
      And each of 3 pods that ended is counted once at most, and never forgotten

    @FIN-019.2 @fault
    Scenario: A recorded pod that is removed while the controller is down is counted
      Given a Job with 1 completion and parallelism 1
      And updates of pods are answered with 500
      When 1 pod succeeds
      And the fault has been triggered
      And the implementation is killed
      And the user makes the finished pod vanish
      And the implementation is started again
      Then the Job completes with 1 succeeded pod, and stays so

  Rule: A crash at any write does not change the counts

    @FIN-036.1 @fault
    Scenario Outline: The counts are true after crashes just <moment> each 4th write from <write> on
      Given the implementation is killed just <moment> every 4th write from write <write> on and started again
      And a Job with 3 completions and parallelism 3
      When 1 pod fails
      And 3 pods succeed
      Then eventually the Job completes with 3 succeeded pods, as ROB-006 requires
      And the counters of the Job are equal to what its pods did
      And 0 pods are active, and stays so, as ROB-006 requires
      And once the faults end the implementation runs

      Examples:
        | case | moment | write |
        | a    | before | 1     |
        | b    | before | 2     |
        | c    | before | 3     |
        | d    | before | 4     |
        | e    | after  | 1     |
        | f    | after  | 2     |
        | g    | after  | 3     |
        | h    | after  | 4     |

    @EXP-027.1 @fault
    Scenario: An excess pod that is removed during a crash is not counted as failed
      Given a Job with 4 completions and parallelism 2
      And 2 pods are running
      And the Job reports 2 active pods
      And the implementation is killed just after write 1 and started again
      When the Job is changed to parallelism 1
      And eventually 1 pod is active
      Then once the faults end the implementation runs
      And for 2 seconds the Job reports 0 failed pods

  Rule: A crash at any write does not change how a Job ends

    @ROB-006.1 @fault
    Scenario Outline: A Job fails despite crashes just after each 2nd write from <write> on
      Given the implementation is killed just after every 2nd write from write <write> on and started again
      And a Job with 2 completions, parallelism 2 and backoffLimit 0
      When 1 pod fails
      Then eventually the Job fails with reason BackoffLimitExceeded
      And eventually 0 pods are active, and stays so
      And eventually no finished pod of the Job has the tracking finalizer
      And once the faults end the implementation runs

      Examples:
        | case | write |
        | a    | 1     |
        | b    | 2     |

  Rule: The implementation runs until it is killed

    @ROB-038.1
    Scenario: The implementation keeps running after a Job has finished
      Given a Job with 1 completion and parallelism 1
      And 1 pod succeeds
      And the Job completes with 1 succeeded pod
      When 1 second passes
      Then the implementation runs
