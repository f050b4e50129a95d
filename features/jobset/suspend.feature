Feature: A JobSet is suspended and resumed

  @JST-028.1
  Scenario: A JobSet that is created suspended runs no Job
    When a suspended JobSet of 2 workers
    Then the JobSet is Suspended, and stays so
    And for 1 second 0 Jobs of the JobSet are resumed

  @JST-028.2
  Scenario: The Jobs of a JobSet are suspended with it
    Given a JobSet of 1 leader and 2 workers
    And the pods of all Jobs of the JobSet run
    When the user suspends the JobSet
    Then 0 Jobs of the JobSet are resumed, and stays so
    And the JobSet is Suspended

  @JST-028.4 @fault
  Scenario: A JobSet that is suspended while the controller is down suspends its Jobs
    Given a JobSet of 1 leader and 2 workers
    And the pods of all Jobs of the JobSet run
    And the implementation is killed
    And the user suspends the JobSet
    When the implementation is started again
    Then eventually 0 Jobs of the JobSet are resumed, and stays so
    And the JobSet is Suspended

  @JST-028.3 @fault
  Scenario Outline: A Job is suspended though the first update of it is <answer>
    Given a JobSet of 1 workers
    And the pods of Job workers-0 run
    And the JobSet reports 1 ready, 1 active, 0 suspended, 0 succeeded and 0 failed Jobs of workers
    And the next update of a Job is <answer>
    When the user suspends the JobSet
    Then eventually 0 Jobs of the JobSet are resumed, and stays so

    Examples:
      | case | answer                        |
      | a    | answered with 500             |
      | b    | answered with 409             |
      | c    | answered with 422             |
      | d    | applied but its reply is lost |

  @JST-029.1
  Scenario: The Jobs of a JobSet are resumed with it
    Given a suspended JobSet of 1 leader and 2 workers
    And the JobSet is Suspended
    When the user resumes the JobSet
    Then 3 Jobs of the JobSet are resumed, and stays so
    And the JobSet is no longer Suspended

  @JST-029.2
  Scenario: Jobs that ran before a JobSet was suspended are resumed with it
    Given a JobSet of 1 leader and 1 workers
    And the pods of all Jobs of the JobSet run
    And the user suspends the JobSet
    And the JobSet is Suspended
    When the user resumes the JobSet
    Then 2 Jobs of the JobSet are resumed, and stays so
    And the JobSet is no longer Suspended

  @JST-030.1
  Scenario: A Job is resumed with the node selector that its template has by then
    Given a suspended JobSet of 1 workers
    And the JobSet is Suspended
    And the user selects nodes by zone=east for pods of workers
    When the user resumes the JobSet
    Then the pods of Job workers-0 select nodes by zone=east
    And 1 Job of the JobSet is resumed

  @JST-031.1
  Scenario: A node selector that is no longer in the template is taken from its Job
    Given a suspended JobSet of 1 workers, on nodes with zone=east
    And the user resumes the JobSet
    And Job workers-0 has 1 active pod
    And the user suspends the JobSet
    And the JobSet is Suspended
    And the user selects nodes by rack=third for pods of workers
    When the user resumes the JobSet
    Then the pods of Job workers-0 select nodes by rack=third alone

  @JST-046.1
  Scenario Outline: A Job is resumed with <what> that its template got while suspended
    Given a suspended JobSet of 1 workers
    And the JobSet is Suspended
    And the user gives pods of workers <what>
    When the user resumes the JobSet
    Then the pod template of Job workers-0 says what that of workers says, and stays so
    And 1 Job of the JobSet is resumed

    Examples:
      | case | what              |
      | a    | a label           |
      | b    | an annotation     |
      | c    | a toleration      |
      | d    | a scheduling gate |

  @JST-046.2
  Scenario: A Job that ran is resumed with a toleration that its template got since
    Given a JobSet of 1 workers
    And the pods of Job workers-0 run
    And the user suspends the JobSet
    And the JobSet is Suspended
    And the user gives pods of workers a toleration
    When the user resumes the JobSet
    Then the pod template of Job workers-0 says what that of workers says, and stays so
    And 1 Job of the JobSet is resumed

  @JST-046.3
  Scenario: Each Job is resumed with what the template of its own ReplicatedJob got
    Given a suspended JobSet of 1 leader and 1 workers
    And the JobSet is Suspended
    And the user gives pods of leader a label
    And the user gives pods of workers a toleration
    When the user resumes the JobSet
    Then the pod template of Job leader-0 says what that of leader says, and stays so
    And the pod template of Job workers-0 says what that of workers says, and stays so
    And 2 Jobs of the JobSet are resumed

  Rule: What is no longer in a template is taken from its Jobs

    Background:
      Given a suspended JobSet of 1 workers
      And the JobSet is Suspended
      And the user gives pods of workers a toleration

    @JST-031.2
    Scenario: A toleration that is no longer in the template is taken from its Job
      Given the user resumes the JobSet
      And Job workers-0 has 1 active pod
      And the user suspends the JobSet
      And the JobSet is Suspended
      And the user gives pods of workers another toleration
      When the user resumes the JobSet
      Then the pods of Job workers-0 have the tolerations of workers alone
