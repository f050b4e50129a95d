Feature: Policies say what follows from what happens to pods

  Rule: An event leads to the action of its policy

    @VOL-028
    Scenario Outline: A failed pod leads to the action of its policy
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy <event> <action>
      And the scheduler lets every PodGroup in
      And 2 pods of the Volcano Job run
      When 1 pod of the Volcano Job fails
      Then the Volcano Job has been <phase>

      Examples:
        | event     | action       | phase      |
        | PodFailed | TerminateJob | Terminated |
        | PodFailed | CompleteJob  | Completed  |
        | *         | TerminateJob | Terminated |

    @VOL-028
    Scenario: A pod that a user has deleted leads to the action of its policy
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodEvicted TerminateJob
      And the scheduler lets every PodGroup in
      And 2 pods of the Volcano Job run
      When the user deletes 1 pod of the Volcano Job
      Then the Volcano Job is Terminated, and stays so

    @VOL-028
    Scenario: A policy overlooks other events
      Given a Volcano Job of 2 pods with minAvailable 1 and the policy PodEvicted TerminateJob
      And the scheduler lets every PodGroup in
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of the Volcano Job fails
      Then for 2 seconds the Volcano Job is Running

    @VOL-028
    Scenario: Pods that find no place any more lead to the action of their policy
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy Unknown AbortJob
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      When the scheduler cannot place all pods of its PodGroup any more
      Then the Volcano Job is Aborted, and stays so

    @VOL-028
    Scenario: Containers that were started again too often fail their task
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy TaskFailed TerminateJob
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      When the containers of 1 pod of the Volcano Job have been restarted 3 times
      Then the Volcano Job is Terminated, and stays so

  Rule: A task may have policies of its own

    @VOL-029
    Scenario: The policy of a task comes before that of the Volcano Job
      Given a Volcano Job of 2 pods with minAvailable 2, the policy PodFailed AbortJob and the policy PodFailed TerminateJob of task work
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      When 1 pod of the Volcano Job fails
      Then the Volcano Job is Terminated, and stays so

    @VOL-029
    Scenario: The policy of another task does not count
      Given a Volcano Job of 1 pod of task ps and 1 pod of task worker with minAvailable 2, the policy PodFailed AbortJob and the policy PodFailed TerminateJob of task worker
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      When 1 pod of its task ps fails
      Then the Volcano Job is Aborted, and stays so

  Rule: A policy may name an exit code, or several events

    @VOL-030
    Scenario: The exit code of a policy leads to its action
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy 3 TerminateJob
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      When 1 pod of the Volcano Job fails with exit code 3
      Then the Volcano Job is Terminated, and stays so

    @VOL-030
    Scenario: Another exit code does not count
      Given a Volcano Job of 2 pods with minAvailable 1 and the policy 3 TerminateJob
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of the Volcano Job fails with exit code 4
      Then for 2 seconds the Volcano Job is Running

    @VOL-031
    Scenario: The first of several events leads to the action
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodEvicted or PodFailed TerminateJob
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      When the user deletes 1 pod of the Volcano Job
      Then the Volcano Job is Terminated, and stays so

    @VOL-031
    Scenario: Another of several events leads to the action
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodEvicted or PodFailed TerminateJob
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      When 1 pod of the Volcano Job fails
      Then the Volcano Job is Terminated, and stays so

  Rule: Without a policy pods are only counted

    @VOL-032
    Scenario: A pod that a user has deleted is made again
      Given a Volcano Job of 2 pods with minAvailable 1
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user deletes 1 pod of the Volcano Job
      Then 1 pod of the Volcano Job was made since it became Running, and stays so for 2 seconds
      And the Volcano Job has 2 pods

    @VOL-032
    Scenario: A failed pod is left as it is
      Given a Volcano Job of 2 pods with minAvailable 1
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of the Volcano Job fails
      Then for 2 seconds the Volcano Job keeps 1 pod that has failed
      And for 2 seconds 0 pods of the Volcano Job were made since it became Running

  Rule: A task may be restarted alone

    @VOL-033
    Scenario: A task whose pod has failed is restarted
      Given a Volcano Job of 1 pod of task ps and 1 pod of task worker with minAvailable 2 and the policy PodFailed RestartTask of task worker
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of its task worker fails
      Then 1 pod of the Volcano Job was made since it became Running, and stays so
      And the Volcano Job has 2 unfinished pods

  Rule: A task is completed when all its pods have succeeded

    @VOL-034
    Scenario: A completed task leads to the action of its policy
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker with minAvailable 3 and the policy TaskCompleted CompleteJob of task worker
      And the scheduler lets its PodGroup in
      And 3 pods of the Volcano Job run
      And 1 pod of its task worker succeeds
      When 1 pod of its task worker succeeds
      Then the Volcano Job is Completed, and stays so
      And the Volcano Job has 0 unfinished pods

    @VOL-034
    Scenario: A task is not completed while one of its pods runs
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker with minAvailable 3 and the policy TaskCompleted CompleteJob of task worker
      And the scheduler lets its PodGroup in
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      When 1 pod of its task worker succeeds
      Then for 2 seconds the Volcano Job is Running

    @VOL-034
    Scenario: A completed task leads to its action once
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker with minAvailable 3 and the policy TaskCompleted RestartJob of task worker
      And the scheduler lets every PodGroup in
      And 3 pods of the Volcano Job run
      When 2 pods of its task worker succeed
      Then 3 pods of the Volcano Job were made since it became Restarting
      And for 2 seconds the Volcano Job reports retryCount 1

  Rule: What happens while nobody looks counts too

    @VOL-035 @fault
    Scenario: A pod fails while the controller is down
      Given a Volcano Job of 2 pods with minAvailable 2 and the policy PodFailed TerminateJob
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And the implementation is killed
      And 1 pod of the Volcano Job fails
      When the implementation is started again
      Then in the end the Volcano Job is Terminated, and stays so

  Rule: What has succeeded is not run again

    @VOL-050
    Scenario: A pod that has succeeded vanishes
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      And 1 pod of the Volcano Job succeeds
      And the Volcano Job reports succeeded 1
      When the user makes a pod of the Volcano Job vanish that has succeeded
      Then for 2 seconds the Volcano Job has 1 unfinished pod
