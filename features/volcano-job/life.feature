Feature: The phases of a Volcano Job
  Actions lead from one phase to another. Policies and Commands request them.

  Rule: The phases follow the pods

    @VOL-015.1
    Scenario: A Volcano Job that falls below its minimum is Pending again
      Given a Volcano Job of 3 pods with minAvailable 3
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user deletes 1 pod of the Volcano Job
      Then the Volcano Job is Pending, and stays so
      And the Volcano Job has 3 pods, and stays so, as VOL-032 requires

    @VOL-014.5
    Scenario Outline: A Volcano Job whose pods run is Running if another client changes its <part>
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When another client <changes>
      Then eventually the Volcano Job is Running, and stays so for 2 seconds

      Examples:
        | case | part       | changes                                       |
        | a    | labels     | labels the Volcano Job                        |
        | b    | owners     | gives an owner to the Volcano Job             |
        | c    | phase      | sets the phase of the Volcano Job to Pending  |
        | d    | conditions | takes the conditions from the Volcano Job     |

    @VOL-016.3
    Scenario: A task with too few successes fails the Volcano Job
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker of which 1 must succeed with minAvailable 2
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And 2 pods of its task worker succeed
      When 1 pod of its task ps fails
      Then the Volcano Job is Failed, and stays so

    @VOL-016.4
    Scenario: Tasks with enough successes complete the Volcano Job
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker of which 1 must succeed with minAvailable 2
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And 1 pod of its task ps succeeds
      And 1 pod of its task worker succeeds
      When 1 pod of its task worker fails
      Then the Volcano Job is Completed, and stays so

    @VOL-016.5
    Scenario: Tasks do not count if minAvailable is below the sum of theirs
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker of which 2 must succeed with minAvailable 1
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And 1 pod of its task worker succeeds
      And 1 pod of its task worker fails
      When 1 pod of its task ps fails
      Then the Volcano Job is Completed, and stays so

    @VOL-016.10 @fault
    Scenario: A Volcano Job is Completed whose pods succeed while the controllers are down
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And the Volcano Job has 2 pods
      And the implementation is killed
      And 2 pods of the Volcano Job run
      And 2 pods of the Volcano Job succeed
      When the implementation is started again
      Then eventually the Volcano Job is Completed, and stays so

    @VOL-016.9
    Scenario: A Volcano Job is Completed by its other task when one has been scaled to 0
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker with minAvailable 2
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      And the user changes task ps to 0 pods
      And task ps of the Volcano Job has 0 pods
      When 2 pods of its task worker succeed
      Then the Volcano Job is Completed, and stays so

    @VOL-017.1
    Scenario: Enough successes complete a Volcano Job whose other pods run
      Given a Volcano Job of 3 pods with minAvailable 3 and minSuccess 2
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      When 2 pods of the Volcano Job succeed
      Then the Volcano Job is Completed, and stays so
      And the Volcano Job has 0 unfinished pods

    @VOL-017.2
    Scenario: A Volcano Job with fewer successes than minSuccess stays Running
      Given a Volcano Job of 3 pods with minAvailable 3 and minSuccess 2
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of the Volcano Job succeeds
      Then for 2 seconds the Volcano Job is Running

    @VOL-017.4 @fault
    Scenario: More successes than minSuccess complete a Volcano Job too
      Given a Volcano Job of 3 pods with minAvailable 3 and minSuccess 2
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And the implementation's view of pods is stale
      And 3 pods of the Volcano Job succeed
      When the view of pods catches up
      Then the Volcano Job is Completed, and stays so
      And the Volcano Job reports succeeded 3, as VOL-025 requires

    @VOL-017.3
    Scenario: A Volcano Job that cannot reach minSuccess is Failed
      Given a Volcano Job of 3 pods of which 1 must succeed with minAvailable 1 and minSuccess 2
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      And 1 pod of the Volcano Job succeeds
      When 2 pods of the Volcano Job fail
      Then the Volcano Job is Failed, and stays so

    @VOL-018.1
    Scenario: A Volcano Job without pods stays Running
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user changes task work to 0 pods and minAvailable to 0
      Then the Volcano Job has 0 pods
      And for 2 seconds the Volcano Job is Running

    @VOL-025.1
    Scenario: The status counts the pods by phase
      Given a Volcano Job of 2 pods of task ps and 2 pods of task worker with minAvailable 4
      And the scheduler admits its PodGroup
      And 4 pods of the Volcano Job run
      And 1 pod of its task ps succeeds
      When 1 pod of its task worker fails
      Then the Volcano Job reports the phases of its pods, and stays so

    @VOL-025.4
    Scenario Outline: A pod counts if another client has taken <part> from it
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And another client takes <part> from 1 pod of the Volcano Job
      When 2 pods of the Volcano Job succeed
      Then the Volcano Job reports succeeded 2, and stays so

      Examples:
        | case | part                     |
        | a    | all labels               |
        | b    | the version of its Job   |
        | c    | the name of its PodGroup |

    @VOL-025.2
    Scenario: The status counts pods that are being deleted
      Given a Volcano Job of 2 pods with minAvailable 1
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And deleted pods stay terminating
      When the user deletes 1 pod of the Volcano Job
      Then the Volcano Job reports terminating 1, and stays so

    @VOL-025.5
    Scenario: A pod counts whose task has completed the Volcano Job
      Given a Volcano Job of 1 pod of task ps and 1 pod of task worker with minAvailable 2 and the policy TaskCompleted CompleteJob of task ps
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of its task ps succeeds
      Then the Volcano Job is Completed, and stays so
      And the Volcano Job reports succeeded 1, and stays so

    @VOL-025.6
    Scenario: A succeeded pod of a Completed Volcano Job counts when it has been removed
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And 2 pods of the Volcano Job succeed
      And the Volcano Job is Completed
      And the Volcano Job reports succeeded 2
      When the user makes a pod of the Volcano Job vanish that has succeeded
      Then for 2 seconds the Volcano Job reports succeeded 2

    @VOL-025.3
    Scenario: The status counts pods in the phase Unknown, which are not replaced
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of the Volcano Job becomes Unknown
      Then the Volcano Job reports unknown 1, and stays so
      And for 2 seconds the Volcano Job has 2 pods

  Rule: The status has one condition for each phase

    Background:
      Given the scheduler admits every PodGroup

    @VOL-067.1
    Scenario: No condition of a Volcano Job is repeated while its pods start
      Given a Volcano Job of 4 pods with minAvailable 4
      And 1 pod of the Volcano Job runs
      And the Volcano Job reports running 1
      And 2 pods of the Volcano Job run
      And the Volcano Job reports running 2
      When 4 pods of the Volcano Job run
      Then the Volcano Job is Running
      And each condition of the Volcano Job has another status, and stays so

    @VOL-067.2
    Scenario: A Volcano Job that runs again has one condition Running
      Given a Volcano Job of 2 pods with minAvailable 2
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And the user deletes 1 pod of the Volcano Job
      And the Volcano Job is Pending
      When 2 pods of the Volcano Job run
      Then the Volcano Job is Running
      And each condition of the Volcano Job has another status, and stays so

  Rule: A restart creates new pods, at most maxRetry times

    @VOL-019.1
    Scenario: A restart recreates all pods and the PodGroup
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodFailed RestartJob
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      When 1 pod of the Volcano Job fails
      Then the last phases of the Volcano Job are Restarting and Pending
      And 2 pods of the Volcano Job were made since it became Restarting, and stays so
      And the PodGroup of the Volcano Job is another one than at first
      And the Volcano Job reports retryCount 1, and stays so

    @VOL-019.2
    Scenario: A restart runs succeeded pods again
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodFailed RestartJob
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And 1 pod of the Volcano Job succeeds
      And the Volcano Job reports succeeded 1
      When 1 pod of the Volcano Job fails
      Then 2 pods of the Volcano Job were made since it became Restarting, and stays so
      And the Volcano Job keeps 0 pods that have succeeded, and stays so

    @VOL-019.3
    Scenario: A Volcano Job that reaches maxRetry is Failed
      Given a Volcano Job of 1 pod with minAvailable 1, maxRetry 2 and the policy PodFailed RestartJob
      And the scheduler admits every PodGroup
      And 1 pod of the Volcano Job fails
      And 1 pod of the Volcano Job was made since it became Restarting
      When 1 pod of the Volcano Job fails
      Then the last phases of the Volcano Job are Restarting and Failed
      And the Volcano Job reports retryCount 2
      And for 2 seconds 0 pods of the Volcano Job were made since it became Failed

    @VOL-019.4
    Scenario: A Command restarts a Volcano Job for the last time, and it is Failed
      Given a Volcano Job of 1 pod with minAvailable 1 and maxRetry 1
      And the scheduler admits its PodGroup
      And 1 pod of the Volcano Job runs
      And the Volcano Job is Running
      When the user commands RestartJob
      Then the last phases of the Volcano Job are Restarting and Failed

    @VOL-020.1
    Scenario: The finished pods of the last retry are kept
      Given a Volcano Job of 2 pods with minAvailable 2, maxRetry 1 and the policy PodFailed RestartJob
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      When 1 pod of the Volcano Job fails
      Then the Volcano Job is Failed, and stays so
      And the Volcano Job keeps 1 pod that has failed, and stays so
      And the Volcano Job has 0 unfinished pods

    @VOL-019.6 @fault
    Scenario: A restart recreates a PodGroup whose deletion is observed with a delay
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And podgroups are seen 2 seconds late
      When the user commands RestartJob
      Then eventually the PodGroup of the Volcano Job is another one than at first
      And for 2 seconds the Volcano Job has 0 pods, as VOL-004 requires

  Rule: Versions distinguish the pods of retries

    @VOL-026.1
    Scenario: Pods carry the version of the Volcano Job
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodFailed RestartJob
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      When 1 pod of the Volcano Job fails
      Then 2 pods of the Volcano Job were made since it became Restarting, and stays so
      And each pod of the Volcano Job carries the version that the Job had, and stays so
      And the version of the Volcano Job has risen only when it was left

    @VOL-026.2
    Scenario: The failure of a pod of an older version does not restart the Volcano Job
      Given a Volcano Job of 3 pods with minAvailable 3 and the policy PodFailed RestartJob
      And the scheduler admits every PodGroup
      And 3 pods of the Volcano Job run
      And deleted pods stay terminating
      And 1 pod of the Volcano Job fails
      And the Volcano Job has been Restarting
      When 2 terminating pods of the Volcano Job fail, and stay for now
      Then for 5 seconds the Volcano Job reports retryCount 1

    @VOL-026.3 @fault
    Scenario: Late events of old pods do not restart the Volcano Job again
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodFailed RestartJob
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And pods are seen 2 seconds late
      When 2 pods of the Volcano Job fail
      Then 2 pods of the Volcano Job were made since it became Restarting
      And for 5 seconds the Volcano Job reports retryCount 1

    @VOL-026.4
    Scenario: The pods of a deleted Volcano Job do not end the one that has its name now
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodEvicted TerminateJob
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And deleted pods stay terminating
      And the user deletes the Volcano Job and its pods
      And the user creates the Volcano Job again
      When the terminating pods end
      Then eventually the Volcano Job has 2 pods, and stays so

    @VOL-026.5 @fault
    Scenario Outline: Pods of a Volcano Job do not end the one of its name: <when>
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodEvicted TerminateJob
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When the implementation <seen> that the Volcano Job is replaced by one of its name
      Then eventually the Volcano Job has 2 pods, and stays so for 2 seconds

      Examples:
        | case | when        | seen      |
        | a    | late watch  | sees late |
        | b    | watch gap   | misses    |

    @VOL-026.6 @fault
    Scenario: Pods of a deleted Volcano Job do not make the one of its name Running
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When the implementation's view of pods is stale while the Volcano Job is replaced by one of its name
      Then the Volcano Job is Pending
      And for 2 seconds the Volcano Job is Pending

  Rule: An aborted Volcano Job can be resumed

    @VOL-022.1
    Scenario: A resumed Volcano Job gets new pods
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the user commands AbortJob
      And the Volcano Job is Aborted
      When the user commands ResumeJob
      Then the last phases of the Volcano Job are Aborted, Restarting and Pending
      And 2 pods of the Volcano Job were made since it became Aborted, and stays so

    @VOL-022.2
    Scenario: A Volcano Job that never ran is resumed once
      Given a Volcano Job of 1 pod with minAvailable 1
      And the scheduler admits every PodGroup
      And the Volcano Job has 1 pod
      And the user commands AbortJob
      And the Volcano Job is Aborted
      When the user commands ResumeJob
      Then the last phases of the Volcano Job are Aborted, Restarting and Pending
      And for 2 seconds no more than 1 restart of the Volcano Job is reported

    @VOL-022.6
    Scenario: A Volcano Job that may not be retried is resumed
      Given a Volcano Job of 1 pod with minAvailable 1 and maxRetry 1
      And the scheduler admits every PodGroup
      And 1 pod of the Volcano Job runs
      And the user commands AbortJob
      And the Volcano Job is Aborted
      When the user commands ResumeJob
      Then the last phases of the Volcano Job are Aborted, Restarting and Pending
      And 1 pod of the Volcano Job was made since it became Aborted, and stays so

    @VOL-022.8 @fault
    Scenario: A Volcano Job that may not be retried is resumed despite a crash
      Given a Volcano Job of 1 pod with minAvailable 1 and maxRetry 1
      And the scheduler admits every PodGroup
      And 1 pod of the Volcano Job runs
      And the user commands AbortJob
      And the Volcano Job is Aborted
      And the implementation is killed just after its 1st update of the Volcano Job status and started again
      When the user commands ResumeJob
      Then eventually the last phases of the Volcano Job are Aborted, Restarting and Pending

    @VOL-022.3
    Scenario: A Command of the name of an earlier one resumes the Volcano Job
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the user commands AbortJob by Command go
      And the Volcano Job is Aborted
      When the user commands ResumeJob by Command go
      Then the last phases of the Volcano Job are Aborted, Restarting and Pending

    @VOL-022.4 @fault
    Scenario: A Command of the name of an earlier one resumes the Volcano Job after a delay
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And commands are seen 2 seconds late
      And the user commands AbortJob by Command go
      And the Volcano Job is Aborted
      When the user commands ResumeJob by Command go
      Then the last phases of the Volcano Job are Aborted, Restarting and Pending

  Rule: A Volcano Job that is ended keeps its finished pods

    @VOL-023.1
    Scenario Outline: <action> keeps the finished pods of a Volcano Job
      Given a Volcano Job of 3 pods with minAvailable 3
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And 1 pod of the Volcano Job succeeds
      When the user commands <action>
      Then the last phases of the Volcano Job are <way> and <end>
      And the Volcano Job keeps 1 pod that has succeeded, and stays so
      And the Volcano Job has 0 unfinished pods

      Examples:
        | case | action       | way         | end        |
        | a    | TerminateJob | Terminating | Terminated |
        | b    | CompleteJob  | Completing  | Completed  |

    @VOL-023.4
    Scenario Outline: A Volcano Job that may not be retried is <end>
      Given a Volcano Job of 2 pods with minAvailable 2 and maxRetry 1
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user commands <action>
      Then the last phases of the Volcano Job are <way> and <end>

      Examples:
        | case | action       | way         | end        |
        | a    | TerminateJob | Terminating | Terminated |
        | b    | CompleteJob  | Completing  | Completed  |

    @VOL-023.2
    Scenario Outline: A Volcano Job stays <way> while one of its pods has not finished
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And deleted pods stay terminating
      When the user commands <action>
      Then the Volcano Job is <way>
      And for 2 seconds the Volcano Job is <way>
      And once the terminating pods end the Volcano Job is <end>

      Examples:
        | case | action       | way         | end        |
        | a    | TerminateJob | Terminating | Terminated |
        | b    | CompleteJob  | Completing  | Completed  |

    @VOL-023.3
    Scenario Outline: A policy for evicted pods does not undo <action>
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodEvicted RestartJob
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And deleted pods stay terminating
      When the user commands <action>
      Then the Volcano Job is <way>
      And once the terminating pods end the Volcano Job is <end>, and stays so for 5 seconds

      Examples:
        | case | action       | way         | end        |
        | a    | TerminateJob | Terminating | Terminated |
        | b    | CompleteJob  | Completing  | Completed  |

  Rule: A Volcano Job continues after what others have done

    Background:
      Given the scheduler admits every PodGroup

    @VOL-014.4
    Scenario Outline: A Volcano Job that is Pending again is Running once its minimum runs: <when>
      Given a Volcano Job of 3 pods with minAvailable 3
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      And the user deletes 1 pod of the Volcano Job
      And the Volcano Job is Pending
      And <meanwhile>
      When 3 pods of the Volcano Job run
      Then the Volcano Job is Running, and stays so

      Examples:
        | case | when             | meanwhile                                        |
        | a    | others deleted   | the user deletes 2 pods of the Volcano Job       |
        | b    | PodGroup deleted | the user deletes the PodGroup of the Volcano Job |
        | c    | node was lost    | 2 pods of the Volcano Job become Unknown         |

    @VOL-019.5
    Scenario: A restart recreates a PodGroup that a finalizer holds
      Given a Volcano Job of 2 pods with minAvailable 2
      And 2 pods of the Volcano Job run
      And a finalizer of another client holds the PodGroup of the Volcano Job
      And the user commands RestartJob
      And the Volcano Job has been Restarting
      And 2 seconds pass
      When the finalizer is taken off
      Then eventually the PodGroup of the Volcano Job is another one than at first

    @VOL-022.7
    Scenario: A Volcano Job that was restarted as often as it may be is resumed
      Given a Volcano Job of 1 pod with minAvailable 1 and maxRetry 2
      And 1 pod of the Volcano Job runs
      And the user commands RestartJob
      And 1 pod of the Volcano Job was made since it became Restarting
      And the user commands AbortJob
      And the Volcano Job is Aborted
      When the user commands ResumeJob
      Then the last phases of the Volcano Job are Aborted, Restarting and Pending

    @VOL-022.5 @fault
    Scenario: A Command of the name of an earlier one in a watch gap resumes the Volcano Job
      Given a Volcano Job of 2 pods with minAvailable 2
      And the implementation's view of commands becomes stale at its next Command deletion
      And the user commands AbortJob by Command go
      And the Volcano Job is Aborted
      And the user commands ResumeJob by Command go
      And the server ends the watches of commands with 410
      When the view of commands catches up
      Then eventually the last phases of the Volcano Job are Aborted, Restarting and Pending

  Rule: A final phase does not change

    Background:
      Given the scheduler admits every PodGroup

    @VOL-024.1
    Scenario Outline: <action> does not change the final phase <end>
      Given a Volcano Job of 2 pods with minAvailable 2
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And the user commands <ending>
      And the Volcano Job is <end>
      When the user commands <action>
      Then for 2 seconds the Volcano Job is <end>
      And for 2 seconds 0 pods of the Volcano Job were made since it became Running

      Examples:
        | case | ending       | end        | action     |
        | a    | CompleteJob  | Completed  | RestartJob |
        | b    | TerminateJob | Terminated | ResumeJob  |

    @VOL-024.2
    Scenario: Unfinished pods are deleted when a Volcano Job has failed
      Given a Volcano Job of 3 pods with minAvailable 3, maxRetry 1 and the policy PodFailed RestartJob
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of the Volcano Job fails
      Then the Volcano Job is Failed
      And the Volcano Job has 0 unfinished pods
      And for 2 seconds 0 pods of the Volcano Job were made since it became Running

    @VOL-027.1
    Scenario: A Volcano Job that is being deleted gets no pod
      Given a Volcano Job of 2 pods with minAvailable 2
      And 2 pods of the Volcano Job run
      And deleted pods stay terminating
      And the user deletes the Volcano Job and waits for its pods
      And eventually 2 pods of the Volcano Job are terminating
      When 1 terminating pod of the Volcano Job ends
      Then for 2 seconds the Volcano Job has 1 unfinished pod

  Rule: Pods that cannot be deleted delay the end of a Volcano Job

    @VOL-053.1 @fault
    Scenario: A Volcano Job is not Aborted while its pods cannot be deleted
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And pod deletions are answered with 500
      When the user commands AbortJob
      Then for 2 seconds the Volcano Job is not Aborted
      And once the faults end the Volcano Job is Aborted

    @VOL-053.20 @fault
    Scenario Outline: A Volcano Job is Aborted although deletions of its pods are <how>
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And the next 4 pod deletions are <how>
      When the user commands AbortJob
      Then eventually the Volcano Job is Aborted
      And the Volcano Job has 0 pods

      Examples:
        | case | how                                |
        | a    | answered with 403                  |
        | b    | answered with 409                  |
        | c    | applied but their replies are lost |

  Rule: Nothing is written while nothing changes

    @VOL-082.1
    Scenario: Nothing is written while a running Volcano Job does not change
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When 2 seconds pass
      Then for 2 seconds nothing is written

    @VOL-082.2
    Scenario: Nothing is written for a Completed Volcano Job
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And 2 pods of the Volcano Job succeed
      And the Volcano Job is Completed
      When 2 seconds pass
      Then for 2 seconds nothing is written

    @VOL-082.3
    Scenario: Nothing is written for a Completed Volcano Job of which a pod was removed
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And 2 pods of the Volcano Job succeed
      And the Volcano Job is Completed
      And the user makes a pod of the Volcano Job vanish that has succeeded
      When 2 seconds pass
      Then for 2 seconds nothing is written

    @VOL-082.4 @fault
    Scenario: Nothing is written for a Volcano Job that was deleted in a watch gap
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When the implementation misses that the Volcano Job is deleted
      And 2 seconds pass
      Then eventually nothing is left of what was made for the Volcano Job, as VOL-049 requires
      And for 2 seconds nothing is written
