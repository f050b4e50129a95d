Feature: Others give way to a gang of higher priority
  Who is evicted has lost its work, so nobody is without need, and no gang in part.

  Rule: A gang of higher priority has as many evicted as it needs

    @GNG-029 @cap-Preemption @cap-SurplusPods
    Scenario: Pods beyond a minimum give way to a gang of higher priority
      Given a node with 3 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      When gang b of priority urgent with minimum 2 has 2 pods
      Then in the end 2 pods of gang b are bound
      And for 2 seconds no more than 2 pods of gang a have had to give way

    @GNG-029 @cap-Preemption @cap-SurplusPods
    Scenario: What is free counts for a gang of higher priority
      Given a node with 4 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      When gang b of priority urgent with minimum 3 has 3 pods
      Then in the end 3 pods of gang b are bound
      And for 2 seconds no more than 2 pods of gang a have had to give way

    @GNG-029 @cap-Preemption @cap-SurplusPods
    Scenario: No more give way than a gang lacks
      Given a node with 5 CPUs
      And gang a of priority low with minimum 1 has 4 pods
      And 4 pods of gang a are bound
      When gang b of priority urgent with minimum 2 has 2 pods
      Then in the end 2 pods of gang b are bound
      And for 2 seconds no more than 1 pod of gang a has had to give way

    @GNG-029 @cap-Preemption @cap-SurplusPods @fault
    Scenario: Pods that end slowly are given the time
      Given a node with 3 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      And deleted pods stay terminating
      And gang b of priority urgent with minimum 2 has 2 pods
      And for 2 seconds no pod of gang b is bound
      When the pods that are being deleted end
      Then in the end 2 pods of gang b are bound, and stays so

    @GNG-029 @cap-Preemption @cap-SurplusPods
    Scenario: Only those give way whose room is of use
      Given a node with 1 CPU
      And a node with 2 CPUs
      And gang a of priority low with minimum 1 has 1 pod of 2 CPUs
      And 1 more pod is added to gang a
      And 2 pods of gang a are bound
      When gang b of priority urgent with minimum 1 has 1 pod of 2 CPUs
      Then in the end 1 pod of gang b is bound
      And for 2 seconds no more than 1 pod of gang a has had to give way

    @GNG-029 @cap-Preemption @cap-SurplusPods @fault
    Scenario: Pods that end slowly count for a scheduler that starts
      Given a node with 4 CPUs
      And gang a of priority low with minimum 1 has 4 pods
      And 4 pods of gang a are bound
      And deleted pods stay terminating
      And gang b of priority urgent with minimum 1 has 1 pod
      And 3 seconds pass
      When the implementation is killed and started again
      Then for 2 seconds no more than 1 pod of gang a has had to give way

  Rule: Who counts least gives way

    @GNG-065 @cap-Preemption @cap-SurplusPods
    Scenario: Of two gangs that could give way the one of lower priority does
      Given a node with 6 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 1.2 seconds have passed
      And gang c of priority high with minimum 1 has 3 pods
      And 3 pods of gang c are bound
      When gang b of priority urgent with minimum 2 has 2 pods
      Then in the end 2 pods of gang b are bound
      And for 2 seconds no pod of gang c has had to give way

  Rule: Nobody gives way in vain

    @GNG-032 @cap-Preemption @cap-SurplusPods
    Scenario: Nobody is evicted for a gang that is too big
      Given a node with 4 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      When gang b of priority urgent with minimum 5 has 5 pods
      Then for 2 seconds no pod of gang a has had to give way
      And for 2 seconds no pod of gang b is bound, with room for 1 of them

    @GNG-032 @cap-Preemption @cap-SurplusPods
    Scenario: Nobody is evicted for a gang of which one pod is too big
      Given a node with 4 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      And gang b of priority urgent with minimum 3 has 2 pods
      When 1 pod of 5 CPUs is added to gang b
      Then for 2 seconds no pod of gang a has had to give way
      And for 2 seconds no pod of gang b is bound, with room for 1 of them

    @GNG-032 @cap-Preemption @cap-SurplusPods
    Scenario: Nobody is evicted for a pod that is bigger than each node
      Given 2 nodes with 4 CPUs each
      And gang a of priority low with minimum 1 has 7 pods
      And 7 pods of gang a are bound
      And gang b of priority urgent with minimum 2 has 1 pod
      When 1 pod of 5 CPUs is added to gang b
      Then for 2 seconds no pod of gang a has had to give way
      And for 2 seconds no pod of gang b is bound, with room for 1 of them

    @GNG-067 @cap-Preemption @cap-SurplusPods
    Scenario: Nobody is evicted for a gang that fits
      Given a node with 4 CPUs
      And gang a of priority low with minimum 1 has 2 pods
      And 2 pods of gang a are bound
      When gang b of priority urgent with minimum 2 has 2 pods
      Then 2 pods of gang b are bound
      And for 2 seconds no pod of gang a has had to give way

    @GNG-068 @cap-Preemption @cap-SurplusPods
    Scenario: Nobody is evicted for a gang that does not preempt
      Given a node with 4 CPUs
      And gang a of priority low with minimum 1 has 3 pods
      And 3 pods of gang a are bound
      When gang b of priority high with minimum 2 has 2 pods
      Then for 2 seconds no pod of gang a has had to give way
      And for 2 seconds no pod of gang b is bound, with room for 1 of them

  Rule: No gang is left in part

    # Once the gang that must be left alone is the younger one, once the older: age is no protection.
    @GNG-030 @cap-KeptMinimum @cap-SurplusPods
    Scenario: A gang without pods to spare is left alone where older ones have some
      Given a node with 6 CPUs
      And gang c of priority low with minimum 1 has 3 pods
      And 3 pods of gang c are bound
      And 1.2 seconds have passed
      And gang a of priority low with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      When gang b of priority urgent with minimum 2 has 2 pods
      Then in the end gang b is bound and gang a runs with its minimum or not at all, and stays so

    @GNG-030 @cap-KeptMinimum @cap-SurplusPods
    Scenario: A gang without pods to spare is left alone where younger ones have some
      Given a node with 6 CPUs
      And gang a of priority low with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And 1.2 seconds have passed
      And gang c of priority low with minimum 1 has 3 pods
      And 3 pods of gang c are bound
      When gang b of priority urgent with minimum 2 has 2 pods
      Then in the end gang b is bound and gang a runs with its minimum or not at all, and stays so

    @GNG-030 @cap-KeptMinimum @cap-SurplusPods
    Scenario: A pod that waits is none to spare, where others are older
      Given a node with 4 CPUs
      And gang c of priority low with minimum 1 has 2 pods
      And 2 pods of gang c are bound
      And 1.2 seconds have passed
      And gang a of priority low with minimum 2 has 3 pods
      And 2 pods of gang a are bound
      When gang b of priority urgent with minimum 1 has 1 pod
      Then in the end gang b is bound and gang a runs with its minimum or not at all, and stays so

    @GNG-030 @cap-KeptMinimum @cap-SurplusPods
    Scenario: A pod that waits is none to spare, where others are younger
      Given a node with 4 CPUs
      And gang a of priority low with minimum 2 has 2 pods
      And 2 pods of gang a are bound
      And gang c of priority low with minimum 1 has 2 pods
      And 2 pods of gang c are bound
      And 1 more pod is added to gang a
      When gang b of priority urgent with minimum 1 has 1 pod
      Then in the end gang b is bound and gang a runs with its minimum or not at all, and stays so

    @GNG-066 @cap-WholeVictims
    Scenario: A gang that gives way does so as a whole
      Given a node with 4 CPUs
      And gang a of priority low with minimum 3 has 3 pods, which give way only together
      And 3 pods of gang a are bound
      When gang b of priority urgent with minimum 2 has 2 pods
      Then in the end 2 pods of gang b are bound
      And for 2 seconds gang a runs with its minimum or not at all

    @GNG-066 @cap-WholeVictims
    Scenario: A gang on two nodes gives way as a whole to a pod on one of them
      Given 2 nodes with 2 CPUs each
      And gang a of priority low with minimum 4 has 4 pods, which give way only together
      And 4 pods of gang a are bound
      When pod single of priority urgent without a gang is created
      Then in the end pod single is bound
      And for 2 seconds gang a runs with its minimum or not at all

  Rule: Who gives way says so

    @GNG-090 @cap-Preemption @cap-SurplusPods
    Scenario: A pod that is evicted for a gang is marked before it goes
      Given a node with 2 CPUs
      And gang a of priority low with minimum 1 has 2 pods
      And 2 pods of gang a are bound
      When gang b of priority urgent with minimum 1 has 1 pod
      Then in the end 1 pod of gang b is bound, and stays so
      And every pod of gang a that gave way had the condition DisruptionTarget

  Rule: Priority counts within a queue

    @GNG-031 @cap-QueuedPreemption @cap-SurplusPods
    Scenario: Nobody in another queue is evicted for a gang of higher priority
      Given a node with 5 CPUs
      And queues first and late of weight 1
      And gang a in queue first with minimum 1 has 4 pods
      And 4 pods of gang a are bound
      When queue late has gang b of priority urgent with minimum 2
      Then for 2 seconds no pod of gang a has had to give way
      And for 2 seconds no pod of gang b is bound, with room for 1 of them
