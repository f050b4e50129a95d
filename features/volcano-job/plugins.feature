Feature: Plugins give the pods of a Volcano Job what they need to work together

  @VOL-042
  Scenario: Every container is told its index
    Given a Volcano Job of 2 pods with minAvailable 2 and the plugin env
    When the scheduler lets its PodGroup in
    Then the Volcano Job has 2 pods, and stays so
    And each container of the Volcano Job is told its index

  @VOL-043
  Scenario: Pods find each other by name
    Given a Volcano Job of 1 pod of task ps and 2 pods of task worker with minAvailable 3 and the plugin svc
    When the scheduler lets its PodGroup in
    Then the Volcano Job has 3 pods, and stays so
    And a ConfigMap lists the hosts of the Volcano Job by task
    And a headless service leads to the pods of the Volcano Job by name
    And each container of the Volcano Job has the lists of hosts

  @VOL-043
  Scenario: Only pods of the Volcano Job are let in
    Given a Volcano Job of 2 pods with minAvailable 2 and the plugin svc
    When the scheduler lets its PodGroup in
    Then the Volcano Job has 2 pods, and stays so
    And the Volcano Job has a NetworkPolicy

  @VOL-043
  Scenario: A Volcano Job may do without a NetworkPolicy
    Given a Volcano Job of 2 pods with minAvailable 2 and the plugin svc --disable-network-policy=true
    When the scheduler lets its PodGroup in
    Then the Volcano Job has 2 pods
    And for 2 seconds the Volcano Job has no NetworkPolicy

  @VOL-044
  Scenario: Pods have the keys to log in to each other
    Given a Volcano Job of 2 pods with minAvailable 2 and the plugin ssh
    When the scheduler lets its PodGroup in
    Then the Volcano Job has 2 pods, and stays so
    And each container of the Volcano Job has the keys of its Secret

  Rule: What plugins need lives as long as the pods

    @VOL-045
    Scenario: All is there before the first pod
      Given a Volcano Job of 2 pods with minAvailable 2, the plugin svc and the plugin ssh
      When the scheduler lets its PodGroup in
      Then the Volcano Job has 2 pods, and stays so
      And what the plugins of the Volcano Job need was there before its pods

    @VOL-045
    Scenario: Nothing is left when a Volcano Job is aborted
      Given a Volcano Job of 2 pods with minAvailable 2, the plugin svc and the plugin ssh
      And the scheduler lets its PodGroup in
      And the Volcano Job has 2 pods
      When the user commands AbortJob
      Then the Volcano Job is Aborted, and stays so
      And nothing is left of the plugins of the Volcano Job

    @VOL-045
    Scenario: The lists of hosts grow with the Volcano Job
      Given a Volcano Job of 2 pods with minAvailable 2 and the plugin svc
      And the scheduler lets its PodGroup in
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user changes task work to 4 pods
      Then the Volcano Job has 4 pods, and stays so
      And a ConfigMap lists the hosts of the Volcano Job by task
