Feature: Each pod of a gang is placed rightly, and once

  Rule: No node gets a pod that does not suit it

    @GNG-009
    Scenario Outline: A gang is not bound to a node that <flaw>
      Given a node with 2 CPUs
      And a node with 8 CPUs that <flaw>
      When gang a with minimum 3 has 3 pods
      Then for 2 seconds no pod of gang a is bound, with room for 2 of them

      Examples:
        | flaw             |
        | is not ready     |
        | is cordoned      |
        | is tainted       |
        | has other labels |

    @GNG-009
    Scenario Outline: A gang waits while there are too few: <resource>
      Given a node with 8 CPUs and <there>
      When gang a with minimum 3 has 3 pods that also ask for 1 <resource> each
      Then for 2 seconds no pod of gang a is bound, with room for 2 of them

      Examples:
        | resource       | there             |
        | GiB of memory  | 2 GiB of memory   |
        | device         | 2 devices         |
        | place for pods | 2 places for pods |

    @GNG-009
    Scenario: A gang is not bound to what the pod of another scheduler has
      Given a node with 4 CPUs
      And pod other of 2 CPUs of another scheduler runs on the node
      When gang a with minimum 3 has 3 pods
      Then for 2 seconds no pod of gang a is bound, with room for 2 of them

    @GNG-009
    Scenario: A gang is not bound to what a pod that is being deleted still has
      Given a node with 4 CPUs
      And pod single without a gang of 2 CPUs is created
      And pod single is bound
      And pod single is deleted, but stays terminating
      When gang a with minimum 3 has 3 pods
      Then for 2 seconds no pod of gang a is bound, with room for 2 of them

    @GNG-009
    Scenario: The pods of a gang are spread over nodes that each hold one
      Given 4 nodes with 1 CPU each
      When gang a with minimum 4 has 4 pods
      Then 4 pods of gang a are bound, and stays so

    @GNG-009 @fault
    Scenario: No node is given too much while the pods are seen late
      Given a node with 4 CPUs
      And pods are seen 1 seconds late
      And gang a with minimum 3 has 3 pods
      And gang b with minimum 2 has 2 pods
      When gang c with minimum 3 has 3 pods
      Then of gangs a, b and c only one is bound, and stays so for 2 seconds

    @GNG-009 @fault
    Scenario: What is seen late of a bound pod gives no room back
      Given a node with 4 CPUs
      And gang a with minimum 2 has 1 pod
      And pods are seen 2 seconds late
      And pod big without a gang of 3 CPUs is created
      And 0.8 seconds pass
      And 1 more pod is added to gang a
      When a user labels pod big
      Then in the end either gang a or pod big is bound, and stays so for 2 seconds

    @GNG-009 @fault
    Scenario: What runs on a node counts also if the node is seen after its pods
      Given a node with 4 CPUs
      And a node with 4 CPUs that is cordoned
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And nodes are seen 1.5 seconds late
      When the implementation is killed and started again
      And gang b with minimum 2 has 2 pods of 2 CPUs each
      Then for 2 seconds no pod of gang b is bound, with room for 0 of them

    @GNG-009 @fault
    Scenario: A binding that failed is not tried again on a node that has been cordoned
      Given a node with 4 CPUs
      And pod bindings are answered with 500
      And gang a with minimum 2 has 2 pods
      And the fault has struck
      And the first node is cordoned
      When 2 seconds pass
      Then once the faults end for 15 seconds no pod of gang a is bound

  Rule: Constraints between the pods of a gang hold

    @GNG-010
    Scenario: A gang whose pods keep apart waits for one node each
      Given 2 nodes with 8 CPUs each
      When gang a with minimum 3 has 3 pods, no two on one node
      Then for 2 seconds no pod of gang a is bound, with room for all of them

    @GNG-010
    Scenario: A gang whose pods keep apart is bound to one node each
      Given 3 nodes with 8 CPUs each
      When gang a with minimum 3 has 3 pods, no two on one node
      Then 3 pods of gang a are bound, and stays so
      And the pods of gang a are on 3 nodes

    @GNG-010
    Scenario: A gang waits while one of its pods keeps the others away
      Given a node with 8 CPUs
      And gang a with minimum 3 has 1 pod, no two on one node
      When 2 more pods are added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for all of them

    @GNG-010
    Scenario: A gang whose pods belong into one zone waits for one that holds them all
      Given 2 nodes with 1 CPU each in zone east
      And 2 nodes with 1 CPU each in zone west
      When gang a with minimum 3 has 3 pods, all in one zone
      Then for 2 seconds no pod of gang a is bound, with room for all of them

    @GNG-010
    Scenario: A gang whose pods belong into one zone is bound there
      Given 3 nodes with 1 CPU each in zone east
      And 3 nodes with 1 CPU each in zone west
      When gang a with minimum 3 has 3 pods, all in one zone
      Then 3 pods of gang a are bound, and stays so
      And the pods of gang a are in 1 zone

  Rule: Pods of a gang are spread as they say

    @GNG-087 @cap-TopologySpread
    Scenario: A gang whose pods are spread evenly waits for room in both zones
      Given 1 node with 4 CPUs in zone east
      And 1 node with 1 CPU in zone west
      When gang a with minimum 4 has 4 pods, spread evenly over the zones
      Then for 2 seconds no pod of gang a is bound, with room for all of them

    @GNG-087 @cap-TopologySpread
    Scenario: A gang whose pods are spread evenly is bound so
      Given 1 node with 4 CPUs in zone east
      And 1 node with 4 CPUs in zone west
      When gang a with minimum 4 has 4 pods, spread evenly over the zones
      Then 4 pods of gang a are bound, and stays so
      And no zone has more than 2 pods of gang a

  Rule: A gang may belong into one zone by its group

    @GNG-069 @cap-TopologyConstraint
    Scenario: A gang whose group wants one zone waits for one that holds its minimum
      Given 2 nodes with 1 CPU each in zone east
      And 2 nodes with 1 CPU each in zone west
      When gang a with minimum 3 has 3 pods, by its group all in one zone
      Then for 2 seconds no pod of gang a is bound, with room for all of them

    @GNG-069 @cap-TopologyConstraint
    Scenario: A gang whose group wants one zone is not bound to nodes without any
      Given 1 node with 2 CPUs in zone east
      And a node with 4 CPUs
      When gang a with minimum 3 has 3 pods, by its group all in one zone
      Then for 2 seconds no pod of gang a is bound, with room for all of them

    @GNG-069 @cap-TopologyConstraint
    Scenario: A gang whose group wants one zone is bound in the one that holds its minimum
      Given 2 nodes with 1 CPU each in zone east
      And 3 nodes with 1 CPU each in zone west
      When gang a with minimum 3 has 3 pods, by its group all in one zone
      Then 3 pods of gang a are bound, and stays so
      And the pods of gang a are in 1 zone

    @GNG-069 @cap-TopologyConstraint @cap-SurplusPods
    Scenario: Pods beyond the minimum wait for room in the zone of the others
      Given 1 node with 2 CPUs in zone east
      And gang a with minimum 2 has 2 pods, by its group all in one zone
      And 2 pods of gang a are bound
      And 1 node with 4 CPUs in zone west joins
      And 1 more pod is added to gang a
      When gang b with minimum 1 has 1 pod
      Then 1 pod of gang b is bound
      And exactly 2 pods of gang a are bound, and stays so for 2 seconds

    @GNG-069 @cap-TopologyConstraint @cap-SurplusPods
    Scenario: Pods beyond the minimum are bound in the zone of the others
      Given 1 node with 2 CPUs in zone west
      And gang a with minimum 2 has 2 pods, by its group all in one zone
      And 2 pods of gang a are bound
      And 1 node with 4 CPUs in zone east joins
      And 1 more pod is added to gang a
      When 1 node with 1 CPU in zone west joins
      Then in the end 3 pods of gang a are bound, and stays so
      And the pods of gang a are in 1 zone

    @GNG-069 @cap-TopologyConstraint
    Scenario: A pod in the place of one that vanished is bound in the zone of the others
      Given 1 node with 2 CPUs in zone west
      And gang a with minimum 2 has 2 pods, by its group all in one zone
      And 2 pods of gang a are bound
      And 1 node with 4 CPUs in zone east joins
      And 1 running pod of gang a vanishes
      When 1 more pod is added to gang a
      Then in the end 2 pods of gang a are bound, and stays so
      And the pods of gang a are in 1 zone

  Rule: Storage for one pod at a time is not given to two

    @GNG-072 @cap-StorageClaims
    Scenario: A gang waits if two of its pods want storage that is for one
      Given a node with 4 CPUs
      And claim left of storage for one pod at a time
      And gang a with minimum 2 has 0 pods
      When 2 pods that use claim left are added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for all of them

    @GNG-072 @cap-StorageClaims
    Scenario: A gang whose pods have each its own storage is bound
      Given a node with 4 CPUs
      And claim left of storage for one pod at a time
      And claim right of storage for one pod at a time
      And gang a with minimum 2 has 0 pods
      And 1 pod that uses claim left is added to gang a
      When 1 pod that uses claim right is added to gang a
      Then 2 pods of gang a are bound, and stays so

    @GNG-072 @cap-StorageClaims @cap-SurplusPods
    Scenario: A pod waits while the one that has its storage is terminating
      Given a node with 4 CPUs
      And claim left of storage for one pod at a time
      And gang a with minimum 1 has 0 pods
      And 2 pods that use claim left are added to gang a
      And 1 pod of gang a is bound
      And deleted pods stay terminating
      When a user deletes 1 running pod of gang a
      Then for 2 seconds no more than 1 pod of gang a is bound

    @GNG-072 @cap-StorageClaims @cap-SurplusPods
    Scenario: A pod is bound when the storage that it wants is free again
      Given a node with 4 CPUs
      And claim left of storage for one pod at a time
      And gang a with minimum 1 has 0 pods
      And 2 pods that use claim left are added to gang a
      And 1 pod of gang a is bound
      When 1 running pod of gang a succeeds
      Then in the end 2 pods of gang a are bound, and stays so

  Rule: Each pod is bound at most once

    @GNG-011 @fault
    Scenario: A pod whose binding was never answered is not bound elsewhere
      Given 3 nodes with 4 CPUs each
      And the 2nd pod binding is carried out but its reply is lost
      When gang a with minimum 4 has 4 pods
      Then in the end 4 pods of gang a are bound
      And for 2 seconds each pod is bound once

    @GNG-011 @fault
    Scenario: Pods whose bindings are slow are bound once
      Given 2 nodes with 4 CPUs each
      And pod bindings take 1 seconds each
      When gang a with minimum 4 has 4 pods
      Then in the end 4 pods of gang a are bound
      And for 2 seconds each pod is bound once

  Rule: A binding that failed is tried again

    @GNG-012 @fault
    Scenario Outline: A gang is completed after a binding was answered with <status>
      Given a node with 4 CPUs
      And the 2nd pod binding is answered with <status>
      When gang a with minimum 4 has 4 pods
      Then in the end 4 pods of gang a are bound
      And for 2 seconds no pod of gang a that was bound is deleted

      Examples:
        | status |
        | 409    |
        | 500    |
        | 504    |

    @GNG-012 @fault
    Scenario: A gang is completed after bindings failed one after the other
      Given a node with 3 CPUs
      And the next 2 pod bindings are answered with 500
      When gang a with minimum 3 has 3 pods
      Then in the end 3 pods of gang a are bound, and stays so

    @GNG-012 @fault
    Scenario: A pod is bound whose binding has failed again and again
      Given a node with 2 CPUs
      And the next 3 pod bindings are answered with 500
      When gang a with minimum 1 has 1 pod
      Then in the end 1 pod of gang a is bound, and stays so

    @GNG-012 @fault
    Scenario: A gang is bound whose bindings have failed for ten seconds
      Given a node with 2 CPUs
      And pod bindings are answered with 500
      And gang a with minimum 2 has 2 pods
      And the fault has struck
      When 10 seconds pass
      Then once the faults end 2 pods of gang a are bound, and stays so

  Rule: A restart in the middle of binding does no harm

    @GNG-013 @fault
    Scenario Outline: A gang is completed after a restart at its binding <number>
      Given a node with 4 CPUs
      And the implementation is killed just after its <number> pod binding and started again
      When gang a with minimum 4 has 4 pods
      Then the implementation runs
      And in the end 4 pods of gang a are bound
      And for 2 seconds no pod of gang a that was bound is deleted

      Examples:
        | number |
        | 1st    |
        | 2nd    |
        | 3rd    |
        | 4th    |

    @GNG-013
    Scenario: A gang that runs is left alone by a scheduler that starts
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And gang b with minimum 3 has 3 pods
      When the implementation is killed and started again
      Then for 2 seconds no pod of gang b is bound, with room for 1 of them
      And for 2 seconds no pod of gang a that was bound is deleted
