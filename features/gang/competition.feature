Feature: Gangs that compete do not block each other
  What is held for a gang that cannot be completed is lost to those that could run.

  Rule: A gang that cannot be completed holds nothing

    @GNG-005
    Scenario: A smaller gang is bound beside one that is too big
      Given a node with 4 CPUs
      And gang a with minimum 6 has 6 pods
      And for 2 seconds no pod of gang a is bound, with room for 4 of them
      When gang b with minimum 3 has 3 pods
      Then in the end 3 pods of gang b are bound, and stays so
      And for 2 seconds no pod of gang a is bound, with room for 1 of them

    @GNG-005
    Scenario: A single pod is bound beside a gang that is too big
      Given a node with 2 CPUs
      And gang a with minimum 3 has 3 pods
      And for 2 seconds no pod of gang a is bound, with room for 2 of them
      When pod single without a gang of 2 CPUs is created
      Then in the end pod single is bound

  Rule: Of two gangs that fit alone but not together one is bound

    @GNG-006
    Scenario: Of two gangs one is bound and the other not at all
      Given a node with 4 CPUs
      And gang a with minimum 3 has 3 pods
      When gang b with minimum 3 has 3 pods
      Then of gangs a and b only one is bound, and stays so for 2 seconds

    @GNG-006
    Scenario: Of two gangs that come at once one is bound and the other not at all
      Given 2 nodes with 2 CPUs each
      And the implementation's view of pods is frozen
      And gang a with minimum 3 has 3 pods
      And gang b with minimum 3 has 3 pods
      When the view of pods catches up
      Then of gangs a and b only one is bound, and stays so for 2 seconds

    @GNG-006
    Scenario: The gang that waited is bound when the other has ended
      Given 2 nodes with 2 CPUs each
      And gang a with minimum 3 has 3 pods
      And gang b with minimum 3 has 3 pods
      And of gangs a and b only one is bound, and stays so for 2 seconds
      When the pods of the gang that was bound succeed
      Then in the end 3 pods of gang a are bound
      And in the end 3 pods of gang b are bound, and stays so

  Rule: Of a gang and a pod without one that fit alone but not together one is bound

    @GNG-063
    Scenario: Of a gang and a pod without one that come at once one is bound
      Given a node with 3 CPUs
      And the implementation's view of pods is frozen
      And gang a with minimum 3 has 3 pods
      And pod single without a gang is created
      When the view of pods catches up
      Then in the end either gang a or pod single is bound, and stays so

    @GNG-063
    Scenario: A gang and a pod without one that do not fit together both run
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And pod single without a gang is created
      And in the end either gang a or pod single is bound
      When all pods that run succeed
      Then in the end 3 pods of gang a are bound, and stays so
      And in the end pod single is bound

  Rule: Gangs make progress while any of them fits

    @GNG-007
    Scenario: Six gangs that compete for two nodes all run
      Given 2 nodes with 4 CPUs each
      And gang a with minimum 5 has 5 pods
      And gang b with minimum 3 has 3 pods
      And gang c with minimum 8 has 8 pods
      And gang d with minimum 2 has 2 pods
      And gang e with minimum 6 has 6 pods
      When gang f with minimum 4 has 4 pods
      Then all gangs run, one after another

    @GNG-007 @fault
    Scenario: A pod whose binding is refused again and again holds up no gang
      Given a node with 4 CPUs
      And bindings of pod cursed are answered with 500
      And pod cursed without a gang is created
      And the fault has struck
      When gang a with minimum 3 has 3 pods
      Then in the end 3 pods of gang a are bound, and stays so

  Rule: Pods that have ended make room

    @GNG-008
    Scenario: A gang is bound on what the pods of another had
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And gang b with minimum 3 has 3 pods
      And 3 seconds pass
      When the pods of gang a succeed
      Then in the end 3 pods of gang b are bound, and stays so

    @GNG-008
    Scenario: A gang is bound on what the failed pods of another had
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And gang b with minimum 3 has 3 pods
      When 3 running pods of gang a fail
      Then in the end 3 pods of gang b are bound, and stays so

    @GNG-008 @fault
    Scenario Outline: A gang is bound on what pods had when it was missed that they <what>
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And gang b with minimum 3 has 3 pods
      And the implementation's view of pods is frozen
      And 3 running pods of gang a <what>
      When the server ends the watches of pods with 410
      Then once the view of pods catches up in the end 3 pods of gang b are bound, and stays so

      Examples:
        | what    |
        | succeed |
        | fail    |
        | vanish  |

    @GNG-008
    Scenario: A gang waits while too few pods of another have ended
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And gang b with minimum 3 has 3 pods
      When 2 running pods of gang a succeed
      Then for 2 seconds no pod of gang b is bound, with room for 2 of them

  Rule: A gang that waited is tried again when room appears

    @GNG-016
    Scenario: A gang is bound when a node joins that completes its room
      Given a node with 2 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 seconds pass
      When another node with 1 CPU joins
      Then in the end 3 pods of gang a are bound, and stays so

    @GNG-016
    Scenario Outline: A gang is bound when a node that has room <is right>
      Given a node with 4 CPUs that <flaw>
      And a node with 2 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 seconds pass
      When the first node <is right>
      Then in the end 3 pods of gang a are bound, and stays so

      Examples:
        | flaw             | is right                              |
        | is cordoned      | is uncordoned                         |
        | is not ready     | becomes ready                         |
        | is tainted       | loses its taint                       |
        | has other labels | gets the labels that the pods select  |

    @GNG-016
    Scenario: A gang is bound when a pod without a gang has ended
      Given a node with 3 CPUs
      And pod single without a gang is created
      And pod single is bound
      And gang a with minimum 3 has 3 pods
      And 3 seconds pass
      When pod single succeeds
      Then in the end 3 pods of gang a are bound, and stays so

    @GNG-016
    Scenario: A gang is bound when a pod that was deleted has ended
      Given a node with 4 CPUs
      And pod single without a gang of 2 CPUs is created
      And pod single is bound
      And pod single is deleted, but stays terminating
      And gang a with minimum 3 has 3 pods
      And 3 seconds pass
      When the pods that are being deleted end
      Then in the end 3 pods of gang a are bound, and stays so
