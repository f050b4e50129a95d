Feature: Gangs may be children of a composite group
  For example, a driver and its workers are gangs of their own, but of no use without each other.

  Rule: A composite group gets as many of its gangs as it needs, or none

    @GNG-070.1 @cap-GangTrees
    Scenario: A composite group waits while too few of its gangs fit
      Given a node with 3 CPUs
      And tree t needs 2 of its groups
      And gang a of tree t with minimum 2 has 2 pods
      When gang b of tree t with minimum 2 has 2 pods
      Then for 2 seconds no pod of gang a is bound, with room for its minimum
      And for 2 seconds no pod of gang b is bound, with room for its minimum

    @GNG-070.2 @cap-GangTrees
    Scenario: A composite group waits while one of its gangs has too few pods
      Given a node with 8 CPUs
      And tree t needs 2 of its groups
      And gang a of tree t with minimum 2 has 2 pods
      And gang b of tree t with minimum 2 has 1 pod
      And for 2 seconds no pod of gang a is bound, with room for its minimum
      When 1 more pod is added to gang b
      Then eventually 2 pods of gang a are bound
      And eventually 2 pods of gang b are bound, and stays so

    @GNG-070.3 @cap-GangTrees
    Scenario: The gangs of a composite group are bound without one that is not needed
      Given a node with 8 CPUs
      And tree t needs 2 of its groups
      And gang a of tree t with minimum 2 has 2 pods
      And gang c of tree t with minimum 2 has 2 pods of 100 CPUs each
      When gang b of tree t with minimum 2 has 2 pods
      Then eventually 2 pods of gang a are bound
      And eventually 2 pods of gang b are bound
      And for 2 seconds no pod of gang c is bound

    @GNG-070.12 @cap-GangTrees @cap-SurplusPods
    Scenario: Surplus pods of a gang do not take what another of its composite group needs
      Given tree t needs 2 of its groups
      And gang a of tree t with minimum 1 has 4 pods
      And gang b of tree t with minimum 2 has 2 pods
      When a node with 4 CPUs joins
      Then eventually 2 pods of gang b are bound, and stays so

    @GNG-070.4 @cap-GangTrees
    Scenario: A pending composite group is bound when a node joins
      Given a node with 3 CPUs
      And tree t needs 2 of its groups
      And gang a of tree t with minimum 2 has 2 pods
      And gang b of tree t with minimum 2 has 2 pods
      And for 2 seconds no pod of gang a is bound, with room for its minimum
      When another node with 1 CPU joins
      Then eventually 2 pods of gang a are bound
      And eventually 2 pods of gang b are bound, and stays so

    @GNG-070.5 @cap-GangTrees
    Scenario: A composite group waits while a child group has too few gangs that fit
      Given a node with 8 CPUs
      And tree t needs 2 of its groups
      And tree u of tree t needs 2 of its groups
      And gang a of tree u with minimum 2 has 2 pods
      And gang b of tree u with minimum 2 has 2 pods of 100 CPUs each
      When gang c of tree t with minimum 2 has 2 pods
      Then for 2 seconds no pod of gang a is bound, with room for its minimum
      And for 2 seconds no pod of gang c is bound, with room for its minimum

    @GNG-070.6 @cap-GangTrees
    Scenario Outline: A composite group waits after a gang of it has lost <what>
      Given a node with 3 CPUs
      And tree t needs 2 of its groups
      And gang a of tree t with minimum 2 has 2 pods
      And gang b of tree t with minimum 2 has 2 pods
      And <lost>
      When another node with 1 CPU joins
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

      Examples:
        | case | what      | lost                                    |
        | a    | a pod     | a user deletes 1 waiting pod of gang b  |
        | b    | all pods  | a user deletes 2 waiting pods of gang b |
        | c    | its group | the group of gang b is deleted          |

    @GNG-070.10 @cap-GangTrees
    Scenario: A composite group is bound although another client changed its metadata
      Given a node with 3 CPUs
      And tree t needs 2 of its groups
      And gang a of tree t with minimum 2 has 2 pods
      And gang b of tree t with minimum 2 has 2 pods
      And another client annotates and labels tree t, and owns it
      When another node with 1 CPU joins
      Then eventually 2 pods of gang a are bound, and stays so
      And 2 pods of gang b are bound

    @GNG-070.7 @cap-GangTrees
    Scenario: A composite group waits after a node has left on which a gang of it fits
      Given a node with 2 CPUs
      And a node with 3 CPUs
      And tree t needs 2 of its groups
      And gang a of tree t with minimum 3 has 3 pods
      And gang b of tree t with minimum 3 has 3 pods
      And the first node leaves
      When another node with 2 CPUs joins
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

  Rule: Two composite groups do not hold up each other

    Background:
      Given a node with 5 CPUs
      And tree t needs 2 of its groups
      And tree u needs 2 of its groups

    @GNG-070.11 @cap-GangTrees
    Scenario: Of two composite groups whose gangs come in turn one is bound
      Given gang a of tree t with minimum 2 has 2 pods
      And gang b of tree u with minimum 2 has 2 pods
      And gang c of tree t with minimum 2 has 2 pods
      When gang d of tree u with minimum 2 has 2 pods
      Then of gangs a and b only one is bound, and stays so for 2 seconds
      And of gangs c and d only one is bound, and stays so for 2 seconds
      And of gangs a and d only one is bound, and stays so for 2 seconds

  Rule: A composite group with the name of a former one has its own minimum

    Background:
      Given a node with 8 CPUs
      And tree t needs 2 of its groups
      And gang a of tree t with minimum 2 has 2 pods

    # Tree u was made later: a scheduler that binds its gang has observed the new tree t.
    @GNG-070.8 @cap-GangTrees @fault
    Scenario Outline: The minimum of a composite group that was created again counts, <what>
      Given <replaced>
      And tree u needs 1 of its groups
      And gang c of tree u with minimum 1 has 1 pod
      And eventually 1 pod of gang c is bound
      When gang b of tree t with minimum 2 has 2 pods
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

      Examples:
        | case | what           | replaced                                                                                        |
        | a    | seen at once   | tree t is replaced by one that needs 3 of its groups                                            |
        | b    | seen late      | the implementation sees late that tree t is replaced by one that needs 3 of its groups          |
        | c    | in a watch gap | the implementation misses that tree t is replaced by one that needs 3 of its groups             |

  Rule: A new composite group has its own minimum while pods of a former one end

    Background:
      Given a node with 8 CPUs
      And tree t needs 1 of its groups
      And gang a of tree t with minimum 2 has 2 pods

    # In the 2 seconds the scheduler observes the new tree t.
    @GNG-070.9 @cap-GangTrees
    Scenario: The minimum of a new composite group counts while former pods terminate
      Given 2 pods of gang a are bound
      And deleted pods stay terminating
      And a user deletes 2 running pods of gang a
      And tree t is replaced by one that needs 3 of its groups
      And 2 seconds pass
      When gang b of tree t with minimum 2 has 2 pods
      Then for 2 seconds no pod of gang b is bound, with room for its minimum
