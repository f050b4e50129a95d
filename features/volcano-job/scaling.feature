Feature: A Volcano Job is changed while it runs, and deleted

  Rule: Pods and PodGroup follow the replicas

    @VOL-046.1
    Scenario: A Volcano Job that is scaled up gets the missing pods
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user changes task work to 4 pods
      Then the Volcano Job has 4 pods, and stays so
      And the pods of task work have the indexes 0, 1, 2 and 3, and stays so
      And the PodGroup of the Volcano Job needs 4 pods of task work

    @VOL-046.2
    Scenario: The highest indexes are deleted when a Volcano Job is scaled down
      Given a Volcano Job of 4 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 4 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user changes task work to 2 pods
      Then the Volcano Job has 2 pods
      And the pods of task work have the indexes 0 and 1
      And for 2 seconds the Volcano Job is Running

    @VOL-046.7
    Scenario: A Volcano Job of more than ten pods gives up those of the highest indexes
      Given a Volcano Job of 12 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 12 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user changes task work to 3 pods
      Then eventually the Volcano Job has 3 pods, and stays so
      And the pods of task work have the indexes 0, 1 and 2

    @VOL-046.8 @fault
    Scenario Outline: A Volcano Job that is scaled <how> while the controllers are down
      Given a Volcano Job of 3 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      And the implementation is killed
      And the user changes task work to <count> pods
      When the implementation is started again
      Then eventually the Volcano Job has <count> pods, and stays so

      Examples:
        | case | how  | count |
        | a    | up   | 5     |
        | b    | down | 2     |

    @VOL-065.1
    Scenario Outline: Pods that a smaller Volcano Job gives up trigger no <action>
      Given a Volcano Job of 4 pods with minAvailable 2 and the policy PodEvicted <action>
      And the scheduler admits every PodGroup
      And 4 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user changes task work to 2 pods
      Then for 5 seconds the Volcano Job is Running

      Examples:
        | case | action       |
        | a    | TerminateJob |
        | b    | RestartJob   |

    @VOL-046.3
    Scenario: The minimum of the PodGroup follows that of the Volcano Job
      Given a Volcano Job of 3 pods with minAvailable 3
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user changes minAvailable to 2
      Then a PodGroup of the Volcano Job needs 2 pods in its queue

    @VOL-046.4
    Scenario: A Volcano Job is scaled down while its PodGroup waits
      Given a Volcano Job of 4 pods requesting 1 CPU with minAvailable 4
      And the scheduler lets its PodGroup wait
      When the user changes task work to 2 pods and minAvailable to 2
      Then a PodGroup of the Volcano Job needs 2 pods in its queue
      And the PodGroup of the Volcano Job needs 2 pods of task work
      And the PodGroup of the Volcano Job needs 2 CPUs

    @VOL-046.5 @fault
    Scenario: A Volcano Job is scaled up while its status cannot be updated
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And the Volcano Job has 2 pods
      And updates of the Volcano Job status are answered with 422
      And 1 pod of the Volcano Job runs
      When the user changes task work to 4 pods
      Then the Volcano Job has 4 pods
      And once the faults end the Volcano Job reports running 1, as VOL-025 requires

    @VOL-046.6 @fault
    Scenario Outline: The deletion of an excess pod that is <how> is retried
      Given a Volcano Job of 3 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      And the next pod deletion is <how>
      When the user changes task work to 2 pods
      Then eventually the Volcano Job has 2 pods
      And the pods of task work have the indexes 0 and 1, and stays so

      Examples:
        | case | how                                |
        | a    | answered with 409                  |
        | b    | applied but its reply is lost      |

    @VOL-047.1 @fault
    Scenario: A failed update of the PodGroup is retried
      Given a Volcano Job of 3 pods with minAvailable 3
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      And the next update of the PodGroup is answered with 500
      When the user changes minAvailable to 2
      Then eventually a PodGroup of the Volcano Job needs 2 pods in its queue

    @VOL-047.2 @fault
    Scenario Outline: An update of the PodGroup takes effect eventually although it is <how>
      Given a Volcano Job of 3 pods with minAvailable 3
      And the scheduler admits its PodGroup
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      And the next update of the PodGroup is <how>
      When the user changes minAvailable to 2
      Then eventually a PodGroup of the Volcano Job needs 2 pods in its queue

      Examples:
        | case | how                               |
        | a    | answered with 409                 |
        | b    | answered with 422                 |
        | c    | applied but its reply is lost     |

  Rule: A task with dependsOn waits for other tasks

    @VOL-040.1
    Scenario: A task waits until the task that it depends on is running
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker after ps with minAvailable 3
      And the scheduler admits its PodGroup
      When task ps of the Volcano Job has 1 pod
      Then for 2 seconds task worker of the Volcano Job has 0 pods

    @VOL-040.2
    Scenario: A task starts when the task that it depends on is running
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker after ps with minAvailable 3
      And the scheduler admits its PodGroup
      And task ps of the Volcano Job has 1 pod
      When 1 pod of its task ps runs
      Then task worker of the Volcano Job has 2 pods, and stays so

    @VOL-040.3
    Scenario: A task waits until the containers of the other task are ready
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker after ps with minAvailable 3
      And the scheduler admits its PodGroup
      And task ps of the Volcano Job has 1 pod
      When 1 pod of its task ps runs and is not ready
      Then for 2 seconds task worker of the Volcano Job has 0 pods

    @VOL-040.4
    Scenario: A task waits for all tasks that it depends on
      Given a Volcano Job of 1 pod of task ps, 1 pod of task web and 2 pods of task worker after ps and web with minAvailable 4
      And the scheduler admits its PodGroup
      And task ps of the Volcano Job has 1 pod
      When 1 pod of its task ps runs
      Then for 2 seconds task worker of the Volcano Job has 0 pods

    @VOL-040.6
    Scenario: A task waits for minAvailable pods of the task that it depends on
      Given a Volcano Job of 3 pods of task ps of which 2 must succeed and 2 pods of task worker after ps with minAvailable 5
      And the scheduler admits its PodGroup
      And task ps of the Volcano Job has 3 pods
      When 1 pod of its task ps runs
      Then for 2 seconds task worker of the Volcano Job has 0 pods

    @VOL-040.7
    Scenario: A task does not wait for more than minAvailable pods of the other task
      Given a Volcano Job of 3 pods of task ps of which 2 must succeed and 2 pods of task worker after ps with minAvailable 5
      And the scheduler admits its PodGroup
      And task ps of the Volcano Job has 3 pods
      When 2 pods of its task ps run
      Then task worker of the Volcano Job has 2 pods, and stays so

    @VOL-040.10 @fault
    Scenario: A task starts when all pods of the other task become ready together
      Given a Volcano Job of 3 pods of task ps of which 2 must succeed and 2 pods of task worker after ps with minAvailable 5
      And the scheduler admits its PodGroup
      And task ps of the Volcano Job has 3 pods
      And the implementation's view of pods is stale
      And 3 pods of its task ps run
      When the view of pods catches up
      Then task worker of the Volcano Job has 2 pods, and stays so

    @VOL-040.8
    Scenario: A task starts when the task that it depends on has succeeded
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker after ps with minAvailable 3
      And the scheduler admits its PodGroup
      And task ps of the Volcano Job has 1 pod
      When 1 pod of its task ps succeeds
      Then task worker of the Volcano Job has 2 pods, and stays so

    @VOL-040.9
    Scenario: A task counts succeeded pods and ready ones of the task before it
      Given a Volcano Job of 2 pods of task ps and 2 pods of task worker after ps with minAvailable 4
      And the scheduler admits its PodGroup
      And 1 pod of its task ps succeeds
      And for 2 seconds task worker of the Volcano Job has 0 pods
      When 1 pod of its task ps runs
      Then task worker of the Volcano Job has 2 pods, and stays so

    @VOL-040.14
    Scenario: A failed pod does not start the task that waits for it
      Given a Volcano Job of 2 pods of task ps and 2 pods of task worker after ps with minAvailable 4
      And the scheduler admits its PodGroup
      And 1 pod of its task ps succeeds
      When 1 pod of its task ps fails
      Then for 2 seconds task worker of the Volcano Job has 0 pods

    @VOL-040.11
    Scenario: A pod that was deleted does not start the task that waits for it
      Given a Volcano Job of 2 pods of task ps and 2 pods of task worker after ps with minAvailable 4
      And the scheduler admits every PodGroup
      And task ps of the Volcano Job has 2 pods
      And 1 pod of its task ps runs
      And the user deletes 1 pod of its task ps
      When 1 pod of its task ps runs
      Then for 2 seconds task worker of the Volcano Job has 0 pods

    @VOL-040.12
    Scenario Outline: A task starts when the pods of the task before it run again: <when>
      Given a Volcano Job of 2 pods of task ps and 2 pods of task worker after ps with minAvailable 4
      And the scheduler admits every PodGroup
      And task ps of the Volcano Job has 2 pods
      And 1 pod of its task ps runs
      And <what happens>
      When 2 pods of its task ps run
      Then eventually task worker of the Volcano Job has 2 pods, and stays so

      Examples:
        | case | when              | what happens                              |
        | a    | all were deleted  | the user deletes 2 pods of its task ps    |
        | b    | PodGroup deleted  | the user deletes the PodGroup of the Volcano Job |
        | c    | node was lost     | 1 pod of its task ps becomes Unknown      |

    @VOL-040.13
    Scenario: A task waits while the containers of the task before it wait
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker after ps with minAvailable 3
      And the scheduler admits its PodGroup
      And task ps of the Volcano Job has 1 pod
      When 1 pod of its task ps runs while the containers wait to be started again
      Then for 2 seconds task worker of the Volcano Job has 0 pods

    @VOL-040.5
    Scenario: A task with iteration any waits for one of the tasks that it depends on
      Given a Volcano Job of 1 pod of task ps, 1 pod of task web and 2 pods of task worker after ps or web with minAvailable 4
      And the scheduler admits its PodGroup
      And task ps of the Volcano Job has 1 pod
      When 1 pod of its task ps runs
      Then task worker of the Volcano Job has 2 pods, and stays so

    @VOL-040.20
    Scenario: A task counts a pod of the task before it that has succeeded and was removed
      Given a Volcano Job of 2 pods of task ps and 2 pods of task worker after ps with minAvailable 4
      And the scheduler admits its PodGroup
      And 1 pod of its task ps succeeds
      And the Volcano Job reports succeeded 1
      And the user makes a pod of the Volcano Job vanish that has succeeded
      And 2 seconds pass
      When all unfinished pods of its task ps run
      Then task worker of the Volcano Job has 2 pods, and stays so

    @VOL-040.21
    Scenario: Pods of a deleted Volcano Job do not start a task of the one of its name
      Given a Volcano Job of 1 pod of task ps and 1 pod of task worker after ps with minAvailable 2
      And the scheduler admits every PodGroup
      And 1 pod of its task ps runs
      And task worker of the Volcano Job has 1 pod
      And deleted pods stay terminating
      And the user deletes the Volcano Job and its pods
      When the user creates the Volcano Job again
      Then for 2 seconds task worker of the Volcano Job has 0 pods

    @VOL-040.22
    Scenario: A task starts after another though pods of a former Volcano Job terminate
      Given a Volcano Job of 1 pod of task ps and 1 pod of task worker after ps with minAvailable 2
      And the scheduler admits every PodGroup
      And 1 pod of its task ps runs
      And deleted pods stay terminating
      And the user replaces the Volcano Job and its pods by a Volcano Job of its name
      And the terminating pods end
      When 1 pod of its task ps runs
      Then task worker of the Volcano Job has 1 pod, and stays so

    @VOL-040.23
    Scenario: A task does not wait for a task without pods
      Given a Volcano Job of 0 pods of task ps and 2 pods of task worker after ps with minAvailable 2
      When the scheduler admits its PodGroup
      Then task worker of the Volcano Job has 2 pods, and stays so

    @VOL-040.24
    Scenario: A task starts after another though a former Volcano Job was waiting in between
      Given a Volcano Job of 1 pod of task ps and 1 pod of task worker after ps with minAvailable 2
      And the scheduler admits every PodGroup
      And task ps of the Volcano Job has 1 pod
      And the user replaces the Volcano Job and its pods by a Volcano Job of its name
      And task ps of the Volcano Job has 1 pod
      When 1 pod of its task ps runs
      Then task worker of the Volcano Job has 1 pod, and stays so

    @VOL-041.1
    Scenario: Pods of the previous retry do not satisfy dependsOn after a restart
      Given a Volcano Job of 1 pod of task ps and 1 pod of task worker after ps with minAvailable 2
      And the scheduler admits every PodGroup
      And 1 pod of its task ps runs
      And task worker of the Volcano Job has 1 pod
      And deleted pods stay terminating
      When the user commands RestartJob
      Then the Volcano Job has been Restarting
      And task worker of the Volcano Job has 0 pods, and stays so for 2 seconds

  Rule: A Volcano Job is deleted with all its objects

    @VOL-048.1
    Scenario: A finished Volcano Job is deleted after ttlSecondsAfterFinished
      Given a Volcano Job of 1 pod with minAvailable 1 and ttlSecondsAfterFinished 2
      And the scheduler admits its PodGroup
      And 1 pod of the Volcano Job runs
      And 3 seconds pass
      When 1 pod of the Volcano Job succeeds
      Then the Volcano Job is Completed
      And the Volcano Job is gone no earlier than after 2 seconds

    @VOL-048.2
    Scenario: A failed Volcano Job is deleted after ttlSecondsAfterFinished
      Given a Volcano Job of 1 pod with minAvailable 1 and ttlSecondsAfterFinished 2
      And the scheduler admits its PodGroup
      And 1 pod of the Volcano Job runs
      And 3 seconds pass
      When 1 pod of the Volcano Job fails
      Then the Volcano Job is Failed
      And the Volcano Job is gone no earlier than after 2 seconds

    @VOL-048.4 @fault
    Scenario Outline: A finished Volcano Job is gone although its deletion is <how> at first
      Given a Volcano Job of 1 pod with minAvailable 1 and ttlSecondsAfterFinished 1
      And the scheduler admits its PodGroup
      And 1 pod of the Volcano Job runs
      And the next Volcano Job deletion is <how>
      When 1 pod of the Volcano Job succeeds
      Then the Volcano Job is gone no earlier than after 1 second

      Examples:
        | case | how                               |
        | a    | answered with 500                 |
        | b    | answered with 409                 |
        | c    | applied but its reply is lost     |

    @VOL-048.5 @fault
    Scenario: A Volcano Job whose time passes while the controllers are down is deleted
      Given a Volcano Job of 1 pod with minAvailable 1 and ttlSecondsAfterFinished 4
      And the scheduler admits its PodGroup
      And 1 pod of the Volcano Job succeeds
      And the Volcano Job is Completed
      And the implementation is killed
      And 4 seconds pass
      When the implementation is started again
      Then eventually the Volcano Job is gone no earlier than after 4 seconds

    @VOL-048.20
    Scenario: A finished Volcano Job with ttlSecondsAfterFinished 0 is deleted
      Given a Volcano Job of 1 pod with minAvailable 1 and ttlSecondsAfterFinished 0
      And the scheduler admits its PodGroup
      And 1 pod of the Volcano Job runs
      When 1 pod of the Volcano Job succeeds
      Then the Volcano Job is gone no earlier than after 0 seconds

    @VOL-048.3
    Scenario: A Volcano Job that runs longer than ttlSecondsAfterFinished is not deleted
      Given a Volcano Job of 1 pod with minAvailable 1 and ttlSecondsAfterFinished 1
      And the scheduler admits its PodGroup
      When 1 pod of the Volcano Job runs
      Then the Volcano Job is Running, and stays so for 5 seconds

    @VOL-049.1
    Scenario: All objects of a deleted Volcano Job are deleted
      Given a Volcano Job of 2 pods with minAvailable 2, the plugin svc, the plugin ssh and a volume
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And all that the Volcano Job needs has been made for it
      When the user deletes the Volcano Job
      Then nothing is left of what was made for the Volcano Job
