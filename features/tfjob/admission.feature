Feature: An invalid TFJob is rejected
  It does not matter whether a webhook or the API definition rejects it. Each rejected request has a similar valid one
  that is accepted.

  @TFJ-059.1 @cap-Admission
  Scenario Outline: A TFJob of <wrong> is rejected
    When the user submits a TFJob of <wrong>
    And the user submits a TFJob of <right>
    Then the first request of the user is refused
    And the second request of the user is accepted

    Examples:
      | case | wrong                                        | right                                                  |
      | a    | 2 Workers with no container                  | 2 Workers with one container                           |
      | b    | 1 Worker with a container without an image   | 1 Worker with one container                            |
      | c    | 2 Workers with a container of another name   | 2 Workers with a container of another name beside it   |
      | d    | 1 Chief, 1 Master and 1 Worker            | 1 Chief and 1 Worker                                   |
      | e    | 1 Worker named 1st                           | 1 Worker named first                                   |
      | f    | 1 Worker named first.one                     | 1 Worker named first-1                                 |

  @TFJ-060.1 @cap-Admission
  Scenario: A change that makes a TFJob invalid is rejected
    Given a TFJob of 2 Workers
    And the TFJob has one pod for each of its 2 replicas
    When the user asks to give the Workers of the TFJob a container of another name
    And the user asks to give the Workers of the TFJob a container of another name beside it
    Then the first request of the user is refused
    And the second request of the user is accepted
