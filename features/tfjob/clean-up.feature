Feature: What is left of a TFJob that has finished

  Rule: A finished TFJob is cleaned up by its policy

    @TFJ-038
    Scenario Outline: What is left of a TFJob that has succeeded
      Given a TFJob of 1 Chief, 1 PS and 2 Workers with the cleanPodPolicy <policy>
      And its replicas run
      And Worker 0 of the TFJob succeeds
      When Chief 0 of the TFJob succeeds
      Then the TFJob is Succeeded
      And the TFJob has <count> pods and as many services
      And for 2 seconds the TFJob has <count> pods and as many services

      Examples:
        | policy  | count |
        | None    | 4     |
        | Running | 2     |
        | All     | 0     |
