Feature: The controllers of Volcano go on

  @VOL-063
  Scenario: The implementation goes on when a Volcano Job is Completed
    Given a Volcano Job of 1 pod with minAvailable 1
    And the scheduler lets its PodGroup in
    And 1 pod of the Volcano Job succeeds
    And the Volcano Job is Completed
    When 1 second passes
    Then the implementation runs
