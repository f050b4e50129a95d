Feature: A TFJob has a deadline and a limit of restarts

  Rule: backoffLimit bounds restarts

    @TFJ-027.1
    Scenario: A TFJob fails when its container restarts exceed backoffLimit
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure and the backoffLimit 3
      And its replicas run
      And the containers of Worker 0 have been restarted 2 times
      When the containers of Worker 1 have been restarted 2 times
      Then the TFJob is Failed, and stays so

    @TFJ-027.2
    Scenario: A TFJob with backoffLimit 0 fails at the first container restart
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure and the backoffLimit 0
      And its replicas run
      When the containers of Worker 1 have been restarted 1 time
      Then the TFJob is Failed, and stays so

    @TFJ-027.3
    Scenario: A TFJob does not fail while its container restarts are below backoffLimit
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure and the backoffLimit 3
      And its replicas run
      And the containers of Worker 0 have been restarted 1 time
      When the containers of Worker 1 have been restarted 1 time
      Then for 2 seconds the TFJob is not Failed

    @TFJ-027.4
    Scenario: A TFJob fails when its backoffLimit is lowered below its restarts
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure and the backoffLimit 9
      And its replicas run
      And the containers of Worker 1 have been restarted 3 times
      And the TFJob is Running
      When the user gives the TFJob the backoffLimit 2
      Then the TFJob is Failed, and stays so

    @TFJ-027.5
    Scenario: A TFJob does not fail by restarts that its raised backoffLimit allows
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure and the backoffLimit 2
      And its replicas run
      And the containers of Worker 1 have been restarted 1 time
      And the TFJob is Running
      And the user gives the TFJob the backoffLimit 9
      And 1 second passes
      When the containers of Worker 1 have been restarted 3 times
      Then for 2 seconds the TFJob is not Failed

    @TFJ-076.1
    Scenario: A TFJob fails by restarts of the init containers of a pod that never runs
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure and the backoffLimit 2 whose pod templates have an init container
      And the TFJob has one pod for each of its 3 replicas
      When the init containers of Worker 1, which is Pending, have been restarted 4 times
      Then the TFJob is Failed, and stays so

    @TFJ-028.1
    Scenario: A TFJob fails when its pod replacements exceed backoffLimit
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy ExitCode and the backoffLimit 1
      And its replicas run
      And Worker 1 of the TFJob fails with exit code 137
      And Worker 1 of the TFJob is replaced
      And its replicas run
      When Worker 1 of the TFJob fails with exit code 137
      Then the TFJob is Failed, and stays so

    @TFJ-039.1
    Scenario: With cleanPodPolicy All a TFJob that exceeds backoffLimit has no pods left
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure, the backoffLimit 0 and the cleanPodPolicy All
      And its replicas run
      When the containers of Worker 1 have been restarted 1 time
      Then the TFJob is Failed, and stays so
      And the TFJob has 0 pods and as many services, and stays so

    @TFJ-039.3
    Scenario: With cleanPodPolicy None a TFJob that exceeds backoffLimit keeps its pods
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure, the backoffLimit 0 and the cleanPodPolicy None
      And its replicas run
      When the containers of Worker 1 have been restarted 1 time
      Then the TFJob is Failed, and stays so
      And the TFJob has 3 pods and as many services, and stays so

  Rule: activeDeadlineSeconds bounds the time of a TFJob

    @TFJ-029.1
    Scenario: activeDeadlineSeconds is enforced if nothing else changes
      Given a TFJob of 1 PS and 2 Workers with the activeDeadlineSeconds 6
      And its replicas run
      When the TFJob is Running
      Then the TFJob is Failed
      And the TFJob is Failed no earlier than 6 seconds after its startTime

    @TFJ-039.2
    Scenario: With cleanPodPolicy All a TFJob past activeDeadlineSeconds has no pods left
      Given a TFJob of 1 PS and 2 Workers with the activeDeadlineSeconds 2 and the cleanPodPolicy All
      And its replicas run
      And 3 seconds pass
      And the user annotates the TFJob
      When the TFJob is Failed
      Then the TFJob has 0 pods and as many services, and stays so

    @TFJ-039.4
    Scenario: With cleanPodPolicy None a TFJob past activeDeadlineSeconds keeps its pods
      Given a TFJob of 1 PS and 2 Workers with the activeDeadlineSeconds 2 and the cleanPodPolicy None
      And its replicas run
      And 3 seconds pass
      And the user annotates the TFJob
      When the TFJob is Failed
      Then the TFJob has 3 pods and as many services, and stays so

    @TFJ-029.2
    Scenario: activeDeadlineSeconds is enforced when the TFJob changes
      Given a TFJob of 1 PS and 2 Workers with the activeDeadlineSeconds 2
      And its replicas run
      And 3 seconds pass
      When the user annotates the TFJob
      Then the TFJob is Failed, and stays so

    @TFJ-029.3
    Scenario Outline: An activeDeadlineSeconds far in the future is never enforced early
      Given a TFJob of 1 PS and 2 Workers with the activeDeadlineSeconds <seconds>
      And its replicas run
      When the user annotates the TFJob
      Then for 5 seconds the TFJob is not Failed
      And the TFJob is Running, and stays so

      Examples:
        | case | seconds             |
        | a    | 2147483648          |
        | b    | 9223372037          |
        | c    | 10000000000         |
        | d    | 9223372036854775807 |

    @TFJ-029.4
    Scenario: An activeDeadlineSeconds that is lowered on a TFJob is enforced
      Given a TFJob of 1 PS and 2 Workers with the activeDeadlineSeconds 600
      And its replicas run
      And the TFJob is Running
      When the user gives the TFJob the activeDeadlineSeconds 4
      Then the TFJob is Failed
      And the TFJob is Failed no earlier than 4 seconds after its startTime

    @TFJ-029.5
    Scenario: An activeDeadlineSeconds that is raised on a TFJob is not enforced early
      Given a TFJob of 1 PS and 2 Workers with the activeDeadlineSeconds 12
      And its replicas run
      And the TFJob is Running
      When the user gives the TFJob the activeDeadlineSeconds 600
      Then for 15 seconds the TFJob is not Failed

    @TFJ-029.8
    Scenario: An activeDeadlineSeconds that is raised on a TFJob is enforced when it is due
      Given a TFJob of 1 PS and 2 Workers with the activeDeadlineSeconds 10
      And its replicas run
      And the TFJob is Running
      When the user gives the TFJob the activeDeadlineSeconds 14
      Then the TFJob is Failed
      And the TFJob is Failed no earlier than 14 seconds after its startTime

    @TFJ-029.6 @cap-Suspension
    Scenario: The activeDeadlineSeconds of a resumed TFJob start again
      Given a TFJob of 1 PS and 2 Workers with the activeDeadlineSeconds 15
      And its replicas run
      And the user suspends the TFJob
      And the TFJob is Suspended
      And 15 seconds pass
      When the user resumes the TFJob
      Then for 2 seconds the TFJob is not Failed
      And the TFJob has one pod for each of its 3 replicas, and stays so for 2 seconds, as TFJ-042 requires

    @TFJ-029.7 @cap-Suspension
    Scenario: activeDeadlineSeconds is not enforced while a TFJob is suspended
      Given a TFJob of 1 PS and 2 Workers with the activeDeadlineSeconds 6
      And its replicas run
      And the user suspends the TFJob
      When the TFJob is Suspended
      Then for 6 seconds the TFJob is not Failed

  Rule: A finished TFJob is kept for ttlSecondsAfterFinished

    @TFJ-040.1
    Scenario: A finished TFJob is deleted after ttlSecondsAfterFinished
      Given a TFJob of 1 Worker with the ttlSecondsAfterFinished 4
      And its replicas run
      When Worker 0 of the TFJob succeeds
      Then the TFJob does not exist any more
      And the TFJob was deleted no earlier than 4 seconds after its completionTime

    @TFJ-040.3 @fault
    Scenario Outline: A finished TFJob is deleted though the next deletion is <answer>
      Given a TFJob of 1 Worker with the ttlSecondsAfterFinished 2
      And its replicas run
      And the next TFJob deletion is <answer>
      When Worker 0 of the TFJob succeeds
      Then eventually the TFJob does not exist any more

      Examples:
        | case | answer                        |
        | a    | answered with 500             |
        | b    | answered with 409             |
        | c    | applied but its reply is lost |

    @TFJ-040.6 @fault
    Scenario: A TFJob whose time to live passes while the controller is down is deleted
      Given a TFJob of 1 Worker with the ttlSecondsAfterFinished 3
      And its replicas run
      And Worker 0 of the TFJob succeeds
      And the TFJob is Succeeded
      And the implementation is killed
      And 6 seconds pass
      When the implementation is started again
      Then eventually the TFJob does not exist any more

    @TFJ-040.7
    Scenario: A time to live that is lowered on a finished TFJob is applied
      Given a TFJob of 1 Worker with the ttlSecondsAfterFinished 600
      And its replicas run
      And Worker 0 of the TFJob succeeds
      And the TFJob is Succeeded
      When the user gives the TFJob the ttlSecondsAfterFinished 4
      Then the TFJob does not exist any more
      And the TFJob was deleted no earlier than 4 seconds after its completionTime

    @TFJ-040.8
    Scenario: A time to live that is raised on a finished TFJob is kept
      Given a TFJob of 1 Worker with the ttlSecondsAfterFinished 6
      And its replicas run
      And Worker 0 of the TFJob succeeds
      And the TFJob is Succeeded
      When the user gives the TFJob the ttlSecondsAfterFinished 600
      Then for 6 seconds the TFJob still exists

    @TFJ-040.10
    Scenario: A time to live that is raised on a finished TFJob is applied when it is over
      Given a TFJob of 1 Worker with the ttlSecondsAfterFinished 6
      And its replicas run
      And Worker 0 of the TFJob succeeds
      And the TFJob is Succeeded
      When the user gives the TFJob the ttlSecondsAfterFinished 10
      Then the TFJob does not exist any more
      And the TFJob was deleted no earlier than 10 seconds after its completionTime

    @TFJ-040.9
    Scenario Outline: A TFJob that fails <how> is deleted after ttlSecondsAfterFinished
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy <policy>, the <limit> and the ttlSecondsAfterFinished 4
      And its replicas run
      And the TFJob is Running
      And <event>
      When the TFJob is Failed
      Then eventually the TFJob does not exist any more

      Examples:
        | case | how             | policy    | limit                   | event                                                 |
        | a    | with a Worker   | Never     | backoffLimit 6          | Worker 1 of the TFJob fails with exit code 1          |
        | b    | by backoffLimit | OnFailure | backoffLimit 0          | the containers of Worker 1 have been restarted 1 time |

    @TFJ-040.11
    Scenario: A TFJob that fails by its deadline is deleted after ttlSecondsAfterFinished
      Given a TFJob of 1 PS and 2 Workers with the activeDeadlineSeconds 3 and the ttlSecondsAfterFinished 9
      And its replicas run
      And 3 seconds pass
      And the user annotates the TFJob
      When the TFJob is Failed
      Then eventually the TFJob does not exist any more

    @TFJ-040.2
    Scenario: A finished TFJob with ttlSecondsAfterFinished 0 is deleted immediately
      Given a TFJob of 1 Worker with the ttlSecondsAfterFinished 0
      And its replicas run
      When Worker 0 of the TFJob succeeds
      Then the TFJob does not exist any more
