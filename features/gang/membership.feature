Feature: A gang is what names its group

  Rule: Pods without a gang are bound each by itself, those of others not at all

    @GNG-014
    Scenario: A pod without a gang is bound beside a gang that waits
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      When pod single without a gang is created
      Then pod single is bound
      And for 2 seconds no pod of gang a is bound, with room for all of them

    @GNG-014
    Scenario: A pod of another scheduler is left alone
      Given a node with 4 CPUs
      When pod other for another scheduler is created
      Then for 2 seconds pod other is not bound

    @GNG-014
    Scenario: A pod without a gang that has the name of a gang is none of it
      Given a node with 10 CPUs
      And gang a with minimum 4 has 4 pods of 3 CPUs each
      When pod a without a gang is created
      Then pod a is bound
      And for 2 seconds no pod of gang a is bound, with room for 3 of them

    @GNG-041
    Scenario: A pod without a gang does not wait for another of its owner
      Given a node with 4 CPUs
      And pod big of owner left without a gang of 100 CPUs is created
      When pod small of owner left without a gang is created
      Then pod small is bound

  Rule: A group may have no minimum

    @GNG-056 @cap-LooseGroups
    Scenario: Of a group without a minimum as many pods are bound as fit
      Given a node with 2 CPUs
      When gang a without a minimum has 3 pods
      Then exactly 2 pods of gang a are bound, and stays so for 2 seconds

    @GNG-056 @cap-LooseGroups
    Scenario: The last pod of a group without a minimum is bound when it fits
      Given a node with 2 CPUs
      And gang a without a minimum has 3 pods
      And 2 pods of gang a are bound
      When another node with 1 CPU joins
      Then in the end 3 pods of gang a are bound, and stays so

    @GNG-056 @cap-LooseGroups
    Scenario: Pods that fit of a group without a minimum are bound when it is created
      Given a node with 2 CPUs
      And 3 pods name the group of gang a without a minimum, which does not exist
      When the group of gang a is created
      Then in the end 2 pods of gang a are bound, and stays so

  Rule: All pods of a gang have its priority

    @GNG-059 @cap-OnePriority
    Scenario: A gang waits while a pod of it has another priority
      Given a node with 4 CPUs
      And gang a of priority low with minimum 3 has 2 pods
      When 1 pod of priority high is added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for all of them
      And gang a is reported as not schedulable

    @GNG-059 @cap-OnePriority @cap-SurplusPods
    Scenario: A gang that runs gets no pod of another priority
      Given a node with 4 CPUs
      And gang a of priority low with minimum 2 has 2 pods
      And 2 pods of gang a are bound
      And 1 pod of priority high is added to gang a
      When gang b with minimum 1 has 1 pod
      Then 1 pod of gang b is bound
      And exactly 2 pods of gang a are bound, and stays so for 2 seconds

  Rule: Only pods of this scheduler make up a gang

    @GNG-086
    Scenario: A pod of another scheduler that names the group does not complete the gang
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      When a pod of another scheduler names the group of gang a
      Then for 2 seconds no pod of gang a is bound, with room for all of them

  Rule: A group is one of its namespace

    @GNG-085
    Scenario: Pods of a group of the same name in another namespace do not complete a gang
      Given a node with 8 CPUs
      And gang a with minimum 4 has 2 pods
      When a gang of the same name has 2 pods in another namespace
      Then for 2 seconds no pod of gang a is bound, with room for all of them

    @GNG-085
    Scenario: Running pods of a group of the same name elsewhere do not complete a gang
      Given a node with 8 CPUs
      And gang a with minimum 3 has 1 pod
      When a gang of the same name has 3 pods in another namespace
      Then for 2 seconds no pod of gang a is bound, with room for all of them

  Rule: Pods that may not be bound do not make up a gang

    @GNG-083 @cap-SchedulingGates
    Scenario: A gang waits while one of its pods has a scheduling gate
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      When 1 pod of gang a is added that has a scheduling gate
      Then for 2 seconds no pod of gang a is bound, with room for all of them

    @GNG-083 @cap-SchedulingGates
    Scenario: A gang is bound when the last gate of its pods is lifted
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      And 1 pod of gang a is added that has a scheduling gate
      And 3 seconds pass
      When the scheduling gates of gang a are lifted
      Then in the end 3 pods of gang a are bound, and stays so

    @GNG-040 @cap-SchedulingGates
    Scenario: A gang is bound on what another that has scheduling gates would need
      Given a node with 3 CPUs
      And gang a with minimum 3 has 0 pods
      And 3 pods of gang a are added that have a scheduling gate
      When gang b with minimum 3 has 3 pods
      Then in the end 3 pods of gang b are bound, and stays so

    @GNG-040 @cap-SchedulingGates
    Scenario: A pod is bound on what another that has a scheduling gate would need
      Given a node with 3 CPUs
      And pod gated without a gang of 3 CPUs that has a scheduling gate is created
      And 3 seconds pass
      When pod late without a gang of 2 CPUs is created
      Then in the end pod late is bound

    @GNG-084
    Scenario: A gang waits while one of its pods is being deleted
      Given a node with 4 CPUs
      And gang a with minimum 3 has 0 pods
      And 1 pod of gang a is added that is being deleted
      When 2 more pods are added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for all of them

  Rule: The minimum may be lowered

    @GNG-057 @cap-ChangeableMinimum
    Scenario: A gang is bound when its minimum is lowered to what fits
      Given a node with 2 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 seconds pass
      When the minimum of gang a is lowered to 2
      Then in the end 2 pods of gang a are bound, and stays so

    @GNG-057 @cap-ChangeableMinimum
    Scenario: A gang is bound when its minimum is lowered to the pods that there are
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      And 3 seconds pass
      When the minimum of gang a is lowered to 2
      Then in the end 2 pods of gang a are bound, and stays so

  Rule: The minimum may be raised

    @GNG-088 @cap-ChangeableMinimum @cap-SurplusPods
    Scenario: A gang waits for the minimum that it has been raised to
      Given a node with 2 CPUs
      And gang a with minimum 3 has 4 pods
      And for 2 seconds no pod of gang a is bound, with room for 2 of them
      And the minimum of gang a is raised to 4
      When another node with 1 CPU joins
      Then for 2 seconds no pod of gang a is bound, with room for 3 of them

  Rule: Each task of a gang has a minimum of its own

    @GNG-037 @cap-TaskMinimums @cap-SurplusPods
    Scenario: A gang waits while one of its tasks lacks pods
      Given a node with 8 CPUs
      And gang a with minimum 3 needs 2 servers and 1 worker
      And 1 server is added to gang a
      When 3 workers are added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for all of them

    @GNG-037 @cap-TaskMinimums @cap-SurplusPods
    Scenario: A gang waits while one of its tasks lacks room
      Given a node with 5 CPUs
      And gang a with minimum 3 needs 2 servers and 1 worker
      And 3 workers are added to gang a
      When 2 servers of 3 CPUs each are added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for all of them

    @GNG-037 @cap-TaskMinimums @cap-SurplusPods
    Scenario: A gang is bound when each of its tasks has its minimum
      Given a node with 8 CPUs
      And gang a with minimum 3 needs 2 servers and 1 worker
      And 1 server is added to gang a
      And 3 workers are added to gang a
      And for 2 seconds no pod of gang a is bound, with room for all of them
      When 1 server is added to gang a
      Then 5 pods of gang a are bound, and stays so

    @GNG-001 @cap-TaskMinimums @cap-SurplusPods
    Scenario: A gang whose tasks have their minimum waits for its own
      Given a node with 8 CPUs
      And gang a with minimum 5 needs 1 server and 2 workers
      And 1 server is added to gang a
      When 2 workers are added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for all of them

  Rule: A gang may say what there must be at least

    @GNG-035 @cap-LeastResources
    Scenario: A gang waits while the cluster has less than it says it needs
      Given a node with 4 CPUs
      When gang a with minimum 2 that needs 100 CPUs in all has 2 pods
      Then for 2 seconds no pod of gang a is bound, with room for all of them

    @GNG-035 @cap-LeastResources
    Scenario: A gang is bound when the cluster has what it says it needs
      Given a node with 2 CPUs
      And gang a with minimum 2 that needs 4 CPUs in all has 2 pods
      And 3 seconds pass
      When another node with 2 CPUs joins
      Then in the end 2 pods of gang a are bound, and stays so

  Rule: A group counts the pods of its gang

    @GNG-036 @cap-GroupCounts @cap-SurplusPods
    Scenario: The group of a gang counts the pods that run and that have ended
      Given a node with 4 CPUs
      And gang a with minimum 3 has 4 pods
      And 4 pods of gang a are bound
      And 2 running pods of gang a succeed
      When 1 running pod of gang a fails
      Then in the end the group of gang a counts 1 running pod
      And in the end the group of gang a counts 2 succeeded pods
      And in the end the group of gang a counts 1 failed pod, and stays so

    @GNG-036 @cap-GroupCounts
    Scenario: The group of a gang counts the pods that have ended while others run
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And 3 seconds pass
      When 1 running pod of gang a succeeds
      Then in the end the group of gang a counts 2 running pods
      And in the end the group of gang a counts 1 succeeded pod, and stays so

    @GNG-046 @cap-GroupCounts
    Scenario: The group of a gang does not count pods of its name in another namespace
      Given a node with 8 CPUs
      And gang a with minimum 4 has 3 pods
      And a gang of the same name has 2 pods that run in another namespace
      When 1 more pod is added to gang a
      Then 4 pods of gang a are bound
      And in the end the group of gang a counts 4 running pods
      And for 2 seconds the group of gang a counts 4 running pods

  Rule: The phase of a group says how far its gang is

    @GNG-045 @cap-GroupPhases
    Scenario: The phase of a gang that lacks pods says that it waits
      Given a node with 4 CPUs
      When gang a with minimum 3 has 2 pods
      Then in the end the group of gang a is in the phase waiting
      And for 2 seconds the group of gang a is in the phase waiting

    @GNG-045 @cap-GroupPhases
    Scenario: The phase of a gang says that it runs when its last pod has come
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      And in the end the group of gang a is in the phase waiting
      When 1 more pod is added to gang a
      Then 3 pods of gang a are bound, and stays so
      And in the end the group of gang a is in the phase running

    @GNG-045 @cap-GroupPhases
    Scenario: The phase of a gang that has lost a pod says that it waits again
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And in the end the group of gang a is in the phase running
      When 1 running pod of gang a vanishes
      Then in the end the group of gang a is in the phase waiting

    @GNG-045 @cap-GroupPhases
    Scenario: The phase of a gang says that it has succeeded
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And in the end the group of gang a is in the phase running
      And 2 running pods of gang a succeed
      And for 2 seconds the group of gang a is in the phase running
      When 1 running pod of gang a succeeds
      Then in the end the group of gang a is in the phase succeeded

    @GNG-045 @cap-GroupPhases
    Scenario: The phase of a gang says that it has failed
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And in the end the group of gang a is in the phase running
      When 1 running pod of gang a fails
      Then in the end the group of gang a is in the phase failed

  Rule: A group that is deleted stays as long as it is needed

    @GNG-052 @cap-ProtectedGroups
    Scenario: The group of a gang stays while a pod of it runs
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And 2 running pods of gang a succeed
      When a user deletes the group of gang a
      Then for 2 seconds the group of gang a is not gone

    @GNG-052 @cap-ProtectedGroups
    Scenario: The group of a gang stays while a pod of it is terminating
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And deleted pods stay terminating
      And a user deletes 3 running pods of gang a
      When a user deletes the group of gang a
      Then for 2 seconds the group of gang a is not gone

    @GNG-052 @cap-ProtectedGroups
    Scenario: The group of a gang stays while a pod of it waits
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      When a user deletes the group of gang a
      Then for 2 seconds the group of gang a is not gone

    @GNG-052 @cap-ProtectedGroups
    Scenario: The group of a gang goes when the last pod of it has ended
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And 2 running pods of gang a succeed
      And a user deletes the group of gang a
      And for 2 seconds the group of gang a is not gone
      When 1 running pod of gang a fails
      Then in the end the group of gang a is gone

  Rule: A gang that cannot be scheduled is reported

    @GNG-015
    Scenario: A gang that does not fit is reported
      Given a node with 2 CPUs
      When gang a with minimum 3 has 3 pods
      Then gang a is reported as not schedulable

    @GNG-015
    Scenario: A gang is reported also if one of the same name elsewhere does not fit
      Given a node with 2 CPUs
      And gang a with minimum 3 has 0 pods
      And a gang of the same name has 3 pods in another namespace
      When 3 pods are added to gang a
      Then in the end gang a is reported as not schedulable

    @GNG-054
    Scenario: A gang that lacks pods is reported
      Given a node with 4 CPUs
      When gang a with minimum 3 has 2 pods
      Then in the end gang a is reported as not schedulable

    @GNG-058
    Scenario: The report of a gang that did not fit is withdrawn when it is bound
      Given a node with 2 CPUs
      And gang a with minimum 3 has 3 pods
      And gang a is reported as not schedulable
      When another node with 1 CPU joins
      Then in the end 3 pods of gang a are bound, and stays so
      And in the end nothing reports any more that gang a cannot be scheduled

  Rule: Pods of several owners are one gang if they name one group

    @GNG-021
    Scenario: Pods of two owners are bound together
      Given a node with 4 CPUs
      And gang a with minimum 4 has 0 pods
      And 2 pods of owner left are added to gang a
      And for 2 seconds no pod of gang a is bound, with room for all of them
      When 2 pods of owner right are added to gang a
      Then 4 pods of gang a are bound, and stays so

    @GNG-021
    Scenario: Pods of two owners wait together
      Given a node with 3 CPUs
      And gang a with minimum 4 has 0 pods
      And 2 pods of owner left are added to gang a
      When 2 pods of owner right are added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for 3 of them

  Rule: Pods wait for their group to exist

    @GNG-022 @cap-GroupObjects
    Scenario: Pods of a group that does not exist wait
      Given a node with 4 CPUs
      When 3 pods name the group of gang a with minimum 3, which does not exist
      Then for 15 seconds no pod of gang a is bound, with room for all of them

    @GNG-022 @cap-GroupObjects
    Scenario: Pods of a group are bound when it is created
      Given a node with 4 CPUs
      And 3 pods name the group of gang a with minimum 3, which does not exist
      And 3 seconds pass
      When the group of gang a is created
      Then 3 pods of gang a are bound, and stays so

  Rule: Without its group a gang gets no more pods bound, and keeps those that are

    # Gang b names a group that was made later: who binds it has seen that the group of gang a is gone.
    @GNG-062 @cap-GroupObjects
    Scenario: A gang whose group was deleted is not bound when its last pod comes
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      And the group of gang a is deleted
      And gang b with minimum 1 has 1 pod
      And 1 pod of gang b is bound
      When 1 more pod is added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for all of them

    @GNG-062 @cap-GroupObjects
    Scenario: The pods of a gang that runs are left alone when its group is deleted
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      When the group of gang a is deleted
      Then for 2 seconds no pod of gang a that was bound is deleted

    @GNG-062 @cap-GroupObjects @fault
    Scenario: A gang is not bound when it was missed that its group was deleted
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      And the implementation misses that the group of gang a is deleted
      And 3 seconds pass
      And gang b with minimum 1 has 1 pod
      And in the end 1 pod of gang b is bound
      When 1 more pod is added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for all of them
