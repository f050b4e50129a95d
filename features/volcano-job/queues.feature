Feature: Queues tell what is in them, and are closed and opened

  Rule: A queue counts its PodGroups

    @VOL-054
    Scenario: A new queue is Open
      Given a queue
      Then the queue is Open

    @VOL-054
    Scenario: A queue counts a PodGroup that waits
      Given a Volcano Job of 1 pod with minAvailable 1
      When the scheduler lets its PodGroup wait
      Then the queue counts 1 Pending PodGroup and no other, and stays so

    @VOL-054
    Scenario: A queue counts a PodGroup that is let in
      Given a Volcano Job of 1 pod with minAvailable 1
      When the scheduler lets its PodGroup in
      Then the queue counts 1 Inqueue PodGroup and no other, and stays so

    @VOL-054
    Scenario: A queue counts a PodGroup that runs, and no more when it is gone
      Given a Volcano Job of 1 pod with minAvailable 1
      And the scheduler sees its PodGroup running
      And the queue counts 1 Running PodGroup and no other
      When the user commands AbortJob
      Then the queue counts 0 Running PodGroups and no other, and stays so

  Rule: A queue closes when it is empty

    @VOL-055
    Scenario: An empty queue is closed at once
      Given a queue
      And the queue is Open
      When the user commands CloseQueue
      Then the queue is Closed

    @VOL-055
    Scenario: A queue with a PodGroup is Closing
      Given a Volcano Job of 1 pod with minAvailable 1
      And the Volcano Job has a PodGroup
      When the user commands CloseQueue
      Then the queue is Closing
      And for 2 seconds the queue is Closing

    @VOL-055
    Scenario: A queue that is Closing is closed when its last PodGroup is gone
      Given a Volcano Job of 1 pod with minAvailable 1
      And the Volcano Job has a PodGroup
      And the user commands CloseQueue
      And the queue is Closing
      When the user commands AbortJob
      Then the queue is Closed

    @VOL-055
    Scenario: A queue that is Closing is opened again
      Given a Volcano Job of 1 pod with minAvailable 1
      And the Volcano Job has a PodGroup
      And the user commands CloseQueue
      And the queue is Closing
      When the user commands OpenQueue
      Then the queue is Open

    @VOL-055
    Scenario: A closed queue is opened again
      Given a queue
      And the queue is Open
      And the user commands CloseQueue
      And the queue is Closed
      When the user commands OpenQueue
      Then the queue is Open
