Feature: Competing gangs do not block each other
  Resources that are held for a gang that cannot be completed are not available to gangs that could run.

  Rule: A gang that cannot be completed holds no resources

    @GNG-005.1
    Scenario: A smaller gang is bound beside one that is too big
      Given a node with 4 CPUs
      And gang a with minimum 6 has 6 pods
      And for 2 seconds no pod of gang a is bound, with room for 4 of them
      When gang b with minimum 3 has 3 pods
      Then eventually 3 pods of gang b are bound, and stays so
      And for 2 seconds no pod of gang a is bound, with room for 1 of them

    @GNG-005.2
    Scenario: A single pod is bound beside a gang that is too big
      Given a node with 2 CPUs
      And gang a with minimum 3 has 3 pods
      And for 2 seconds no pod of gang a is bound, with room for 2 of them
      When pod single without a gang of 2 CPUs is created
      Then eventually pod single is bound

    @GNG-005.3 @cap-LeastResources
    Scenario: A gang is bound beside one whose minimum resources are free in pieces
      Given 2 nodes with 3 CPUs each
      And gang a with minimum 3 that needs 6 CPUs in all has 3 pods of 2 CPUs each
      And for 2 seconds no pod of gang a is bound, with room for 2 of them
      When gang b with minimum 3 that needs 3 CPUs in all has 3 pods
      Then eventually 3 pods of gang b are bound, and stays so
      And for 2 seconds no pod of gang a is bound

    @GNG-005.4 @cap-LeastResources
    Scenario: A gang is bound beside one whose pods no node suits
      Given 2 nodes with 3 CPUs each
      And gang a with minimum 3 that needs 6 CPUs in all has 3 pods of 2 CPUs each that select a label of no node
      And 3 seconds pass
      When gang b with minimum 3 that needs 3 CPUs in all has 3 pods
      Then eventually 3 pods of gang b are bound, and stays so
      And for 2 seconds no pod of gang a is bound

    @GNG-005.5
    Scenario: A gang whose waiting pods were deleted holds no resources
      Given a node with 3 CPUs
      And gang a with minimum 4 has 4 pods
      And 3 seconds pass
      And a user deletes 4 waiting pods of gang a
      When gang b with minimum 3 has 3 pods
      Then eventually 3 pods of gang b are bound, and stays so

    @GNG-005.6
    Scenario: A gang that lost one of its waiting pods holds no resources
      Given a node with 3 CPUs
      And gang a with minimum 4 has 4 pods
      And 3 seconds pass
      And a user deletes 1 waiting pod of gang a
      When gang b with minimum 3 has 3 pods
      Then eventually 3 pods of gang b are bound, and stays so
      And for 2 seconds no pod of gang a is bound

    @GNG-005.7 @cap-GroupObjects
    Scenario: A gang that was deleted while it waited holds no resources
      Given a node with 3 CPUs
      And gang a with minimum 4 has 4 pods
      And 3 seconds pass
      And the group of gang a is deleted
      And a user deletes 4 waiting pods of gang a
      When gang b with minimum 3 has 3 pods
      Then eventually 3 pods of gang b are bound, and stays so

    @GNG-005.8 @fault
    Scenario: Pods that were deleted in a watch gap hold no resources
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      And the implementation misses that a waiting pod of gang a is deleted
      And 1 more pod is added to gang a
      When gang b with minimum 3 has 3 pods
      Then eventually 3 pods of gang b are bound, and stays so

    @GNG-005.11 @cap-TopologyConstraint
    Scenario: A gang is bound beside one that differs in its topology domain alone
      Given 2 nodes with 1 CPU each in zone east
      And 2 nodes with 1 CPU each in zone west
      And gang a with minimum 3 has 3 pods, by its group all in one zone
      And for 2 seconds no pod of gang a is bound, with room for its minimum
      When gang b with minimum 3 has 3 pods
      Then eventually 3 pods of gang b are bound, and stays so

    @GNG-005.14
    Scenario Outline: A gang is bound beside one that differs in <what> alone
      Given a node with 4 CPUs in zone west
      And gang a with minimum 3 has 3 pods <of pods>
      And 3 seconds pass
      When gang b with minimum 3 has 3 pods
      Then eventually 3 pods of gang b are bound, and stays so
      And for 2 seconds no pod of gang a is bound

      Examples:
        | case | what              | of pods                        |
        | a    | its node selector | that select a label of no node |
        | b    | its node affinity | that need a node of zone south |
        | c    | its host port     | that use host port 8080        |

    @GNG-005.12 @cap-LeastResources
    Scenario: A gang is bound beside a pending one that needs what another gang uses
      Given a node with 4 CPUs
      And gang c with minimum 3 that needs 3 CPUs in all has 3 pods
      And 3 pods of gang c are bound
      And gang a with minimum 4 that needs 4 CPUs in all has 4 pods
      And 3 seconds pass
      When gang b with minimum 1 that needs 1 CPU in all has 1 pod
      Then eventually 1 pod of gang b is bound, and stays so

    @GNG-005.13
    Scenario: A gang that was lost and is not complete again holds no resources
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And 3 running pods of gang a vanish
      And 2 more pods are added to gang a
      And 3 seconds pass
      When gang b with minimum 3 has 3 pods
      Then eventually 3 pods of gang b are bound, and stays so

  Rule: A host port is another one than any other

    Background:
      Given a node with 4 CPUs
      And pod guard without a gang that uses host port 8080 is created
      And pod guard is bound

    @GNG-005.15
    Scenario: A gang is bound beside one that differs in the number of its host port alone
      Given gang a with minimum 1 has 1 pod that uses host port 8080
      And for 2 seconds no pod of gang a is bound
      When gang b with minimum 1 has 1 pod that uses host port 8336
      Then eventually 1 pod of gang b is bound, and stays so

  Rule: A deleted gang whose pods terminate holds nothing else after a restart

    Background:
      Given a node with 3 CPUs
      And gang a with minimum 2 has 2 pods
      And 2 pods of gang a are bound

    @GNG-005.16 @cap-GroupObjects
    Scenario: A restarted scheduler binds a gang beside pods of a deleted gang that terminate
      Given deleted pods stay terminating
      And a user deletes 2 running pods of gang a
      And the group of gang a is deleted
      And the implementation is killed and started again
      And another node with 3 CPUs joins
      When gang b with minimum 3 has 3 pods
      Then eventually 3 pods of gang b are bound, and stays so

  Rule: Of two gangs that fit alone but not together one is bound

    @GNG-006.1
    Scenario: Of two gangs that do not fit together exactly one is bound
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods
      When gang b with minimum 3 has 3 pods
      Then of gangs a and b only one is bound, and stays so for 2 seconds

    @GNG-006.2
    Scenario: Of two gangs that are observed at the same time exactly one is bound
      Given 2 nodes with 2 CPUs each
      And the implementation's view of pods is stale
      And gang a with minimum 3 has 3 pods
      And gang b with minimum 3 has 3 pods
      When the view of pods catches up
      Then of gangs a and b only one is bound, and stays so for 2 seconds

    @GNG-006.3
    Scenario: The pending gang is bound after the other one has finished
      Given 2 nodes with 2 CPUs each
      And gang a with minimum 3 has 3 pods
      And gang b with minimum 3 has 3 pods
      And of gangs a and b only one is bound, and stays so for 2 seconds
      When the pods of the gang that was bound succeed
      Then eventually 3 pods of gang a are bound
      And eventually 3 pods of gang b are bound, and stays so

  Rule: Of a gang and a single pod that do not fit together one is bound

    @GNG-063.1
    Scenario: Of a gang and a single pod that are observed at the same time one is bound
      Given a node with 3 CPUs
      And the implementation's view of pods is stale
      And gang a with minimum 3 has 3 pods
      And pod single without a gang is created
      When the view of pods catches up
      Then eventually either gang a or pod single is bound, and stays so

    @GNG-063.2
    Scenario: A gang and a single pod that do not fit together run one after the other
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And pod single without a gang is created
      And eventually either gang a or pod single is bound
      When all pods that run succeed
      Then eventually 3 pods of gang a are bound, and stays so
      And eventually pod single is bound

    @GNG-063.20
    Scenario: A gang is bound once a single pod that was bound before it has finished
      Given a node with 3 CPUs
      And pod single without a gang is created
      And pod single is bound
      And gang a with minimum 3 has 3 pods
      And 3 seconds pass
      When all pods that run succeed
      Then eventually 3 pods of gang a are bound, and stays so

  Rule: Gangs make progress while any of them fits

    @GNG-007.1
    Scenario: Six gangs that compete for two nodes all run
      Given 2 nodes with 4 CPUs each
      And gang a with minimum 5 has 5 pods
      And gang b with minimum 3 has 3 pods
      And gang c with minimum 8 has 8 pods
      And gang d with minimum 2 has 2 pods
      And gang e with minimum 6 has 6 pods
      When gang f with minimum 4 has 4 pods
      Then all gangs run, one after another

    @GNG-007.2 @fault
    Scenario: A pod whose binding keeps failing does not block a gang
      Given a node with 4 CPUs
      And bindings of pod cursed are answered with 500
      And pod cursed without a gang is created
      And the fault has been triggered
      When gang a with minimum 3 has 3 pods
      Then eventually 3 pods of gang a are bound, and stays so

    @GNG-007.3 @fault
    Scenario: A pod whose binding keeps failing does not keep the place that a gang needs
      Given a node with 3 CPUs
      And bindings of pod cursed are answered with 403
      And pod cursed without a gang is created
      And the fault has been triggered
      When gang a with minimum 3 has 3 pods
      Then eventually 3 pods of gang a are bound, and stays so

  Rule: Finished pods free their resources

    @GNG-008.1
    Scenario: A gang is bound to the resources of the succeeded pods of another gang
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And gang b with minimum 3 has 3 pods
      And 3 seconds pass
      When the pods of gang a succeed
      Then eventually 3 pods of gang b are bound, and stays so

    @GNG-008.2
    Scenario: A gang is bound to the resources of the failed pods of another gang
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And gang b with minimum 3 has 3 pods
      When 3 running pods of gang a fail
      Then eventually 3 pods of gang b are bound, and stays so

    @GNG-008.3 @fault
    Scenario Outline: A gang gets the resources of pods that <what> during a gap in the watch
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And gang b with minimum 3 has 3 pods
      And the implementation's view of pods is stale
      And 3 running pods of gang a <what>
      When the server ends the watches of pods with 410
      Then once the view of pods catches up eventually 3 pods of gang b are bound, and stays so

      Examples:
        | case | what    |
        | a    | succeed |
        | b    | fail    |
        | c    | vanish  |

    @GNG-008.4
    Scenario: A gang waits while too few pods of another gang have finished
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And gang b with minimum 3 has 3 pods
      When 2 running pods of gang a succeed
      Then for 2 seconds no pod of gang b is bound, with room for 2 of them

    @GNG-008.7 @fault
    Scenario: A pod that is created again under its name gets the resources of the old one
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And pods are seen 2 seconds late
      When a running pod of gang a vanishes and is created again
      Then eventually 4 pods of gang a are bound, and stays so

    @GNG-008.9 @fault
    Scenario: A pod that is deleted while it is being bound holds no resources
      Given a node with 3 CPUs
      And pod bindings take 5 seconds each
      And gang a with minimum 3 has 3 pods
      And the fault has been triggered
      And a user deletes 1 waiting pod of gang a
      When 1 more pod is added to gang a
      Then eventually exactly 3 pods of gang a are bound, and stays so

    @GNG-008.6 @cap-LeastResources
    Scenario Outline: A gang that has ended keeps no minimum resources: <what>
      Given a node with 3 CPUs
      And gang a with minimum 3 that needs 3 CPUs in all has 3 pods
      And 3 pods of gang a are bound
      And <end>
      And 3 seconds pass
      When gang b with minimum 3 that needs 3 CPUs in all has 3 pods
      Then eventually 3 pods of gang b are bound, and stays so

      Examples:
        | case | what                    | end                                          |
        | a    | pods that succeed       | 3 running pods of gang a succeed             |
        | b    | pods that fail          | 3 running pods of gang a fail                |
        | c    | pods succeed and are gone | the pods of gang a succeed and are deleted |
        | d    | running pods are deleted  | a user deletes 3 running pods of gang a    |

  Rule: A pending gang is retried when resources become free

    @GNG-016.1
    Scenario: A pending gang is bound when a node with the missing resources joins
      Given a node with 2 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 seconds pass
      When another node with 1 CPU joins
      Then eventually 3 pods of gang a are bound, and stays so

    @GNG-016.2
    Scenario Outline: A pending gang is bound when a node with free resources <is right>
      Given a node with 4 CPUs that <flaw>
      And a node with 2 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 seconds pass
      When the first node <is right>
      Then eventually 3 pods of gang a are bound, and stays so

      Examples:
        | case | flaw             | is right                              |
        | a    | is cordoned      | is uncordoned                         |
        | b    | is not ready     | becomes ready                         |
        | c    | is tainted       | loses its taint                       |
        | d    | has other labels | gets the labels that the pods select  |

    @GNG-016.18
    Scenario Outline: A pending gang is bound when a node joins <that suits it>
      Given a node with 1 CPU in zone east
      And gang a with minimum 2 has 2 pods <of pods>
      And 3 seconds pass
      When another node with 4 CPUs <that suits> joins
      Then eventually 2 pods of gang a are bound, and stays so

      Examples:
        | case | that suits it                | of pods                      | that suits                       |
        | a    | whose taint it tolerates     | that tolerate the taint      | that is tainted                  |
        | b    | that its pods rather avoid   | of 1 CPU each                | that pods rather avoid           |
        | c    | of the zone that it needs    | that need a node of zone west | in zone west                    |
        | d    | whatever its taint           | that tolerate every taint     | that is tainted                 |
        | e    | of the second zone it names  | that need a node of zone west or south | in zone south          |
        | f    | outside the zone it excludes | that need a node outside of zone east  | in zone west           |
        | g    | whose host has another name  | of 1 CPU each                 | whose host has another name      |

    @GNG-016.22
    Scenario: A pending gang is bound when the first node of all joins
      Given gang a with minimum 3 has 3 pods
      And 3 seconds pass
      When a node with 3 CPUs joins
      Then eventually 3 pods of gang a are bound, and stays so

    @GNG-016.20
    Scenario: A pending gang is bound when a pod is resized and takes less
      Given a node with 4 CPUs
      And pod single of 3 CPUs of another scheduler runs on the node
      And gang a with minimum 2 has 2 pods
      And 3 seconds pass
      When a user resizes pod single to 1 CPU
      Then eventually 2 pods of gang a are bound, and stays so

    @GNG-016.26
    Scenario Outline: A gang is complete again while one of its pods has a node that <is>
      Given a node with 2 CPUs
      And gang a with minimum 2 has 2 pods
      And 2 pods of gang a are bound
      And the first node <becomes>
      And another node with 2 CPUs joins
      And 1 running pod of gang a vanishes
      When 1 more pod is added to gang a
      Then eventually 3 pods of gang a are bound, and stays so

      Examples:
        | case | is           | becomes           |
        | a    | is not ready | becomes not ready |
        | b    | is cordoned  | is cordoned       |
        | c    | is tainted   | gets a taint      |

    @GNG-016.21
    Scenario: A pending gang of which a pod was replaced is bound when it fits
      Given a node with 2 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 seconds pass
      And a user deletes 1 waiting pod of gang a
      And 1 more pod is added to gang a
      And for 2 seconds no pod of gang a is bound, with room for 2 of them
      When another node with 1 CPU joins
      Then eventually 3 pods of gang a are bound, and stays so

    @GNG-016.19
    Scenario: A pending gang is bound when each of its pods has a node with its host port
      Given 2 nodes with 8 CPUs each
      And gang a with minimum 3 has 3 pods that use host port 8080
      And 3 seconds pass
      When another node with 2 CPUs joins
      Then eventually 3 pods of gang a are bound, and stays so

    @GNG-016.9
    Scenario: A pending gang is bound when a node that had less than its pods use grows
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And the first node shrinks to 1 CPU
      And gang b with minimum 1 has 1 pod
      And for 2 seconds no pod of gang b is bound
      When the first node grows to 4 CPUs
      Then eventually 1 pod of gang b is bound, and stays so

    @GNG-016.14
    Scenario: A gang is bound to the CPUs of a node that has lost its devices
      Given a node with 4 CPUs and 2 devices
      And gang a with minimum 2 has 2 pods that also request 1 device each
      And 2 pods of gang a are bound
      And the first node loses its devices
      When gang b with minimum 2 has 2 pods
      Then 2 pods of gang b are bound, and stays so

    @GNG-016.15
    Scenario: A pending gang is bound when a node gets the devices that the gang lacks
      Given a node with 4 CPUs and 1 device
      And gang a with minimum 2 has 2 pods that also request 1 device each
      And for 2 seconds no pod of gang a is bound
      When the first node gets 2 devices
      Then eventually 2 pods of gang a are bound, and stays so

    @GNG-016.25
    Scenario: A pending gang is bound when a node joins that alone has its devices
      Given 3 nodes with 2 CPUs each
      And gang a with minimum 2 has 2 pods that also request 1 device each
      And 3 seconds pass
      When another node with 2 CPUs and 2 devices joins
      Then eventually 2 pods of gang a are bound, and stays so

    @GNG-016.16
    Scenario: A gang is bound whose init containers request what the node has
      Given a node with 4 CPUs that is cordoned
      And gang a with minimum 1 has 1 pod of 3 CPUs whose init container requests 4 CPUs
      And for 2 seconds no pod of gang a is bound
      When the first node is uncordoned
      Then eventually 1 pod of gang a is bound, and stays so

    @GNG-016.3
    Scenario: A pending gang is bound when a single pod has finished
      Given a node with 3 CPUs
      And pod single without a gang is created
      And pod single is bound
      And gang a with minimum 3 has 3 pods
      And 3 seconds pass
      When pod single succeeds
      Then eventually 3 pods of gang a are bound, and stays so

    @GNG-016.4
    Scenario: A pending gang is bound when a terminating pod is gone
      Given a node with 4 CPUs
      And pod single without a gang of 2 CPUs is created
      And pod single is bound
      And pod single is deleted, but stays terminating
      And gang a with minimum 3 has 3 pods
      And 3 seconds pass
      When the pods that are being deleted end
      Then eventually 3 pods of gang a are bound, and stays so

    @GNG-016.5
    Scenario Outline: A pending gang is bound when a pod of another scheduler <ends>
      Given a node with 4 CPUs
      And pod other of 2 CPUs of another scheduler runs on the node
      And gang a with minimum 3 has 3 pods
      And 3 seconds pass
      When pod other <ends>
      Then eventually 3 pods of gang a are bound, and stays so

      Examples:
        | case | ends     |
        | a    | succeeds |
        | b    | vanishes |

    @GNG-016.6
    Scenario Outline: A pending gang is bound although another client changed its pods: <what>
      Given a node with 2 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 seconds pass
      And <changed>
      When another node with 1 CPU joins
      Then eventually 3 pods of gang a are bound, and stays so

      Examples:
        | case | what          | changed                                                             |
        | a    | annotations   | another client annotates the waiting pods of gang a                 |
        | b    | no conditions | another client takes the conditions from the waiting pods of gang a |
        | c    | PodScheduled  | another client marks the waiting pods of gang a as scheduled        |

    @GNG-016.7 @cap-GroupObjects
    Scenario Outline: A pending gang is bound although another client changed its group: <what>
      Given a node with 2 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 seconds pass
      And <changed>
      When another node with 1 CPU joins
      Then eventually 3 pods of gang a are bound, and stays so

      Examples:
        | case | what     | changed                                                                    |
        | a    | metadata | another client annotates and labels the group of gang a, and owns it       |
        | b    | status   | another client changes the phase and the conditions of the group of gang a |

    @GNG-016.13 @cap-Queues
    Scenario: A pending gang is bound although another client marked its queue and a node
      Given a node with 2 CPUs
      And a queue small of weight 1
      And gang a in queue small with minimum 3 has 3 pods
      And 3 seconds pass
      And another client annotates and labels queue small
      And another client annotates the first node
      When another node with 1 CPU joins
      Then eventually 3 pods of gang a are bound, and stays so

    @GNG-016.8 @cap-LeastResources
    Scenario: A gang is bound when its minimum resources are free beside another gang
      Given a node with 5 CPUs
      And gang a with minimum 3 that needs 3 CPUs in all has 3 pods
      And gang b with minimum 3 that needs 3 CPUs in all has 3 pods
      And of gangs a and b only one is bound
      When another node with 1 CPU joins
      Then eventually 3 pods of gang a are bound
      And eventually 3 pods of gang b are bound, and stays so

  Rule: A pod that replaces a terminating pod of its gang is bound

    Background:
      Given a node with 3 CPUs
      And deleted pods stay terminating

    @GNG-016.10
    Scenario: A pod that replaces a terminating pod is bound when that pod ends
      Given gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And a user deletes 1 running pod of gang a
      And 1 more pod is added to gang a
      And for 2 seconds no more than 3 pods of gang a are bound
      When the pods that are being deleted end
      Then eventually 4 pods of gang a are bound, and stays so

  Rule: A gang that is created again is not forgotten

    Background:
      Given a node with 2 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 seconds pass

    @GNG-016.17 @cap-GroupObjects
    Scenario: A gang that was deleted and created again is bound after it has waited
      Given the group of gang a is deleted
      And 3 seconds pass
      And a user deletes 3 waiting pods of gang a
      And the group of gang a is created
      And 3 more pods are added to gang a
      And 5 seconds pass
      When another node with 1 CPU joins
      Then eventually 3 pods of gang a are bound, and stays so
