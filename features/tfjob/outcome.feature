Feature: The replica types decide the outcome of a TFJob

  Rule: The restart policy decides what a failed pod means

    @TFJ-022.1
    Scenario Outline: A pod that fails with exit code <code> is replaced
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy ExitCode
      And its replicas run
      When Worker 1 of the TFJob fails with exit code <code>
      Then Worker 1 of the TFJob is replaced
      And for 2 seconds the TFJob is not Failed

      Examples:
        | case | code |
        | a    | 137  |
        | b    | 143  |

    @TFJ-022.2
    Scenario: A pod with DisruptionTarget that fails with exit code 137 is replaced
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy ExitCode
      And its replicas run
      And another client sets DisruptionTarget of the pod of Worker 1
      When Worker 1 of the TFJob fails with exit code 137
      Then Worker 1 of the TFJob is replaced
      And for 2 seconds the TFJob is not Failed

    @TFJ-022.3
    Scenario: An Evaluator that fails with exit code 137 is replaced
      Given a TFJob of 1 Chief and 1 Evaluator with the restartPolicy ExitCode
      And its replicas run
      When Evaluator 0 of the TFJob fails with exit code 137
      Then Evaluator 0 of the TFJob is replaced
      And for 2 seconds the TFJob is not Failed

    @TFJ-023.1
    Scenario: With ExitCode, an exit code below 128 fails the TFJob
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy ExitCode
      And its replicas run
      When Worker 1 of the TFJob fails with exit code 1
      Then the TFJob is Failed, and stays so

    @TFJ-023.2 @fault
    Scenario: An exit code below 128 fails a TFJob that sees one to replace as well
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy ExitCode
      And its replicas run
      And the TFJob is Running
      And the implementation's view of pods is stale
      And Worker 0 of the TFJob fails with exit code 137
      When Worker 1 of the TFJob fails with exit code 1
      Then once the view of pods catches up the TFJob is Failed, and stays so

    @TFJ-026.2
    Scenario Outline: With Never, the failure of <replica> fails the TFJob
      Given a TFJob of 1 Chief, 1 PS and 2 Workers with the restartPolicy Never
      And its replicas run
      When <replica> of the TFJob fails with exit code <code>
      Then the TFJob is Failed, and stays so

      Examples:
        | case | replica  | code |
        | a    | Worker 1 | 137  |
        | b    | PS 0     | 1    |
        | c    | Chief 0  | 1    |

    @TFJ-026.8
    Scenario: With Never, the failure of an Evaluator fails the TFJob
      Given a TFJob of 1 Chief and 1 Evaluator with the restartPolicy Never
      And its replicas run
      When Evaluator 0 of the TFJob fails with exit code 1
      Then the TFJob is Failed, and stays so

    @TFJ-026.3
    Scenario: The failure of a deleted TFJob's pod does not fail the one of its name
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy Never
      And its replicas run
      And deleted pods stay terminating
      And the user deletes the TFJob with all that it controls
      And a TFJob of 1 PS and 2 Workers with the restartPolicy Never
      And 1 second passes
      When the pods that are being deleted fail with exit code 1
      Then for 2 seconds the TFJob is not Failed

    @TFJ-026.4
    Scenario: With enableDynamicWorker, a failed Worker does not fail the TFJob
      Given a TFJob of 1 PS and 2 Workers with the enableDynamicWorker true
      And its replicas run
      And the TFJob is Running
      When Worker 1 of the TFJob fails with exit code 1
      Then for 2 seconds the TFJob is not Failed

    @TFJ-026.5
    Scenario: With enableDynamicWorker, a failed PS fails the TFJob
      Given a TFJob of 1 PS and 2 Workers with the enableDynamicWorker true
      And its replicas run
      And the TFJob is Running
      When PS 0 of the TFJob fails with exit code 1
      Then the TFJob is Failed, and stays so

    @TFJ-026.7 @fault
    Scenario: A TFJob fails with its PS while a pod of a Worker cannot be created
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy Never
      And its replicas run
      And the TFJob is Running
      And pod creations are answered with 422
      And the user changes the TFJob to 3 Workers
      And the fault has been triggered
      When PS 0 of the TFJob fails with exit code 1
      Then the TFJob is Failed, and stays so

    @TFJ-024.1
    Scenario: The exit code of a container other than tensorflow is ignored
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy ExitCode whose pod templates say much
      And its replicas run
      When Worker 1 of the TFJob fails with exit code 137 of container side
      Then the TFJob is Failed, and stays so

    @TFJ-024.2
    Scenario: The exit code of the container tensorflow decides, even if it is not the first
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy ExitCode whose pod templates say much
      And its replicas run
      When Worker 1 of the TFJob fails with exit code 137
      Then Worker 1 of the TFJob is replaced
      And for 2 seconds the TFJob is not Failed

    @TFJ-025.1
    Scenario Outline: With <policy>, a failed pod is replaced whatever its exit code
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy <policy>
      And its replicas run
      When Worker 1 of the TFJob fails with exit code 1
      Then Worker 1 of the TFJob is replaced
      And for 2 seconds the TFJob is not Failed

      Examples:
        | case | policy    |
        | a    | OnFailure |
        | b    | Always    |

    @TFJ-025.2 @fault
    Scenario Outline: A failed pod is replaced though its deletion is <answer>
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure
      And its replicas run
      And the next pod deletion is <answer>
      When Worker 1 of the TFJob fails with exit code 1
      Then eventually the TFJob has one pod for each of its 3 replicas
      And Worker 1 of the TFJob is replaced

      Examples:
        | case | answer                        |
        | a    | answered with 500             |
        | b    | answered with 409             |
        | c    | applied but its reply is lost |

    @TFJ-025.3
    Scenario: A pod that PodGC has marked as failed is replaced
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure
      And its replicas run
      When PodGC marks the pod of Worker 1 as failed
      Then Worker 1 of the TFJob is replaced

    @TFJ-055.1
    Scenario Outline: With <policy>, the TFJob becomes Restarting when a failed pod is replaced
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy <policy>
      And its replicas run
      When Worker 1 of the TFJob fails with exit code 137
      Then Worker 1 of the TFJob is replaced
      And the TFJob has been Restarting for the reason TFJobRestarting

      Examples:
        | case | policy    |
        | a    | ExitCode  |
        | b    | OnFailure |

  Rule: A failed TFJob stays failed

    @TFJ-030.1
    Scenario: A failed TFJob stays Failed when its Chief succeeds
      Given a TFJob of 1 Chief and 2 Workers
      And its replicas run
      And Worker 1 of the TFJob fails with exit code 1
      And the TFJob is Failed
      When Chief 0 of the TFJob succeeds
      Then for 2 seconds the TFJob is Failed
      And for 2 seconds the TFJob is not Succeeded

  Rule: A succeeded TFJob stays succeeded

    @TFJ-073.1
    Scenario Outline: A TFJob stays Succeeded when <what>
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy <policy> and the <limit>
      And its replicas run
      And Worker 0 of the TFJob succeeds
      And the TFJob is Succeeded
      And <event>
      When the user annotates the TFJob
      Then for 2 seconds the TFJob is Succeeded
      And for 2 seconds the TFJob is not Failed

      Examples:
        | case | what                                  | policy    | limit                   | event                                             |
        | a    | its deadline passes                   | Never     | activeDeadlineSeconds 8 | 8 seconds pass                                    |
        | b    | its PS restarts more than allowed     | OnFailure | backoffLimit 0          | the containers of PS 0 have been restarted 1 time |
        | c    | its PS fails                          | Never     | backoffLimit 6          | PS 0 of the TFJob fails with exit code 1          |

  Rule: A finished TFJob runs nothing again

    @TFJ-072.1
    Scenario Outline: A TFJob that is <end> gets no pod when that of <replica> vanishes
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy Never
      And its replicas run
      And <event>
      And the TFJob is <end>
      And the user makes the pod of <replica> vanish
      When the user annotates the TFJob
      Then for 2 seconds <replica> of the TFJob has no active pod

      Examples:
        | case | end       | event                                        | replica  |
        | a    | Succeeded | Worker 0 of the TFJob succeeds               | Worker 0 |
        | b    | Succeeded | Worker 0 of the TFJob succeeds               | PS 0     |
        | c    | Failed    | Worker 1 of the TFJob fails with exit code 1 | Worker 1 |

  Rule: With a Chief, the Chief decides

    @TFJ-034.2
    Scenario: A TFJob succeeds with its Chief, although Workers still run
      Given a TFJob of 1 Chief and 2 Workers
      And its replicas run
      When Chief 0 of the TFJob succeeds
      Then the TFJob is Succeeded, and stays so

    @TFJ-034.3
    Scenario: A TFJob with a Chief does not succeed when all Workers have succeeded
      Given a TFJob of 1 Chief and 2 Workers
      And its replicas run
      When Worker 0 of the TFJob succeeds
      And Worker 1 of the TFJob succeeds
      Then for 2 seconds the TFJob is not Succeeded

    @TFJ-034.7
    Scenario: A TFJob succeeds with its Master, although PS and Workers still run
      Given a TFJob of 1 Master, 1 PS and 2 Workers
      And its replicas run
      When Master 0 of the TFJob succeeds
      Then the TFJob is Succeeded, and stays so

    @TFJ-034.8
    Scenario: A TFJob with a Master does not succeed when all Workers have succeeded
      Given a TFJob of 1 Master and 2 Workers
      And its replicas run
      When Worker 0 of the TFJob succeeds
      And Worker 1 of the TFJob succeeds
      Then for 2 seconds the TFJob is not Succeeded

    @TFJ-034.6
    Scenario Outline: A TFJob of <replicas> succeeds with its Chief
      Given a TFJob of <replicas>
      And its replicas run
      When Chief 0 of the TFJob succeeds
      Then the TFJob is Succeeded, and stays so

      Examples:
        | case | replicas                |
        | a    | 1 Chief                 |
        | b    | 1 Chief and 1 Evaluator |
        | c    | 1 Chief and 1 PS        |

    @TFJ-034.5
    Scenario: A TFJob of a Chief and an Evaluator does not succeed with its Evaluator
      Given a TFJob of 1 Chief and 1 Evaluator
      And its replicas run
      When Evaluator 0 of the TFJob succeeds
      Then for 2 seconds the TFJob is not Succeeded

  Rule: Without a Chief, Workers decide

    @TFJ-035.1
    Scenario: A TFJob without a Chief succeeds with Worker 0
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      When Worker 0 of the TFJob succeeds
      Then the TFJob is Succeeded, and stays so

    @TFJ-035.2
    Scenario: A TFJob without a Chief does not succeed before Worker 0
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      When Worker 1 of the TFJob succeeds
      Then for 2 seconds the TFJob is not Succeeded

    @TFJ-035.12 @fault
    Scenario: A TFJob succeeds whose Worker 0 ran and succeeded while the controller was down
      Given a TFJob of 1 PS and 2 Workers
      And the TFJob has one pod for each of its 3 replicas
      And the implementation is killed
      And its replicas run
      And Worker 0 of the TFJob succeeds
      When the implementation is started again
      Then eventually the TFJob is Succeeded, and stays so
      And the conditions of the TFJob have never contradicted each other, as TFJ-032 requires

    @TFJ-035.5
    Scenario: The success of a deleted TFJob's pod does not end the one of its name
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And deleted pods stay terminating
      And the user deletes the TFJob with all that it controls
      And a TFJob of 1 PS and 2 Workers
      And 1 second passes
      When the pods that are being deleted succeed
      Then for 2 seconds the TFJob is not Succeeded

    @TFJ-035.8 @fault
    Scenario: A TFJob succeeds while a pod of another Worker cannot be created
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the TFJob is Running
      And pod creations are answered with 403
      And the user changes the TFJob to 3 Workers
      And the fault has been triggered
      When Worker 0 of the TFJob succeeds
      Then the TFJob is Succeeded, and stays so

    @TFJ-035.9
    Scenario: A TFJob succeeds after another client has taken its conditions
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the TFJob is Running
      And another client takes the conditions from the TFJob
      When Worker 0 of the TFJob succeeds
      Then the TFJob is Succeeded, and stays so

    @TFJ-035.3
    Scenario: With AllWorkers, a TFJob does not succeed when only Worker 0 has
      Given a TFJob of 1 PS and 2 Workers with the successPolicy AllWorkers
      And its replicas run
      When Worker 0 of the TFJob succeeds
      Then for 2 seconds the TFJob is not Succeeded

    @TFJ-035.11
    Scenario: A TFJob that gets AllWorkers while it runs does not succeed with Worker 0
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the TFJob is Running
      And the user gives the TFJob the successPolicy AllWorkers
      And 1 second passes
      When Worker 0 of the TFJob succeeds
      Then for 2 seconds the TFJob is not Succeeded

    @TFJ-035.4
    Scenario: With AllWorkers, a TFJob succeeds when all Workers have
      Given a TFJob of 1 PS and 2 Workers with the successPolicy AllWorkers
      And its replicas run
      When Worker 0 of the TFJob succeeds
      And Worker 1 of the TFJob succeeds
      Then the TFJob is Succeeded, and stays so
