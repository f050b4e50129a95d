Feature: Commands change the life of a Volcano Job

  Rule: An aborted Job keeps what has ended, and nothing else

    @VOL-021
    Scenario: A failed pod aborts the Volcano Job by its policy
      Given a Volcano Job of 3 pods with minAvailable 3 and the policy PodFailed AbortJob
      And the scheduler lets its PodGroup in
      And 3 pods of the Volcano Job run
      When 1 pod of the Volcano Job fails
      Then the Volcano Job is Aborted, and stays so
      And the Volcano Job has 1 pod, and stays so
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
      Then the Volcano Job is Aborted, and stays so
      And the Command was taken away before the Volcano Job became Aborting

    @VOL-036
    Scenario: A Command is carried out once
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler lets every PodGroup in
      And 2 pods of the Volcano Job run
      When the user commands RestartJob
      Then 2 pods of the Volcano Job were made since it became Restarting
      And for 2 seconds the Volcano Job reports retryCount 1

    @VOL-036 @fault
    Scenario: The controller is killed when it has taken a Command away
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler lets every PodGroup in
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And the implementation is killed just after its 1st Command deletion and started again
      When the user commands RestartJob
      Then for 5 seconds no more than 1 restart of the Volcano Job is reported

    @VOL-037 @fault
    Scenario: A Command that could not be taken away is carried out later, once
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler lets every PodGroup in
      And 2 pods of the Volcano Job run
      And the next 2 Command deletions are answered with 500
      When the user commands RestartJob
      Then in the end 2 pods of the Volcano Job were made since it became Restarting
      And the Command was taken away before the Volcano Job became Restarting
      And for 2 seconds the Volcano Job reports retryCount 1

    @VOL-037 @fault
    Scenario: A Command that cannot be taken away is not carried out
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And Command deletions are answered with 500
      When the user commands AbortJob
      Then for 2 seconds the Volcano Job is Running
      And once the faults end the Volcano Job is Aborted

    @VOL-037 @fault
    Scenario: A Command that somebody else has taken away is not carried out
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And the next Command deletion is answered with 404
      When the user commands AbortJob
      Then for 2 seconds the Volcano Job is Running

  Rule: A Command comes before policies

    @VOL-038
    Scenario: A policy for every event does not change what a Command asks for
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy * AbortJob
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      When the user commands TerminateJob
      Then the Volcano Job is Terminated
      And for 2 seconds the Volcano Job is Terminated

  Rule: An action is told

    @VOL-039
    Scenario Outline: An event names the action that is carried out
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodFailed RestartJob
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      When <what>
      Then an event ExecuteAction of the Volcano Job names <action>

      Examples:
        | what                          | action       |
        | 1 pod of the Volcano Job fails | RestartJob   |
        | the user commands TerminateJob | TerminateJob |

  Rule: One after the other

    @VOL-052 @fault
    Scenario: What is asked of a Volcano Job waits for what is under way
      Given the next pod creation is held before taking effect
      And a Volcano Job of 1 pod with minAvailable 1
      And the scheduler lets its PodGroup in
      And the fault has struck
      When the user commands AbortJob
      Then for 2 seconds the Volcano Job is Pending
      And once the faults end the Volcano Job is Aborted
      And the Volcano Job has 0 unfinished pods

    @VOL-064 @fault
    Scenario: Other Volcano Jobs go on while one waits
      Given the next pod creation is held before taking effect
      And the scheduler lets every PodGroup in
      And a Volcano Job of 1 pod with minAvailable 1
      And the fault has struck
      When 8 other Volcano Jobs of 1 pod are created
      Then other Volcano Jobs have pods
