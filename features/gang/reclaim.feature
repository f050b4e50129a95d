Feature: Queues reclaim resources that others have above their shares
  Resources that a queue does not need are lent to other queues, and reclaimed when it needs them.

  Rule: A queue below its share reclaims it

    @GNG-027.1 @cap-Reclaim @cap-SurplusPods
    Scenario: Half of the resources of a queue that has all are reclaimed
      Given 2 nodes with 4 CPUs each
      And queues first and late of weight 1, which may be reclaimed
      And gang a in queue first with minimum 1 has 8 pods
      And queue first has 8 CPUs
      When gang b in queue late with minimum 1 has 8 pods
      Then each queue is given its share
      And for 2 seconds no more than 4 pods of gang a have been evicted

    @GNG-027.2 @cap-Reclaim @cap-SurplusPods
    Scenario: A whole gang is bound by reclaim for a queue below its share
      Given a node with 6 CPUs
      And queues first and late of weight 1, which may be reclaimed
      And gang a in queue first with minimum 1 has 6 pods
      And queue first has 6 CPUs
      When gang b in queue late with minimum 3 has 3 pods
      Then eventually 3 pods of gang b are bound
      And for 2 seconds no more than 3 pods of gang a have been evicted

    @GNG-027.14 @cap-Reclaim @cap-SurplusPods @cap-LeastResources
    Scenario: A gang that says its minimum resources is bound by reclaim
      Given a node with 6 CPUs
      And queues first and late of weight 1, which may be reclaimed
      And gang a in queue first with minimum 1 that needs 1 CPU in all has 6 pods
      And queue first has 6 CPUs
      When gang b in queue late with minimum 3 that needs 3 CPUs in all has 3 pods
      Then eventually 3 pods of gang b are bound
      And for 2 seconds no more than 3 pods of gang a have been evicted

    @GNG-027.3 @cap-Reclaim @cap-SurplusPods
    Scenario: No pod of a queue that is not reclaimable is evicted
      Given a node with 5 CPUs
      And queues first and late of weight 1
      And gang a in queue first with minimum 1 has 4 pods
      And queue first has 4 CPUs
      When gang b in queue late with minimum 2 has 2 pods
      Then for 2 seconds no pod of gang a has been evicted
      And for 2 seconds no pod of gang b is bound, with room for 1 of them

    @GNG-027.7 @cap-Reclaim @cap-SurplusPods
    Scenario: Pods of a queue are evicted after it became reclaimable
      Given a node with 4 CPUs
      And queues first and late of weight 1
      And gang a in queue first with minimum 1 has 4 pods
      And queue first has 4 CPUs
      And gang b in queue late with minimum 2 has 2 pods
      And for 2 seconds no pod of gang a has been evicted
      When a user makes queue first reclaimable
      Then eventually 2 pods of gang b are bound

    @GNG-027.4 @cap-Reclaim @cap-SurplusPods
    Scenario: No pod of a queue at its share is evicted
      Given 3 nodes with 6 CPUs each
      And queues over, just and late of weight 1, which may be reclaimed
      And gang a in queue over with minimum 1 has 12 pods
      And gang b in queue just with minimum 1 has 6 pods
      And each queue is given its share
      When gang c in queue late with minimum 1 has 6 pods
      Then each queue is given its share
      And for 2 seconds no pod of gang b has been evicted

    @GNG-027.5 @cap-Reclaim @cap-SurplusPods
    Scenario: Each of two queues above their shares loses only its excess
      Given a node with 9 CPUs
      And queues most, more and late of weight 1, which may be reclaimed
      And gang a in queue more with minimum 1 has 4 pods
      And gang b in queue most with minimum 1 has 5 pods
      And each queue is given its share
      When gang c in queue late with minimum 3 has 3 pods
      Then each queue is given its share
      And for 2 seconds no more than 1 pod of gang a has been evicted

    @GNG-027.6 @cap-Reclaim @cap-SurplusPods
    Scenario: Resources are reclaimed for a gang behind one that fits no node
      Given a node with 6 CPUs
      And queues first and late of weight 1, which may be reclaimed
      And gang a in queue first with minimum 1 has 6 pods
      And queue first has 6 CPUs
      And gang b in queue late with minimum 1 has 1 pod of 100 CPUs
      When gang c in queue late, created a second later, with minimum 2 has 2 pods
      Then eventually 2 pods of gang c are bound
      And for 2 seconds no more than 2 pods of gang a have been evicted

    @GNG-027.9 @cap-Reclaim @cap-SurplusPods
    Scenario: A queue above its share is reclaimed although another is below its share
      Given a node with 9 CPUs
      And queues over, under and late of weight 1, which may be reclaimed
      And gang b in queue under of priority negative with minimum 1 has 2 pods
      And gang a in queue over with minimum 1 has 7 pods
      And each queue is given its share
      When gang c in queue late with minimum 3 has 3 pods
      Then each queue is given its share
      And for 2 seconds no pod of gang b has been evicted

    @GNG-027.11 @cap-Reclaim @cap-SurplusPods
    Scenario: Pods that are bound and do not run yet are reclaimed
      Given a node with 6 CPUs
      And queues first and late of weight 1, which may be reclaimed
      And pods that are bound stay Pending
      And gang a in queue first with minimum 1 has 6 pods
      And queue first has 6 CPUs
      When gang b in queue late with minimum 3 has 3 pods
      Then eventually 3 pods of gang b are bound
      And for 2 seconds no more than 3 pods of gang a have been evicted

    @GNG-027.10 @cap-Reclaim @cap-SurplusPods
    Scenario: A pod is reclaimed for a gang whose resources are free in pieces
      Given 3 nodes with 2 CPUs each
      And a queue first of weight 1, which may be reclaimed
      And a queue late of weight 3, which may be reclaimed
      And gang a in queue first with minimum 1 has 3 pods, no two on one node
      And 3 pods of gang a are bound
      When gang b in queue late with minimum 1 has 3 pods of 2 CPUs each
      Then eventually 1 pod of gang b is bound, and stays so
      And for 2 seconds no more than 2 pods of gang a have been evicted

    @GNG-027.12 @cap-Reclaim @cap-SurplusPods
    Scenario: Pods are reclaimed for two gangs of one queue
      Given a node with 6 CPUs
      And queues first and late of weight 1, which may be reclaimed
      And gang a in queue first with minimum 1 has 6 pods
      And queue first has 6 CPUs
      And gang b in queue late with minimum 1 has 1 pod
      When gang c in queue late with minimum 2 has 2 pods
      Then eventually 1 pod of gang b is bound
      And eventually 2 pods of gang c are bound, and stays so

    @GNG-027.16 @cap-Reclaim @cap-SurplusPods
    Scenario: Free resources are used before pods are reclaimed
      Given a node with 4 CPUs
      And queues first and late of weight 1, which may be reclaimed
      And gang a in queue first with minimum 1 has 3 pods
      And queue first has 3 CPUs
      When gang b in queue late with minimum 2 has 2 pods
      Then eventually 2 pods of gang b are bound
      And for 2 seconds no more than 1 pod of gang a has been evicted

  Rule: What was reclaimed may be lent again

    Background:
      Given a node with 6 CPUs
      And queues first and late of weight 1, which may be reclaimed
      And gang a in queue first with minimum 1 has 6 pods

    @GNG-004.8 @cap-Reclaim @cap-SurplusPods
    Scenario: A queue gets back what was reclaimed once the other queue no longer needs it
      Given queue first has 6 CPUs
      And gang b in queue late with minimum 3 has 3 pods
      And eventually 3 pods of gang b are bound
      And 3 more pods are added to gang a
      When the pods of gang b succeed
      Then eventually 9 pods of gang a are bound, and stays so

  Rule: What is reclaimed for a gang is not given to another

    Background:
      Given a node with 4 CPUs
      And queues first and late of weight 1, which may be reclaimed
      And gang a in queue first with minimum 1 has 4 pods

    @GNG-027.13 @cap-Reclaim @cap-SurplusPods @fault
    Scenario: A gang gets the resources of reclaimed pods that end one after another
      Given queue first has 4 CPUs
      And deleted pods stay terminating
      And gang b in queue late with minimum 2 has 2 pods
      And 3 seconds pass
      And gang c in queue first with minimum 1 has 1 pod
      When the pods that are being deleted end one after another
      Then eventually 2 pods of gang b are bound, and stays so
      And for 2 seconds no pod of gang c has been evicted

  Rule: Pods are reclaimed on a node that suits the gang

    Background:
      Given a node with 1 CPU
      And a node with 2 CPUs
      And a queue first of weight 1, which may be reclaimed

    @GNG-027.15 @cap-Reclaim @cap-SurplusPods
    Scenario: Only pods of a node that is big enough for a gang are reclaimed for it
      Given a queue late of weight 3, which may be reclaimed
      And gang a in queue first with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      When gang b in queue late with minimum 1 has 1 pod of 2 CPUs
      Then eventually 1 pod of gang b is bound, and stays so
      And for 2 seconds no more than 2 pods of gang a have been evicted

  Rule: Pods that are being reclaimed count

    Background:
      Given a node with 6 CPUs
      And queues first and late of weight 1, which may be reclaimed
      And gang a in queue first with minimum 1 has 6 pods

    @GNG-027.17 @cap-Reclaim @cap-SurplusPods @fault
    Scenario: No more pods are reclaimed while those that were terminate
      Given queue first has 6 CPUs
      And deleted pods stay terminating
      And gang b in queue late with minimum 3 has 3 pods
      And 3 seconds pass
      And another client annotates the waiting pods of gang b
      When the pods that are being deleted end one after another
      Then eventually 3 pods of gang b are bound, and stays so
      And for 2 seconds no more than 3 pods of gang a have been evicted

    @GNG-027.18 @cap-Reclaim @cap-SurplusPods @fault
    Scenario: No more pods are reclaimed if pods are observed with a delay
      Given queue first has 6 CPUs
      And pods are seen 2 seconds late
      And gang b in queue late with minimum 3 has 3 pods
      And 3 seconds pass
      When another client annotates the first node
      Then eventually 3 pods of gang b are bound, and stays so
      And for 2 seconds no more than 3 pods of gang a have been evicted

  Rule: No pod is reclaimed for a gang that cannot be placed

    @GNG-028.1 @cap-Reclaim @cap-SurplusPods
    Scenario: No pod is reclaimed while free resources suffice
      Given a node with 8 CPUs
      And queues first and late of weight 1, which may be reclaimed
      And gang a in queue first with minimum 1 has 5 pods
      And queue first has 5 CPUs
      When gang b in queue late with minimum 3 has 3 pods
      And 3 pods of gang b are bound
      Then for 2 seconds no pod of gang a has been evicted

    @GNG-028.2 @cap-Reclaim @cap-SurplusPods
    Scenario: No pod is reclaimed for a gang that exceeds the share of its queue
      Given a node with 6 CPUs
      And queues first and late of weight 1, which may be reclaimed
      And gang a in queue first with minimum 1 has 5 pods
      And queue first has 5 CPUs
      When gang b in queue late with minimum 5 has 5 pods
      Then for 2 seconds no pod of gang a has been evicted
      And for 2 seconds no pod of gang b is bound, with room for 1 of them

    @GNG-028.3 @cap-Reclaim @cap-SurplusPods
    Scenario: No pod is reclaimed for a gang that the anti-affinity to another pod keeps out
      Given a node with 6 CPUs
      And queues first and late of weight 1, which may be reclaimed
      And pod guard without a gang is created
      And pod guard is bound
      And gang a in queue first with minimum 1 has 5 pods
      And queue first has 5 CPUs
      When gang b in queue late with minimum 1 has 1 pod that may not share a node with pod guard
      Then for 2 seconds no pod of gang a has been evicted

  Rule: Reclaim ends when each queue has its share

    @GNG-033.1 @cap-Reclaim @cap-SurplusPods
    Scenario: Reclaimed resources are not taken back
      Given 2 nodes with 4 CPUs each
      And queues first and late of weight 1, which may be reclaimed
      And gang a in queue first with minimum 1 has 8 pods
      And queue first has 8 CPUs
      And gang b in queue late with minimum 1 has 4 pods
      And each queue is given its share
      When 4 more pods are added to gang a
      Then for 15 seconds no pod of gang b has been evicted

  Rule: Queues whose pods do not divide their shares keep what they have

    Background:
      Given a node with 11 CPUs
      And queues first and late of weight 1, which may be reclaimed
      And gang a in queue first with minimum 1 has 5 pods of 2 CPUs each

    @GNG-033.2 @cap-Reclaim @cap-SurplusPods
    Scenario: Queues do not reclaim shares from each other that their pods do not divide
      Given queue first has 10 CPUs
      And gang b in queue late with minimum 2 has 5 pods of 2 CPUs each
      And eventually 2 pods of gang b are bound
      When 3 pods of 2 CPUs each are added to gang a
      Then for 15 seconds no pod of gang b has been evicted

  Rule: The pods of the lowest priority of a queue are reclaimed

    Background:
      Given a node with 6 CPUs
      And queues first and late of weight 1, which may be reclaimed
      And gang a in queue first of priority low with minimum 1 has 3 pods

    @GNG-065.2 @cap-Preemption @cap-Reclaim @cap-SurplusPods
    Scenario: Of two gangs that could be reclaimed the one of lower priority is
      Given 1.2 seconds have passed
      And gang c in queue first of priority high with minimum 1 has 3 pods
      And queue first has 6 CPUs
      When gang b in queue late with minimum 2 has 2 pods
      Then eventually 2 pods of gang b are bound
      And for 2 seconds no pod of gang c has been evicted

  Rule: A queue that became not reclaimable keeps its pods

    Background:
      Given a node with 5 CPUs
      And queues first and late of weight 1, which may be reclaimed

    @GNG-027.8 @cap-Reclaim @cap-SurplusPods
    Scenario: No pod of a queue is evicted after it became not reclaimable
      Given gang a in queue first with minimum 1 has 4 pods
      And queue first has 4 CPUs
      And a user makes queue first not reclaimable
      And 2 seconds pass
      When gang b in queue late with minimum 2 has 2 pods
      Then for 2 seconds no pod of gang a has been evicted
      And for 2 seconds no pod of gang b is bound, with room for 1 of them
