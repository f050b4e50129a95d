Feature: Policies map events of pods to actions

  Rule: An event triggers the action of its policy

    @VOL-028.1
    Scenario Outline: A failed pod triggers <action> by a policy for <event>
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy <event> <action>
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      When 1 pod of the Volcano Job fails
      Then the Volcano Job has been <phase>

      Examples:
        | case | event     | action       | phase      |
        | a    | PodFailed | TerminateJob | Terminated |
        | b    | PodFailed | CompleteJob  | Completed  |
        | c    | *         | TerminateJob | Terminated |

    @VOL-028.2
    Scenario: A deleted pod triggers the action of the policy for PodEvicted
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodEvicted TerminateJob
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user deletes 1 pod of the Volcano Job
      Then the Volcano Job is Terminated, and stays so

    @VOL-028.3
    Scenario: A policy does not react to other events
      Given a Volcano Job of 2 pods with minAvailable 1 and the policy PodEvicted TerminateJob
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of the Volcano Job fails
      Then for 2 seconds the Volcano Job is Running

    @VOL-028.4
    Scenario: A PodGroup in the phase Unknown triggers the action of its policy
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy Unknown AbortJob
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      When the scheduler cannot place all pods of its PodGroup any more
      Then the Volcano Job is Aborted, and stays so

    @VOL-028.5
    Scenario: Container restarts up to maxRetry fail their task
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy TaskFailed TerminateJob
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      When the containers of 1 pod of the Volcano Job have been restarted 3 times
      Then the Volcano Job is Terminated, and stays so

    @VOL-028.6
    Scenario: A pod that PodGC marks as failed triggers the policy
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodFailed TerminateJob
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When PodGC marks 1 pod of the Volcano Job as failed
      Then the Volcano Job is Terminated, and stays so

    @VOL-028.7
    Scenario: An eviction that is announced triggers the policy once
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodEvicted RestartJob
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And another client sets DisruptionTarget of 1 pod of the Volcano Job
      When the user deletes 1 pod of the Volcano Job
      Then 2 pods of the Volcano Job were made since it became Restarting
      And for 2 seconds the Volcano Job reports retryCount 1

    @VOL-028.8
    Scenario: The failure of a pod in another namespace triggers no policy here
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodFailed TerminateJob
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When a pod of a Volcano Job of the same name fails in another namespace
      Then for 2 seconds the Volcano Job is Running

  Rule: A task may have policies of its own

    @VOL-029.1
    Scenario: The policy of a task takes precedence over that of the Volcano Job
      Given a Volcano Job of 2 pods with minAvailable 2, the policy PodFailed AbortJob and the policy PodFailed TerminateJob of task work
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      When 1 pod of the Volcano Job fails
      Then the Volcano Job is Terminated, and stays so

    @VOL-029.2
    Scenario: The policy of another task is not applied
      Given a Volcano Job of 1 pod of task ps and 1 pod of task worker with minAvailable 2, the policy PodFailed AbortJob and the policy PodFailed TerminateJob of task worker
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      When 1 pod of its task ps fails
      Then the Volcano Job is Aborted, and stays so

    @VOL-029.20
    Scenario: A policy of a task for every event takes precedence over that of its Job
      Given a Volcano Job of 2 pods with minAvailable 2, the policy PodFailed AbortJob and the policy * TerminateJob of task work
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      When 1 pod of the Volcano Job fails
      Then the Volcano Job is Terminated, and stays so

  Rule: A policy may name an exit code, or several events

    @VOL-030.1
    Scenario: The exit code of a policy triggers its action
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy 3 TerminateJob
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      When 1 pod of the Volcano Job fails with exit code 3
      Then the Volcano Job is Terminated, and stays so

    @VOL-030.2
    Scenario: Another exit code does not trigger the action
      Given a Volcano Job of 2 pods with minAvailable 1 and the policy 3 TerminateJob
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of the Volcano Job fails with exit code 4
      Then for 2 seconds the Volcano Job is Running

    @VOL-030.20
    Scenario: The exit code of the first container triggers the action
      Given a Volcano Job of 2 pods of two containers and an init container with minAvailable 2 and the policy 3 TerminateJob
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      When the first container of 1 pod of the Volcano Job fails with exit code 3 and the second one with 4
      Then the Volcano Job is Terminated, and stays so

    @VOL-031.1
    Scenario: The first event of a policy triggers its action
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodEvicted or PodFailed TerminateJob
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user deletes 1 pod of the Volcano Job
      Then the Volcano Job is Terminated, and stays so

    @VOL-031.2
    Scenario: The second event of a policy triggers its action
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodEvicted or PodFailed TerminateJob
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      When 1 pod of the Volcano Job fails
      Then the Volcano Job is Terminated, and stays so

  Rule: A policy may have a timeout

    @VOL-088.1
    Scenario Outline: The action of a policy is not executed before its timeout: <policy>
      Given a Volcano Job of 2 pods with minAvailable 1 and the policy <policy>
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of the Volcano Job fails with exit code 3
      Then for 5 seconds the Volcano Job is Running

      Examples:
        | case | policy                                              |
        | a    | PodFailed TerminateJob after 60 seconds             |
        | b    | * RestartJob after 60 seconds                       |
        | c    | 3 AbortJob after 60 seconds                         |
        | d    | PodFailed CompleteJob after 60 seconds of task work |

    @VOL-089.1
    Scenario Outline: The action of a policy is executed after its timeout: <policy>
      Given a Volcano Job of 2 pods with minAvailable 1 and the policy <policy>
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of the Volcano Job fails with exit code 3
      Then eventually the Volcano Job is <phase>, and stays so

      Examples:
        | case | policy                                             | phase      |
        | a    | PodFailed TerminateJob after 3 seconds             | Terminated |
        | b    | 3 AbortJob after 3 seconds                         | Aborted    |
        | c    | PodFailed CompleteJob after 3 seconds of task work | Completed  |

    @VOL-089.2
    Scenario: The action of a policy for evicted pods is executed after its timeout
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodEvicted TerminateJob after 3 seconds
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user deletes 1 pod of the Volcano Job
      Then eventually the Volcano Job is Terminated, and stays so

    @VOL-024.3
    Scenario: A completed Volcano Job stays so when the timeout of a policy passes
      Given a Volcano Job of 2 pods with minAvailable 1 and the policy PodFailed RestartJob after 3 seconds
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And 1 pod of the Volcano Job fails
      When the user commands CompleteJob
      Then the Volcano Job is Completed, as VOL-023 requires
      And for 5 seconds the Volcano Job is Completed

    @VOL-026.7
    Scenario: The timeout of a policy for a pod of an older version restarts nothing
      Given a Volcano Job of 2 pods with minAvailable 1 and the policy PodFailed RestartJob after 13 seconds
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And 1 pod of the Volcano Job fails
      When the user commands RestartJob
      Then 2 pods of the Volcano Job were made since it became Restarting, as VOL-019 requires
      And for 15 seconds the Volcano Job reports retryCount 1

  Rule: Without a policy pods are counted or replaced

    @VOL-032.1
    Scenario: A deleted pod without a policy is recreated
      Given a Volcano Job of 2 pods with minAvailable 1
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user deletes 1 pod of the Volcano Job
      Then 1 pod of the Volcano Job was made since it became Running, and stays so for 2 seconds
      And the Volcano Job has 2 pods

    @VOL-032.2
    Scenario: A failed pod without a policy is kept
      Given a Volcano Job of 2 pods with minAvailable 1
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of the Volcano Job fails
      Then for 2 seconds the Volcano Job keeps 1 pod that has failed
      And for 2 seconds 0 pods of the Volcano Job were made since it became Running

    @VOL-032.20
    Scenario: A pod that the kubelet has evicted is kept without a policy
      Given a Volcano Job of 2 pods with minAvailable 1
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When the kubelet evicts 1 pod of the Volcano Job
      Then for 2 seconds the Volcano Job keeps 1 pod that has failed
      And for 2 seconds 0 pods of the Volcano Job were made since it became Running

  Rule: RestartTask restarts one task

    @VOL-033.1
    Scenario: A task whose pod has failed is restarted
      Given a Volcano Job of 1 pod of task ps and 1 pod of task worker with minAvailable 2 and the policy PodFailed RestartTask of task worker
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of its task worker fails
      Then 1 pod of the Volcano Job was made since it became Running, and stays so
      And the Volcano Job has 2 unfinished pods

    @VOL-033.4
    Scenario: A task whose pod has failed is restarted once the timeout has passed
      Given a Volcano Job of 1 pod of task ps and 1 pod of task worker with minAvailable 2 and the policy PodFailed RestartTask after 3 seconds of task worker
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of its task worker fails
      Then eventually 1 pod of the Volcano Job was made since it became Running, and stays so
      And the Volcano Job has 2 unfinished pods

    @VOL-033.2
    Scenario Outline: RestartTask for a deleted pod of task worker restarts it once: <task>
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker with minAvailable 3 and the policy PodEvicted RestartTask of task worker
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user deletes 1 pod of its task <task>
      Then <made> of the Volcano Job <were> made since it became Running, and stays so for 5 seconds

      Examples:
        | case | task   | made   | were |
        | a    | worker | 2 pods | were |
        | b    | ps     | 1 pod  | was  |

    @VOL-033.3
    Scenario: RestartTask restarts a task once whose pods terminate slowly
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker with minAvailable 3 and the policy PodEvicted RestartTask of task worker
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      And deleted pods stay terminating
      When the user deletes 1 pod of its task worker
      Then at least 2 pods of the Volcano Job are terminating
      And once the terminating pods end 2 pods of the Volcano Job were made since it became Running, and stays so for 5 seconds

    @VOL-085.1
    Scenario: A Volcano Job whose task is restarted keeps its PodGroup
      Given a Volcano Job of 1 pod of task ps and 1 pod of task worker with minAvailable 2 and the policy PodFailed RestartTask of task worker
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of its task worker fails
      Then an event ExecuteAction of the Volcano Job names RestartTask, as VOL-039 requires
      And the PodGroup of the Volcano Job is the one that it had at first, and stays so

  Rule: A deleted pod that fails was evicted

    Background:
      Given the scheduler admits every PodGroup

    @VOL-079.1
    Scenario: A pod that fails after its deletion was observed was evicted
      Given a Volcano Job of 2 pods with minAvailable 2, the policy PodFailed TerminateJob and the policy PodEvicted RestartJob
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And deleted pods stay terminating
      And the user deletes 1 pod of the Volcano Job
      When 1 terminating pod of the Volcano Job fails, and stays for now
      Then once the terminating pods end the last phases of the Volcano Job are Restarting and Pending

    @VOL-079.2 @fault
    Scenario Outline: A pod whose deletion and failure are observed together was evicted: <when>
      Given a Volcano Job of 2 pods with minAvailable 2, the policy PodFailed TerminateJob and the policy PodEvicted RestartJob
      And 2 pods of the Volcano Job run
      And deleted pods stay terminating
      And the implementation's view of pods is stale
      And the user deletes 1 pod of the Volcano Job
      And 1 terminating pod of the Volcano Job fails, and stays for now
      When <seen>
      Then once the view of pods catches up the Volcano Job has been Restarting

      Examples:
        | case | when       | seen                                         |
        | a    | late watch | 1 second passes                              |
        | b    | watch gap  | the server ends the watches of pods with 410 |

  Rule: A task is completed when all its pods have succeeded

    @VOL-034.1
    Scenario: A completed task triggers the action of its policy
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker with minAvailable 3 and the policy TaskCompleted CompleteJob of task worker
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And 1 pod of its task worker succeeds
      When 1 pod of its task worker succeeds
      Then the Volcano Job is Completed, and stays so
      And the Volcano Job has 0 unfinished pods, as VOL-023 requires

    @VOL-034.2
    Scenario: A task is not completed while one of its pods runs
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker with minAvailable 3 and the policy TaskCompleted CompleteJob of task worker
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of its task worker succeeds
      Then for 2 seconds the Volcano Job is Running

    @VOL-034.3
    Scenario: A completed task triggers its action once
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker with minAvailable 3 and the policy TaskCompleted RestartJob of task worker
      And the scheduler admits every PodGroup
      And 3 pods of the Volcano Job run
      When 2 pods of its task worker succeed
      Then 3 pods of the Volcano Job were made since it became Restarting
      And for 2 seconds the Volcano Job reports retryCount 1

    @VOL-034.20
    Scenario: A task is not completed when its minAvailable has succeeded
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker of which 1 must succeed with minAvailable 2 and the policy TaskCompleted CompleteJob of task worker
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of its task worker succeeds
      Then for 2 seconds the Volcano Job is Running

  Rule: Events during an outage of the controller count

    @VOL-035.1 @fault
    Scenario: A pod that fails while the controller is down triggers its policy
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodFailed TerminateJob
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And the implementation is killed
      And 1 pod of the Volcano Job fails
      When the implementation is started again
      Then eventually the Volcano Job is Terminated, and stays so

    @VOL-035.2 @fault
    Scenario: The last pod that fails while the controllers are down restarts its Volcano Job
      Given a Volcano Job of 1 pod with minAvailable 1 and the policy PodFailed RestartJob
      And the scheduler admits every PodGroup
      And 1 pod of the Volcano Job runs
      And the Volcano Job is Running
      And the implementation is killed
      And 1 pod of the Volcano Job fails
      When the implementation is started again
      Then eventually the Volcano Job has been Restarting

  Rule: Succeeded pods are not run again

    @VOL-050.1
    Scenario: A succeeded pod that is removed is not run again
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And 1 pod of the Volcano Job succeeds
      And the Volcano Job reports succeeded 1
      When the user makes a pod of the Volcano Job vanish that has succeeded
      Then for 2 seconds the Volcano Job has 1 unfinished pod

    @VOL-080.1
    Scenario Outline: The removal of a pod that has <ended> triggers no policy for evicted pods
      Given a Volcano Job of 2 pods with minAvailable 1 and the policy PodEvicted RestartJob
      And the scheduler admits every PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And 1 pod of the Volcano Job <ends>
      And the Volcano Job reports <ended> 1
      When the user makes a pod of the Volcano Job vanish that has <ended>
      Then for 2 seconds the Volcano Job is Running

      Examples:
        | case | ended     | ends     |
        | a    | succeeded | succeeds |
        | b    | failed    | fails    |

    @VOL-050.20
    Scenario: A succeeded pod of a Pending Volcano Job that is removed is not run again
      Given a Volcano Job of 3 pods with minAvailable 3
      And the scheduler admits its PodGroup
      And 1 pod of the Volcano Job runs
      And 1 pod of the Volcano Job succeeds
      And the Volcano Job reports succeeded 1
      When the user makes a pod of the Volcano Job vanish that has succeeded
      Then for 2 seconds the Volcano Job has 2 unfinished pods
