Feature: A gang gets all of its minimum, or nothing
  Pods that work only together are bound together: what some of them hold while the others wait is lost to all.

  Rule: A gang waits until its minimum of pods exists

    @GNG-001
    Scenario: A gang with fewer pods than its minimum waits
      Given a node with 8 CPUs
      When gang a with minimum 3 has 2 pods
      Then for 15 seconds no pod of gang a is bound, with room for all of them

    @GNG-001
    Scenario: A gang is bound as soon as its minimum of pods exists
      Given a node with 8 CPUs
      And gang a with minimum 3 has 2 pods
      And for 2 seconds no pod of gang a is bound, with room for all of them
      When 1 more pod is added to gang a
      Then 3 pods of gang a are bound, and stays so

    @GNG-001
    Scenario: A single pod of a gang waits for all the others
      Given a node with 8 CPUs
      When gang a with minimum 8 has 1 pod
      Then for 2 seconds no pod of gang a is bound, with room for all of them

  Rule: A gang waits until its minimum of pods fits

    @GNG-002
    Scenario: A gang waits while one of its pods does not fit
      Given a node with 2 CPUs
      When gang a with minimum 3 has 3 pods
      Then for 15 seconds no pod of gang a is bound, with room for 2 of them

    @GNG-002
    Scenario: A gang waits while it does not fit on all nodes together
      Given 2 nodes with 2 CPUs each
      When gang a with minimum 6 has 6 pods
      Then for 2 seconds no pod of gang a is bound, with room for 4 of them

    @GNG-002
    Scenario: Pods that fit wait for those of their gang that are too big
      Given a node with 6 CPUs
      And gang a with minimum 12 has 6 pods
      When 6 pods of 100 CPUs are added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for 6 of them

    @GNG-002
    Scenario: A gang waits while what is free lies in pieces
      Given 2 nodes with 3 CPUs each
      When gang a with minimum 3 has 3 pods of 2 CPUs each
      Then for 2 seconds no pod of gang a is bound, with room for 2 of them

    @GNG-002
    Scenario: A gang whose first pod is small waits for room for the bigger ones
      Given a node with 6 CPUs
      And gang a with minimum 3 has 1 pod
      When 2 pods of 3 CPUs are added to gang a
      Then for 2 seconds no pod of gang a is bound, with room for 2 of them

    @GNG-002
    Scenario: A gang of pods of two sizes is bound when it fits
      Given a node with 6 CPUs
      And gang a with minimum 4 has 2 pods
      When 2 pods of 2 CPUs are added to gang a
      Then 4 pods of gang a are bound, and stays so

    @GNG-002
    Scenario: A gang that fits exactly is bound
      Given 2 nodes with 2 CPUs each
      When gang a with minimum 4 has 4 pods
      Then 4 pods of gang a are bound, and stays so

  Rule: When all has come to rest a gang is bound with its minimum or not at all

    @GNG-003 @cap-SurplusPods
    Scenario: Many gangs that do not fit together are each bound whole or not at all
      Given 3 nodes with 3 CPUs each
      And gang a with minimum 4 has 4 pods
      And gang b with minimum 2 has 3 pods
      And gang c with minimum 5 has 5 pods
      And gang d with minimum 3 has 3 pods
      When gang e with minimum 1 has 2 pods
      Then all gangs run, one after another

    @GNG-003
    Scenario: Gangs whose pods come one by one in turn are each bound whole or not at all
      Given a node with 4 CPUs
      And gang a with minimum 3 has 1 pod
      And gang b with minimum 3 has 1 pod
      And 1 more pod is added to gang a
      And 1 more pod is added to gang b
      And 1 more pod is added to gang a
      When 1 more pod is added to gang b
      Then of gangs a and b only one is bound, and stays so for 2 seconds

  Rule: Pods beyond the minimum come when they fit

    @GNG-004 @cap-SurplusPods
    Scenario: A pod beyond the minimum that does not fit holds up no other
      Given a node with 2 CPUs
      And gang a with minimum 3 has 5 pods
      When another node with 2 CPUs joins
      Then in the end exactly 4 pods of gang a are bound
      And for 2 seconds no more than 4 pods of gang a are bound

    @GNG-004 @cap-SurplusPods
    Scenario: A pod that is too big for any node holds up no other of its gang
      Given a node with 4 CPUs
      And gang a with minimum 3 has 2 pods
      And 1 pod of 100 CPUs is added to gang a
      When 1 more pod is added to gang a
      Then in the end exactly 3 pods of gang a are bound
      And for 2 seconds no pod of gang a that was bound is deleted

    @GNG-004 @cap-SurplusPods
    Scenario: A pod beyond the minimum that is too big holds up none that comes later
      Given a node with 4 CPUs
      And gang a with minimum 2 has 2 pods
      And 1 pod of 100 CPUs is added to gang a
      When 1 more pod is added to gang a
      Then in the end exactly 3 pods of gang a are bound, and stays so

    @GNG-004 @cap-SurplusPods
    Scenario: A pod beyond the minimum is bound when room appears
      Given a node with 4 CPUs
      And gang a with minimum 3 has 5 pods
      And 4 pods of gang a are bound
      When 1 running pod of gang a succeeds
      Then 5 pods of gang a are bound, and stays so

    @GNG-004 @cap-SurplusPods
    Scenario: A pod that joins a gang that runs is bound
      Given a node with 8 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      When 1 more pod is added to gang a
      Then 4 pods of gang a are bound, and stays so

    @GNG-004 @cap-SurplusPods
    Scenario: A pod that joins a gang that ran before the scheduler started is bound
      Given a node with 8 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound
      And the implementation is killed and started again
      When 1 more pod is added to gang a
      Then in the end 4 pods of gang a are bound, and stays so

    @GNG-061 @cap-SurplusPods @fault
    Scenario: A pod that joins a gang while it is being bound is bound too
      Given a node with 4 CPUs
      And pod bindings take 1 seconds each
      And gang a with minimum 3 has 3 pods
      And the fault has struck
      When 1 more pod is added to gang a
      Then in the end 4 pods of gang a are bound, and stays so

  Rule: The scheduler works on until it is killed

    @GNG-082
    Scenario: The scheduler goes on when a gang has been bound
      Given a node with 2 CPUs
      And gang a with minimum 2 has 2 pods
      And 2 pods of gang a are bound
      When 1 second passes
      Then the implementation runs
