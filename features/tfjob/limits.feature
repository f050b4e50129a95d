Feature: A TFJob has so much time, and so many retries

  Rule: Restarts are bounded

    @TFJ-027
    Scenario: Containers have been started again too often
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure and the backoffLimit 3
      And its replicas run
      And the containers of Worker 0 have been restarted 2 times
      When the containers of Worker 1 have been restarted 2 times
      Then the TFJob is Failed, and stays so

    @TFJ-027
    Scenario: A container has been started again where none may be
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure and the backoffLimit 0
      And its replicas run
      When the containers of Worker 1 have been restarted 1 time
      Then the TFJob is Failed, and stays so

    @TFJ-027
    Scenario: Containers have not been started again too often
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure and the backoffLimit 3
      And its replicas run
      And the containers of Worker 0 have been restarted 1 time
      When the containers of Worker 1 have been restarted 1 time
      Then for 2 seconds the TFJob is not Failed

    @TFJ-028
    Scenario: Pods have been replaced too often
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy ExitCode and the backoffLimit 1
      And its replicas run
      And Worker 1 of the TFJob fails with exit code 137
      And Worker 1 of the TFJob is replaced
      And its replicas run
      When Worker 1 of the TFJob fails with exit code 137
      Then the TFJob is Failed, and stays so

    @TFJ-039
    Scenario: Nothing is left of a TFJob that has failed too often
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure and the backoffLimit 0
      And its replicas run
      When the containers of Worker 1 have been restarted 1 time
      Then the TFJob is Failed, and stays so
      And the TFJob has 0 pods and as many services, and stays so

  Rule: A TFJob may be active so long

    @TFJ-029
    Scenario: The time is over and nothing happens
      Given a TFJob of 1 PS and 2 Workers with the activeDeadlineSeconds 6
      And its replicas run
      When the TFJob is Running
      Then the TFJob is Failed
      And the TFJob is Failed not sooner than 6 seconds after its startTime

    @TFJ-039
    Scenario: Nothing is left of a TFJob whose time is over
      Given a TFJob of 1 PS and 2 Workers with the activeDeadlineSeconds 2
      And its replicas run
      And 3 seconds pass
      And the user annotates the TFJob
      When the TFJob is Failed
      Then the TFJob has 0 pods and as many services

    @TFJ-029
    Scenario: The time is over when something happens
      Given a TFJob of 1 PS and 2 Workers with the activeDeadlineSeconds 2
      And its replicas run
      And 3 seconds pass
      When the user annotates the TFJob
      Then the TFJob is Failed, and stays so

  Rule: A finished TFJob is kept so long

    @TFJ-040
    Scenario: A finished TFJob is deleted after its time
      Given a TFJob of 1 Worker with the ttlSecondsAfterFinished 4
      And its replicas run
      When Worker 0 of the TFJob succeeds
      Then the TFJob does not exist any more
      And the TFJob was deleted not sooner than 4 seconds after its completionTime

    @TFJ-040
    Scenario: A finished TFJob with no time to live is deleted at once
      Given a TFJob of 1 Worker with the ttlSecondsAfterFinished 0
      And its replicas run
      When Worker 0 of the TFJob succeeds
      Then the TFJob does not exist any more
