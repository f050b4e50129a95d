Feature: The controllers of Volcano keep running

  Rule: Nothing of a Volcano Job stops the controllers

    @VOL-063.1
    Scenario: The implementation keeps running after a Volcano Job is Completed
      Given a Volcano Job of 1 pod with minAvailable 1
      And the scheduler admits its PodGroup
      And 1 pod of the Volcano Job succeeds
      And the Volcano Job is Completed
      When 1 second passes
      Then the implementation runs

    @VOL-063.3
    Scenario: The implementation keeps running with an argument unknown to a plugin
      Given a Volcano Job of 2 pods with minAvailable 2 and the plugin svc --no-such-argument=1
      And the scheduler admits every PodGroup
      And 2 seconds pass
      When 2 other Volcano Jobs of 1 pod are created
      Then eventually other Volcano Jobs have pods
      And the implementation runs

  Rule: A deletion while the status is written does not stop the controllers

    Background:
      Given a Volcano Job of 2 pods with minAvailable 1
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run

    @VOL-063.2 @fault
    Scenario: The implementation keeps running when a Volcano Job is deleted as it ends
      Given the Volcano Job is Running
      And the next update of the Volcano Job status is applied but not answered
      And the user commands CompleteJob
      And the fault has been triggered
      And the user deletes the Volcano Job and its pods
      When 1 second passes
      Then once the faults end the implementation runs, and stays so
