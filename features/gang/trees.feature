Feature: Gangs may be parts of a group that needs several of them
  A driver and its workers are gangs of their own, and of no use without each other.

  Rule: A tree of gangs gets as many of its groups as it needs, or nothing

    @GNG-070 @cap-GangTrees
    Scenario: A tree of gangs waits while too few of its gangs fit
      Given a node with 3 CPUs
      And tree t needs 2 of its groups
      And gang a of tree t with minimum 2 has 2 pods
      When gang b of tree t with minimum 2 has 2 pods
      Then for 2 seconds no pod of gang a is bound, with room for all of them
      And for 2 seconds no pod of gang b is bound, with room for all of them

    @GNG-070 @cap-GangTrees
    Scenario: A tree of gangs waits while one of its gangs lacks a pod
      Given a node with 8 CPUs
      And tree t needs 2 of its groups
      And gang a of tree t with minimum 2 has 2 pods
      And gang b of tree t with minimum 2 has 1 pod
      And for 2 seconds no pod of gang a is bound, with room for all of them
      When 1 more pod is added to gang b
      Then in the end 2 pods of gang a are bound
      And in the end 2 pods of gang b are bound, and stays so

    @GNG-070 @cap-GangTrees
    Scenario: Gangs of a tree are bound without one that does not fit and is not needed
      Given a node with 8 CPUs
      And tree t needs 2 of its groups
      And gang a of tree t with minimum 2 has 2 pods
      And gang c of tree t has 2 pods, all needed and too big
      When gang b of tree t with minimum 2 has 2 pods
      Then in the end 2 pods of gang a are bound
      And in the end 2 pods of gang b are bound
      And for 2 seconds no pod of gang c is bound

    @GNG-070 @cap-GangTrees
    Scenario: A tree of gangs that waits is bound when a node joins
      Given a node with 3 CPUs
      And tree t needs 2 of its groups
      And gang a of tree t with minimum 2 has 2 pods
      And gang b of tree t with minimum 2 has 2 pods
      And for 2 seconds no pod of gang a is bound, with room for all of them
      When another node with 1 CPU joins
      Then in the end 2 pods of gang a are bound
      And in the end 2 pods of gang b are bound, and stays so

    @GNG-070 @cap-GangTrees
    Scenario: A tree that needs another waits while that has too few gangs that fit
      Given a node with 8 CPUs
      And tree t needs 2 of its groups
      And tree u of tree t needs 2 of its groups
      And gang a of tree u with minimum 2 has 2 pods
      And gang b of tree u has 2 pods, all needed and too big
      When gang c of tree t with minimum 2 has 2 pods
      Then for 2 seconds no pod of gang a is bound, with room for all of them
      And for 2 seconds no pod of gang c is bound, with room for all of them
