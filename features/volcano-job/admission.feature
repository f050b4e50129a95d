Feature: Requests get defaults, and invalid ones are rejected
  It does not matter whether a webhook or the API definition does so. Each rejected request has a similar valid one
  that is accepted.

  Rule: Fields of a Volcano Job that are not set get defaults

    @VOL-009.1 @cap-Admission
    Scenario Outline: A Volcano Job without <field> gets the default
      Given the queue that is always there is Open
      When the user submits a Volcano Job that says no more than 2 pods and 1 pod
      Then the Volcano Job was stored with <field> <value>

      Examples:
        | case | field         | value   |
        | a    | queue         | default |
        | b    | schedulerName | volcano |
        | c    | maxRetry      | 3       |
        | d    | minAvailable  | 3       |

    @VOL-009.2 @cap-Admission
    Scenario Outline: Task <place> without <field> gets the default
      Given the queue that is always there is Open
      When the user submits a Volcano Job that says no more than 2 pods and 1 pod
      Then task <place> of the Volcano Job was stored with <field> <value>

      Examples:
        | case | place | field        | value    |
        | a    | 0     | name         | default0 |
        | b    | 1     | name         | default1 |
        | c    | 0     | minAvailable | 2        |
        | d    | 0     | maxRetry     | 3        |

    @VOL-009.3 @cap-Admission
    Scenario: The default minAvailable of a Volcano Job is the sum of its tasks'
      Given the queue that is always there is Open
      When the user submits a Volcano Job that says no more than 2 pods of which 1 must succeed and 3 pods
      Then the Volcano Job was stored with minAvailable 4

    @VOL-009.4 @cap-Admission
    Scenario: Fields of a Volcano Job that are set are stored unchanged
      When the user submits a Volcano Job of 3 pods of task ps of which 1 must succeed with minAvailable 2 and maxRetry 5
      Then the Volcano Job was stored with maxRetry 5
      And the Volcano Job was stored with minAvailable 2
      And task 0 of the Volcano Job was stored with name ps
      And task 0 of the Volcano Job was stored with minAvailable 1

  Rule: An invalid Volcano Job is rejected

    @VOL-010.1 @cap-Admission
    Scenario Outline: A Volcano Job of <wrong> is rejected
      When the user submits a Volcano Job of <wrong>
      And the user submits a Volcano Job of <right>
      Then the first request of the user is refused
      And the second request of the user is accepted

      Examples:
        | case | wrong                                                 | right                                                   |
        | a    | 2 pods with minAvailable -1                           | 2 pods with minAvailable 1                              |
        | b    | 2 pods and 1 pod of task ps with minAvailable 4       | 2 pods and 1 pod of task ps with minAvailable 3         |
        | c    | 2 pods of which 3 must succeed with minAvailable 2    | 2 pods of which 2 must succeed with minAvailable 2      |
        | d    | 1 pod of task ps and 1 pod of task ps                 | 1 pod of task ps and 1 pod of task web                  |
        | e    | 1 pod of task ps after web and 1 pod of task web after ps | 1 pod of task ps and 1 pod of task web after ps     |
        | f    | 1 pod of task ps after ps                             | 1 pod of task ps                                        |
        | g    | 1 pod without a container                             | 1 pod                                                   |
        | h    | 1 pod with the plugin nothing                         | 1 pod with the plugin env                               |

    @VOL-010.2 @cap-Admission
    Scenario Outline: A Volcano Job with <wrong> is rejected
      When the user submits a Volcano Job of 1 pod with <wrong>
      And the user submits a Volcano Job of 1 pod with <right>
      Then the first request of the user is refused
      And the second request of the user is accepted

      Examples:
        | case | wrong                                                         | right                                                             |
        | a    | the policy PodFailed or 3 AbortJob                            | the policy PodFailed AbortJob and the policy 3 RestartJob         |
        | b    | the policy 0 AbortJob                                         | the policy 1 AbortJob                                             |
        | c    | the policy * AbortJob and the policy PodEvicted RestartJob    | the policy * AbortJob                                             |
        | d    | the policy PodFailed AbortJob and the policy PodFailed RestartJob | the policy PodFailed AbortJob and the policy PodEvicted RestartJob |
        | e    | the policy 3 AbortJob and the policy 3 RestartJob             | the policy 3 AbortJob and the policy 4 RestartJob                 |
        | f    | the policy NoSuchEvent AbortJob                               | the policy TaskCompleted CompleteJob                              |
        | g    | the policy PodFailed NoSuchAction                             | the policy PodFailed TerminateJob                                 |
        | h    | the policy 0 AbortJob of task work                            | the policy 1 AbortJob of task work                                |
        | i    | the policy PodFailed SyncJob                                  | the policy PodFailed RestartTask                                  |
        | j    | the policy OutOfSync AbortJob                                 | the policy Unknown RestartTask of task work                       |
        | k    | the policy CommandIssued AbortJob                             | the policy PodEvicted ResumeJob                                   |

  Rule: Only counts and the priority of a Volcano Job may change

    @VOL-011.1 @cap-Admission
    Scenario Outline: A Volcano Job cannot be changed to <wrong>
      Given a Volcano Job of 3 pods of which 2 must succeed with minAvailable 2
      When the user asks to change the Volcano Job to <wrong>
      And the user asks to change the Volcano Job to <right>
      Then the first request of the user is refused
      And the second request of the user is accepted

      Examples:
        | case | wrong                              | right                                                 |
        | a    | 3 pods with the queue other        | 3 pods with minAvailable 3                            |
        | b    | 3 pods with the schedulerName other | 3 pods with the priorityClassName other              |
        | c    | 3 pods with maxRetry 5             | 5 pods                                                |
        | d    | 3 pods with the plugin env         | 3 pods of which 1 must succeed                        |
        | e    | 3 pods with the policy * AbortJob  | 1 pod of which 1 must succeed with minAvailable 1     |
        | f    | 3 pods of task other               | 4 pods with minAvailable 4                            |
        | g    | 3 pods requesting 2 CPUs           | 3 pods                                                |
        | h    | 3 pods and 1 pod of task other     | 4 pods                                                |
        | i    | 3 pods with minAvailable 4         | 4 pods with minAvailable 4                            |
        | j    | 3 pods of which 4 must succeed     | 3 pods of which 3 must succeed                        |

  Rule: Only an open queue accepts Volcano Jobs

    Background:
      Given the queue that is always there is Open

    @VOL-056.1 @cap-Admission
    Scenario: A Closed queue accepts no Volcano Job
      Given a queue
      And the queue is Open
      And the user commands CloseQueue
      And the queue is Closed
      When the user submits another Volcano Job in the queue
      And the user submits another Volcano Job in the queue that is always there
      Then the first request of the user is refused
      And the second request of the user is accepted

    @VOL-056.2 @cap-Admission
    Scenario: A Closing queue accepts no further Volcano Job
      Given a Volcano Job of 1 pod with minAvailable 1
      And the Volcano Job has a PodGroup
      And the user commands CloseQueue
      And the queue is Closing
      When the user submits another Volcano Job in the queue
      And the user submits another Volcano Job in the queue that is always there
      Then the first request of the user is refused
      And the second request of the user is accepted

    @VOL-056.3 @cap-Admission
    Scenario: A queue that is opened again accepts Volcano Jobs
      Given a queue
      And the queue is Open
      And the user commands CloseQueue
      And the queue is Closed
      And the user commands OpenQueue
      And the queue is Open
      When the user submits another Volcano Job in the queue
      Then the first request of the user is accepted

  Rule: Queues have a weight, and the queue default cannot be deleted

    @VOL-057.1 @cap-Admission
    Scenario: The queue default cannot be deleted, but a Closed queue can
      Given a queue
      And the queue is Open
      And the user commands CloseQueue
      And the queue is Closed
      When the user asks to delete the queue that is always there
      And the user asks to delete the queue
      Then the first request of the user is refused
      And the second request of the user is accepted

    @VOL-057.2 @cap-Admission
    Scenario: A queue with a negative weight is rejected
      When the user submits a queue of weight -1
      And the user submits a queue of weight 2
      Then the first request of the user is refused
      And the second request of the user is accepted

    @VOL-057.3 @cap-Admission
    Scenario Outline: The weight of a queue cannot be changed to <weight>
      When the user asks to change the weight of the queue to <weight>
      And the user asks to change the weight of the queue to 3
      Then the first request of the user is refused
      And the second request of the user is accepted

      Examples:
        | case | weight |
        | a    | 0      |
        | b    | -1     |

    @VOL-081.1 @cap-Admission
    Scenario: The weight of a Closing queue can be changed
      Given a Volcano Job of 1 pod with minAvailable 1
      And the Volcano Job has a PodGroup
      And the user commands CloseQueue
      And the queue is Closing
      When the user asks to change the weight of the queue to 3
      Then the first request of the user is accepted

    @VOL-057.4 @cap-Admission
    Scenario: A queue without fields is stored with weight 1 and reclaimable true
      When the user submits a queue that says nothing
      Then the queue was stored with weight 1
      And the queue was stored with reclaimable true
