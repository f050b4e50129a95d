Feature: The controllers of Volcano keep running

  @VOL-063.1
  Scenario: The implementation keeps running after a Volcano Job is Completed
    Given a Volcano Job of 1 pod with minAvailable 1
    And the scheduler admits its PodGroup
    And 1 pod of the Volcano Job succeeds
    And the Volcano Job is Completed
    When 1 second passes
    Then the implementation runs
