Feature: The order of pending gangs

  Rule: The gang of the higher priority is first

    # A scheduler that starts tries all that wait at once; else a back-off may decide which is tried first.
    @GNG-017.1
    Scenario: A gang of higher priority is bound before an earlier one of lower priority
      Given a node with 3 CPUs
      And the implementation is killed
      And gang a of priority low with minimum 3 has 3 pods
      And gang b of priority high with minimum 3 has 3 pods
      When the implementation is started again
      Then of gangs a and b only b is bound, and stays so for 2 seconds

    @GNG-017.20
    Scenario: A gang without a priority is bound before an earlier one of negative priority
      Given a node with 3 CPUs
      And the implementation is killed
      And gang a of priority negative with minimum 3 has 3 pods
      And gang b with minimum 3 has 3 pods
      When the implementation is started again
      Then of gangs a and b only b is bound, and stays so for 2 seconds

  Rule: Resources that become free are for the pending gang of the highest priority

    @GNG-080.1
    Scenario: Resources that become free go to the pending gang of the highest priority
      Given a node with 3 CPUs
      And pod single without a gang of 3 CPUs is created
      And pod single is bound
      And gang a of priority low with minimum 3 has 3 pods
      And gang b of priority high with minimum 3 has 3 pods
      And 3 seconds pass
      When pod single succeeds
      Then of gangs a and b only b is bound, and stays so for 2 seconds

  Rule: No gang starves

    @GNG-081.1
    Scenario: Later gangs of lower priority do not starve a gang
      Given a node with 3 CPUs
      And pod single without a gang of 3 CPUs is created
      And pod single is bound
      And gang a of priority high with minimum 3 has 3 pods
      And 3 seconds pass
      When room for gang a appears 8 times, each time just after a gang of priority low came that wants it too
      Then 3 pods of gang a are bound, and stays so

  Rule: Of equal priorities the earlier gang is first

    # A scheduler that starts lists by name, so the order of the list is not that of age.
    @GNG-018.1
    Scenario: Of two pending gangs the one that was created first is bound
      Given a node with 3 CPUs
      And the implementation is killed
      And gang b with minimum 3 has 3 pods
      And gang a, created a second later, with minimum 3 has 3 pods
      When the implementation is started again
      Then of gangs a and b only b is bound, and stays so for 2 seconds

  Rule: A gang that has lost a pod is older than what comes later

    Background:
      Given a node with 3 CPUs
      And gang a with minimum 3 has 3 pods
      And 3 pods of gang a are bound

    @GNG-018.2
    Scenario: A gang that has lost a pod is completed before a younger pod is bound
      Given the implementation is killed
      And 1 running pod of gang a vanishes
      And 1 more pod is added to gang a
      And 1.2 seconds have passed
      And pod filler without a gang is created
      When the implementation is started again
      Then eventually 4 pods of gang a are bound, and stays so
      And for 2 seconds pod filler is not bound

  Rule: Best-effort pods fit every node

    @GNG-019.1 @cap-Backfill
    Scenario: A best-effort pod is bound although no other pod fits
      Given a node with 2 CPUs
      And gang a with minimum 2 has 2 pods
      And 2 pods of gang a are bound
      When pod light without a gang that requests nothing is created
      Then pod light is bound

    @GNG-019.2 @cap-Backfill
    Scenario: A gang of best-effort pods is bound although no other pod fits
      Given a node with 2 CPUs
      And gang a with minimum 2 has 2 pods
      And 2 pods of gang a are bound
      And gang b with minimum 2 has 0 pods
      When 2 pods that request nothing are added to gang b
      Then 2 pods of gang b are bound, and stays so

    @GNG-019.3 @cap-Backfill
    Scenario: A best-effort pod is bound although an older one has no suitable node
      Given a node with 2 CPUs
      And pod lost without a gang that requests nothing that selects a label of no node is created
      And 1.2 seconds have passed
      When pod light without a gang that requests nothing is created
      Then pod light is bound
      And for 2 seconds pod lost is not bound

    @GNG-019.4 @cap-Backfill
    Scenario: A gang of best-effort pods is bound although an older one has no suitable node
      Given a node with 2 CPUs
      And gang a with minimum 2 has 2 pods that request nothing that select a label of no node
      And 1.2 seconds have passed
      When gang b with minimum 2 has 2 pods that request nothing
      Then 2 pods of gang b are bound, and stays so
      And for 2 seconds no pod of gang a is bound

    @GNG-020.1 @cap-Backfill
    Scenario: Best-effort pods wait with their gang
      Given a node with 1 CPU
      And gang a with minimum 4 has 2 pods
      When 2 pods that request nothing are added to gang a
      Then for 15 seconds no pod of gang a is bound, with room for 3 of them

  Rule: Remaining resources go to the gang that has the least

    @GNG-039.1 @cap-FairShares @cap-SurplusPods
    Scenario: Two gangs that need all resources get equal parts
      Given gang a with minimum 1 has 8 pods
      And gang b with minimum 1 has 8 pods
      When a node with 8 CPUs joins
      Then eventually exactly 4 pods of gang a are bound
      And eventually exactly 4 pods of gang b are bound, and stays so

    @GNG-039.2 @cap-FairShares @cap-SurplusPods
    Scenario: A gang of big pods gets fewer of them than one of small pods
      Given gang a with minimum 1 has 12 pods
      And gang b with minimum 1 has 12 pods of 2 CPUs each
      When a node with 12 CPUs joins
      Then eventually exactly 6 pods of gang a are bound
      And eventually exactly 3 pods of gang b are bound, and stays so

    @GNG-039.3 @cap-FairShares @cap-SurplusPods
    Scenario: A gang gets no more resources before another gang has as much
      Given a node with 4 CPUs
      And gang a with minimum 1 has 8 pods
      And eventually exactly 4 pods of gang a are bound
      And gang b with minimum 1 has 8 pods
      When another node with 4 CPUs joins
      Then eventually exactly 4 pods of gang b are bound
      And eventually exactly 4 pods of gang a are bound, and stays so
