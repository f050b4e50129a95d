Feature: A gang gets all of its minimum, or nothing
  Pods that work only together are bound together. Resources that some of them hold while others wait are wasted.

  Rule: A gang waits until its minimum of pods exists

    @GNG-001.1
    Scenario: A gang with fewer pods than its minimum waits
      Given a node with 8 CPUs
      When gang a with minimum 3 has 2 pods
      Then for 15 seconds no pod of gang a is bound, with room for its minimum

    @GNG-001.2
    Scenario: A gang is bound as soon as its minimum of pods exists
      Given a node with 8 CPUs
      And gang a with minimum 3 has 2 pods
      And for 2 seconds no pod of gang a is bound, with room for its minimum
      When 1 more pod is added to gang a
      Then 3 pods of gang a are bound, and stays so

    @GNG-001.3
    Scenario: A single pod of a gang waits for all the others
      Given a node with 8 CPUs
      When gang a with minimum 8 has 1 pod
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-001.5
    Scenario: A waiting gang that loses a pod is not bound with fewer than its minimum
      Given a node with 2 CPUs
      And gang a with minimum 3 has 3 pods
      And for 2 seconds no pod of gang a is bound, with room for 2 of them
      And a user deletes 1 waiting pod of gang a
      When another node with 4 CPUs joins
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-001.6
    Scenario: A gang that has lost a pod is bound once its minimum of pods exists again
      Given a node with 8 CPUs
      And gang a with minimum 3 has 2 pods
      And a user deletes 1 waiting pod of gang a
      And 1 more pod is added to gang a
      And for 2 seconds no pod of gang a is bound, with room for its minimum
      When 1 more pod is added to gang a
      Then 3 pods of gang a are bound, and stays so

    @GNG-001.7 @fault
    Scenario: A pod that was deleted while the scheduler did not watch completes no gang
      Given a node with 8 CPUs
      And gang a with minimum 3 has 2 pods
      And the implementation misses that a waiting pod of gang a is deleted
      When 1 more pod is added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-001.8 @fault
    Scenario: A pod created again under its name in a watch gap is one pod
      Given a node with 8 CPUs
      And gang a with minimum 3 has 2 pods
      When the implementation misses that a waiting pod of gang a is deleted and created again
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-001.9
    Scenario: A waiting pod that is created again under its name is one pod
      Given a node with 8 CPUs
      And gang a with minimum 3 has 2 pods
      And a waiting pod of gang a is deleted and created again
      And for 2 seconds no pod of gang a is bound, with room for its minimum
      When 1 more pod is added to gang a
      Then 3 pods of gang a are bound, and stays so
      And each pod is bound once, as GNG-011 requires

    # Gang b names a group that was made later: a scheduler that binds it has observed the new group of gang a.
    @GNG-001.10 @cap-GroupObjects @fault
    Scenario Outline: A gang waits for the minimum of a group that was created again, <what>
      Given a node with 1 CPU
      And gang a with minimum 2 has 2 pods
      And 1.2 seconds have passed
      And <replaced>
      And gang b with minimum 1 has 1 pod
      And eventually 1 pod of gang b is bound
      When another node with 4 CPUs joins
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

      Examples:
        | case | what           | replaced                                                                                |
        | a    | seen at once   | the group of gang a is replaced by one with minimum 3                                   |
        | b    | seen late      | the implementation sees late that the group of gang a is replaced by one with minimum 3 |
        | c    | in a watch gap | the implementation misses that the group of gang a is replaced by one with minimum 3    |

  Rule: A group that is created again has its own minimum

    Background:
      Given a node with 5 CPUs

    @GNG-001.11 @cap-GroupObjects @fault
    Scenario Outline: A gang that ran waits for the minimum of a group that was created again, <what>
      Given gang a with minimum 2 has 2 pods
      And 2 pods of gang a are bound
      And 2 running pods of gang a vanish
      And <replaced>
      And gang b with minimum 1 has 1 pod
      And eventually 1 pod of gang b is bound
      When 2 more pods are added to gang a
      Then for 2 seconds exactly 2 pods of gang a are bound

      Examples:
        | case | what           | replaced                                                                                |
        | a    | seen at once   | the group of gang a is replaced by one with minimum 3                                   |
        | b    | seen late      | the implementation sees late that the group of gang a is replaced by one with minimum 3 |
        | c    | in a watch gap | the implementation misses that the group of gang a is replaced by one with minimum 3    |

  Rule: A new group has its own minimum while pods of a former one terminate

    Background:
      Given a node with 3 CPUs
      And gang a with minimum 2 has 2 pods
      And deleted pods stay terminating

    # Gang b was created later: a scheduler that binds it has observed the new group of gang a. The former pods vanish,
    # since a scheduler may count pods that have failed. It may count a terminating pod too: then there is no room.
    @GNG-001.12 @cap-GroupObjects
    Scenario: A gang waits for the minimum of a new group while former pods end
      Given 2 pods of gang a are bound
      And a user deletes 2 running pods of gang a
      And the group of gang a is replaced by one with minimum 3
      And gang b with minimum 1 has 1 pod
      And eventually 1 pod of gang b is bound
      And 2 more pods are added to gang a
      When 2 running pods of gang a vanish
      Then for 2 seconds exactly 2 pods of gang a are bound

    @GNG-016.12 @cap-GroupObjects
    Scenario: A gang with a new group is bound when its former pods have ended
      Given 2 pods of gang a are bound
      And a user deletes 2 running pods of gang a
      And the group of gang a is replaced by one with minimum 3
      And 3 more pods are added to gang a
      When the pods that are being deleted end
      Then eventually 5 pods of gang a are bound, and stays so

  Rule: A gang waits until its minimum of pods fits

    @GNG-002.1
    Scenario: A gang waits while one of its pods does not fit
      Given a node with 2 CPUs
      When gang a with minimum 3 has 3 pods
      Then for 15 seconds no pod of gang a is bound, with room for 2 of them

    @GNG-002.2
    Scenario: A gang waits while it does not fit on all nodes together
      Given 2 nodes with 2 CPUs each
      When gang a with minimum 6 has 6 pods
      Then for 2 seconds no pod of gang a is bound, with room for 4 of them

    @GNG-002.3
    Scenario: Pods that fit wait for pods of their gang that are too big
      Given a node with 6 CPUs
      And gang a with minimum 12 has 6 pods
      When 6 pods of 100 CPUs each are added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for 6 of them

    @GNG-002.4
    Scenario: A gang waits while the free resources are fragmented
      Given 2 nodes with 3 CPUs each
      When gang a with minimum 3 has 3 pods of 2 CPUs each
      Then for 2 seconds no pod of gang a is bound, with room for 2 of them

    @GNG-002.5
    Scenario: A gang whose first pod fits waits until its bigger pods fit
      Given a node with 6 CPUs
      And gang a with minimum 3 has 1 pod
      When 2 pods of 3 CPUs each are added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for 2 of them

    @GNG-002.6
    Scenario: A gang of pods of two sizes is bound when it fits
      Given a node with 6 CPUs
      And gang a with minimum 4 has 2 pods
      When 2 pods of 2 CPUs each are added to gang a
      Then 4 pods of gang a are bound, and stays so

    @GNG-002.7
    Scenario: A gang that fits exactly is bound
      Given 2 nodes with 2 CPUs each
      When gang a with minimum 4 has 4 pods
      Then 4 pods of gang a are bound, and stays so

    @GNG-002.13
    Scenario: A gang of pods that request parts of a CPU is bound when it fits exactly
      Given a node with 2 CPUs
      When gang a with minimum 5 has 5 pods of 0.4 CPUs each
      Then 5 pods of gang a are bound, and stays so

    @GNG-002.10
    Scenario: A gang is not bound to a node that left while it waited
      Given 2 nodes with 2 CPUs each
      And gang a with minimum 6 has 6 pods
      And the first node leaves
      When another node with 2 CPUs joins
      Then for 2 seconds no pod of gang a is bound, with room for 4 of them

  Rule: Once the cluster settles, a gang is bound with its minimum or not at all

    @GNG-003.1 @cap-SurplusPods
    Scenario: Many gangs that do not fit together are each bound whole or not at all
      Given 3 nodes with 3 CPUs each
      And gang a with minimum 4 has 4 pods
      And gang b with minimum 2 has 3 pods
      And gang c with minimum 5 has 5 pods
      And gang d with minimum 3 has 3 pods
      When gang e with minimum 1 has 2 pods
      Then all gangs run, one after another

    @GNG-003.2
    Scenario: Of two gangs whose pods are created in turn exactly one is bound
      Given a node with 4 CPUs
      And gang a with minimum 3 has 1 pod
      And gang b with minimum 3 has 1 pod
      And 1 more pod is added to gang a
      And 1 more pod is added to gang b
      And 1 more pod is added to gang a
      When 1 more pod is added to gang b
      Then of gangs a and b only one is bound, and stays so for 2 seconds

  Rule: Surplus pods are bound when they fit

    @GNG-004.1 @cap-SurplusPods
    Scenario: A surplus pod that does not fit does not block the other pods of its gang
      Given a node with 2 CPUs
      And gang a with minimum 3 has 5 pods
      When another node with 2 CPUs joins
      Then eventually exactly 4 pods of gang a are bound
      And for 2 seconds no more than 4 pods of gang a are bound

    @GNG-004.2 @cap-SurplusPods
    Scenario: A pod that is too big for any node does not block the other pods of its gang
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      And 1 pod of 100 CPUs is added to gang a
      When 1 more pod is added to gang a
      Then eventually exactly 3 pods of gang a are bound
      And for 2 seconds no pod of gang a that was bound is deleted

    @GNG-004.3 @cap-SurplusPods
    Scenario: A surplus pod that is too big does not block a later pod of its gang
      Given a node with 4 CPUs
      And gang a with minimum 2 has 2 pods
      And 1 pod of 100 CPUs is added to gang a
      When 1 more pod is added to gang a
      Then eventually exactly 3 pods of gang a are bound, and stays so

    @GNG-004.9 @cap-StorageClaims @cap-SurplusPods
    Scenario: A surplus pod whose claim does not exist does not block later pods of its gang
      Given a node with 4 CPUs
      And gang a with minimum 2 has 0 pods
      And 1 pod that uses claim data is added to gang a
      And 1.2 seconds have passed
      When 2 more pods are added to gang a
      Then eventually exactly 2 pods of gang a are bound, and stays so

    @GNG-004.4 @cap-SurplusPods
    Scenario: A surplus pod is bound when resources become free
      Given a node with 4 CPUs
      And gang a with minimum 3 has 5 pods
      And 4 pods of gang a are bound
      When 1 running pod of gang a succeeds
      Then 5 pods of gang a are bound, and stays so

    @GNG-004.5 @cap-SurplusPods
    Scenario: A pod that joins a running gang is bound
      Given a node with 8 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      When 1 more pod is added to gang a
      Then 4 pods of gang a are bound, and stays so

    @GNG-004.6 @cap-SurplusPods
    Scenario: A pod that joins a running gang after a scheduler restart is bound
      Given a node with 8 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And the implementation is killed and started again
      When 1 more pod is added to gang a
      Then eventually 4 pods of gang a are bound, and stays so

    @GNG-061.1 @cap-SurplusPods @fault
    Scenario: A pod that joins a gang while it is being bound is bound too
      Given a node with 4 CPUs
      And pod bindings take 1 seconds each
      And gang a with minimum 3 has 3 pods
      And the fault has been triggered
      When 1 more pod is added to gang a
      Then eventually 4 pods of gang a are bound, and stays so

    @GNG-061.2 @cap-SurplusPods @fault
    Scenario: Pods that join a gang while its bindings fail are bound too
      Given a node with 4 CPUs
      And pod bindings are answered with 500
      And gang a with minimum 2 has 2 pods
      And the fault has been triggered
      And 2 more pods are added to gang a
      When 2 seconds pass
      Then once the faults end 4 pods of gang a are bound, and stays so

  Rule: The scheduler runs until it is killed

    @GNG-082.1
    Scenario: The scheduler keeps running after it has bound a gang
      Given a node with 2 CPUs
      And gang a with minimum 2 has 2 pods
      And 2 pods of gang a are bound
      When 1 second passes
      Then the implementation runs

    @GNG-082.4 @cap-GroupObjects
    Scenario: The scheduler keeps running when waiting pods go after their group
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      And a user deletes the group of gang a
      And 1 second passes
      And a user deletes 2 waiting pods of gang a
      And gang b with minimum 2 has 2 pods
      When 2 pods of gang b are bound
      Then the implementation runs

    @GNG-082.3
    Scenario: The scheduler keeps running when a node has less than its pods use
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And the first node shrinks to 1 CPU
      And gang b with minimum 2 has 2 pods
      When 2 seconds pass
      Then the implementation runs

    @GNG-082.5
    Scenario: The scheduler keeps running when another scheduler overfills a node
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And pod other of 3 CPUs of another scheduler runs on the node
      And another node with 2 CPUs joins
      And gang b with minimum 2 has 2 pods
      When 2 pods of gang b are bound
      Then the implementation runs

    @GNG-082.6 @cap-TopologyConstraint @cap-GroupObjects
    Scenario: The scheduler keeps running beside a gang with a topology domain and no pods
      Given a node with 4 CPUs in zone east
      And gang a with minimum 2 has 0 pods, by its group all in one zone
      And 3 seconds pass
      And gang b with minimum 2 has 2 pods, by its group all in one zone
      When 2 pods of gang b are bound
      Then the implementation runs

    @GNG-082.7 @cap-GroupObjects
    Scenario: The scheduler keeps running when waiting pods change after their group is gone
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      And a user deletes the group of gang a
      And another client annotates the waiting pods of gang a
      And a user deletes 2 waiting pods of gang a
      And gang b with minimum 2 has 2 pods
      When 2 pods of gang b are bound
      Then the implementation runs
