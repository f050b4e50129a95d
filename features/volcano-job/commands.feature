Feature: Policies and Commands change the life of a Volcano Job

  Rule: An aborted Job keeps what has ended, and nothing else

    @VOL-021
    Scenario: A failed pod aborts the Volcano Job by its policy
      Given a Volcano Job of 3 pods with minAvailable 3 and the policy PodFailed AbortJob
      And the scheduler lets its PodGroup in
      And 3 pods of the Volcano Job run
      When 1 pod of the Volcano Job fails
      Then the Volcano Job is Aborted
      And the Volcano Job has 1 pod
      And the PodGroup of the Volcano Job is gone

    @VOL-021
    Scenario: A Volcano Job is Aborting while a pod has not ended
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      And deleted pods stay terminating
      When the user commands AbortJob
      Then the Volcano Job is Aborting
      And for 2 seconds the Volcano Job is Aborting
      And once the terminating pods end the Volcano Job is Aborted

  Rule: A Command is taken away before it is carried out

    @VOL-036
    Scenario: A Command is gone before the Volcano Job is aborted
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      When the user commands AbortJob
      Then the Volcano Job is Aborted
      And the Command was taken away before the Volcano Job became Aborting
