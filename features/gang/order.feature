Feature: Who is first among gangs that wait

  Rule: A higher priority is first

    # All that wait are tried at once by a scheduler that starts; else a back-off may decide who is tried first.
    @GNG-017
    Scenario: A gang of higher priority is bound before an earlier one of lower priority
      Given a node with 3 CPUs
      And the implementation is killed
      And gang a of priority low with minimum 3 has 3 pods
      And gang b of priority high with minimum 3 has 3 pods
      When the implementation is started again
      Then of gangs a and b only b is bound, and stays so for 2 seconds

  Rule: Room that appears is for the gang of the highest priority

    @GNG-080
    Scenario: Room that appears goes to the waiting gang of the highest priority
      Given a node with 3 CPUs
      And pod single without a gang of 3 CPUs is created
      And pod single is bound
      And gang a of priority low with minimum 3 has 3 pods
      And gang b of priority high with minimum 3 has 3 pods
      And 3 seconds pass
      When pod single succeeds
      Then of gangs a and b only b is bound, and stays so for 2 seconds

  Rule: Nobody is passed over without end

    @GNG-081
    Scenario: A gang is not passed over each time by later ones of lower priority
      Given a node with 3 CPUs
      And pod single without a gang of 3 CPUs is created
      And pod single is bound
      And gang a of priority high with minimum 3 has 3 pods
      And 3 seconds pass
      When room for gang a appears 8 times, each time just after a gang of priority low came that wants it too
      Then 3 pods of gang a are bound, and stays so

  Rule: Of equal priority the earlier is first

    # A scheduler that starts lists by name, so the order of the list is not that of age.
    @GNG-018
    Scenario: Of two gangs that wait the one that was created first is bound
      Given a node with 3 CPUs
      And the implementation is killed
      And gang b with minimum 3 has 3 pods
      And gang a, created a second later, with minimum 3 has 3 pods
      When the implementation is started again
      Then of gangs a and b only b is bound, and stays so for 2 seconds

  Rule: Pods that ask for nothing fit everywhere

    @GNG-019 @cap-Backfill
    Scenario: A pod that asks for nothing is bound although nothing else fits
      Given a node with 2 CPUs
      And gang a with minimum 2 has 2 pods
      And 2 pods of gang a are bound
      When pod light without a gang that asks for nothing is created
      Then pod light is bound

    @GNG-019 @cap-Backfill
    Scenario: A gang of pods that ask for nothing is bound although nothing else fits
      Given a node with 2 CPUs
      And gang a with minimum 2 has 2 pods
      And 2 pods of gang a are bound
      And gang b with minimum 2 has 0 pods
      When 2 pods that ask for nothing are added to gang b
      Then 2 pods of gang b are bound, and stays so

    @GNG-020 @cap-Backfill
    Scenario: Pods that ask for nothing wait with the gang that they belong to
      Given a node with 1 CPU
      And gang a with minimum 4 has 2 pods
      When 2 pods that ask for nothing are added to gang a
      Then for 15 seconds no pod of gang a is bound, with room for 3 of them

  Rule: What is left over goes to the gang that has least

    @GNG-039 @cap-FairShares @cap-SurplusPods
    Scenario: Two gangs that want everything get as much of it each
      Given gang a with minimum 1 has 8 pods
      And gang b with minimum 1 has 8 pods
      When a node with 8 CPUs joins
      Then in the end exactly 4 pods of gang a are bound
      And in the end exactly 4 pods of gang b are bound, and stays so

    @GNG-039 @cap-FairShares @cap-SurplusPods
    Scenario: A gang of big pods gets fewer of them than one of small pods
      Given gang a with minimum 1 has 12 pods
      And gang b with minimum 1 has 12 pods of 2 CPUs each
      When a node with 12 CPUs joins
      Then in the end exactly 6 pods of gang a are bound
      And in the end exactly 3 pods of gang b are bound, and stays so

    @GNG-039 @cap-FairShares @cap-SurplusPods
    Scenario: A gang that has much gets nothing more before another has as much
      Given a node with 4 CPUs
      And gang a with minimum 1 has 8 pods
      And in the end exactly 4 pods of gang a are bound
      And gang b with minimum 1 has 8 pods
      When another node with 4 CPUs joins
      Then in the end exactly 4 pods of gang b are bound
      And in the end exactly 4 pods of gang a are bound, and stays so
