Feature: A gang is the pods that name its group

  Rule: Pods without a gang are bound individually, pods of other schedulers not at all

    @GNG-014.1
    Scenario: A single pod is bound beside a pending gang
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      When pod single without a gang is created
      Then pod single is bound
      And for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-014.2
    Scenario: A pod of another scheduler is not bound
      Given a node with 4 CPUs
      When pod other of another scheduler is created
      Then for 2 seconds pod other is not bound

    @GNG-014.20
    Scenario: A pod of a scheduler whose name is longer is not bound
      Given a node with 4 CPUs
      When pod other of a scheduler whose name begins with this one's is created
      Then for 2 seconds pod other is not bound

    @GNG-014.3
    Scenario: A single pod with the name of a gang does not belong to the gang
      Given a node with 10 CPUs
      And gang a with minimum 4 has 4 pods of 3 CPUs each
      When pod a without a gang is created
      Then pod a is bound
      And for 2 seconds no pod of gang a is bound, with room for 3 of them

    @GNG-041.1
    Scenario: A single pod does not wait for another pod of its owner
      Given a node with 4 CPUs
      And pod big of owner left without a gang of 100 CPUs is created
      When pod small of owner left without a gang is created
      Then pod small is bound

  Rule: A group may have no minimum

    @GNG-056.1 @cap-LooseGroups
    Scenario: As many pods of a group without a minimum are bound as fit
      Given a node with 2 CPUs
      When gang a without a minimum has 3 pods
      Then exactly 2 pods of gang a are bound, and stays so for 2 seconds

    @GNG-056.2 @cap-LooseGroups
    Scenario: The last pod of a group without a minimum is bound when it fits
      Given a node with 2 CPUs
      And gang a without a minimum has 3 pods
      And 2 pods of gang a are bound
      When another node with 1 CPU joins
      Then eventually 3 pods of gang a are bound, and stays so

    @GNG-056.3 @cap-LooseGroups
    Scenario: Pods of a group without a minimum that fit are bound when it is created
      Given a node with 2 CPUs
      And gang a without a minimum has 3 pods, whose group does not exist
      When the group of gang a is created
      Then eventually 2 pods of gang a are bound, and stays so

  Rule: All pods of a gang have its priority

    @GNG-059.1 @cap-OnePriority
    Scenario: A gang waits while a pod of it has another priority
      Given a node with 4 CPUs
      And gang a of priority low with minimum 3 has 2 pods
      When 1 pod of priority high is added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for its minimum
      And gang a is reported as not schedulable

    @GNG-059.2 @cap-OnePriority @cap-SurplusPods
    Scenario: A pod of another priority does not join a running gang
      Given a node with 4 CPUs
      And gang a of priority low with minimum 2 has 2 pods
      And 2 pods of gang a are bound
      And 1 pod of priority high is added to gang a
      When gang b with minimum 1 has 1 pod
      Then 1 pod of gang b is bound
      And exactly 2 pods of gang a are bound, and stays so for 2 seconds

  Rule: Only pods of this scheduler count for a gang

    @GNG-086.1
    Scenario: A pod of another scheduler that names the group does not complete the gang
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      When a pod of another scheduler names the group of gang a
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

  Rule: A group belongs to one namespace

    @GNG-085.1
    Scenario: Pods of a group of the same name in another namespace do not complete a gang
      Given a node with 8 CPUs
      And gang a with minimum 4 has 2 pods
      When a gang of the same name has 2 pods in another namespace
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-085.2
    Scenario: Running pods of a group of the same name elsewhere do not complete a gang
      Given a node with 8 CPUs
      And gang a with minimum 3 has 1 pod
      When a gang of the same name has 3 pods in another namespace
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

  Rule: Pods that cannot be bound do not count for a gang

    @GNG-083.1 @cap-SchedulingGates
    Scenario: A gang waits while one of its pods has a scheduling gate
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      When 1 pod that has a scheduling gate is added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-083.2 @cap-SchedulingGates
    Scenario: A gang is bound when the last scheduling gate of its pods is removed
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      And 1 pod that has a scheduling gate is added to gang a
      And 3 seconds pass
      When the scheduling gates of gang a are lifted
      Then eventually 3 pods of gang a are bound, and stays so

    @GNG-040.1 @cap-SchedulingGates
    Scenario: A gang is bound to resources that a gated gang needs
      Given a node with 3 CPUs
      And gang a with minimum 3 has 0 pods
      And 3 pods that have a scheduling gate are added to gang a
      When gang b with minimum 3 has 3 pods
      Then eventually 3 pods of gang b are bound, and stays so

    @GNG-040.2 @cap-SchedulingGates
    Scenario: A single pod is bound to resources that a gated pod needs
      Given a node with 3 CPUs
      And pod gated without a gang of 3 CPUs that has a scheduling gate is created
      And 3 seconds pass
      When pod late without a gang of 2 CPUs is created
      Then eventually pod late is bound

    @GNG-084.1
    Scenario: A gang waits while one of its pods is being deleted
      Given a node with 4 CPUs
      And gang a with minimum 3 has 0 pods
      And 1 pod that is being deleted is added to gang a
      When 2 more pods are added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-084.2
    Scenario: A gang waits while one of its waiting pods has failed
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      And another client marks 1 waiting pod of gang a as failed
      When 1 more pod is added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

  Rule: The minimum may be lowered

    @GNG-057.1 @cap-ChangeableMinimum
    Scenario: A gang is bound when its minimum is lowered to what fits
      Given a node with 2 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 seconds pass
      When the minimum of gang a is lowered to 2
      Then eventually 2 pods of gang a are bound, and stays so

    @GNG-057.2 @cap-ChangeableMinimum
    Scenario: A gang is bound when its minimum is lowered to its number of pods
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      And 3 seconds pass
      When the minimum of gang a is lowered to 2
      Then eventually 2 pods of gang a are bound, and stays so

  Rule: The minimum may be raised

    @GNG-088.1 @cap-ChangeableMinimum @cap-SurplusPods
    Scenario: A gang whose minimum was raised waits for the new minimum
      Given a node with 2 CPUs
      And gang a with minimum 3 has 4 pods
      And for 2 seconds no pod of gang a is bound, with room for 2 of them
      And the minimum of gang a is raised to 4
      When another node with 1 CPU joins
      Then for 2 seconds no pod of gang a is bound, with room for 3 of them

  Rule: Each task of a gang has a minimum of its own

    @GNG-037.1 @cap-TaskMinimums @cap-SurplusPods
    Scenario: A gang waits while one of its tasks has too few pods
      Given a node with 8 CPUs
      And gang a with minimum 3 needs 2 servers and 1 worker
      And 1 pod of task server is added to gang a
      When 3 pods of task worker are added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-037.2 @cap-TaskMinimums @cap-SurplusPods
    Scenario: A gang waits while too few pods of one of its tasks fit
      Given a node with 5 CPUs
      And gang a with minimum 3 needs 2 servers and 1 worker
      And 3 pods of task worker are added to gang a
      When 2 pods of task server of 3 CPUs each are added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-037.3 @cap-TaskMinimums @cap-SurplusPods
    Scenario: A gang is bound when each of its tasks has its minimum
      Given a node with 8 CPUs
      And gang a with minimum 3 needs 2 servers and 1 worker
      And 1 pod of task server is added to gang a
      And 3 pods of task worker are added to gang a
      And for 2 seconds no pod of gang a is bound, with room for its minimum
      When 1 pod of task server is added to gang a
      Then 5 pods of gang a are bound, and stays so

    @GNG-001.4 @cap-TaskMinimums @cap-SurplusPods
    Scenario: A gang whose tasks have their minimums waits for its own minimum
      Given a node with 8 CPUs
      And gang a with minimum 5 needs 1 server and 2 workers
      And 1 pod of task server is added to gang a
      When 2 pods of task worker are added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

  Rule: A gang gets the minimum of each task whichever of its pods came first

    @GNG-105.1 @cap-TaskMinimums @cap-SurplusPods
    Scenario: A gang gets the minimum of each task though other pods of it came first
      Given gang a with minimum 4 needs 2 servers and 2 workers
      And 4 pods of task worker are added to gang a
      And 1.2 seconds have passed
      And 2 pods of task server are added to gang a
      When a node with 4 CPUs joins
      Then eventually 4 pods of gang a are bound, and stays so
      And pod a-4 is bound
      And pod a-5 is bound

  Rule: The minimums of the tasks may change

    @GNG-098.1 @cap-TaskMinimums @cap-GroupObjects
    Scenario: A gang is bound when it no longer needs a task that has no pods
      Given a node with 8 CPUs
      And gang a with minimum 2 needs 2 servers
      And 2 pods of task worker are added to gang a
      And for 2 seconds no pod of gang a is bound, with room for its minimum
      When a user changes the tasks of gang a to 2 workers
      Then 2 pods of gang a are bound, and stays so

    @GNG-098.2 @cap-TaskMinimums @cap-GroupObjects
    Scenario: A gang is bound when the minimum of a task is lowered to its number of pods
      Given a node with 8 CPUs
      And gang a with minimum 3 needs 2 servers and 1 worker
      And 1 pod of task server is added to gang a
      And 2 pods of task worker are added to gang a
      And for 2 seconds no pod of gang a is bound, with room for its minimum
      When a user changes the tasks of gang a to 1 server and 1 worker
      Then 3 pods of gang a are bound, and stays so

    @GNG-098.3 @cap-TaskMinimums @cap-GroupObjects
    Scenario: A task that a gang needed before does not hold up the pods of another
      Given a node with 8 CPUs
      And gang a with minimum 2 needs 2 servers
      And 2 pods of task server are added to gang a
      And 2 pods of gang a are bound
      And the pods of gang a succeed and are deleted
      And a user changes the tasks of gang a to 2 workers
      When 2 pods of task worker are added to gang a
      Then 4 pods of gang a are bound, and stays so

    @GNG-037.4 @cap-TaskMinimums @cap-GroupObjects
    Scenario: A gang waits for a task that it needs since its group was changed
      Given a node with 1 CPU
      And gang a with minimum 2 needs 1 worker
      And 3 pods of task worker are added to gang a
      And for 2 seconds no pod of gang a is bound, with room for 1 of them
      And a user changes the tasks of gang a to 1 server and 1 worker
      When another node with 2 CPUs joins
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-037.5 @cap-TaskMinimums
    Scenario: A gang is bound that has no pods of a task whose minimum is 0
      Given a node with 4 CPUs
      And gang a with minimum 2 needs 2 servers and 0 workers
      When 2 pods of task server are added to gang a
      Then 2 pods of gang a are bound, and stays so

  Rule: A group may name minimum resources

    @GNG-035.1 @cap-LeastResources
    Scenario: A gang waits while the cluster has less than its minimum resources
      Given a node with 4 CPUs
      When gang a with minimum 2 that needs 100 CPUs in all has 2 pods
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-035.2 @cap-LeastResources
    Scenario: A gang is bound when the cluster has its minimum resources
      Given a node with 2 CPUs
      And gang a with minimum 2 that needs 4 CPUs in all has 2 pods
      And 3 seconds pass
      When another node with 2 CPUs joins
      Then eventually 2 pods of gang a are bound, and stays so

    @GNG-035.3 @cap-LeastResources
    Scenario: A gang waits while the cluster lacks 1 CPU of its minimum resources
      Given a node with 3 CPUs
      When gang a with minimum 2 that needs 4 CPUs in all has 2 pods
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-099.1 @cap-LeastResources
    Scenario: A gang is bound when its minimum resources are lowered to those of the nodes
      Given a node with 4 CPUs
      And gang a with minimum 2 that needs 100 CPUs in all has 2 pods
      And for 2 seconds no pod of gang a is bound, with room for its minimum
      When a user changes the minimum resources of gang a to 2 CPUs
      Then 2 pods of gang a are bound, and stays so

    @GNG-035.4 @cap-LeastResources
    Scenario: A gang waits for minimum resources that were raised
      Given a node with 1 CPU
      And gang a with minimum 2 that needs 2 CPUs in all has 2 pods
      And for 2 seconds no pod of gang a is bound, with room for 1 of them
      And a user changes the minimum resources of gang a to 100 CPUs
      When another node with 1 CPU joins
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

  Rule: The status of a group counts the pods of its gang

    @GNG-036.1 @cap-GroupCounts @cap-SurplusPods
    Scenario: The status of a group counts running, succeeded and failed pods
      Given a node with 4 CPUs
      And gang a with minimum 3 has 4 pods
      And 4 pods of gang a are bound
      And 2 running pods of gang a succeed
      When 1 running pod of gang a fails
      Then eventually the group of gang a counts 1 running pod
      And eventually the group of gang a counts 2 succeeded pods
      And eventually the group of gang a counts 1 failed pod, and stays so

    @GNG-036.2 @cap-GroupCounts
    Scenario: The status of a group counts a succeeded pod while others run
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And 3 seconds pass
      When 1 running pod of gang a succeeds
      Then eventually the group of gang a counts 2 running pods
      And eventually the group of gang a counts 1 succeeded pod, and stays so

    @GNG-036.20 @cap-GroupCounts
    Scenario: The status of a group counts no running pod once all have succeeded
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And eventually the group of gang a counts 3 running pods
      When 3 running pods of gang a succeed
      Then eventually the group of gang a counts 3 succeeded pods
      And eventually the group of gang a counts 0 running pods, and stays so

    @GNG-046.1 @cap-GroupCounts
    Scenario: The status of a group does not count pods of another namespace
      Given a node with 8 CPUs
      And gang a with minimum 4 has 3 pods
      And a gang of the same name has 2 pods that run in another namespace
      When 1 more pod is added to gang a
      And 4 pods of gang a are bound
      Then eventually the group of gang a counts 4 running pods
      And for 2 seconds the group of gang a counts 4 running pods

  Rule: The phase of a group follows its gang

    @GNG-045.1 @cap-GroupPhases
    Scenario: A group with too few pods is in the phase waiting
      Given a node with 4 CPUs
      When gang a with minimum 3 has 2 pods
      Then eventually the group of gang a is in the phase waiting
      And for 2 seconds the group of gang a is in the phase waiting

    @GNG-045.2 @cap-GroupPhases
    Scenario: A group is in the phase running once its last pod is bound
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      And eventually the group of gang a is in the phase waiting
      When 1 more pod is added to gang a
      Then 3 pods of gang a are bound, and stays so
      And eventually the group of gang a is in the phase running

    @GNG-045.3 @cap-GroupPhases
    Scenario: A group that loses a pod below its minimum is in the phase waiting again
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And eventually the group of gang a is in the phase running
      When 1 running pod of gang a vanishes
      Then eventually the group of gang a is in the phase waiting

    @GNG-045.4 @cap-GroupPhases
    Scenario: A group whose pods have succeeded is in the phase succeeded
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And eventually the group of gang a is in the phase running
      And 2 running pods of gang a succeed
      And for 2 seconds the group of gang a is in the phase running
      When 1 running pod of gang a succeeds
      Then eventually the group of gang a is in the phase succeeded

    @GNG-045.20 @cap-GroupPhases
    Scenario: A group of which one pod has succeeded stays in the phase running
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And eventually the group of gang a is in the phase running
      When 1 running pod of gang a succeeds
      Then for 2 seconds the group of gang a is in the phase running

    @GNG-045.6 @cap-GroupPhases
    Scenario: A group whose running pod is being deleted stays in the phase running
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And eventually the group of gang a is in the phase running
      And deleted pods stay terminating
      When a user deletes 1 running pod of gang a
      Then for 2 seconds the group of gang a is in the phase running

    @GNG-045.22 @cap-GroupPhases @fault
    Scenario: A group whose bindings fail is not in the phase running
      Given a node with 4 CPUs
      And pod bindings are answered with 500
      And gang a with minimum 3 has 3 pods
      When the fault has been triggered
      Then for 2 seconds the group of gang a is not in the phase running
      And once the faults end 3 pods of gang a are bound, and stays so
      And eventually the group of gang a is in the phase running

    @GNG-045.21 @cap-GroupPhases
    Scenario: A group whose node becomes not ready stays in the phase running
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And eventually the group of gang a is in the phase running
      When the first node becomes not ready
      Then for 2 seconds the group of gang a is in the phase running

    @GNG-045.5 @cap-GroupPhases
    Scenario: A group of which a pod has failed is in the phase failed
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And eventually the group of gang a is in the phase running
      When 1 running pod of gang a fails
      Then eventually the group of gang a is in the phase failed

  Rule: A deleted group remains while pods need it

    @GNG-052.1 @cap-ProtectedGroups
    Scenario: A deleted group remains while one of its pods runs
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And 2 running pods of gang a succeed
      When a user deletes the group of gang a
      Then for 2 seconds the group of gang a is not gone

    @GNG-052.2 @cap-ProtectedGroups
    Scenario: A deleted group remains while one of its pods is terminating
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And deleted pods stay terminating
      And a user deletes 3 running pods of gang a
      When a user deletes the group of gang a
      Then for 2 seconds the group of gang a is not gone

    @GNG-052.3 @cap-ProtectedGroups
    Scenario: A deleted group remains while one of its pods is pending
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      When a user deletes the group of gang a
      Then for 2 seconds the group of gang a is not gone

    @GNG-052.4 @cap-ProtectedGroups
    Scenario: A deleted group is removed when its last pod has finished
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And 2 running pods of gang a succeed
      And a user deletes the group of gang a
      And for 2 seconds the group of gang a is not gone
      When 1 running pod of gang a fails
      Then eventually the group of gang a is gone

  Rule: Pods that were never bound are gone when they are deleted

    @GNG-106.1
    Scenario Outline: No pod of a pending gang is left when all are deleted: <what>
      Given a node with 2 CPUs
      And gang a with minimum <minimum> has 3 pods
      And 3 seconds pass
      When a user deletes 3 waiting pods of gang a
      Then eventually no pod of gang a is left, and stays so

      Examples:
        | case | what         | minimum |
        | a    | no room      | 3       |
        | b    | too few pods | 4       |

  Rule: A gang that cannot be scheduled is reported

    @GNG-015.1
    Scenario: A gang that does not fit is reported
      Given a node with 2 CPUs
      When gang a with minimum 3 has 3 pods
      Then gang a is reported as not schedulable

    @GNG-015.2
    Scenario: A gang is reported even if a gang of its name elsewhere does not fit either
      Given a node with 2 CPUs
      And gang a with minimum 3 has 0 pods
      And a gang of the same name has 3 pods in another namespace
      When 3 pods are added to gang a
      Then eventually gang a is reported as not schedulable

    @GNG-015.3 @fault
    Scenario Outline: A report about a gang that is answered with <status> is retried
      Given a node with 2 CPUs
      And the next 2 reports about gangs are answered with <status>
      When gang a with minimum 3 has 3 pods
      Then eventually gang a is reported as not schedulable, and stays so

      Examples:
        | case | status |
        | a    | 409    |
        | b    | 500    |
        | c    | 422    |

    @GNG-015.4 @fault
    Scenario: A gang is reported although the replies to the first reports are lost
      Given a node with 2 CPUs
      And the next 2 reports about gangs are applied but their replies are lost
      When gang a with minimum 3 has 3 pods
      Then eventually gang a is reported as not schedulable, and stays so

    @GNG-054.1
    Scenario: A gang with too few pods is reported
      Given a node with 4 CPUs
      When gang a with minimum 3 has 2 pods
      Then eventually gang a is reported as not schedulable

    @GNG-058.1
    Scenario: The report that a gang does not fit is withdrawn when it is bound
      Given a node with 2 CPUs
      And gang a with minimum 3 has 3 pods
      And gang a is reported as not schedulable
      When another node with 1 CPU joins
      Then eventually 3 pods of gang a are bound, and stays so
      And eventually nothing reports any more that gang a cannot be scheduled

  Rule: No report remains of a gang that is complete again

    Background:
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound

    @GNG-058.2
    Scenario: Nothing reports a gang as unschedulable that was complete again
      Given the first node is cordoned
      And 1 running pod of gang a vanishes
      And 1 more pod is added to gang a
      And 2 seconds pass
      When the first node is uncordoned
      Then eventually 4 pods of gang a are bound, and stays so
      And eventually nothing reports any more that gang a cannot be scheduled

  Rule: Pods of several owners that name one group are one gang

    @GNG-021.1
    Scenario: Pods of two owners are bound together
      Given a node with 4 CPUs
      And gang a with minimum 4 has 0 pods
      And 2 pods of owner left are added to gang a
      And for 2 seconds no pod of gang a is bound, with room for its minimum
      When 2 pods of owner right are added to gang a
      Then 4 pods of gang a are bound, and stays so

    @GNG-021.2
    Scenario: Pods of two owners wait together
      Given a node with 3 CPUs
      And gang a with minimum 4 has 0 pods
      And 2 pods of owner left are added to gang a
      When 2 pods of owner right are added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for 3 of them

  Rule: Pods wait for their group to exist

    @GNG-022.1 @cap-GroupObjects
    Scenario: Pods of a group that does not exist wait
      Given a node with 4 CPUs
      When gang a with minimum 3 has 3 pods, whose group does not exist
      Then for 15 seconds no pod of gang a is bound, with room for its minimum

    @GNG-022.2 @cap-GroupObjects
    Scenario: Pods of a group are bound when it is created
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods, whose group does not exist
      And 3 seconds pass
      When the group of gang a is created
      Then 3 pods of gang a are bound, and stays so

  Rule: A gang whose group is deleted keeps its bound pods and gets no more

    # Gang b names a group that was made later: a scheduler that binds it has observed that the group of gang a is gone.
    @GNG-062.1 @cap-GroupObjects
    Scenario: A gang whose group was deleted is not bound when its last pod is created
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      And the group of gang a is deleted
      And gang b with minimum 1 has 1 pod
      And 1 pod of gang b is bound
      When 1 more pod is added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-062.2 @cap-GroupObjects
    Scenario: The pods of a running gang are not deleted with its group
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      When the group of gang a is deleted
      Then for 2 seconds no pod of gang a that was bound is deleted

    @GNG-062.3 @cap-GroupObjects @fault
    Scenario: A gang is not bound after its group was deleted in a gap in the watch
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      And the implementation misses that the group of gang a is deleted
      And 3 seconds pass
      And gang b with minimum 1 has 1 pod
      And eventually 1 pod of gang b is bound
      When 1 more pod is added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for its minimum
