Feature: Each pod of a gang is bound once, to a node that suits it

  Rule: No node gets a pod that does not suit it

    @GNG-009.1
    Scenario Outline: A gang is not bound to a node that <flaw>
      Given a node with 2 CPUs
      And a node with 8 CPUs that <flaw>
      When gang a with minimum 3 has 3 pods
      Then for 2 seconds no pod of gang a is bound, with room for 2 of them

      Examples:
        | case | flaw             |
        | a    | is not ready     |
        | b    | is cordoned      |
        | c    | is tainted       |
        | d    | has other labels |
        | e    | is unreachable   |

    @GNG-009.2
    Scenario Outline: A gang waits while one resource of the node is insufficient: <resource>
      Given a node with 8 CPUs and <there>
      When gang a with minimum 3 has 3 pods that also request 1 <resource> each
      Then for 2 seconds no pod of gang a is bound, with room for 2 of them

      Examples:
        | case | resource       | there             |
        | a    | GiB of memory  | 2 GiB of memory   |
        | b    | device         | 2 devices         |
        | c    | place for pods | 2 places for pods |
        | d    | GiB of local storage | 2 GiB of local storage |

    @GNG-009.22
    Scenario: A gang of pods of two sizes waits while a place for pods is missing
      Given a node with 16 CPUs and 3 places for pods
      And gang a with minimum 4 has 2 pods
      When 2 pods of 2 CPUs each are added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for 3 of them

    @GNG-009.13
    Scenario: A gang waits while a MiB of memory is missing
      Given a node with 8 CPUs and 23 MiB of memory
      When gang a with minimum 3 has 3 pods that also request 8 MiB of memory each
      Then for 2 seconds no pod of gang a is bound, with room for 2 of them

    @GNG-009.14
    Scenario Outline: A gang waits while its pods fit without their <containers> alone
      Given a node with 4 CPUs
      When gang a with minimum 2 has 2 pods <of pods>
      Then for 2 seconds no pod of gang a is bound, with room for 1 of them

      Examples:
        | case | containers      | of pods                                       |
        | a    | init containers | whose init container requests 3 CPUs          |
        | b    | sidecars        | of 2 CPUs each whose sidecar requests 1 CPU   |
        | c    | runtimes        | of 2 CPUs each whose runtime takes 1 CPU      |

    @GNG-103.1 @cap-PodLevelResources
    Scenario: A gang waits while its pods fit without what they request as a whole
      Given a node with 4 CPUs
      When gang a with minimum 2 has 2 pods that request 3 CPUs for the whole pod
      Then for 2 seconds no pod of gang a is bound, with room for 1 of them

    @GNG-009.16
    Scenario: A gang waits while a pod takes more since it was resized
      Given a node with 4 CPUs
      And pod single of 2 CPUs of another scheduler runs on the node
      And 1 second passes
      And a user resizes pod single to 3 CPUs
      When gang a with minimum 2 has 2 pods
      Then for 2 seconds no pod of gang a is bound, with room for 1 of them

    @GNG-104.1 @cap-PodResize
    Scenario: A gang waits while a pod that is resized still has what it had
      Given a node with 4 CPUs
      And pod single of 3 CPUs of another scheduler runs on the node
      And 1 second passes
      And a user resizes pod single to 1 CPU, which its node has not done yet
      When gang a with minimum 2 has 2 pods
      Then for 2 seconds no pod of gang a is bound, with room for 1 of them

    @GNG-009.17
    Scenario: A gang whose pods use one host port waits for a node for each
      Given 2 nodes with 8 CPUs each
      When gang a with minimum 3 has 3 pods that use host port 8080
      Then for 2 seconds no pod of gang a is bound, with room for 2 of them

    @GNG-009.18
    Scenario: A gang is not bound to a node that its node affinity does not name
      Given a node with 2 CPUs in zone west
      And a node with 8 CPUs in zone east
      When gang a with minimum 3 has 3 pods that need a node of zone west
      Then for 2 seconds no pod of gang a is bound, with room for 2 of them

    @GNG-009.19
    Scenario: A gang waits while 4 thousandths of a CPU are missing
      Given a node with 2 CPUs
      When gang a with minimum 3 has 3 pods of 0.668 CPUs each
      Then for 2 seconds no pod of gang a is bound, with room for 2 of them

    @GNG-009.20
    Scenario Outline: A gang is not bound to a tainted node though it tolerates <what>
      Given a node with 2 CPUs
      And a node with 8 CPUs that is tainted
      When gang a with minimum 3 has 3 pods that tolerate <what>
      Then for 2 seconds no pod of gang a is bound, with room for 2 of them

      Examples:
        | case | what                       |
        | a    | another value of the taint |
        | b    | another taint              |
        | c    | the taint once they run    |

    @GNG-009.21
    Scenario: A gang is not bound to a node that its node affinity excludes
      Given a node with 2 CPUs in zone west
      And a node with 8 CPUs in zone east
      When gang a with minimum 3 has 3 pods that need a node outside of zone east
      Then for 2 seconds no pod of gang a is bound, with room for 2 of them

    @GNG-009.15
    Scenario: A gang is not bound to devices that a node has lost
      Given a node with 8 CPUs and 4 devices
      And gang a with minimum 2 has 2 pods that also request 2 devices each
      And 2 pods of gang a are bound
      And the first node gets 3 devices
      And another client annotates the first node
      When gang b with minimum 1 has 1 pod that also requests 1 device
      Then for 2 seconds no pod of gang b is bound, with room for 0 of them

    @GNG-009.3
    Scenario: A gang is not bound to resources of a pod of another scheduler
      Given a node with 4 CPUs
      And pod other of 2 CPUs of another scheduler runs on the node
      When gang a with minimum 3 has 3 pods
      Then for 2 seconds no pod of gang a is bound, with room for 2 of them

    @GNG-009.4
    Scenario: A gang is not bound to resources of a terminating pod
      Given a node with 4 CPUs
      And pod single without a gang of 2 CPUs is created
      And pod single is bound
      And pod single is deleted, but stays terminating
      When gang a with minimum 3 has 3 pods
      Then for 2 seconds no pod of gang a is bound, with room for 2 of them

    @GNG-009.5
    Scenario: The pods of a gang are spread over nodes that each hold one
      Given 4 nodes with 1 CPU each
      When gang a with minimum 4 has 4 pods
      Then 4 pods of gang a are bound, and stays so

    @GNG-009.6 @fault
    Scenario: No node is overcommitted while watch events for pods are delayed
      Given a node with 4 CPUs
      And pods are seen 1 seconds late
      And gang a with minimum 3 has 3 pods
      And gang b with minimum 2 has 2 pods
      When gang c with minimum 3 has 3 pods
      Then of gangs a, b and c only one is bound, and stays so for 2 seconds

    @GNG-009.7 @fault
    Scenario: A late update of a bound pod does not free its resources
      Given a node with 4 CPUs
      And gang a with minimum 2 has 1 pod
      And pods are seen 2 seconds late
      And pod big without a gang of 3 CPUs is created
      And 0.8 seconds pass
      And 1 more pod is added to gang a
      When a user labels pod big
      Then eventually either gang a or pod big is bound, and stays so for 2 seconds

    @GNG-009.8 @fault
    Scenario: Running pods count even if their node is observed after them
      Given a node with 4 CPUs
      And a node with 4 CPUs that is cordoned
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And nodes are seen 1.5 seconds late
      When the implementation is killed and started again
      And gang b with minimum 2 has 2 pods of 2 CPUs each
      Then for 2 seconds no pod of gang b is bound, with room for 0 of them

    @GNG-009.9 @fault
    Scenario: A failed binding is not retried on a node that was cordoned meanwhile
      Given a node with 4 CPUs
      And pod bindings are answered with 500
      And gang a with minimum 2 has 2 pods
      And the fault has been triggered
      And the first node is cordoned
      When 2 seconds pass
      Then once the faults end for 15 seconds no pod of gang a is bound

    # The single pod needs what only the last node has: a scheduler that binds it has observed the nodes.
    @GNG-009.11 @fault
    Scenario Outline: A node that has the name of a former one has its own resources, <what>
      Given a node with 4 CPUs
      And <replaced>
      And another node with 1 CPU and 1 device joins
      And pod late without a gang that also requests 1 device is created
      And eventually pod late is bound
      When gang a with minimum 3 has 3 pods
      Then for 2 seconds no pod of gang a is bound, with room for 2 of them

      Examples:
        | case | what           | replaced                                                                                    |
        | a    | seen at once   | the first node is replaced by one of its name with 2 CPUs                                   |
        | b    | seen late      | the implementation sees late that the first node is replaced by one of its name with 2 CPUs |
        | c    | in a watch gap | the implementation misses that the first node is replaced by one of its name with 2 CPUs    |

    @GNG-009.12
    Scenario: A pod in the phase Unknown keeps its resources
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And 1 running pod of gang a becomes Unknown
      When gang b with minimum 1 has 1 pod
      Then for 2 seconds no pod of gang b is bound, with room for 0 of them

  Rule: Constraints between the pods of a gang hold

    @GNG-010.1
    Scenario: A gang with anti-affinity waits for a node for each pod
      Given 2 nodes with 8 CPUs each
      When gang a with minimum 3 has 3 pods, no two on one node
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-010.2
    Scenario: A gang with anti-affinity is bound to a node for each pod
      Given 3 nodes with 8 CPUs each
      When gang a with minimum 3 has 3 pods, no two on one node
      Then 3 pods of gang a are bound, and stays so
      And the pods of gang a are on 3 nodes

    @GNG-010.3
    Scenario: A gang waits while the anti-affinity of one pod keeps the others away
      Given a node with 8 CPUs
      And gang a with minimum 3 has 1 pod, no two on one node
      When 2 more pods are added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-010.6 @cap-SurplusPods
    Scenario: A pod that joins a gang with anti-affinity waits for a node of its own
      Given a node with 8 CPUs
      And gang a with minimum 1 has 1 pod, no two on one node
      And 1 pod of gang a is bound
      When 1 more pod, no two on one node is added to gang a
      Then for 5 seconds no more than 1 pod of gang a is bound

    @GNG-010.4
    Scenario: A gang with zone affinity waits for a zone that holds all its pods
      Given 2 nodes with 1 CPU each in zone east
      And 2 nodes with 1 CPU each in zone west
      When gang a with minimum 3 has 3 pods, all in one zone
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-010.5
    Scenario: A gang with zone affinity is bound in one zone
      Given 3 nodes with 1 CPU each in zone east
      And 3 nodes with 1 CPU each in zone west
      When gang a with minimum 3 has 3 pods, all in one zone
      Then 3 pods of gang a are bound, and stays so
      And the pods of gang a are in 1 zone

  Rule: The topology spread constraints of a gang hold

    @GNG-087.1 @cap-TopologySpread
    Scenario: A gang with topology spread constraints waits for resources in both zones
      Given 1 node with 4 CPUs in zone east
      And 1 node with 1 CPU in zone west
      When gang a with minimum 4 has 4 pods, spread evenly over the zones
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-087.2 @cap-TopologySpread
    Scenario: A gang with topology spread constraints is spread evenly over the zones
      Given 1 node with 4 CPUs in zone east
      And 1 node with 4 CPUs in zone west
      When gang a with minimum 4 has 4 pods, spread evenly over the zones
      Then 4 pods of gang a are bound, and stays so
      And no zone has more than 2 pods of gang a

  Rule: A group may name a topology domain for its gang

    @GNG-069.1 @cap-TopologyConstraint
    Scenario: A gang with a topology domain waits for a zone that holds its minimum
      Given 2 nodes with 1 CPU each in zone east
      And 2 nodes with 1 CPU each in zone west
      When gang a with minimum 3 has 3 pods, by its group all in one zone
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-069.2 @cap-TopologyConstraint
    Scenario: A gang with a topology domain is not bound to nodes without a zone
      Given 1 node with 2 CPUs in zone east
      And a node with 4 CPUs
      When gang a with minimum 3 has 3 pods, by its group all in one zone
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-069.3 @cap-TopologyConstraint
    Scenario: A gang with a topology domain is bound in the zone that holds its minimum
      Given 2 nodes with 1 CPU each in zone east
      And 3 nodes with 1 CPU each in zone west
      When gang a with minimum 3 has 3 pods, by its group all in one zone
      Then 3 pods of gang a are bound, and stays so
      And the pods of gang a are in 1 zone

    @GNG-069.4 @cap-TopologyConstraint @cap-SurplusPods
    Scenario: A surplus pod waits for resources in the zone of its gang
      Given 1 node with 2 CPUs in zone east
      And gang a with minimum 2 has 2 pods, by its group all in one zone
      And 2 pods of gang a are bound
      And 1 node with 4 CPUs in zone west joins
      And 1 more pod is added to gang a
      When gang b with minimum 1 has 1 pod
      Then 1 pod of gang b is bound
      And exactly 2 pods of gang a are bound, and stays so for 2 seconds

    @GNG-069.5 @cap-TopologyConstraint @cap-SurplusPods
    Scenario: A surplus pod is bound in the zone of its gang
      Given 1 node with 2 CPUs in zone west
      And gang a with minimum 2 has 2 pods, by its group all in one zone
      And 2 pods of gang a are bound
      And 1 node with 4 CPUs in zone east joins
      And 1 more pod is added to gang a
      When 1 node with 1 CPU in zone west joins
      Then eventually 3 pods of gang a are bound, and stays so
      And the pods of gang a are in 1 zone

    @GNG-069.8 @cap-TopologyConstraint
    Scenario: A gang with a topology domain waits though one zone is named like another
      Given 2 nodes with 1 CPU each in zone east
      And 2 nodes with 1 CPU each in zone easter
      When gang a with minimum 3 has 3 pods, by its group all in one zone
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-069.10 @cap-TopologyConstraint
    Scenario: A gang is bound in a zone whose name is that of the host of its first node
      Given a node with 1 CPU in zone east
      And a node with 2 CPUs in zone west whose host has the name of its zone
      And another node with 1 CPU in zone west
      When gang a with minimum 3 has 3 pods, by its group all in one zone
      Then 3 pods of gang a are bound, and stays so
      And the pods of gang a are in 1 zone

    @GNG-069.9 @cap-TopologyConstraint @cap-Backfill
    Scenario: A gang of best-effort pods is bound in one zone
      Given a node with 2 CPUs and 2 places for pods in zone east
      And a node with 2 CPUs and 3 places for pods in zone west
      When gang a with minimum 3 has 3 pods that request nothing, by its group all in one zone
      Then 3 pods of gang a are bound, and stays so
      And the pods of gang a are in 1 zone

  Rule: A gang keeps the zone that it has

    Background:
      Given 1 node with 2 CPUs in zone west
      And gang a with minimum 2 has 2 pods, by its group all in one zone
      And 2 pods of gang a are bound

    # The zone of the gang has no resources for the replacement at first, and the other zone has.
    @GNG-069.6 @cap-TopologyConstraint
    Scenario: The replacement of a pod is bound in the zone of its gang
      Given 1 node with 4 CPUs in zone east joins
      And 1 running pod of gang a vanishes
      And 1 pod of 2 CPUs is added to gang a
      And 3 seconds pass
      When 1 node with 2 CPUs in zone west joins
      Then eventually 3 pods of gang a are bound, and stays so
      And the pods of gang a are in 1 zone

    @GNG-069.7 @cap-TopologyConstraint
    Scenario: The replacement of a pod is bound in the zone of its gang after a restart
      Given 1 node with 4 CPUs in zone east joins
      And the implementation is killed and started again
      And 1 running pod of gang a vanishes
      When 1 more pod is added to gang a
      And 3 pods of gang a are bound
      Then for 2 seconds the pods of gang a are in 1 zone

  Rule: A ReadWriteOncePod PersistentVolumeClaim is used by one pod at a time

    @GNG-072.1 @cap-StorageClaims
    Scenario: A gang waits if two of its pods use one ReadWriteOncePod claim
      Given a node with 4 CPUs
      And claim left of storage for one pod at a time
      And gang a with minimum 2 has 0 pods
      When 2 pods that use claim left are added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-072.2 @cap-StorageClaims
    Scenario: A gang whose pods use one ReadWriteOncePod claim each is bound
      Given a node with 4 CPUs
      And claim left of storage for one pod at a time
      And claim right of storage for one pod at a time
      And gang a with minimum 2 has 0 pods
      And 1 pod that uses claim left is added to gang a
      When 1 pod that uses claim right is added to gang a
      Then 2 pods of gang a are bound, and stays so

    @GNG-072.3 @cap-StorageClaims @cap-SurplusPods
    Scenario: A pod waits while a terminating pod uses its ReadWriteOncePod claim
      Given a node with 4 CPUs
      And claim left of storage for one pod at a time
      And gang a with minimum 1 has 0 pods
      And 2 pods that use claim left are added to gang a
      And 1 pod of gang a is bound
      And deleted pods stay terminating
      When a user deletes 1 running pod of gang a
      Then for 2 seconds no more than 1 pod of gang a is bound

    @GNG-072.4 @cap-StorageClaims @cap-SurplusPods
    Scenario: A pod is bound when its ReadWriteOncePod claim is free again
      Given a node with 4 CPUs
      And claim left of storage for one pod at a time
      And gang a with minimum 1 has 0 pods
      And 2 pods that use claim left are added to gang a
      And 1 pod of gang a is bound
      When 1 running pod of gang a succeeds
      Then eventually 2 pods of gang a are bound, and stays so

  Rule: The nodes of pods reach the volumes that the pods use

    @GNG-107.1 @cap-StorageClaims
    Scenario: A gang waits for nodes that reach the volume of its pods
      Given a node with 1 CPU in zone west
      And a node with 4 CPUs in zone east
      And claim data of storage that nodes of zone west reach
      When gang a with minimum 2 has 2 pods that use claim data
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-107.2 @cap-StorageClaims
    Scenario: A gang waits while the claim that its pods use does not exist
      Given a node with 4 CPUs
      When gang a with minimum 2 has 2 pods that use claim data
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-016.23 @cap-StorageClaims
    Scenario: A pending gang is bound when a node joins that reaches the volume of its pods
      Given a node with 1 CPU in zone west
      And a node with 4 CPUs in zone east
      And claim data of storage that nodes of zone west reach
      And gang a with minimum 2 has 2 pods that use claim data
      And 3 seconds pass
      When another node with 2 CPUs in zone west joins
      Then eventually 2 pods of gang a are bound, and stays so

    @GNG-016.24 @cap-StorageClaims
    Scenario: A pending gang is bound when the claim that its pods use is created
      Given a node with 4 CPUs in zone west
      And gang a with minimum 2 has 2 pods that use claim data
      And 3 seconds pass
      When claim data of storage that nodes of zone west reach
      Then eventually 2 pods of gang a are bound, and stays so

  Rule: Each pod is bound at most once

    @GNG-011.1 @fault
    Scenario: A pod whose binding response was lost is not bound to another node
      Given 3 nodes with 4 CPUs each
      And the 2nd pod binding is applied but its reply is lost
      When gang a with minimum 4 has 4 pods
      Then eventually 4 pods of gang a are bound
      And for 2 seconds each pod is bound once

    @GNG-011.2 @fault
    Scenario: Pods whose bindings are slow are bound once
      Given 2 nodes with 4 CPUs each
      And pod bindings take 1 seconds each
      When gang a with minimum 4 has 4 pods
      Then eventually 4 pods of gang a are bound
      And for 2 seconds each pod is bound once

    @GNG-009.23 @fault
    Scenario: The binding of a deleted pod is not applied to a pod of its name
      Given a node with 4 CPUs
      And the next pod binding is held before taking effect
      And pod single without a gang is created
      And the fault has been triggered
      And pod single vanishes
      And pod single of 5 CPUs without a gang is created
      When the faults end
      Then for 2 seconds pod single is not bound

  Rule: A failed binding is retried

    @GNG-012.1 @fault
    Scenario Outline: A gang is completed after a binding was answered with <status>
      Given a node with 4 CPUs
      And the 2nd pod binding is answered with <status>
      When gang a with minimum 4 has 4 pods
      Then eventually 4 pods of gang a are bound
      And for 2 seconds no pod of gang a that was bound is deleted

      Examples:
        | case | status |
        | a    | 409    |
        | b    | 500    |
        | c    | 504    |
        | d    | 422    |

    @GNG-012.2 @fault
    Scenario: A gang is completed after several bindings failed in a row
      Given a node with 3 CPUs
      And the next 2 pod bindings are answered with 500
      When gang a with minimum 3 has 3 pods
      Then eventually 3 pods of gang a are bound, and stays so

    @GNG-012.3 @fault
    Scenario: A pod is bound after its binding failed several times
      Given a node with 2 CPUs
      And the next 3 pod bindings are answered with 500
      When gang a with minimum 1 has 1 pod
      Then eventually 1 pod of gang a is bound, and stays so

    @GNG-012.4 @fault
    Scenario: A gang is bound after its bindings failed for ten seconds
      Given a node with 2 CPUs
      And pod bindings are answered with 500
      And gang a with minimum 2 has 2 pods
      And the fault has been triggered
      When 10 seconds pass
      Then once the faults end 2 pods of gang a are bound, and stays so

    @GNG-012.5 @fault
    Scenario: A gang whose node is cordoned while its bindings fail is bound to another
      Given a node with 3 CPUs
      And pod bindings are answered with 500
      And gang a with minimum 2 has 2 pods
      And the fault has been triggered
      And the first node is cordoned
      And another node with 3 CPUs joins
      When 2 seconds pass
      Then once the faults end 2 pods of gang a are bound, and stays so

  Rule: A restart while a gang is being bound does not split the gang

    @GNG-013.1 @fault
    Scenario Outline: A gang is completed after a restart at its binding <number>
      Given a node with 4 CPUs
      And the implementation is killed just after its <number> pod binding and started again
      When gang a with minimum 4 has 4 pods
      Then the implementation runs
      And eventually 4 pods of gang a are bound
      And for 2 seconds no pod of gang a that was bound is deleted

      Examples:
        | case | number |
        | a    | 1st    |
        | b    | 2nd    |
        | c    | 3rd    |
        | d    | 4th    |

    @GNG-013.3
    Scenario: A restarted scheduler makes no pods for a gang that has ended
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And the pods of gang a succeed
      And the implementation is killed and started again
      When gang b with minimum 3 has 3 pods
      Then eventually 3 pods of gang b are bound, and stays so

    @GNG-100.1 @fault
    Scenario Outline: A gang is bound after crashes just <moment> each 4th write
      Given a node with 4 CPUs
      And the implementation is killed just <moment> every 4th write from write 1 on and started again
      When gang a with minimum 4 has 4 pods
      Then eventually 4 pods of gang a are bound
      And once the faults end the implementation runs

      Examples:
        | case | moment |
        | a    | before |
        | b    | after  |

    @GNG-013.2
    Scenario: A restarted scheduler does not delete pods of a running gang
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And gang b with minimum 3 has 3 pods
      When the implementation is killed and started again
      Then for 2 seconds no pod of gang b is bound, with room for 1 of them
      And for 2 seconds no pod of gang a that was bound is deleted

  Rule: A running gang is left alone though fewer of its pods run than its minimum

    Background:
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound

    @GNG-102.1
    Scenario: The last pod of a gang runs on after the others have succeeded
      Given 1 running pod of gang a succeeds
      And 1 running pod of gang a succeeds
      When pod single without a gang is created
      And pod single is bound
      Then for 6 seconds no pod of gang a has been evicted

    @GNG-102.2
    Scenario: The last pod of a gang runs on after the others have succeeded and a restart
      Given 2 running pods of gang a succeed
      And the implementation is killed and started again
      When pod single without a gang is created
      And pod single is bound
      Then for 6 seconds no pod of gang a has been evicted

    @GNG-102.3 @cap-ChangeableMinimum
    Scenario: The pods of a gang run on after its minimum was raised
      Given 2 seconds pass
      And the minimum of gang a is raised to 5
      When pod single without a gang is created
      And pod single is bound
      Then for 6 seconds no pod of gang a has been evicted
