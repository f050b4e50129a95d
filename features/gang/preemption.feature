Feature: Pods are preempted for a gang of higher priority
  An evicted pod loses its work, so no pod is evicted without need, and no gang in part.

  Rule: As many pods are evicted for a gang of higher priority as it needs

    @GNG-029.1 @cap-Preemption @cap-SurplusPods
    Scenario: Surplus pods are evicted for a gang of higher priority
      Given a node with 3 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      When gang b of priority urgent with minimum 2 has 2 pods
      Then eventually 2 pods of gang b are bound
      And for 2 seconds no more than 2 pods of gang a have been evicted

    @GNG-029.25 @cap-Preemption @cap-SurplusPods @cap-LeastResources
    Scenario: Surplus pods are evicted for a gang that says its minimum resources
      Given a node with 3 CPUs
      And gang a of priority low with minimum 1 that needs 1 CPU in all has 3 pods
      And 3 pods of gang a are bound
      When gang b of priority urgent with minimum 2 that needs 2 CPUs in all has 2 pods
      Then eventually 2 pods of gang b are bound
      And for 2 seconds no more than 2 pods of gang a have been evicted

    @GNG-029.2 @cap-Preemption @cap-SurplusPods
    Scenario: Free resources are used before pods are evicted
      Given a node with 4 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      When gang b of priority urgent with minimum 3 has 3 pods
      Then eventually 3 pods of gang b are bound
      And for 2 seconds no more than 2 pods of gang a have been evicted

    @GNG-029.3 @cap-Preemption @cap-SurplusPods
    Scenario: No more pods are evicted than a gang needs
      Given a node with 5 CPUs
      And gang a of priority low with minimum 1 has 4 pods
      And 4 pods of gang a are bound
      When gang b of priority urgent with minimum 2 has 2 pods
      Then eventually 2 pods of gang b are bound
      And for 2 seconds no more than 1 pod of gang a has been evicted

    @GNG-029.14 @cap-Preemption @cap-SurplusPods
    Scenario: One evicted pod frees resources for a whole gang
      Given a node with 8 CPUs
      And gang a of priority low with minimum 1 has 2 pods of 4 CPUs
      And 2 pods of gang a are bound
      When gang b of priority urgent with minimum 3 has 3 pods
      Then eventually 3 pods of gang b are bound
      And for 2 seconds no more than 1 pod of gang a has been evicted

    @GNG-029.15 @cap-Preemption @cap-SurplusPods
    Scenario Outline: Pods are evicted for a gang that lacks <unit>
      Given a node with 16 CPUs and <there>
      And gang a of priority low with minimum 1 has 3 pods that also request 1 <unit> each
      And 3 pods of gang a are bound
      When gang b of priority urgent with minimum 2 has 2 pods that also request 1 <unit> each
      Then eventually 2 pods of gang b are bound
      And for 2 seconds no more than 2 pods of gang a have been evicted

      Examples:
        | case | unit           | there              |
        | a    | device         | 3 devices          |
        | b    | GiB of memory  | 3 GiB of memory    |
        | c    | place for pods | 3 places for pods  |

    @GNG-029.4 @cap-Preemption @cap-SurplusPods @fault
    Scenario: A gang is bound once evicted pods that terminate slowly are gone
      Given a node with 3 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      And deleted pods stay terminating
      And gang b of priority urgent with minimum 2 has 2 pods
      And for 2 seconds no pod of gang b is bound
      When the pods that are being deleted end
      Then eventually 2 pods of gang b are bound, and stays so

    @GNG-029.5 @cap-Preemption @cap-SurplusPods
    Scenario: Only pods whose eviction makes the gang fit are evicted
      Given a node with 1 CPU
      And a node with 2 CPUs
      And gang a of priority low with minimum 1 has 1 pod of 2 CPUs
      And 1 more pod is added to gang a
      And 2 pods of gang a are bound
      When gang b of priority urgent with minimum 1 has 1 pod of 2 CPUs
      Then eventually 1 pod of gang b is bound
      And for 2 seconds no more than 1 pod of gang a has been evicted

    @GNG-029.6 @cap-Preemption @cap-SurplusPods @fault
    Scenario: A restarted scheduler evicts no more pods while evicted ones terminate
      Given a node with 4 CPUs
      And gang a of priority low with minimum 1 has 4 pods
      And 4 pods of gang a are bound
      And deleted pods stay terminating
      And gang b of priority urgent with minimum 1 has 1 pod
      And 3 seconds pass
      When the implementation is killed and started again
      Then for 2 seconds no more than 1 pod of gang a has been evicted

    @GNG-029.11 @cap-Preemption @cap-SurplusPods @fault
    Scenario: No more pods are evicted if a node joins while evicted ones terminate
      Given a node with 3 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      And deleted pods stay terminating
      And gang b of priority urgent with minimum 2 has 2 pods
      And 3 seconds pass
      When another node with 1 CPU joins
      Then for 5 seconds no more than 2 pods of gang a have been evicted

    @GNG-029.12 @cap-Preemption @cap-TopologyConstraint @cap-SurplusPods
    Scenario: Pods of one zone are evicted for a gang that belongs into one zone
      Given a node with 2 CPUs in zone east
      And a node with 2 CPUs in zone west
      And gang a of priority low with minimum 1 has 4 pods
      And 4 pods of gang a are bound
      When gang b of priority urgent with minimum 2 has 2 pods, by its group all in one zone
      Then eventually 2 pods of gang b are bound, and stays so
      And the pods of gang b are in 1 zone
      And for 2 seconds no more than 2 pods of gang a have been evicted

    @GNG-029.13 @cap-Preemption @cap-SurplusPods @fault
    Scenario Outline: No more pods are evicted if the first deletion is <answered>
      Given a node with 3 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      And the next pod deletion is <answered>
      When gang b of priority urgent with minimum 2 has 2 pods
      Then eventually 2 pods of gang b are bound
      And for 2 seconds no more than 2 pods of gang a have been evicted

      Examples:
        | case | answered                      |
        | a    | answered with 500             |
        | b    | answered with 409             |
        | c    | applied but its reply is lost |

    @GNG-029.27 @cap-Preemption @cap-SurplusPods @fault
    Scenario: No more pods are evicted if pods are observed with a delay
      Given a node with 4 CPUs
      And gang a of priority low with minimum 1 has 4 pods
      And 4 pods of gang a are bound
      And pods are seen 2 seconds late
      When gang b of priority urgent with minimum 2 has 2 pods
      Then eventually 2 pods of gang b are bound, and stays so
      And for 2 seconds no more than 2 pods of gang a have been evicted

    # A scheduler that places the gang as if all pods of lower priority were gone may evict 2 pods.
    @GNG-029.16 @cap-Preemption @cap-SurplusPods
    Scenario: A gang is bound to a free node and to one whose pod is evicted
      Given a node with 2 CPUs
      And gang a of priority low with minimum 1 has 2 pods
      And 2 pods of gang a are bound
      And another node with 2 CPUs joins
      When gang b of priority urgent with minimum 3 has 3 pods
      Then eventually 3 pods of gang b are bound, and stays so
      And for 2 seconds no more than 2 pods of gang a have been evicted

    @GNG-029.17 @cap-Preemption @cap-SurplusPods
    Scenario: A pod is evicted for a gang whose resources are free in pieces
      Given 2 nodes with 2 CPUs each
      And gang a of priority low with minimum 1 has 2 pods, no two on one node
      And 2 pods of gang a are bound
      When gang b of priority urgent with minimum 1 has 1 pod of 2 CPUs
      Then eventually 1 pod of gang b is bound, and stays so
      And for 2 seconds no more than 1 pod of gang a has been evicted

    @GNG-029.26 @cap-Preemption @cap-SurplusPods
    Scenario: A pod is evicted for a gang that lacks nothing but a host port
      Given 2 nodes with 4 CPUs each
      And gang a of priority low with minimum 1 has 2 pods that use host port 8080
      And 2 pods of gang a are bound
      When gang b of priority urgent with minimum 1 has 1 pod that uses host port 8080
      Then eventually 1 pod of gang b is bound, and stays so
      And for 2 seconds no more than 1 pod of gang a has been evicted

    @GNG-029.31 @cap-Preemption
    Scenario: A pod is evicted for a gang that may not be beside it
      Given a node with 4 CPUs
      And pod single of priority low without a gang is created
      And pod single is bound
      When gang b of priority urgent with minimum 1 has 1 pod that may not share a node with pod single
      Then eventually 1 pod of gang b is bound, and stays so

    @GNG-029.32 @cap-Preemption @cap-StorageClaims
    Scenario: A pod is evicted for a gang that lacks nothing but its claim
      Given a node with 4 CPUs
      And claim data of storage for one pod at a time
      And gang a of priority low with minimum 1 has 1 pod that uses claim data
      And 1 pod of gang a is bound
      When gang b of priority urgent with minimum 1 has 1 pod that uses claim data
      Then eventually 1 pod of gang b is bound, and stays so

    @GNG-029.33 @cap-Preemption
    Scenario: A pod is evicted for a gang that it keeps off its node
      Given a node with 4 CPUs
      And gang a of priority low with minimum 1 has 1 pod that may not share a node with gang b
      And 1 pod of gang a is bound
      When gang b of priority urgent with minimum 1 has 1 pod
      Then eventually 1 pod of gang b is bound, and stays so

    @GNG-029.18 @cap-Preemption @cap-SurplusPods @cap-Backfill
    Scenario Outline: Best-effort pods are evicted for a gang that requests <what>
      Given a node with 16 CPUs and 3 places for pods
      And gang a of priority low with minimum 1 has 3 pods that request nothing
      And 3 pods of gang a are bound
      When gang b of priority urgent with minimum 2 has 2 pods <of pods>
      Then eventually 2 pods of gang b are bound, and stays so
      And for 2 seconds no more than 2 pods of gang a have been evicted

      Examples:
        | case | what    | of pods              |
        | a    | CPUs    | of 1 CPU each        |
        | b    | nothing | that request nothing |

    @GNG-029.19 @cap-Preemption @cap-SurplusPods
    Scenario: Pods are evicted for a gang behind one that fits no node
      Given a node with 4 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      And gang b of priority urgent with minimum 2 has 2 pods of 5 CPUs each
      And 1.2 seconds have passed
      When gang c of priority urgent with minimum 2 has 2 pods
      Then eventually 2 pods of gang c are bound, and stays so
      And for 2 seconds no more than 1 pod of gang a has been evicted

    @GNG-029.22 @cap-Preemption @cap-SurplusPods
    Scenario: Pods that are bound and do not run yet are evicted for a gang
      Given a node with 3 CPUs
      And pods that are bound stay Pending
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      When gang b of priority urgent with minimum 2 has 2 pods
      Then eventually 2 pods of gang b are bound, and stays so
      And for 2 seconds no more than 2 pods of gang a have been evicted

    @GNG-004.7 @cap-Preemption @cap-SurplusPods
    Scenario: A gang whose pods were evicted gets others when there is room again
      Given a node with 3 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      And gang b of priority urgent with minimum 2 has 2 pods
      And eventually 2 pods of gang b are bound
      And 2 more pods are added to gang a
      When the pods of gang b succeed
      Then eventually 5 pods of gang a are bound, and stays so

  Rule: Each of two gangs has pods evicted for it

    Background:
      Given a node with 4 CPUs
      And gang a of priority low with minimum 1 has 4 pods
      And 4 pods of gang a are bound

    @GNG-029.20 @cap-Preemption @cap-SurplusPods @fault
    Scenario: Pods are evicted for two gangs that are observed at the same time
      Given the implementation's view of pods is stale
      And gang b of priority urgent with minimum 1 has 1 pod
      And gang c of priority urgent with minimum 2 has 2 pods
      When the view of pods catches up
      Then eventually 1 pod of gang b is bound
      And eventually 2 pods of gang c are bound, and stays so
      And for 2 seconds no more than 3 pods of gang a have been evicted

    @GNG-029.21 @cap-Preemption @cap-SurplusPods @fault
    Scenario: Pods are evicted for a second gang while those for the first terminate
      Given deleted pods stay terminating
      And gang b of priority urgent with minimum 1 has 1 pod
      And 3 seconds pass
      And gang c of priority urgent with minimum 2 has 2 pods
      When the pods that are being deleted end
      Then eventually 1 pod of gang b is bound
      And eventually 2 pods of gang c are bound, and stays so
      And for 2 seconds no more than 3 pods of gang a have been evicted

  Rule: An event while evicted pods terminate keeps no gang from their resources

    Background:
      Given a node with 3 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound

    @GNG-029.30 @cap-Preemption @cap-SurplusPods @fault
    Scenario Outline: A gang is bound once evicted pods are gone though <what> meanwhile
      Given deleted pods stay terminating
      And gang b of priority urgent with minimum 2 has 2 pods
      And 3 seconds pass
      And <changed>
      And 3 seconds pass
      When the pods that are being deleted end
      Then eventually 2 pods of gang b are bound, and stays so

      Examples:
        | case | what                  | changed                                             |
        | a    | a small node joined   | another node with 1 CPU joins                       |
        | b    | its pods were changed | another client annotates the waiting pods of gang b |

  Rule: Pods of several gangs are evicted where the pods of one do not suffice

    Background:
      Given a node with 8 CPUs and 4 devices
      And gang a of priority low with minimum 1 has 2 pods of 3 CPUs each
      And gang c of priority low with minimum 1 has 2 pods that also request 2 devices each

    @GNG-029.29 @cap-Preemption @cap-SurplusPods
    Scenario: Pods of two gangs are evicted for a pod that lacks CPUs and devices
      Given 2 pods of gang a are bound
      And 2 pods of gang c are bound
      When gang b of priority urgent with minimum 1 has 1 pod of 3 CPUs that also requests 2 devices
      Then eventually 1 pod of gang b is bound, and stays so
      And for 2 seconds no more than 1 pod of gang a has been evicted
      And for 2 seconds no more than 1 pod of gang c has been evicted

  Rule: Each of two queues has a gang of higher priority

    Background:
      Given a node with 4 CPUs
      And queues left and right of weight 1

    @GNG-029.28 @cap-Preemption @cap-Queues @cap-SurplusPods
    Scenario: Pods are evicted for a gang in each of two queues
      Given gang a in queue left of priority low with minimum 1 has 2 pods
      And gang c in queue right of priority low with minimum 1 has 2 pods
      And 2 pods of gang a are bound
      And 2 pods of gang c are bound
      And gang b in queue left of priority urgent with minimum 1 has 1 pod
      When gang d in queue right of priority urgent with minimum 1 has 1 pod
      Then eventually 1 pod of gang b is bound
      And eventually 1 pod of gang d is bound, and stays so

  Rule: A gang does not wait for the pods that were evicted for it

    Background:
      Given a node with 3 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound

    @GNG-016.11 @cap-Preemption @cap-SurplusPods @fault
    Scenario Outline: A gang is bound to a node that joins <when>
      Given deleted pods stay terminating
      And gang b of priority urgent with minimum 2 has 2 pods
      And 3 seconds pass
      And <before>
      When another node with 2 CPUs joins
      Then eventually 2 pods of gang b are bound, and stays so
      And for 2 seconds no more than 2 pods of gang a have been evicted

      Examples:
        | case | when                                       | before                |
        | a    | while pods evicted for the gang terminate  | 1 second passes       |
        | b    | after the node of the evicted pods is gone | the first node leaves |

  Rule: What is evicted for a gang is not given to another

    Background:
      Given a node with 3 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound

    @GNG-029.23 @cap-Preemption @cap-SurplusPods @fault
    Scenario: A gang gets the resources of evicted pods that end one after another
      Given deleted pods stay terminating
      And gang b of priority urgent with minimum 2 has 2 pods
      And 3 seconds pass
      And gang c of priority low with minimum 1 has 1 pod
      When the pods that are being deleted end one after another
      Then eventually 2 pods of gang b are bound, and stays so
      And for 2 seconds no pod of gang c has been evicted

  Rule: Pods are evicted on a node that suits the gang

    Background:
      Given a node with 3 CPUs in zone east
      And pod guard of priority urgent without a gang that uses host port 8080 is created
      And pod guard is bound

    @GNG-029.24 @cap-Preemption @cap-SurplusPods
    Scenario Outline: Pods are evicted on the node that suits a gang: <what>
      Given another node with 2 CPUs in zone west joins
      And gang a of priority low with minimum 1 has 4 pods
      And 4 pods of gang a are bound
      When gang b of priority urgent with minimum 1 has 1 pod of 2 CPUs <of pods>
      Then eventually 1 pod of gang b is bound, and stays so
      And for 2 seconds no more than 2 pods of gang a have been evicted

      Examples:
        | case | what              | of pods                              |
        | a    | anti-affinity     | that may not share a node with pod guard |
        | b    | its node affinity | that needs a node of zone west       |
        | c    | its host port     | that uses host port 8080             |

  Rule: A pod that has ended because it was evicted is lost to its gang

    Background:
      Given a node with 6 CPUs
      And gang c of priority low with minimum 1 has 2 pods
      And 1.2 seconds have passed

    # Whether the pods for gang b are those of gang a or of gang c is left to the scheduler.
    @GNG-030.5 @cap-KeptMinimum @cap-SurplusPods @fault
    Scenario: A gang whose evicted pods have succeeded keeps its minimum
      Given gang a of priority low with minimum 2 has 4 pods
      And 4 pods of gang a are bound
      And deleted pods stay terminating
      And gang b of priority urgent with minimum 2 has 2 pods
      And 3 seconds pass
      And the pods that are being deleted succeed
      When gang d of priority urgent with minimum 1 has 1 pod
      Then for 5 seconds no more than 2 pods of gang a have been evicted

  Rule: A gang that no longer waits causes no eviction

    Background:
      Given a node with 3 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound

    @GNG-005.9 @cap-Preemption @cap-SurplusPods @cap-GroupObjects @fault
    Scenario Outline: Resources of evicted pods go to another gang after <what>
      Given deleted pods stay terminating
      And gang b of priority urgent with minimum 2 has 2 pods
      And 3 seconds pass
      And <changed>
      And gang c of priority low with minimum 2 has 2 pods
      When the pods that are being deleted end
      Then eventually 2 pods of gang c are bound, and stays so
      And for 2 seconds no more than 2 pods of gang a have been evicted

      Examples:
        | case | what              | changed                                 |
        | a    | one pod is gone   | a user deletes 1 waiting pod of gang b  |
        | b    | all pods are gone | a user deletes 2 waiting pods of gang b |
        | c    | the group is gone | the group of gang b is deleted          |

  Rule: A gang that no longer fits holds no resources of evicted pods

    Background:
      Given a node with 2 CPUs
      And a node with 2 CPUs and 2 devices
      And gang a of priority low with minimum 1 has 2 pods that also request 1 device each

    @GNG-005.10 @cap-Preemption @cap-SurplusPods @fault
    Scenario: Resources of an evicted pod go to another gang after a further node has left
      Given 2 pods of gang a are bound
      And deleted pods stay terminating
      And gang b of priority urgent with minimum 3 has 3 pods
      And 3 seconds pass
      And the first node leaves
      And gang c of priority low with minimum 1 has 1 pod
      When the pods that are being deleted end
      Then eventually 1 pod of gang c is bound, and stays so

  Rule: Pods are evicted for as many pods of a gang as can be placed then

    @GNG-097.1 @cap-SurplusPreemption @cap-SurplusPods
    Scenario: Pods are evicted for all pods of a gang, not only for its minimum
      Given a node with 3 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      When gang b of priority urgent with minimum 1 has 3 pods
      Then eventually 3 pods of gang b are bound, and stays so

    @GNG-097.2 @cap-SurplusPreemption @cap-SurplusPods
    Scenario: Pods are evicted for the surplus pods that can be placed then
      Given a node with 3 CPUs
      And gang c of priority urgent with minimum 1 has 1 pod
      And 1 pod of gang c is bound
      And gang a of priority low with minimum 1 has 2 pods
      And 2 pods of gang a are bound
      When gang b of priority urgent with minimum 1 has 3 pods
      Then eventually 2 pods of gang b are bound, and stays so
      And for 2 seconds no pod of gang c has been evicted

  Rule: The pods of the lowest priority are evicted

    @GNG-065.1 @cap-Preemption @cap-SurplusPods
    Scenario: Of two gangs that could be evicted the one of lower priority is
      Given a node with 6 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 1.2 seconds have passed
      And gang c of priority high with minimum 1 has 3 pods
      And 3 pods of gang c are bound
      When gang b of priority urgent with minimum 2 has 2 pods
      Then eventually 2 pods of gang b are bound
      And for 2 seconds no pod of gang c has been evicted

  Rule: Pods that a PodDisruptionBudget protects are evicted last

    Background:
      Given a node with 4 CPUs
      And a PodDisruptionBudget protects the pods of gang a

    @GNG-109.1 @cap-Preemption @cap-DisruptionBudgets @cap-SurplusPods
    Scenario Outline: Of two gangs the one without a PodDisruptionBudget is evicted: <order>
      Given gang <first> of priority low with minimum 1 has 2 pods
      And 2 pods of gang <first> are bound
      And 1.2 seconds have passed
      And gang <second> of priority low with minimum 1 has 2 pods
      And 2 pods of gang <second> are bound
      When gang b of priority urgent with minimum 2 has 2 pods
      Then eventually 2 pods of gang b are bound, and stays so
      And for 2 seconds no pod of gang a has been evicted

      Examples:
        | case | order       | first | second |
        | a    | the younger | a     | c      |
        | b    | the older   | c     | a      |

  Rule: While others would do, no more pods are evicted than a budget allows

    Background:
      Given a node with 6 CPUs
      And a PodDisruptionBudget lets 1 pod of gang a be evicted

    @GNG-109.2 @cap-Preemption @cap-DisruptionBudgets @cap-SurplusPods
    Scenario: Of a gang no more pods are evicted than its PodDisruptionBudget allows
      Given gang c of priority low with minimum 1 has 3 pods
      And 3 pods of gang c are bound
      And 1.2 seconds have passed
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      When gang b of priority urgent with minimum 2 has 2 pods
      Then eventually 2 pods of gang b are bound, and stays so
      And for 2 seconds no more than 1 pod of gang a has been evicted

  Rule: No pod is evicted for a gang that cannot be placed

    @GNG-032.1 @cap-Preemption @cap-SurplusPods
    Scenario: No pod is evicted for a gang that does not fit even then
      Given a node with 4 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      When gang b of priority urgent with minimum 5 has 5 pods
      Then for 2 seconds no pod of gang a has been evicted
      And for 2 seconds no pod of gang b is bound, with room for 1 of them

    @GNG-032.2 @cap-Preemption @cap-SurplusPods
    Scenario: No pod is evicted for a gang of which one pod is too big
      Given a node with 4 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      And gang b of priority urgent with minimum 3 has 2 pods
      When 1 pod of 5 CPUs is added to gang b
      Then for 2 seconds no pod of gang a has been evicted
      And for 2 seconds no pod of gang b is bound, with room for 1 of them

    @GNG-032.3 @cap-Preemption @cap-SurplusPods
    Scenario: No pod is evicted for a pod that is bigger than each node
      Given 2 nodes with 4 CPUs each
      And gang a of priority low with minimum 1 has 7 pods
      And 7 pods of gang a are bound
      And gang b of priority urgent with minimum 2 has 1 pod
      When 1 pod of 5 CPUs is added to gang b
      Then for 2 seconds no pod of gang a has been evicted
      And for 2 seconds no pod of gang b is bound, with room for 1 of them

    @GNG-032.5 @cap-Preemption @cap-SurplusPods
    Scenario: No pod is evicted for a gang that no node suits
      Given a node with 4 CPUs
      And gang a of priority low with minimum 1 has 4 pods
      And 4 pods of gang a are bound
      When gang b of priority urgent with minimum 1 has 1 pod that selects a label of no node
      Then for 2 seconds no pod of gang a has been evicted
      And for 2 seconds no pod of gang b is bound

    @GNG-032.20 @cap-Preemption @cap-SurplusPods
    Scenario: No pod is evicted for a gang that a pod of another scheduler keeps out
      Given a node with 4 CPUs
      And pod other of 2 CPUs of priority urgent of another scheduler runs on the node
      And gang a of priority low with minimum 1 has 2 pods
      And 2 pods of gang a are bound
      When gang b of priority urgent with minimum 3 has 3 pods
      Then for 2 seconds no pod of gang a has been evicted
      And for 2 seconds no pod of gang b is bound

    @GNG-032.21 @cap-Preemption @cap-QueueCapability @cap-SurplusPods
    Scenario: No pod of a gang is evicted for one that the capability of its queue excludes
      Given a node with 8 CPUs
      And a queue small of weight 1 with at most 3 CPUs
      And gang a in queue small of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      When 1 pod of 4 CPUs of priority urgent is added to gang a
      Then for 5 seconds no pod of gang a has been evicted
      And for 2 seconds no more than 3 pods of gang a are bound, as GNG-034 requires

    @GNG-067.1 @cap-Preemption @cap-SurplusPods
    Scenario: No pod is evicted for a gang that fits
      Given a node with 4 CPUs
      And gang a of priority low with minimum 1 has 2 pods
      And 2 pods of gang a are bound
      When gang b of priority urgent with minimum 2 has 2 pods
      Then 2 pods of gang b are bound
      And for 2 seconds no pod of gang a has been evicted

    @GNG-108.1 @cap-Preemption @cap-SurplusPods
    Scenario: No surplus pod is evicted for a gang of the same priority
      Given a node with 4 CPUs
      And gang a of priority urgent with minimum 2 has 4 pods
      And 4 pods of gang a are bound
      When gang b of priority urgent with minimum 2 has 2 pods
      Then for 5 seconds no pod of gang a has been evicted

    @GNG-068.1 @cap-Preemption @cap-SurplusPods
    Scenario: No pod is evicted for a gang with preemption policy Never
      Given a node with 4 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      When gang b of priority high with minimum 2 has 2 pods
      Then for 2 seconds no pod of gang a has been evicted
      And for 2 seconds no pod of gang b is bound, with room for 1 of them

  Rule: No pod is evicted for a pod that must not share the node with another

    Background:
      Given a node with 4 CPUs
      And pod guard without a gang of priority urgent is created
      And gang a of priority low with minimum 1 has 3 pods

    @GNG-032.4 @cap-Preemption @cap-SurplusPods
    Scenario: No pod is evicted for a gang that an anti-affinity keeps out
      Given pod guard is bound
      And 3 pods of gang a are bound
      When gang b of priority urgent with minimum 1 has 1 pod that may not share a node with pod guard
      Then for 2 seconds no pod of gang a has been evicted
      And for 2 seconds no pod of gang b is bound

    @GNG-029.7 @cap-Preemption @cap-SurplusPods
    Scenario: A pod that cannot be bound does not have more pods evicted
      Given pod guard is bound
      And 3 pods of gang a are bound
      And gang b of priority urgent with minimum 1 has 1 pod that may not share a node with pod guard
      And 1.2 seconds have passed
      When 1 more pod is added to gang b
      Then eventually 1 pod of gang b is bound
      And for 2 seconds no more than 1 pod of gang a has been evicted

  Rule: No pod is evicted for a pod that its queue has no capability for

    Background:
      Given a node with 8 CPUs
      And a queue small of weight 1 with at most 3 CPUs
      And gang a in queue small of priority low with minimum 1 has 3 pods

    @GNG-029.8 @cap-Preemption @cap-QueueCapability @cap-SurplusPods
    Scenario: A pod beyond the capability of its queue does not have more pods evicted
      Given 3 pods of gang a are bound
      And gang b in queue small of priority urgent with minimum 1 has 1 pod of 4 CPUs
      And 1.2 seconds have passed
      When 1 more pod is added to gang b
      Then eventually 1 pod of gang b is bound
      And for 2 seconds no more than 1 pod of gang a has been evicted

  Rule: No gang is evicted in part

    # Once the gang that must be left alone is the younger one, once the older: age is no protection.
    @GNG-030.1 @cap-KeptMinimum @cap-SurplusPods
    Scenario: A gang without surplus pods keeps its minimum if older gangs have some
      Given a node with 6 CPUs
      And gang c of priority low with minimum 1 has 3 pods
      And 3 pods of gang c are bound
      And 1.2 seconds have passed
      And gang a of priority low with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      When gang b of priority urgent with minimum 2 has 2 pods
      Then eventually gang b is bound and gang a keeps its minimum, and stays so

    @GNG-030.2 @cap-KeptMinimum @cap-SurplusPods
    Scenario: A gang without surplus pods keeps its minimum if younger gangs have some
      Given a node with 6 CPUs
      And gang a of priority low with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And 1.2 seconds have passed
      And gang c of priority low with minimum 1 has 3 pods
      And 3 pods of gang c are bound
      When gang b of priority urgent with minimum 2 has 2 pods
      Then eventually gang b is bound and gang a keeps its minimum, and stays so

    @GNG-030.3 @cap-KeptMinimum @cap-SurplusPods
    Scenario: A pending pod is not surplus if other gangs are older
      Given a node with 4 CPUs
      And gang c of priority low with minimum 1 has 2 pods
      And 2 pods of gang c are bound
      And 1.2 seconds have passed
      And gang a of priority low with minimum 2 has 3 pods
      And 2 pods of gang a are bound
      When gang b of priority urgent with minimum 1 has 1 pod
      Then eventually gang b is bound and gang a keeps its minimum, and stays so

    @GNG-030.4 @cap-KeptMinimum @cap-SurplusPods
    Scenario: A pending pod is not surplus if other gangs are younger
      Given a node with 4 CPUs
      And gang a of priority low with minimum 2 has 2 pods
      And 2 pods of gang a are bound
      And gang c of priority low with minimum 1 has 2 pods
      And 2 pods of gang c are bound
      And 1 more pod is added to gang a
      When gang b of priority urgent with minimum 1 has 1 pod
      Then eventually gang b is bound and gang a keeps its minimum, and stays so

    @GNG-030.6 @cap-KeptMinimum @cap-SurplusPods
    Scenario: A gang keeps its minimum while gangs of a higher priority have surplus pods
      Given a node with 5 CPUs
      And gang a of priority low with minimum 2 has 2 pods
      And 2 pods of gang a are bound
      And gang c of priority high with minimum 1 has 3 pods
      And 3 pods of gang c are bound
      When gang b of priority urgent with minimum 1 has 1 pod
      Then eventually gang b is bound and gang a keeps its minimum, and stays so

    @GNG-066.1 @cap-WholeVictims
    Scenario: A gang that can only be disrupted as a whole is evicted as a whole
      Given a node with 4 CPUs
      And gang a of priority low with minimum 3 has 3 pods, which are evicted only together
      And 3 pods of gang a are bound
      When gang b of priority urgent with minimum 2 has 2 pods
      Then eventually 2 pods of gang b are bound
      And for 2 seconds gang a runs with its minimum or not at all

    @GNG-066.2 @cap-WholeVictims
    Scenario: A gang on two nodes is evicted as a whole for a single pod
      Given 2 nodes with 2 CPUs each
      And gang a of priority low with minimum 4 has 4 pods, which are evicted only together
      And 4 pods of gang a are bound
      When pod single of priority urgent without a gang is created
      Then eventually pod single is bound
      And for 2 seconds gang a runs with its minimum or not at all

  Rule: Evicted pods have the condition DisruptionTarget

    @GNG-090.1 @cap-Preemption @cap-SurplusPods
    Scenario: A pod that is evicted for a gang has the condition DisruptionTarget
      Given a node with 2 CPUs
      And gang a of priority low with minimum 1 has 2 pods
      And 2 pods of gang a are bound
      When gang b of priority urgent with minimum 1 has 1 pod
      Then eventually 1 pod of gang b is bound, and stays so
      And every pod of gang a that was evicted had the condition DisruptionTarget

  Rule: Priority counts within a queue

    @GNG-031.1 @cap-QueuedPreemption @cap-SurplusPods
    Scenario: No pod of another queue is evicted for a gang of higher priority
      Given a node with 5 CPUs
      And queues first and late of weight 1
      And gang a in queue first with minimum 1 has 4 pods
      And 4 pods of gang a are bound
      When gang b in queue late of priority urgent with minimum 2 has 2 pods
      Then for 2 seconds no pod of gang a has been evicted
      And for 2 seconds no pod of gang b is bound, with room for 1 of them
