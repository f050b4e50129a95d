Feature: Queues report their PodGroups, and are closed and opened

  Rule: A queue counts its PodGroups

    @VOL-054.1
    Scenario: A new queue is Open
      Given a queue
      Then the queue is Open

    @VOL-054.2
    Scenario: A queue counts a Pending PodGroup
      Given a Volcano Job of 1 pod with minAvailable 1
      When the scheduler lets its PodGroup wait
      Then the queue counts 1 Pending PodGroup and no other, and stays so

    @VOL-054.3
    Scenario: A queue counts an Inqueue PodGroup
      Given a Volcano Job of 1 pod with minAvailable 1
      When the scheduler admits its PodGroup
      Then the queue counts 1 Inqueue PodGroup and no other, and stays so

    @VOL-054.4
    Scenario: A queue counts a Running PodGroup until it is gone
      Given a Volcano Job of 1 pod with minAvailable 1
      And the scheduler sees its PodGroup running
      And the queue counts 1 Running PodGroup and no other
      When the user commands AbortJob
      Then the queue counts 0 Running PodGroups and no other, and stays so

    @VOL-054.5 @fault
    Scenario: A PodGroup that is deleted in a watch gap is no longer counted
      Given the scheduler admits every PodGroup
      And the user creates PodGroup lone in the queue
      And the queue counts 1 Inqueue PodGroup and no other
      When the implementation misses that PodGroup lone is deleted
      Then eventually the queue counts 0 Inqueue PodGroups and no other, and stays so

    @VOL-054.9 @fault
    Scenario: A PodGroup that is replaced by one of its name in a watch gap is counted once
      Given the scheduler admits every PodGroup
      And the user creates PodGroup lone in the queue
      And the queue counts 1 Inqueue PodGroup and no other
      When the implementation misses that PodGroup lone is replaced by one of its name
      Then eventually the queue counts 1 Inqueue PodGroup and no other, and stays so for 2 seconds

    @VOL-054.10 @fault
    Scenario Outline: A queue counts its PodGroups although updates of its status are <how>
      Given the scheduler admits every PodGroup
      And a queue
      And the queue is Open
      And the next 2 updates of the queue status are <how>
      When the user creates PodGroup lone in the queue
      Then eventually the queue counts 1 Inqueue PodGroup and no other, and stays so

      Examples:
        | case | how                               |
        | a    | answered with 500                 |
        | b    | answered with 409                 |
        | c    | applied but their replies are lost |
        | d    | answered with 422                 |

    @VOL-054.6
    Scenario: A queue counts a Completed PodGroup
      Given a Volcano Job of 1 pod with minAvailable 1
      When the scheduler sees its PodGroup completed
      Then the queue counts 1 Completed PodGroup and no other, and stays so

    @VOL-054.13
    Scenario: A queue counts a PodGroup in the phase Unknown
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      When the scheduler cannot place all pods of its PodGroup any more
      Then the queue counts 1 Unknown PodGroup and no other, and stays so

    @VOL-054.14
    Scenario: A queue counts a PodGroup that waits again as Pending
      Given a Volcano Job of 1 pod with minAvailable 1
      And the scheduler admits its PodGroup
      And the queue counts 1 Inqueue PodGroup and no other
      When the scheduler lets its PodGroup wait
      Then the queue counts 1 Pending PodGroup and no other, and stays so

    @VOL-054.15 @fault
    Scenario Outline: A queue counts what changed while the controllers were down: <change>
      Given the scheduler admits every PodGroup
      And the user creates PodGroup lone in the queue
      And the queue counts 1 Inqueue PodGroup and no other
      And the implementation is killed
      And <what happens>
      When the implementation is started again
      Then eventually the queue counts <count> Inqueue PodGroups and no other, and stays so

      Examples:
        | case | change          | what happens                                        | count |
        | a    | one was deleted | the user deletes PodGroup lone                      | 0     |
        | b    | one has left    | another client moves PodGroup lone to another queue | 0     |
        | c    | another came    | the user creates PodGroup second in the queue       | 2     |

    @VOL-054.20
    Scenario: A queue does not count a PodGroup that has left for another queue
      Given the scheduler admits every PodGroup
      And the user creates PodGroup lone in the queue
      And the queue counts 1 Inqueue PodGroup and no other
      And 2 seconds pass
      When another client moves PodGroup lone to another queue
      Then the queue counts 0 Inqueue PodGroups and no other, and stays so

    @VOL-054.21
    Scenario: A queue counts a PodGroup that comes from another queue
      Given the scheduler admits every PodGroup
      And the user creates PodGroup lone in the queue
      And the queue counts 1 Inqueue PodGroup and no other
      And another client moves PodGroup lone to another queue
      And 2 seconds pass
      When another client moves PodGroup lone back to the queue
      Then the queue counts 1 Inqueue PodGroup and no other, and stays so

    @VOL-054.7
    Scenario: A queue that is created again under its name is Open
      Given a queue
      And the queue is Open
      And the user commands CloseQueue
      And the queue is Closed
      When the user replaces the queue by a queue of its name
      Then the queue is Open, and stays so

    @VOL-054.8 @fault
    Scenario Outline: A queue that is created again under its name is Open: <when>
      Given a queue
      And the queue is Open
      And the user commands CloseQueue
      And the queue is Closed
      When the implementation <seen> that the queue is replaced by one of its name
      Then eventually the queue is Open, and stays so

      Examples:
        | case | when        | seen      |
        | a    | late watch  | sees late |
        | b    | watch gap   | misses    |

    @VOL-054.11
    Scenario: A queue that is created again counts the PodGroups that stayed in it
      Given the scheduler admits every PodGroup
      And the user creates PodGroup lone in the queue
      And the queue counts 1 Inqueue PodGroup and no other
      When the user replaces the queue by a queue of its name
      Then the queue counts 1 Inqueue PodGroup and no other, and stays so

    @VOL-054.12 @fault
    Scenario Outline: A queue that is created again counts the PodGroups that stayed in it: <when>
      Given the scheduler admits every PodGroup
      And the user creates PodGroup lone in the queue
      And the queue counts 1 Inqueue PodGroup and no other
      When the implementation <seen> that the queue is replaced by one of its name
      Then eventually the queue counts 1 Inqueue PodGroup and no other, and stays so

      Examples:
        | case | when        | seen      |
        | a    | late watch  | sees late |
        | b    | watch gap   | misses    |

  Rule: What the scheduler reports is kept

    @VOL-078.1
    Scenario: What is allocated in a queue is kept while its PodGroups are counted
      Given the scheduler admits every PodGroup
      And a queue
      And the queue is Open
      And the scheduler reports that 2 CPUs are allocated in the queue
      When the user creates PodGroup lone in the queue
      Then the queue counts 1 Inqueue PodGroup and no other, as VOL-054 requires
      And 2 CPUs are reported as allocated in the queue, and stays so

    @VOL-078.2 @fault
    Scenario: What is allocated in a queue is kept although it is observed late
      Given the scheduler admits every PodGroup
      And a queue
      And the queue is Open
      And the implementation's view of queues is stale
      And the scheduler reports that 2 CPUs are allocated in the queue
      When the user creates PodGroup lone in the queue
      Then for 2 seconds 2 CPUs are reported as allocated in the queue
      And once the view of queues catches up the queue counts 1 Inqueue PodGroup and no other, as VOL-054 requires

  Rule: A queue closes when it is empty

    @VOL-055.1
    Scenario: An empty queue is closed immediately
      Given a queue
      And the queue is Open
      When the user commands CloseQueue
      Then the queue is Closed

    @VOL-055.2
    Scenario: A queue with a PodGroup is Closing
      Given a Volcano Job of 1 pod with minAvailable 1
      And the Volcano Job has a PodGroup
      When the user commands CloseQueue
      Then the queue is Closing
      And for 2 seconds the queue is Closing

    @VOL-055.3
    Scenario: A queue that is Closing is closed when its last PodGroup is gone
      Given a Volcano Job of 1 pod with minAvailable 1
      And the Volcano Job has a PodGroup
      And the user commands CloseQueue
      And the queue is Closing
      When the user commands AbortJob
      Then the queue is Closed

    @VOL-055.12
    Scenario: A queue that is created again is Closing while a PodGroup has stayed in it
      Given the scheduler admits every PodGroup
      And the user creates PodGroup lone in the queue
      And the queue counts 1 Inqueue PodGroup and no other
      And the user replaces the queue by a queue of its name
      And the queue is Open
      When the user commands CloseQueue
      Then the queue is Closing
      And for 2 seconds the queue is Closing

    @VOL-055.4
    Scenario: A queue that is Closing is opened again
      Given a Volcano Job of 1 pod with minAvailable 1
      And the Volcano Job has a PodGroup
      And the user commands CloseQueue
      And the queue is Closing
      When the user commands OpenQueue
      Then the queue is Open

    @VOL-055.5
    Scenario: A closed queue is opened again
      Given a queue
      And the queue is Open
      And the user commands CloseQueue
      And the queue is Closed
      When the user commands OpenQueue
      Then the queue is Open

    @VOL-055.6 @fault
    Scenario: A queue is closed if its last PodGroup was deleted in a watch gap
      Given the scheduler admits every PodGroup
      And the user creates PodGroup lone in the queue
      And the queue counts 1 Inqueue PodGroup and no other
      And the implementation misses that PodGroup lone is deleted
      When the user commands CloseQueue
      Then eventually the queue is Closed

    @VOL-055.7
    Scenario: A queue whose weight is changed while it is Closed is opened again
      Given a queue
      And the queue is Open
      And the user commands CloseQueue
      And the queue is Closed
      And another client changes the weight of the queue to 2
      When the user commands OpenQueue
      Then the queue is Open, and stays so

    @VOL-055.8
    Scenario: A queue with a PodGroup that another client sets Closed is Closing
      Given a Volcano Job of 1 pod with minAvailable 1
      And the Volcano Job has a PodGroup
      And the user commands CloseQueue
      And the queue is Closing
      And another client sets the state of the queue to Closed
      When the scheduler sees its PodGroup running
      Then the queue is Closing, and stays so

    @VOL-055.9
    Scenario: A closed queue that gets a PodGroup is Closing
      Given a queue
      And the queue is Open
      And the user commands CloseQueue
      And the queue is Closed
      When the user creates PodGroup lone in the closed queue
      Then the queue is Closing, and stays so for 2 seconds

    @VOL-055.10
    Scenario: A closed queue whose Volcano Job is resumed is Closing
      Given a Volcano Job of 1 pod with minAvailable 1
      And the user commands AbortJob
      And the Volcano Job is Aborted
      And the user commands CloseQueue
      And the queue is Closed
      When the user commands ResumeJob
      And the Volcano Job has a PodGroup
      Then the queue is Closing, and stays so for 2 seconds

    @VOL-055.11
    Scenario: A closed queue that got a PodGroup is Closed once the PodGroup is gone
      Given a queue
      And the queue is Open
      And the user commands CloseQueue
      And the queue is Closed
      And the user creates PodGroup lone in the closed queue
      And 2 seconds pass
      When the user deletes PodGroup lone
      Then the queue is Closed, and stays so

    @VOL-055.13 @fault
    Scenario: A Command that was given while the controllers were down closes the queue
      Given a queue
      And the queue is Open
      And the implementation is killed
      And the user commands CloseQueue
      When the implementation is started again
      Then eventually the queue is Closed, and stays so

    @VOL-055.14 @fault
    Scenario: A Command that was given while the controllers were down opens the queue
      Given a queue
      And the queue is Open
      And the user commands CloseQueue
      And the queue is Closed
      And the implementation is killed
      And the user commands OpenQueue
      When the implementation is started again
      Then eventually the queue is Open, and stays so

    @VOL-055.20 @fault
    Scenario Outline: A queue is closed although an update of its status is <how>
      Given a queue
      And the queue is Open
      And the next update of the queue status is <how>
      When the user commands CloseQueue
      Then eventually the queue is Closed, and stays so

      Examples:
        | case | how                           |
        | a    | answered with 500             |
        | b    | answered with 409             |
        | c    | applied but its reply is lost |

  Rule: A queue with a PodGroup is never Closed

    @VOL-077.1
    Scenario: A queue is not Closed while one of its two PodGroups is left
      Given the scheduler admits every PodGroup
      And the user creates PodGroup first in the queue
      And the user creates PodGroup second in the queue
      And the queue counts 2 Inqueue PodGroups and no other
      And 2 seconds pass
      And the user commands CloseQueue
      When the user deletes PodGroup first
      Then the queue is Closing, and stays so for 2 seconds
