Feature: Gang scheduling as CNCF AI Conformance asks for it
  KAR-0053 of kubernetes-sigs/ai-conformance wants a positive case, a negative one, and that what a workload held is
  released. Each is judged with the witnesses of the gang profile: the minimum that the API server holds, the room that
  was free all the time, and a probe that was bound meanwhile.

  @GNG-002
  Scenario: Positive case: a workload that fits is placed whole
    Given 2 nodes with 2 CPUs each
    When gang a with minimum 4 has 4 pods
    Then 4 pods of gang a are bound

  @GNG-002
  Scenario: Negative case: of a workload that does not fit no pod is placed
    Given 2 nodes with 2 CPUs each
    When gang a with minimum 6 has 6 pods
    Then for 30 seconds no pod of gang a is bound, with room for 4 of them

  @GNG-008
  Scenario: Cleanup: what a workload held is there for the next when it has ended
    Given a node with 4 CPUs
    And gang a with minimum 4 has 4 pods
    And 4 pods of gang a are bound
    And gang b with minimum 4 has 4 pods
    When the pods of gang a succeed
    Then 4 pods of gang b are bound
