Feature: A controller of TFJobs keeps running

  @TFJ-051.1
  Scenario: The implementation keeps running after a TFJob has failed
    Given a TFJob of 1 PS and 2 Workers with the restartPolicy Never
    And its replicas run
    And Worker 1 of the TFJob fails with exit code 1
    And the TFJob is Failed
    When 1 second passes
    Then the implementation runs
