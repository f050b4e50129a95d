Feature: A TFJob fails and succeeds by the types of its replicas

  Rule: A restart policy decides what a failed pod means

    @TFJ-022
    Scenario Outline: A pod that a signal has ended is replaced
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy ExitCode
      And its replicas run
      When Worker 1 of the TFJob fails with exit code <code>
      Then Worker 1 of the TFJob is replaced
      And for 2 seconds the TFJob is not Failed

      Examples:
        | code |
        | 137  |
        | 143  |

    @TFJ-023
    Scenario: An exit code below 128 fails the TFJob
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy ExitCode
      And its replicas run
      When Worker 1 of the TFJob fails with exit code 1
      Then the TFJob is Failed, and stays so

    @TFJ-026
    Scenario Outline: A failed pod that is never restarted fails the TFJob
      Given a TFJob of 1 Chief, 1 PS and 2 Workers with the restartPolicy Never
      And its replicas run
      When <replica> of the TFJob fails with exit code <code>
      Then the TFJob is Failed, and stays so

      Examples:
        | replica  | code |
        | Worker 1 | 137  |
        | PS 0     | 1    |
        | Chief 0  | 1    |

    @TFJ-024
    Scenario: The exit code of another container does not count
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy ExitCode whose pod templates say much
      And its replicas run
      When Worker 1 of the TFJob fails with exit code 137 of container side
      Then the TFJob is Failed, and stays so

    @TFJ-024
    Scenario: The exit code of the container that counts is not that of the first
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy ExitCode whose pod templates say much
      And its replicas run
      When Worker 1 of the TFJob fails with exit code 137
      Then Worker 1 of the TFJob is replaced
      And for 2 seconds the TFJob is not Failed

    @TFJ-025
    Scenario Outline: A failed pod is replaced whatever its exit code
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy <policy>
      And its replicas run
      When Worker 1 of the TFJob fails with exit code 1
      Then Worker 1 of the TFJob is replaced
      And for 2 seconds the TFJob is not Failed

      Examples:
        | policy    |
        | OnFailure |
        | Always    |

    @TFJ-055
    Scenario Outline: That a pod is replaced is told
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy <policy>
      And its replicas run
      When Worker 1 of the TFJob fails with exit code 137
      Then Worker 1 of the TFJob is replaced
      And the TFJob has been Restarting for the reason TFJobRestarting

      Examples:
        | policy    |
        | ExitCode  |
        | OnFailure |

  Rule: A failed TFJob stays failed

    @TFJ-030
    Scenario: The Chief succeeds too late
      Given a TFJob of 1 Chief and 2 Workers
      And its replicas run
      And Worker 1 of the TFJob fails with exit code 1
      And the TFJob is Failed
      When Chief 0 of the TFJob succeeds
      Then for 2 seconds the TFJob is Failed
      And for 2 seconds the TFJob is not Succeeded

  Rule: With a Chief, the Chief decides

    @TFJ-034
    Scenario: The Chief has succeeded and Workers still run
      Given a TFJob of 1 Chief and 2 Workers
      And its replicas run
      When Chief 0 of the TFJob succeeds
      Then the TFJob is Succeeded, and stays so

    @TFJ-034
    Scenario: All Workers have succeeded and the Chief still runs
      Given a TFJob of 1 Chief and 2 Workers
      And its replicas run
      When Worker 0 of the TFJob succeeds
      And Worker 1 of the TFJob succeeds
      Then for 2 seconds the TFJob is not Succeeded

  Rule: Without a Chief, Workers decide

    @TFJ-035
    Scenario: Worker 0 has succeeded and another Worker still runs
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      When Worker 0 of the TFJob succeeds
      Then the TFJob is Succeeded, and stays so

    @TFJ-035
    Scenario: Another Worker has succeeded and Worker 0 still runs
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      When Worker 1 of the TFJob succeeds
      Then for 2 seconds the TFJob is not Succeeded

    @TFJ-035
    Scenario: Worker 0 has succeeded where all Workers must
      Given a TFJob of 1 PS and 2 Workers with the successPolicy AllWorkers
      And its replicas run
      When Worker 0 of the TFJob succeeds
      Then for 2 seconds the TFJob is not Succeeded

    @TFJ-035
    Scenario: All Workers have succeeded where all must
      Given a TFJob of 1 PS and 2 Workers with the successPolicy AllWorkers
      And its replicas run
      When Worker 0 of the TFJob succeeds
      And Worker 1 of the TFJob succeeds
      Then the TFJob is Succeeded, and stays so
