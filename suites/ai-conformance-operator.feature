Feature: A complex operator as CNCF AI Conformance requires it
  KAR-0063 of kubernetes-sigs/ai-conformance requires that an operator such as Kubeflow's can be installed, that its
  webhook rejects invalid objects, and that an instance of its resource is reconciled.

  @TFJ-034.4
  Scenario: Reconciled: a valid TFJob gets its pods and services, and succeeds with its Chief
    Given a TFJob of 1 Chief and 2 Workers
    And its replicas run
    When Chief 0 of the TFJob succeeds
    Then the TFJob is Succeeded

  @TFJ-059.2 @cap-Admission
  Scenario: Rejected: an invalid TFJob is not stored, and a valid one is
    When the user submits a TFJob of 2 Workers with a container of another name
    And the user submits a TFJob of 2 Workers with one container
    Then the first request of the user is refused
    And the second request of the user is accepted

  @TFJ-060.2 @cap-Admission
  Scenario: Rejected: a change that makes a TFJob invalid is not stored
    Given a TFJob of 2 Workers
    And the TFJob has one pod for each of its 2 replicas
    When the user asks to give the Workers of the TFJob a container without an image
    Then the first request of the user is refused
