Feature: A Volcano Job is restarted, left and ended
  Actions lead from one phase to another. Policies and Commands ask for them.

  Rule: The phases follow the pods

    @VOL-015
    Scenario: A Volcano Job that lost a pod below its minimum waits again
      Given a Volcano Job of 3 pods with minAvailable 3
      And the scheduler lets its PodGroup in
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user deletes 1 pod of the Volcano Job
      Then the Volcano Job is Pending, and stays so
      And the Volcano Job has 3 pods, and stays so

    @VOL-016
    Scenario: A task with too few successes fails the Volcano Job
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker of which 1 must succeed with minAvailable 2
      And the scheduler lets its PodGroup in
      And 3 pods of the Volcano Job run
      And 2 pods of its task worker succeed
      When 1 pod of its task ps fails
      Then the Volcano Job is Failed, and stays so

    @VOL-016
    Scenario: Tasks with enough successes complete the Volcano Job
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker of which 1 must succeed with minAvailable 2
      And the scheduler lets its PodGroup in
      And 3 pods of the Volcano Job run
      And 1 pod of its task ps succeeds
      And 1 pod of its task worker succeeds
      When 1 pod of its task worker fails
      Then the Volcano Job is Completed, and stays so

    @VOL-017
    Scenario: Enough successes complete a Volcano Job whose other pods run
      Given a Volcano Job of 3 pods with minAvailable 3 and minSuccess 2
      And the scheduler lets its PodGroup in
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      When 2 pods of the Volcano Job succeed
      Then the Volcano Job is Completed, and stays so
      And the Volcano Job has 0 unfinished pods

    @VOL-017
    Scenario: A Volcano Job with one success too few goes on
      Given a Volcano Job of 3 pods with minAvailable 3 and minSuccess 2
      And the scheduler lets its PodGroup in
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of the Volcano Job succeeds
      Then for 2 seconds the Volcano Job is Running

    @VOL-017
    Scenario: A Volcano Job that can have no more successes is Failed
      Given a Volcano Job of 3 pods of which 1 must succeed with minAvailable 1 and minSuccess 2
      And the scheduler lets its PodGroup in
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      And 1 pod of the Volcano Job succeeds
      When 2 pods of the Volcano Job fail
      Then the Volcano Job is Failed, and stays so

    @VOL-018
    Scenario: A Volcano Job without pods stays Running
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user changes task work to 0 pods and minAvailable to 0
      Then the Volcano Job has 0 pods
      And for 2 seconds the Volcano Job is Running

    @VOL-025
    Scenario: The status counts the pods by phase
      Given a Volcano Job of 2 pods of task ps and 2 pods of task worker with minAvailable 4
      And the scheduler lets its PodGroup in
      And 4 pods of the Volcano Job run
      And 1 pod of its task ps succeeds
      When 1 pod of its task worker fails
      Then the Volcano Job reports the phases of its pods, and stays so

    @VOL-025
    Scenario: The status counts pods that are being deleted
      Given a Volcano Job of 2 pods with minAvailable 1
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      And deleted pods stay terminating
      When the user deletes 1 pod of the Volcano Job
      Then the Volcano Job reports terminating 1, and stays so

  Rule: A restart begins anew, but not for ever

    @VOL-019
    Scenario: A restart makes all pods and the PodGroup anew
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodFailed RestartJob
      And the scheduler lets every PodGroup in
      And 2 pods of the Volcano Job run
      When 1 pod of the Volcano Job fails
      Then the last phases of the Volcano Job are Restarting and Pending
      And 2 pods of the Volcano Job were made since it became Restarting, and stays so
      And the PodGroup of the Volcano Job is another one than at first
      And the Volcano Job reports retryCount 1, and stays so

    @VOL-019
    Scenario: A restart runs pods again that have succeeded
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodFailed RestartJob
      And the scheduler lets every PodGroup in
      And 2 pods of the Volcano Job run
      And 1 pod of the Volcano Job succeeds
      When 1 pod of the Volcano Job fails
      Then 2 pods of the Volcano Job were made since it became Restarting, and stays so
      And the Volcano Job keeps 0 pods that have succeeded, and stays so

    @VOL-019
    Scenario: A Volcano Job that was restarted too often is Failed
      Given a Volcano Job of 1 pod with minAvailable 1, maxRetry 2 and the policy PodFailed RestartJob
      And the scheduler lets every PodGroup in
      And 1 pod of the Volcano Job fails
      And 1 pod of the Volcano Job was made since it became Restarting
      When 1 pod of the Volcano Job fails
      Then the last phases of the Volcano Job are Restarting and Failed
      And the Volcano Job reports retryCount 2
      And for 2 seconds 0 pods of the Volcano Job were made since it became Failed

    @VOL-020
    Scenario: The pods of the last try are kept
      Given a Volcano Job of 2 pods with minAvailable 2, maxRetry 1 and the policy PodFailed RestartJob
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      When 1 pod of the Volcano Job fails
      Then the Volcano Job is Failed, and stays so
      And the Volcano Job keeps 1 pod that has failed, and stays so
      And the Volcano Job has 0 unfinished pods

  Rule: A version tells the pods of one try from those of the next

    @VOL-026
    Scenario: Pods carry the version of the Volcano Job
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodFailed RestartJob
      And the scheduler lets every PodGroup in
      And 2 pods of the Volcano Job run
      When 1 pod of the Volcano Job fails
      Then 2 pods of the Volcano Job were made since it became Restarting, and stays so
      And each pod of the Volcano Job carries the version that the Job had, and stays so
      And the version of the Volcano Job has risen only when it was left

    @VOL-026
    Scenario: A pod of an older version that fails restarts nothing
      Given a Volcano Job of 3 pods with minAvailable 3 and the policy PodFailed RestartJob
      And the scheduler lets every PodGroup in
      And 3 pods of the Volcano Job run
      And deleted pods stay terminating
      And 1 pod of the Volcano Job fails
      And the Volcano Job has been Restarting
      When 2 terminating pods of the Volcano Job fail, and stay for now
      Then for 5 seconds the Volcano Job reports retryCount 1

    @VOL-026 @fault
    Scenario: What became of old pods is seen late
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodFailed RestartJob
      And the scheduler lets every PodGroup in
      And 2 pods of the Volcano Job run
      And pods are seen 2 seconds late
      When 2 pods of the Volcano Job fail
      Then 2 pods of the Volcano Job were made since it became Restarting
      And for 5 seconds the Volcano Job reports retryCount 1

  Rule: An aborted Volcano Job can be resumed

    @VOL-022
    Scenario: A Volcano Job that is Aborted runs again
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler lets every PodGroup in
      And 2 pods of the Volcano Job run
      And the user commands AbortJob
      And the Volcano Job is Aborted
      When the user commands ResumeJob
      Then the last phases of the Volcano Job are Aborted, Restarting and Pending
      And 2 pods of the Volcano Job were made since it became Aborted, and stays so

    @VOL-022
    Scenario: A resumed Volcano Job has been tried once more
      Given a Volcano Job of 1 pod with minAvailable 1
      And the scheduler lets every PodGroup in
      And the Volcano Job has 1 pod
      And the user commands AbortJob
      And the Volcano Job is Aborted
      When the user commands ResumeJob
      Then the Volcano Job has been Restarting
      And the Volcano Job reports retryCount 1, and stays so

  Rule: A Volcano Job is ended with what has ended

    @VOL-023
    Scenario Outline: Ending a Volcano Job keeps what has ended
      Given a Volcano Job of 3 pods with minAvailable 3
      And the scheduler lets its PodGroup in
      And 3 pods of the Volcano Job run
      And 1 pod of the Volcano Job succeeds
      When the user commands <action>
      Then the last phases of the Volcano Job are <way> and <end>
      And the Volcano Job keeps 1 pod that has succeeded, and stays so
      And the Volcano Job has 0 unfinished pods

      Examples:
        | action       | way         | end        |
        | TerminateJob | Terminating | Terminated |
        | CompleteJob  | Completing  | Completed  |

    @VOL-023
    Scenario Outline: A Volcano Job is on its way while a pod has not ended
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      And deleted pods stay terminating
      When the user commands <action>
      Then the Volcano Job is <way>
      And for 2 seconds the Volcano Job is <way>
      And once the terminating pods end the Volcano Job is <end>

      Examples:
        | action       | way         | end        |
        | TerminateJob | Terminating | Terminated |
        | CompleteJob  | Completing  | Completed  |

  Rule: What has ended stays so

    Background:
      Given the scheduler lets every PodGroup in

    @VOL-024
    Scenario Outline: No action leads out of an end
      Given a Volcano Job of 2 pods with minAvailable 2
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And the user commands <ending>
      And the Volcano Job is <end>
      When the user commands <action>
      Then for 2 seconds the Volcano Job is <end>
      And for 2 seconds 0 pods of the Volcano Job were made since it became Running

      Examples:
        | ending       | end        | action     |
        | CompleteJob  | Completed  | RestartJob |
        | TerminateJob | Terminated | ResumeJob  |

    @VOL-024
    Scenario: Pods that have not ended are deleted when a Volcano Job has failed
      Given a Volcano Job of 3 pods with minAvailable 3, maxRetry 1 and the policy PodFailed RestartJob
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of the Volcano Job fails
      Then the Volcano Job is Failed
      And the Volcano Job has 0 unfinished pods
      And for 2 seconds 0 pods of the Volcano Job were made since it became Running

    @VOL-027
    Scenario: A Volcano Job that is being deleted gets no pod
      Given a Volcano Job of 2 pods with minAvailable 2
      And 2 pods of the Volcano Job run
      And deleted pods stay terminating
      And the user deletes the Volcano Job and waits for its pods
      And in the end 2 pods of the Volcano Job are terminating
      When 1 terminating pod of the Volcano Job ends
      Then for 2 seconds the Volcano Job has 1 unfinished pod

  Rule: What could not be deleted keeps the Volcano Job

    @VOL-053 @fault
    Scenario: A Volcano Job is not Aborted while its pods cannot be deleted
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And pod deletions are answered with 500
      When the user commands AbortJob
      Then for 2 seconds the Volcano Job is not Aborted
      And once the faults end the Volcano Job is Aborted
