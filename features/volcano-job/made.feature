Feature: The objects of a Volcano Job are created before its pods

  Rule: The PodGroup has the requirements of its Volcano Job

    @VOL-002.2
    Scenario: The PodGroup has the minimum of each task
      Given a Volcano Job of 2 pods of task ps and 3 pods of task worker of which 1 must succeed with minAvailable 3
      Then the PodGroup of the Volcano Job needs 2 pods of task ps
      And the PodGroup of the Volcano Job needs 1 pod of task worker

    @VOL-002.3
    Scenario: The PodGroup has the labels of the Volcano Job
      Given a Volcano Job of 1 pod with minAvailable 1 and the label color
      Then the PodGroup of the Volcano Job has the label color

    @VOL-086.1
    Scenario: The PodGroup has the priority of the Volcano Job
      Given a Volcano Job of 1 pod with minAvailable 1 and the priorityClassName high
      Then the PodGroup of the Volcano Job has the priorityClassName high, and stays so

    @VOL-086.2
    Scenario: The priority of a Pending PodGroup follows that of the Volcano Job
      Given a Volcano Job of 1 pod with minAvailable 1 and the priorityClassName low
      And the scheduler lets its PodGroup wait
      When the user changes the priorityClassName to high
      Then the PodGroup of the Volcano Job has the priorityClassName high, and stays so

    @VOL-086.3
    Scenario: The priority of a PodGroup whose pods run follows that of the Volcano Job
      Given a Volcano Job of 1 pod with minAvailable 1 and the priorityClassName low
      And the scheduler admits its PodGroup
      And 1 pod of the Volcano Job runs
      When the user changes the priorityClassName to high
      Then the PodGroup of the Volcano Job has the priorityClassName high, and stays so

    @VOL-086.4
    Scenario: The PodGroup has the priority again that another client has changed
      Given a Volcano Job of 2 pods with minAvailable 2 and the priorityClassName high
      And the scheduler admits its PodGroup
      And the Volcano Job has 2 pods
      And another client sets priorityClassName of the PodGroup of the Volcano Job to low
      When 2 pods of the Volcano Job run
      Then eventually the PodGroup of the Volcano Job has the priorityClassName high, and stays so

    @VOL-002.4 @fault
    Scenario: A PodGroup whose creation is rejected is created later
      Given the next 2 PodGroup creations are answered with 422
      And the scheduler admits every PodGroup
      When a Volcano Job of 2 pods with minAvailable 2
      Then eventually a PodGroup of the Volcano Job needs 2 pods in its queue
      And eventually the Volcano Job has 2 pods, and stays so, as VOL-004 requires

    @VOL-002.5
    Scenario: The PodGroup has the minimum again that another client has changed
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And the Volcano Job has 2 pods
      And another client sets minMember of the PodGroup of the Volcano Job to 1
      When 2 pods of the Volcano Job run
      Then eventually a PodGroup of the Volcano Job needs 2 pods in its queue, and stays so

    @VOL-002.6
    Scenario: A Volcano Job has a PodGroup of its own after a pending one of its name
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler lets its PodGroup wait
      When the user replaces the Volcano Job and its pods by a Volcano Job of its name
      Then a PodGroup of the Volcano Job needs 2 pods in its queue, and stays so

    @VOL-002.21
    Scenario: The PodGroup has the minimum of a task again that another client has changed
      Given a Volcano Job of 2 pods of task work of which 2 must succeed with minAvailable 2
      And the scheduler admits its PodGroup
      And the Volcano Job has 2 pods
      And another client sets minTaskMember of the PodGroup of the Volcano Job to 1
      When 2 pods of the Volcano Job run
      Then eventually the PodGroup of the Volcano Job needs 2 pods of task work, and stays so

    @VOL-002.22
    Scenario Outline: The minimum of a task in the PodGroup follows a changed minAvailable <when>
      Given a Volcano Job of 3 pods of task work of which 1 must succeed with minAvailable 1
      And <before>
      And the PodGroup of the Volcano Job needs 1 pod of task work
      When the user changes minAvailable of task work to 2
      Then the PodGroup of the Volcano Job needs 2 pods of task work, and stays so

      Examples:
        | case | when                          | before                               |
        | a    | while the PodGroup waits      | the scheduler lets its PodGroup wait |
        | b    | once the PodGroup is admitted | the scheduler admits its PodGroup    |

    @VOL-002.20
    Scenario: The PodGroup has a minimum of a task that exceeds that of the Volcano Job
      Given a Volcano Job of 1 pod of task ps and 3 pods of task worker of which 3 must succeed with minAvailable 1
      Then the PodGroup of the Volcano Job needs 3 pods of task worker
      And the PodGroup of the Volcano Job needs 1 pod of task ps

    @VOL-003.1
    Scenario: The PodGroup requests the resources of the minimum
      Given a Volcano Job of 3 pods requesting 2 CPUs with minAvailable 2
      Then the PodGroup of the Volcano Job needs 4 CPUs

    @VOL-003.2
    Scenario: The minimum resources count tasks of higher priority first
      Given a Volcano Job of 2 pods of task small of low priority requesting 1 CPU and 2 pods of task big of high priority requesting 4 CPUs with minAvailable 2
      Then the PodGroup of the Volcano Job needs 8 CPUs

    @VOL-003.3
    Scenario: The minimum resources count the minimum of every task first
      Given a Volcano Job of 2 pods of task big of high priority requesting 4 CPUs of which 1 must succeed and 2 pods of task small of low priority requesting 1 CPU of which 1 must succeed with minAvailable 2
      Then the PodGroup of the Volcano Job needs 5 CPUs

    @VOL-003.4
    Scenario: The minimum resources count tasks of equal priority
      Given a Volcano Job of 2 pods of task small of high priority requesting 1 CPU of which 1 must succeed and 2 pods of task big of high priority requesting 4 CPUs of which 1 must succeed with minAvailable 2
      Then the PodGroup of the Volcano Job needs 5 CPUs

    @VOL-003.5
    Scenario: The PodGroup has the minimum resources again that another client has changed
      Given a Volcano Job of 2 pods requesting 1 CPU with minAvailable 2
      And the scheduler admits its PodGroup
      And the Volcano Job has 2 pods
      And another client sets minResources of the PodGroup of the Volcano Job to 9 CPUs
      When 2 pods of the Volcano Job run
      Then eventually the PodGroup of the Volcano Job needs 2 CPUs, and stays so

    @VOL-003.6
    Scenario: The minimum resources follow minAvailable
      Given a Volcano Job of 3 pods requesting 2 CPUs with minAvailable 2
      And the PodGroup of the Volcano Job needs 4 CPUs
      When the user changes minAvailable to 3
      Then the PodGroup of the Volcano Job needs 6 CPUs, and stays so

    @VOL-005.1 @fault
    Scenario: Pods are created for a PodGroup that is Inqueue when first observed
      Given the implementation's view of podgroups is stale
      And a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And the server ends the watches of podgroups with 410
      When the view of podgroups catches up
      Then eventually the Volcano Job has 2 pods, and stays so

  Rule: The queue of a Volcano Job must exist

    @VOL-008.1
    Scenario: A Volcano Job in a queue that does not exist gets no pod
      Given the scheduler admits every PodGroup
      When the user submits a Volcano Job in a queue that does not exist
      Then for 2 seconds the Volcano Job has 0 pods

    @VOL-008.20
    Scenario: A Running Volcano Job whose queue is gone gets no pod
      Given a Volcano Job of 2 pods with minAvailable 1
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And the queue is deleted although it has a PodGroup
      When the user deletes 1 pod of the Volcano Job
      Then for 2 seconds the Volcano Job has 1 pod

  Rule: Volumes get PersistentVolumeClaims

    @VOL-007.1
    Scenario: A volume of a Volcano Job gets a PersistentVolumeClaim
      Given a Volcano Job of 1 pod with minAvailable 1 and a volume
      When the scheduler admits its PodGroup
      Then the Volcano Job has 1 pod, and stays so
      And the Volcano Job has a PersistentVolumeClaim of its own that its pods mount
      And the Volcano Job lists its PersistentVolumeClaim as its own

    @VOL-007.2
    Scenario: A Volcano Job waits for the PersistentVolumeClaim that it names
      Given the scheduler admits every PodGroup
      When a Volcano Job of 1 pod with minAvailable 1 and the volume data
      Then an event PVCError of the Volcano Job names data
      And for 2 seconds the Volcano Job has 0 pods
      And now the Volcano Job is Pending

    @VOL-007.3
    Scenario: A Volcano Job starts when the PersistentVolumeClaim that it names exists
      Given the scheduler admits every PodGroup
      And a Volcano Job of 1 pod with minAvailable 1 and the volume data
      And an event PVCError of the Volcano Job names data
      When the user creates the PersistentVolumeClaim data
      Then eventually the Volcano Job has 1 pod, and stays so

    @VOL-007.4
    Scenario: A volume gets one PersistentVolumeClaim while the Volcano Job waits for another
      Given the scheduler admits every PodGroup
      And a Volcano Job of 1 pod with minAvailable 1, a volume and the volume data
      And an event PVCError of the Volcano Job names data
      And 3 seconds pass
      When the user creates the PersistentVolumeClaim data
      Then eventually the Volcano Job has 1 pod, and stays so
      And for 2 seconds 1 PersistentVolumeClaim has been made for the Volcano Job

    @VOL-007.5 @fault
    Scenario: A volume gets one PersistentVolumeClaim if the reply to its creation is lost
      Given the next PersistentVolumeClaim creation is applied but its reply is lost
      And a Volcano Job of 1 pod with minAvailable 1 and a volume
      When the scheduler admits its PodGroup
      Then eventually the Volcano Job has 1 pod, and stays so
      And for 2 seconds 1 PersistentVolumeClaim has been made for the Volcano Job

    @VOL-007.6 @fault
    Scenario Outline: A volume gets one PersistentVolumeClaim if its creation is <how> at first
      Given the next PersistentVolumeClaim creation is <how>
      And the scheduler admits every PodGroup
      When a Volcano Job of 1 pod with minAvailable 1 and a volume
      Then eventually the Volcano Job has 1 pod, and stays so
      And for 2 seconds 1 PersistentVolumeClaim has been made for the Volcano Job

      Examples:
        | case | how                               |
        | a    | refused because the name is taken |
        | b    | answered with 422                 |

    # A controller that stores the name of the claim in the Job does so with an old Job, which is refused.
    @VOL-007.11 @fault
    Scenario: A volume gets one PersistentVolumeClaim if the Job changes meanwhile
      Given the next PersistentVolumeClaim creation takes 2 seconds
      And the scheduler admits every PodGroup
      And a Volcano Job of 1 pod with minAvailable 1 and a volume
      And the fault has been triggered
      When another client labels the Volcano Job
      Then eventually the Volcano Job has 1 pod, and stays so
      And for 2 seconds 1 PersistentVolumeClaim has been made for the Volcano Job

    @VOL-007.7
    Scenario Outline: A volume gets one PersistentVolumeClaim if that is <how> by others
      Given a Volcano Job of 1 pod with minAvailable 1 and a volume
      And the scheduler lets its PodGroup wait
      And <what happens>
      When the scheduler admits its PodGroup
      Then eventually the Volcano Job has 1 pod, and stays so
      And for 2 seconds 1 PersistentVolumeClaim has been made for the Volcano Job

      Examples:
        | case | how       | what happens                                                             |
        | a    | labelled  | another client labels the PersistentVolumeClaim of the Volcano Job       |
        | b    | annotated | another client annotates the PersistentVolumeClaim of the Volcano Job    |
        | c    | disowned  | another client disowns the PersistentVolumeClaim of the Volcano Job      |
        | d    | bound     | the volume controller binds the PersistentVolumeClaim of the Volcano Job |

    @VOL-007.8
    Scenario: No claim is made for one that is Lost
      Given the user creates the PersistentVolumeClaim data
      And the volume controller loses the volume of the PersistentVolumeClaim data
      And a Volcano Job of 1 pod with minAvailable 1 and the volume data
      When the scheduler admits its PodGroup
      Then for 2 seconds 0 PersistentVolumeClaims have been made for the Volcano Job

    @VOL-007.9 @fault
    Scenario Outline: A Volcano Job starts with a claim that was replaced by one of its name: <when>
      Given the user creates the PersistentVolumeClaim data
      And a Volcano Job of 1 pod with minAvailable 1 and the volume data
      And the scheduler lets its PodGroup wait
      And <what happens>
      When the scheduler admits its PodGroup
      Then eventually the Volcano Job has 1 pod, and stays so
      And for 2 seconds 0 PersistentVolumeClaims have been made for the Volcano Job

      Examples:
        | case | when       | what happens                                                                               |
        | a    | at rest    | the user replaces the PersistentVolumeClaim data by one of its name                        |
        | b    | late watch | the implementation sees late that the PersistentVolumeClaim data is replaced by one of its name |
        | c    | watch gap  | the implementation misses that the PersistentVolumeClaim data is replaced by one of its name |

    @VOL-007.10
    Scenario: A Volcano Job waits for its claim again if that ends before its pods
      Given the PersistentVolumeClaim data is being deleted
      And a Volcano Job of 1 pod with minAvailable 1 and the volume data
      And the scheduler lets its PodGroup wait
      And the PersistentVolumeClaim data that is being deleted is gone
      And the scheduler admits its PodGroup
      And an event PVCError of the Volcano Job names data
      When the user creates the PersistentVolumeClaim data
      Then eventually the Volcano Job has 1 pod, and stays so

    @VOL-007.20
    Scenario: A PersistentVolumeClaim of another namespace is not the one that is named
      Given the scheduler admits every PodGroup
      And another namespace has the PersistentVolumeClaim data
      When a Volcano Job of 1 pod with minAvailable 1 and the volume data
      Then an event PVCError of the Volcano Job names data
      And for 2 seconds the Volcano Job has 0 pods

  Rule: Failed creations are retried

    @VOL-012.1 @fault
    Scenario Outline: A pod of a Volcano Job whose <nth> creation fails is created later
      Given the <nth> pod creation is answered with 500
      And a Volcano Job of <pods> with minAvailable 1
      When the scheduler admits its PodGroup
      Then eventually the Volcano Job has <pods>
      And for 2 seconds the Volcano Job has <pods>

      Examples:
        | case | nth | pods   |
        | a    | 1st | 1 pod  |
        | b    | 2nd | 4 pods |

    @VOL-012.2 @fault
    Scenario: A Volcano Job has all pods although responses to creations are lost
      Given every 2nd pod creation is applied but its reply is lost
      And a Volcano Job of 4 pods with minAvailable 4
      When the scheduler admits its PodGroup
      Then eventually the Volcano Job has 4 pods, and stays so

    @VOL-012.3 @fault
    Scenario: A Volcano Job has all pods after a crash during pod creation
      Given the implementation is killed just after its 2nd pod creation and started again
      And a Volcano Job of 4 pods with minAvailable 4
      When the scheduler admits its PodGroup
      Then eventually the Volcano Job has 4 pods, and stays so

    @VOL-012.20 @fault
    Scenario Outline: A Volcano Job has all pods although the creation of each is <how> at first
      Given the next 4 pod creations are <how>
      And a Volcano Job of 2 pods with minAvailable 2
      When the scheduler admits its PodGroup
      Then eventually the Volcano Job has 2 pods, and stays so

      Examples:
        | case | how                        |
        | a    | answered with 500          |
        | b    | refused by a quota with 403 |
        | c    | refused by a quota with 409 |
        | d    | answered with 422          |

    @VOL-013.1 @fault
    Scenario: A Volcano Job whose pods are always rejected is terminated
      Given pod creations are answered with 403
      And a Volcano Job of 2 pods with minAvailable 2
      When the scheduler admits its PodGroup
      Then eventually the Volcano Job is Terminated, and stays so
      And an event ExecuteAction of the Volcano Job names limit

  Rule: A pod of the same name is not touched

    @VOL-051.1
    Scenario: A pod of another client with the same name is not adopted or deleted
      Given another pod has the name of the first pod of the Volcano Job
      And a Volcano Job of 2 pods with minAvailable 2
      When the scheduler admits its PodGroup
      Then the Volcano Job has 1 pod
      And for 2 seconds the pod with the name of the first has no controller

    @VOL-051.2
    Scenario: A pod that another client has disowned is not deleted
      Given a Volcano Job of 2 pods with minAvailable 1
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When another client takes the owner from 1 pod of the Volcano Job
      Then for 2 seconds the pod with the name of the first has no controller

  Rule: A PodGroup of the same name is not touched

    @VOL-066.1
    Scenario: A PodGroup of a user with the name of a Volcano Job is not changed
      Given the user creates a PodGroup with the name of the Volcano Job
      When a Volcano Job of 2 pods with minAvailable 2
      Then the Volcano Job begins as Pending, with version 0 and its minimum in its status
      And for 2 seconds the PodGroup with the name of the Volcano Job is as its user made it

    @VOL-066.2
    Scenario: A Volcano Job runs beside a PodGroup of a user with its name
      Given the scheduler admits every PodGroup
      And the user creates a PodGroup with the name of the Volcano Job
      When a Volcano Job of 2 pods with minAvailable 2
      Then a PodGroup of the Volcano Job needs 2 pods in its queue
      And the Volcano Job has 2 pods, and stays so

    @VOL-016.8
    Scenario Outline: A Volcano Job is Completed although its PodGroup is <how> by others
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And <what happens>
      When 2 pods of the Volcano Job succeed
      Then the Volcano Job is Completed, and stays so

      Examples:
        | case | how                    | what happens                                                                |
        | a    | labelled               | another client labels the PodGroup of the Volcano Job                       |
        | b    | annotated              | another client annotates the PodGroup of the Volcano Job                    |
        | c    | disowned               | another client disowns the PodGroup of the Volcano Job                      |
        | d    | reported Unschedulable | the scheduler reports that the PodGroup of the Volcano Job is Unschedulable |

  Rule: An object of the name of a plugin's is not touched

    @VOL-076.1
    Scenario Outline: A <kind> that a plugin would create is not changed or deleted if it is there
      Given another client has a <kind> of the name that a plugin would give its own
      And the scheduler admits every PodGroup
      And a Volcano Job of 2 pods with minAvailable 2, the plugin svc and the plugin ssh
      And the Volcano Job begins as Pending, with version 0 and its minimum in its status
      And 2 seconds pass
      When the user commands AbortJob
      Then the Volcano Job is Aborted, and stays so, as VOL-021 requires
      And the <kind> that is not the Volcano Job's own is as it was

      Examples:
        | case | kind          |
        | a    | ConfigMap     |
        | b    | Secret        |
        | c    | NetworkPolicy |
        | d    | service       |

    @VOL-076.2
    Scenario: A ConfigMap that another client has disowned is not deleted
      Given a Volcano Job of 2 pods with minAvailable 2 and the plugin svc
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And another client disowns the ConfigMap of the Volcano Job
      When the user commands AbortJob
      Then the Volcano Job is Aborted, and stays so, as VOL-021 requires
      And the ConfigMap that is not the Volcano Job's own is as it was

  Rule: A PodGroup that is deleted is created again

    @VOL-068.1
    Scenario: A Volcano Job whose PodGroup is deleted while it waits gets another
      Given a Volcano Job of 2 pods with minAvailable 2
      And the scheduler lets its PodGroup wait
      When the user deletes the PodGroup of the Volcano Job
      Then a PodGroup of the Volcano Job needs 2 pods in its queue
      And the PodGroup of the Volcano Job is another one than at first

  Rule: A Volcano Job comes to the same end whatever fails on the way

    @VOL-075.1 @fault
    Scenario Outline: A Volcano Job has its pods after crashes just <moment> each 4th write
      Given the implementation is killed just <moment> every 4th write from write 1 on and started again
      And a Volcano Job of 4 pods with minAvailable 4
      When the scheduler admits its PodGroup
      Then eventually the Volcano Job has 4 pods, and stays so
      And once the faults end the implementation runs

      Examples:
        | case | moment |
        | a    | before |
        | b    | after  |
