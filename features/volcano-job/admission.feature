Feature: What users ask for is filled in, and refused where it is wrong
  Who fills in and refuses, a webhook or the definition of the API, is not prescribed. Each request that is refused has
  a neighbour that is right and accepted.

  Rule: What a Volcano Job leaves open is filled in

    @VOL-009 @cap-Admission
    Scenario Outline: A Volcano Job that does not say its <field> gets the usual one
      Given the queue that is always there is Open
      When the user asks for a Volcano Job that says no more than 2 pods and 1 pod
      Then the Volcano Job was stored with <field> <value>

      Examples:
        | field         | value   |
        | queue         | default |
        | schedulerName | volcano |
        | maxRetry      | 3       |
        | minAvailable  | 3       |

    @VOL-009 @cap-Admission
    Scenario Outline: Task <place> that does not say its <field> gets the usual one
      Given the queue that is always there is Open
      When the user asks for a Volcano Job that says no more than 2 pods and 1 pod
      Then task <place> of the Volcano Job was stored with <field> <value>

      Examples:
        | place | field        | value    |
        | 0     | name         | default0 |
        | 1     | name         | default1 |
        | 0     | minAvailable | 2        |
        | 0     | maxRetry     | 3        |

    @VOL-009 @cap-Admission
    Scenario: A Volcano Job needs as many pods as its tasks need together
      Given the queue that is always there is Open
      When the user asks for a Volcano Job that says no more than 2 pods of which 1 must succeed and 3 pods
      Then the Volcano Job was stored with minAvailable 4

    @VOL-009 @cap-Admission
    Scenario: What a Volcano Job says stays
      When the user asks for a Volcano Job of 3 pods of task ps of which 1 must succeed with minAvailable 2 and maxRetry 5
      Then the Volcano Job was stored with maxRetry 5
      And the Volcano Job was stored with minAvailable 2
      And task 0 of the Volcano Job was stored with name ps
      And task 0 of the Volcano Job was stored with minAvailable 1

  Rule: A Volcano Job that is wrong is refused

    @VOL-010 @cap-Admission
    Scenario Outline: A Volcano Job of <wrong> is refused
      When the user asks for a Volcano Job of <wrong>
      And the user asks for a Volcano Job of <right>
      Then the first request of the user is refused
      And the second request of the user is accepted

      Examples:
        | wrong                                                 | right                                                   |
        | 2 pods with minAvailable -1                           | 2 pods with minAvailable 1                              |
        | 2 pods and 1 pod of task ps with minAvailable 4       | 2 pods and 1 pod of task ps with minAvailable 3         |
        | 2 pods of which 3 must succeed with minAvailable 2    | 2 pods of which 2 must succeed with minAvailable 2      |
        | 1 pod of task ps and 1 pod of task ps                 | 1 pod of task ps and 1 pod of task web                  |
        | 1 pod of task ps after web and 1 pod of task web after ps | 1 pod of task ps and 1 pod of task web after ps     |
        | 1 pod of task ps after ps                             | 1 pod of task ps                                        |
        | 1 pod without a container                             | 1 pod                                                   |
        | 1 pod with the plugin nothing                         | 1 pod with the plugin env                               |

    @VOL-010 @cap-Admission
    Scenario Outline: A Volcano Job with <wrong> is refused
      When the user asks for a Volcano Job of 1 pod with <wrong>
      And the user asks for a Volcano Job of 1 pod with <right>
      Then the first request of the user is refused
      And the second request of the user is accepted

      Examples:
        | wrong                                                         | right                                                             |
        | the policy PodFailed or 3 AbortJob                            | the policy PodFailed AbortJob and the policy 3 RestartJob         |
        | the policy 0 AbortJob                                         | the policy 1 AbortJob                                             |
        | the policy * AbortJob and the policy PodEvicted RestartJob    | the policy * AbortJob                                             |
        | the policy PodFailed AbortJob and the policy PodFailed RestartJob | the policy PodFailed AbortJob and the policy PodEvicted RestartJob |
        | the policy 3 AbortJob and the policy 3 RestartJob             | the policy 3 AbortJob and the policy 4 RestartJob                 |
        | the policy NoSuchEvent AbortJob                               | the policy TaskCompleted CompleteJob                              |
        | the policy PodFailed NoSuchAction                             | the policy PodFailed TerminateJob                                 |
        | the policy 0 AbortJob of task work                            | the policy 1 AbortJob of task work                                |

  Rule: Only counts and the priority of a Volcano Job may change

    @VOL-011 @cap-Admission
    Scenario Outline: A Volcano Job cannot be changed to <wrong>
      Given a Volcano Job of 3 pods of which 2 must succeed with minAvailable 2
      When the user asks to change the Volcano Job to <wrong>
      And the user asks to change the Volcano Job to <right>
      Then the first request of the user is refused
      And the second request of the user is accepted

      Examples:
        | wrong                              | right                                                 |
        | 3 pods with the queue other        | 3 pods with minAvailable 3                            |
        | 3 pods with the schedulerName other | 3 pods with the priorityClassName other              |
        | 3 pods with maxRetry 5             | 5 pods                                                |
        | 3 pods with the plugin env         | 3 pods of which 1 must succeed                        |
        | 3 pods with the policy * AbortJob  | 1 pod of which 1 must succeed with minAvailable 1     |
        | 3 pods of task other               | 4 pods with minAvailable 4                            |
        | 3 pods asking for 2 CPUs           | 3 pods                                                |
        | 3 pods and 1 pod of task other     | 4 pods                                                |
        | 3 pods with minAvailable 4         | 4 pods with minAvailable 4                            |
        | 3 pods of which 4 must succeed     | 3 pods of which 3 must succeed                        |

  Rule: Only an open queue takes Volcano Jobs

    Background:
      Given the queue that is always there is Open

    @VOL-056 @cap-Admission
    Scenario: A queue that is Closed takes no Volcano Job
      Given a queue
      And the queue is Open
      And the user commands CloseQueue
      And the queue is Closed
      When the user asks for another Volcano Job in the queue
      And the user asks for another Volcano Job in the queue that is always there
      Then the first request of the user is refused
      And the second request of the user is accepted

    @VOL-056 @cap-Admission
    Scenario: A queue that is Closing takes no further Volcano Job
      Given a Volcano Job of 1 pod with minAvailable 1
      And the Volcano Job has a PodGroup
      And the user commands CloseQueue
      And the queue is Closing
      When the user asks for another Volcano Job in the queue
      And the user asks for another Volcano Job in the queue that is always there
      Then the first request of the user is refused
      And the second request of the user is accepted

    @VOL-056 @cap-Admission
    Scenario: A queue that is opened again takes Volcano Jobs again
      Given a queue
      And the queue is Open
      And the user commands CloseQueue
      And the queue is Closed
      And the user commands OpenQueue
      And the queue is Open
      When the user asks for another Volcano Job in the queue
      Then the first request of the user is accepted

  Rule: A queue has a weight, and the one that is always there stays

    @VOL-057 @cap-Admission
    Scenario: The queue default cannot be deleted, one that is Closed can
      Given a queue
      And the queue is Open
      And the user commands CloseQueue
      And the queue is Closed
      When the user asks to delete the queue that is always there
      And the user asks to delete the queue
      Then the first request of the user is refused
      And the second request of the user is accepted

    @VOL-057 @cap-Admission
    Scenario: A queue of less than no weight is refused
      When the user asks for a queue of weight -1
      And the user asks for a queue of weight 2
      Then the first request of the user is refused
      And the second request of the user is accepted

    @VOL-057 @cap-Admission
    Scenario Outline: The weight of a queue cannot be changed to <weight>
      When the user asks to change the weight of the queue to <weight>
      And the user asks to change the weight of the queue to 3
      Then the first request of the user is refused
      And the second request of the user is accepted

      Examples:
        | weight |
        | 0      |
        | -1     |

    @VOL-057 @cap-Admission
    Scenario: A queue that says nothing may be reclaimed, and has a weight
      When the user asks for a queue that says nothing
      Then the queue was stored with weight 1
      And the queue was stored with reclaimable true
