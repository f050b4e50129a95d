Feature: Queues get back what others have above their shares
  What a queue does not need is lent to others; when it needs it, it gets it back.

  Rule: A queue below its share gets it back

    @GNG-027 @cap-Reclaim @cap-SurplusPods
    Scenario: A queue that has everything gives back half of it
      Given 2 nodes with 4 CPUs each
      And queues first and late of weight 1, which may be reclaimed
      And gang a in queue first with minimum 1 has 8 pods
      And queue first has 8 CPUs
      When gang b in queue late with minimum 1 has 8 pods
      Then each queue is given its share
      And for 2 seconds no more than 4 pods of gang a have had to give way

    @GNG-027 @cap-Reclaim @cap-SurplusPods
    Scenario: A gang in a queue below its share is bound whole
      Given a node with 6 CPUs
      And queues first and late of weight 1, which may be reclaimed
      And gang a in queue first with minimum 1 has 6 pods
      And queue first has 6 CPUs
      When gang b in queue late with minimum 3 has 3 pods
      Then in the end 3 pods of gang b are bound
      And for 2 seconds no more than 3 pods of gang a have had to give way

    @GNG-027 @cap-Reclaim @cap-SurplusPods
    Scenario: A queue that may not be reclaimed keeps what it has
      Given a node with 5 CPUs
      And queues first and late of weight 1
      And gang a in queue first with minimum 1 has 4 pods
      And queue first has 4 CPUs
      When gang b in queue late with minimum 2 has 2 pods
      Then for 2 seconds no pod of gang a has had to give way
      And for 2 seconds no pod of gang b is bound, with room for 1 of them

    @GNG-027 @cap-Reclaim @cap-SurplusPods
    Scenario: A queue that has just its share gives nothing back
      Given 3 nodes with 6 CPUs each
      And queues over, just and late of weight 1, which may be reclaimed
      And gang a in queue over with minimum 1 has 12 pods
      And gang b in queue just with minimum 1 has 6 pods
      And each queue is given its share
      When gang c in queue late with minimum 1 has 6 pods
      Then each queue is given its share
      And for 2 seconds no pod of gang b has had to give way

    @GNG-027 @cap-Reclaim @cap-SurplusPods
    Scenario: Two queues above their shares give back what each has too much
      Given a node with 9 CPUs
      And queues most, more and late of weight 1, which may be reclaimed
      And gang a in queue more with minimum 1 has 4 pods
      And gang b in queue most with minimum 1 has 5 pods
      And each queue is given its share
      When gang c in queue late with minimum 3 has 3 pods
      Then each queue is given its share
      And for 2 seconds no more than 1 pod of gang a has had to give way

  Rule: Nobody gives way in vain

    @GNG-028 @cap-Reclaim @cap-SurplusPods
    Scenario: Nobody is evicted while there is room
      Given a node with 8 CPUs
      And queues first and late of weight 1, which may be reclaimed
      And gang a in queue first with minimum 1 has 5 pods
      And queue first has 5 CPUs
      When gang b in queue late with minimum 3 has 3 pods
      Then 3 pods of gang b are bound
      And for 2 seconds no pod of gang a has had to give way

    @GNG-028 @cap-Reclaim @cap-SurplusPods
    Scenario: Nobody is evicted for a gang that is bigger than its queue's share
      Given a node with 6 CPUs
      And queues first and late of weight 1, which may be reclaimed
      And gang a in queue first with minimum 1 has 5 pods
      And queue first has 5 CPUs
      When gang b in queue late with minimum 5 has 5 pods
      Then for 2 seconds no pod of gang a has had to give way
      And for 2 seconds no pod of gang b is bound, with room for 1 of them

  Rule: It comes to rest

    @GNG-033 @cap-Reclaim @cap-SurplusPods
    Scenario: What a queue got back is not taken from it again
      Given 2 nodes with 4 CPUs each
      And queues first and late of weight 1, which may be reclaimed
      And gang a in queue first with minimum 1 has 8 pods
      And queue first has 8 CPUs
      And gang b in queue late with minimum 1 has 4 pods
      And each queue is given its share
      When 4 more pods are added to gang a
      Then for 15 seconds no pod of gang b has had to give way
