Feature: Gang scheduling as CNCF AI Conformance requires it
  KAR-0053 of kubernetes-sigs/ai-conformance requires a positive case, a negative one, and that the resources of a
  deleted workload are released. Each is judged with the witnesses of the gang profile: the minimum that the API server
  stores, the resources that were free all the time, and a probe pod that was bound meanwhile.

  @GNG-002.8
  Scenario: Positive case: a workload that fits is placed as a whole
    Given 2 nodes with 2 CPUs each
    When gang a with minimum 4 has 4 pods
    Then 4 pods of gang a are bound

  @GNG-002.11
  Scenario: Positive case: a workload that was placed as a whole runs to completion
    Given 2 nodes with 2 CPUs each
    And gang a with minimum 4 has 4 pods
    And 4 pods of gang a are bound
    When the pods of gang a succeed
    Then 4 pods of gang a have run to completion

  @GNG-002.9
  Scenario: Negative case: no pod of a workload that does not fit is placed
    Given 2 nodes with 2 CPUs each
    When gang a with minimum 6 has 6 pods
    Then for 30 seconds no pod of gang a is bound, with room for 4 of them

  @GNG-008.8
  Scenario: Cleanup: the resources of a deleted workload are used by the next
    Given a node with 4 CPUs
    And gang a with minimum 4 has 4 pods
    And 4 pods of gang a are bound
    And gang b with minimum 4 has 4 pods
    When a user deletes 4 running pods of gang a
    Then 4 pods of gang b are bound

  @GNG-008.5
  Scenario: Cleanup: the resources of a finished workload are used by the next
    Given a node with 4 CPUs
    And gang a with minimum 4 has 4 pods
    And 4 pods of gang a are bound
    And gang b with minimum 4 has 4 pods
    When the pods of gang a succeed
    Then 4 pods of gang b are bound
