Feature: The pods of a JobSet have host names

  @JST-007.1
  Scenario: One headless Service of the JobSet's name selects all its pods
    When a JobSet of 1 leader and 2 workers
    Then the JobSet has one service, a, which is headless and selects all its pods, and stays so

  @JST-007.2
  Scenario: The Service of a JobSet has the name of its subdomain
    When a JobSet of 1 leader and 2 workers, in the subdomain train
    Then the JobSet has one service, train, which is headless and selects all its pods, and stays so

  @JST-007.3
  Scenario: The Service of a JobSet that is deleted is created again
    Given a JobSet of 1 leader
    When the user deletes the service of the JobSet
    Then the JobSet has one service, a, which is headless and selects all its pods

  @JST-007.4 @fault
  Scenario: The Service of a JobSet that is deleted in a watch gap is created again
    Given a JobSet of 1 leader
    And the JobSet has one service, a, which is headless and selects all its pods
    And the implementation's view of services is stale
    And the user deletes the service of the JobSet
    When the server ends the watches of services with 410
    Then once the view of services catches up the JobSet has one service, a, which is headless and selects all its pods

  @JST-007.5
  Scenario: The Service of a JobSet that is held after its deletion is created again
    Given a JobSet of 1 leader
    And the JobSet has one service, a, which is headless and selects all its pods
    And a finalizer of another client holds the service of the JobSet
    And the user deletes the service of the JobSet
    And 1 second passes
    When the finalizer is taken off the service of the JobSet
    Then eventually the JobSet has one service, a, which is headless and selects all its pods

  @JST-008.1
  Scenario Outline: The pods of a JobSet are in the subdomain <name>
    When a JobSet of 1 leader and 2 workers<how>
    Then the pods of each Job of the JobSet are in the subdomain <name>

    Examples:
      | case | how                      | name  |
      | a    |                          | a     |
      | b    | , in the subdomain train | train |

  @JST-009.1
  Scenario: The Service of a JobSet publishes addresses of pods that are not ready
    When a JobSet of 1 leader
    Then the service of the JobSet publishes addresses that are not ready

  @JST-009.2
  Scenario: The Service of a JobSet publishes addresses of ready pods only
    Given a JobSet of 1 leader, with addresses of ready pods only
    When the JobSet has one service, a, which is headless and selects all its pods
    Then for 1 second the service of the JobSet publishes addresses of ready pods only

  @JST-010.1
  Scenario: A JobSet without host names has no Service
    Given a JobSet of 1 leader, without host names
    When the JobSet has only Job leader-0
    Then for 2 seconds no service of the JobSet has been created
