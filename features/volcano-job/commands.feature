Feature: Commands change the life of a Volcano Job

  Rule: An aborted Job keeps its finished pods only

    @VOL-021.1
    Scenario: A failed pod aborts the Volcano Job by its policy
      Given a Volcano Job of 3 pods with minAvailable 3 and the policy PodFailed AbortJob
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      When 1 pod of the Volcano Job fails
      Then the Volcano Job is Aborted, and stays so
      And the Volcano Job has 1 pod, and stays so
      And the PodGroup of the Volcano Job is gone

    @VOL-021.2
    Scenario: A Volcano Job is Aborting while a pod has not ended
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And deleted pods stay terminating
      When the user commands AbortJob
      Then the Volcano Job is Aborting
      And for 2 seconds the Volcano Job is Aborting
      And once the terminating pods end the Volcano Job is Aborted

    @VOL-021.4
    Scenario: A policy for evicted pods does not undo an abort
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodEvicted RestartJob
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And deleted pods stay terminating
      When the user commands AbortJob
      Then the Volcano Job is Aborting
      And once the terminating pods end the Volcano Job is Aborted, and stays so for 5 seconds

    @VOL-021.5 @fault
    Scenario Outline: A policy does not undo an abort whose status update is <how>
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodEvicted RestartJob
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And the next update of the Volcano Job status is <how>
      When the user commands AbortJob
      Then eventually the Volcano Job is Aborted, and stays so for 5 seconds

      Examples:
        | case | how                           |
        | a    | answered with 500             |
        | b    | answered with 409             |
        | c    | applied but its reply is lost |

  Rule: A Command is executed whenever it is observed

    @VOL-021.6 @fault
    Scenario: A Command that was given while the controllers were down aborts the Volcano Job
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And the implementation is killed
      And the user commands AbortJob
      When the implementation is started again
      Then eventually the Volcano Job is Aborted, and stays so

    @VOL-021.7 @fault
    Scenario: A Command that is observed before its Volcano Job aborts the Volcano Job
      Given a queue
      And the queue is Open
      And the implementation's view of jobs is stale
      And a Volcano Job of 2 pods with minAvailable 2
      And the user commands AbortJob
      When 1 second passes
      Then once the view of jobs catches up the Volcano Job is Aborted, and stays so

  Rule: A Command is deleted before it is executed

    @VOL-036.1
    Scenario: A Command is deleted before the Volcano Job is aborted
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      When the user commands AbortJob
      Then the Volcano Job is Aborted, and stays so
      And the Command was deleted before the Volcano Job became Aborting

    @VOL-036.2
    Scenario: A Command is executed once
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      When the user commands RestartJob
      Then 2 pods of the Volcano Job were made since it became Restarting
      And for 2 seconds the Volcano Job reports retryCount 1

    @VOL-036.3 @fault
    Scenario: A Command is executed at most once if a crash follows its deletion
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And the implementation is killed just after its 1st Command deletion and started again
      When the user commands RestartJob
      Then for 5 seconds no more than 1 restart of the Volcano Job is reported

    @VOL-036.4 @fault
    Scenario Outline: A Command is executed once while PodGroup deletions are <how>
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And the next 3 PodGroup deletions are <how>
      When the user commands RestartJob
      Then for 5 seconds no more than 1 restart of the Volcano Job is reported
      And eventually 2 pods of the Volcano Job were made since it became Restarting, as VOL-019 requires

      Examples:
        | case | how                                   |
        | a    | answered with 500                     |
        | b    | answered with 409                     |
        | c    | applied but their replies are lost     |

    @VOL-036.5 @fault
    Scenario: A Command is executed at most once if the reply to its deletion is lost
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And the next Command deletion is applied but its reply is lost
      When the user commands RestartJob
      Then for 5 seconds no more than 1 restart of the Volcano Job is reported

    @VOL-037.1 @fault
    Scenario: A Command whose deletion fails at first is executed once, after it is deleted
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the next 2 Command deletions are answered with 500
      When the user commands RestartJob
      Then eventually 2 pods of the Volcano Job were made since it became Restarting
      And the Command was deleted before the Volcano Job became Restarting
      And for 2 seconds the Volcano Job reports retryCount 1

    @VOL-037.2 @fault
    Scenario: A Command that cannot be deleted is not executed
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And Command deletions are answered with 500
      When the user commands AbortJob
      Then for 2 seconds the Volcano Job is Running
      And once the faults end the Volcano Job is Aborted

    @VOL-037.4 @fault
    Scenario: A Command whose deletion conflicts is executed after it is deleted
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And the next Command deletion is answered with 409
      When the user commands AbortJob
      Then eventually the Volcano Job is Aborted
      And the Command was deleted before the Volcano Job became Aborting

    @VOL-037.3 @fault
    Scenario: A Command that another client has deleted is not executed
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And the next Command deletion is answered with 404
      When the user commands AbortJob
      Then for 2 seconds the Volcano Job is Running

    @VOL-036.6 @fault
    Scenario Outline: A Command that another client <changes> is executed once
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the next Command deletion is held before taking effect
      And the user commands RestartJob
      And another client <changes> the Command
      When the faults end
      Then for 5 seconds no more than 1 restart of the Volcano Job is reported

      Examples:
        | case | changes   |
        | a    | labels    |
        | b    | annotates |
        | c    | disowns   |

  Rule: A Command takes precedence over policies

    @VOL-038.1
    Scenario: A policy for every event does not change the action of a Command
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy * AbortJob
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      When the user commands TerminateJob
      Then the Volcano Job is Terminated
      And for 2 seconds the Volcano Job is Terminated

  Rule: A Command is for one Volcano Job

    @VOL-021.3
    Scenario: A Command for a Volcano Job of the same name elsewhere changes nothing here
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user commands AbortJob of a Volcano Job of the same name in another namespace
      Then for 2 seconds the Volcano Job is Running

  Rule: Events report actions

    @VOL-039.1
    Scenario Outline: An Event names the action <action>
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodFailed RestartJob
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      When <what>
      Then an event ExecuteAction of the Volcano Job names <action>

      Examples:
        | case | what                          | action       |
        | a    | 1 pod of the Volcano Job fails | RestartJob   |
        | b    | the user commands TerminateJob | TerminateJob |

  Rule: Requests for one Volcano Job are processed one after the other

    @VOL-052.1 @fault
    Scenario: A Command waits for the request that is being processed
      Given the next pod creation is held before taking effect
      And a Volcano Job of 1 pod with minAvailable 1
      And the scheduler admits its PodGroup
      And the fault has been triggered
      When the user commands AbortJob
      Then for 2 seconds the Volcano Job is Pending
      And once the faults end the Volcano Job is Aborted, as VOL-021 requires
      And the Volcano Job has 0 unfinished pods, as VOL-021 requires

    @VOL-052.20 @fault
    Scenario: A Command waits for the creation of the PodGroup
      Given the next PodGroup creation is held before taking effect
      And a Volcano Job of 1 pod with minAvailable 1
      And the fault has been triggered
      And the Volcano Job is Pending
      When the user commands AbortJob
      Then for 2 seconds the Volcano Job is Pending
      And once the faults end the Volcano Job is Aborted, as VOL-021 requires

    @VOL-064.1 @fault
    Scenario: Other Volcano Jobs continue while one waits
      Given the next pod creation is held before taking effect
      And the scheduler admits every PodGroup
      And a Volcano Job of 1 pod with minAvailable 1
      And the fault has been triggered
      When 8 other Volcano Jobs of 1 pod are created
      Then other Volcano Jobs have pods

    @VOL-064.2 @fault
    Scenario: Other Volcano Jobs continue while the creation of a PodGroup waits
      Given the next PodGroup creation is held before taking effect
      And the scheduler admits every PodGroup
      And a Volcano Job of 1 pod with minAvailable 1
      And the fault has been triggered
      When 8 other Volcano Jobs of 1 pod are created
      Then other Volcano Jobs have pods
