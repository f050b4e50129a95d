Feature: A Volcano Job is changed while it runs, and deleted

  Rule: Pods and PodGroup follow the replicas

    @VOL-046
    Scenario: A Volcano Job that grows gets the pods that it lacks
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user changes task work to 4 pods
      Then the Volcano Job has 4 pods, and stays so
      And the pods of task work have the indexes 0, 1, 2 and 3, and stays so
      And the PodGroup of the Volcano Job needs 4 pods of task work

    @VOL-046
    Scenario: A Volcano Job that shrinks loses the highest indexes
      Given a Volcano Job of 4 pods with minAvailable 2
      And the scheduler lets its PodGroup in
      And 4 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user changes task work to 2 pods
      Then the Volcano Job has 2 pods
      And the pods of task work have the indexes 0 and 1
      And for 2 seconds the Volcano Job is Running

    @VOL-046
    Scenario: The PodGroup follows the minimum
      Given a Volcano Job of 3 pods with minAvailable 3
      And the scheduler lets its PodGroup in
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user changes minAvailable to 2
      Then a PodGroup of the Volcano Job asks for 2 pods in its queue

    @VOL-047 @fault
    Scenario: A change of the PodGroup that was refused is made later
      Given a Volcano Job of 3 pods with minAvailable 3
      And the scheduler lets its PodGroup in
      And 3 pods of the Volcano Job run
      And the Volcano Job is Running
      And the next update of the PodGroup is answered with 500
      When the user changes minAvailable to 2
      Then in the end a PodGroup of the Volcano Job asks for 2 pods in its queue

  Rule: A task may wait for another

    @VOL-040
    Scenario: A task waits until the task that it needs runs
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker after ps with minAvailable 3
      And the scheduler lets its PodGroup in
      When task ps of the Volcano Job has 1 pod
      Then for 2 seconds task worker of the Volcano Job has 0 pods

    @VOL-040
    Scenario: A task begins when the task that it needs runs
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker after ps with minAvailable 3
      And the scheduler lets its PodGroup in
      And task ps of the Volcano Job has 1 pod
      When 1 pod of its task ps runs
      Then task worker of the Volcano Job has 2 pods, and stays so

    @VOL-040
    Scenario: A task waits for containers that are not ready
      Given a Volcano Job of 1 pod of task ps and 2 pods of task worker after ps with minAvailable 3
      And the scheduler lets its PodGroup in
      And task ps of the Volcano Job has 1 pod
      When 1 pod of its task ps runs and is not ready
      Then for 2 seconds task worker of the Volcano Job has 0 pods

    @VOL-040
    Scenario: A task waits for all tasks that it needs
      Given a Volcano Job of 1 pod of task ps, 1 pod of task web and 2 pods of task worker after ps and web with minAvailable 4
      And the scheduler lets its PodGroup in
      And task ps of the Volcano Job has 1 pod
      When 1 pod of its task ps runs
      Then for 2 seconds task worker of the Volcano Job has 0 pods

    @VOL-040
    Scenario: A task waits for one of the tasks that it needs
      Given a Volcano Job of 1 pod of task ps, 1 pod of task web and 2 pods of task worker after ps or web with minAvailable 4
      And the scheduler lets its PodGroup in
      And task ps of the Volcano Job has 1 pod
      When 1 pod of its task ps runs
      Then task worker of the Volcano Job has 2 pods, and stays so

    @VOL-041
    Scenario: A task does not begin with what is left of the try before
      Given a Volcano Job of 1 pod of task ps and 1 pod of task worker after ps with minAvailable 2
      And the scheduler lets every PodGroup in
      And 1 pod of its task ps runs
      And task worker of the Volcano Job has 1 pod
      And deleted pods stay terminating
      When the user commands RestartJob
      Then the Volcano Job has been Restarting
      And task worker of the Volcano Job has 0 pods, and stays so for 2 seconds

  Rule: A Volcano Job goes with all that was made for it

    @VOL-048
    Scenario: A Volcano Job that has ended is deleted when its time is over
      Given a Volcano Job of 1 pod with minAvailable 1 and ttlSecondsAfterFinished 2
      And the scheduler lets its PodGroup in
      And 1 pod of the Volcano Job runs
      When 1 pod of the Volcano Job succeeds
      Then the Volcano Job is Completed
      And the Volcano Job is gone not sooner than after 2 seconds

    @VOL-049
    Scenario: Nothing is left of a Volcano Job that is deleted
      Given a Volcano Job of 2 pods with minAvailable 2, the plugin svc, the plugin ssh and a volume
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      And all that the Volcano Job needs has been made for it
      When the user deletes the Volcano Job
      Then nothing is left of what was made for the Volcano Job
