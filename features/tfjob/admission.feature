Feature: A TFJob that is wrong is refused
  Who refuses, a webhook or the definition of the API, is not prescribed. Each request that is refused has a neighbour
  that is right and accepted.

  @TFJ-059 @cap-Admission
  Scenario Outline: A TFJob of <wrong> is refused
    When the user asks for a TFJob of <wrong>
    And the user asks for a TFJob of <right>
    Then the first request of the user is refused
    And the second request of the user is accepted

    Examples:
      | wrong                                        | right                                                  |
      | 2 Workers with no container                  | 2 Workers with one container                           |
      | 1 Worker with a container without an image   | 1 Worker with one container                            |
      | 2 Workers with a container of another name   | 2 Workers with a container of another name beside it   |
      | 1 Chief and 1 Master and 1 Worker            | 1 Chief and 1 Worker                                   |
      | 1 Worker named 1st                           | 1 Worker named first                                   |
      | 1 Worker named first.one                     | 1 Worker named first-1                                 |

  @TFJ-060 @cap-Admission
  Scenario: A change that makes a TFJob wrong is refused
    Given a TFJob of 2 Workers
    And the TFJob has one pod for each of its 2 replicas
    When the user asks to give the Workers of the TFJob a container of another name
    And the user asks to give the Workers of the TFJob a container of another name beside it
    Then the first request of the user is refused
    And the second request of the user is accepted
