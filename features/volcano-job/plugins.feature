Feature: Plugins let the pods of a Volcano Job work together

  @VOL-042.1
  Scenario: Every container has its index in its environment
    Given a Volcano Job of 2 pods of two containers and an init container with minAvailable 2 and the plugin env
    When the scheduler admits its PodGroup
    Then the Volcano Job has 2 pods, and stays so
    And each container of the Volcano Job gets its index

  @VOL-043.1
  Scenario: The plugin svc provides host names and lists of hosts
    Given a Volcano Job of 1 pod of task ps and 2 pods of task worker of two containers and an init container with minAvailable 3 and the plugin svc
    When the scheduler admits its PodGroup
    Then the Volcano Job has 3 pods, and stays so
    And a ConfigMap lists the hosts of the Volcano Job by task
    And a headless service leads to the pods of the Volcano Job by name
    And each container of the Volcano Job has the lists of hosts

  @VOL-043.2
  Scenario: The plugin svc creates a NetworkPolicy
    Given a Volcano Job of 2 pods with minAvailable 2 and the plugin svc
    When the scheduler admits its PodGroup
    Then the Volcano Job has 2 pods, and stays so
    And the Volcano Job has a NetworkPolicy

  @VOL-043.3
  Scenario: A Volcano Job may disable the NetworkPolicy
    Given a Volcano Job of 2 pods with minAvailable 2 and the plugin svc --disable-network-policy=true
    When the scheduler admits its PodGroup
    Then the Volcano Job has 2 pods
    And for 2 seconds the Volcano Job has no NetworkPolicy

  @VOL-044.1
  Scenario: The plugin ssh provides SSH keys to all containers
    Given a Volcano Job of 2 pods of two containers and an init container with minAvailable 2 and the plugin ssh
    When the scheduler admits its PodGroup
    Then the Volcano Job has 2 pods, and stays so
    And each container of the Volcano Job has the keys of its Secret

  @VOL-044.2
  Scenario Outline: Pods that are made later get SSH keys too: <when>
    Given a Volcano Job of 2 pods with minAvailable 1 and the plugin ssh
    And the scheduler admits every PodGroup
    And 2 pods of the Volcano Job run
    And the Volcano Job is Running
    When <what happens>
    Then <made> of the Volcano Job were made since it became <phase>, as <rule> requires
    And each container of the Volcano Job has the keys of its Secret, and stays so

    Examples:
      | case | when               | what happens                        | made   | phase      | rule    |
      | a    | it is scaled up    | the user changes task work to 4 pods | 2 pods | Running    | VOL-046 |
      | b    | it is restarted    | the user commands RestartJob        | 2 pods | Restarting | VOL-019 |

  Rule: The objects of plugins exist as long as the pods

    @VOL-045.1
    Scenario: The objects of plugins exist before the first pod
      Given a Volcano Job of 2 pods with minAvailable 2, the plugin svc and the plugin ssh
      When the scheduler admits its PodGroup
      Then the Volcano Job has 2 pods, and stays so
      And what the plugins of the Volcano Job need was there before its pods

    @VOL-045.2
    Scenario: The objects of plugins are deleted when a Volcano Job is aborted
      Given a Volcano Job of 2 pods with minAvailable 2, the plugin svc and the plugin ssh
      And the scheduler admits its PodGroup
      And the Volcano Job has 2 pods
      When the user commands AbortJob
      Then the Volcano Job is Aborted, and stays so
      And nothing is left of the plugins of the Volcano Job

    @VOL-045.4
    Scenario Outline: The objects of plugins are deleted when a Volcano Job is <phase>
      Given a Volcano Job of 2 pods with minAvailable 2, the plugin svc and the plugin ssh
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When <this happens>
      Then the Volcano Job is <phase>, and stays so
      And nothing is left of the plugins of the Volcano Job

      Examples:
        | case | phase      | this happens                      |
        | a    | Completed  | 2 pods of the Volcano Job succeed |
        | b    | Failed     | 2 pods of the Volcano Job fail    |
        | c    | Terminated | the user commands TerminateJob    |

    @VOL-045.3
    Scenario: The lists of hosts follow the tasks of the Volcano Job
      Given a Volcano Job of 2 pods with minAvailable 2 and the plugin svc
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      When the user changes task work to 4 pods
      Then the Volcano Job has 4 pods, and stays so
      And a ConfigMap lists the hosts of the Volcano Job by task

    @VOL-045.5 @fault
    Scenario Outline: The objects of plugins exist before the first pod if one is rejected: <kind>
      Given the next 2 <kind> creations are answered with 422
      And the scheduler admits every PodGroup
      When a Volcano Job of 2 pods with minAvailable 2, the plugin svc and the plugin ssh
      Then eventually the Volcano Job has 2 pods, and stays so
      And what the plugins of the Volcano Job need was there before its pods

      Examples:
        | case | kind      |
        | a    | ConfigMap |
        | b    | Secret    |

    @VOL-045.6 @fault
    Scenario Outline: The lists of hosts follow the tasks although an update is <how>
      Given a Volcano Job of 2 pods with minAvailable 2 and the plugin svc
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And the next update of a ConfigMap is <how>
      When the user changes task work to 4 pods
      Then eventually a ConfigMap lists the hosts of the Volcano Job by task
      And eventually the Volcano Job has 4 pods, and stays so, as VOL-046 requires

      Examples:
        | case | how                           |
        | a    | answered with 500             |
        | b    | answered with 409             |
        | c    | answered with 422             |
        | d    | applied but its reply is lost |

    @VOL-045.7 @fault
    Scenario Outline: The objects of plugins are deleted although a deletion is <how> at first
      Given a Volcano Job of 2 pods with minAvailable 2, the plugin svc and the plugin ssh
      And the scheduler admits its PodGroup
      And the Volcano Job has 2 pods
      And the next <kind> deletion is <how>
      When the user commands AbortJob
      Then eventually the Volcano Job is Aborted, and stays so, as VOL-021 requires
      And eventually nothing is left of the plugins of the Volcano Job

      Examples:
        | case | kind      | how                           |
        | a    | ConfigMap | answered with 500             |
        | b    | Secret    | answered with 409             |
        | c    | service   | applied but its reply is lost |

    @VOL-045.8
    Scenario Outline: The lists of hosts follow the tasks if others change them: <how>
      Given a Volcano Job of 2 pods with minAvailable 2 and the plugin svc
      And the scheduler admits its PodGroup
      And 2 pods of the Volcano Job run
      And the Volcano Job is Running
      And <what happens>
      When the user changes task work to 4 pods
      Then eventually a ConfigMap lists the hosts of the Volcano Job by task, and stays so

      Examples:
        | case | how       | what happens                                              |
        | a    | labelled  | another client labels the ConfigMap of the Volcano Job    |
        | b    | annotated | another client annotates the ConfigMap of the Volcano Job |
        | c    | emptied   | a user empties the ConfigMap of the Volcano Job           |

    @VOL-045.9
    Scenario: The ConfigMap of a deleted Volcano Job is not that of the one of its name
      Given a Volcano Job of 2 pods with minAvailable 2 and the plugin svc
      And the scheduler admits every PodGroup
      And the Volcano Job has 2 pods
      And a finalizer of another client holds the ConfigMap of the Volcano Job, which is being deleted
      And the user replaces the Volcano Job and its pods by a Volcano Job of its name
      And the Volcano Job is Pending
      When the finalizer is taken off
      Then eventually a ConfigMap lists the hosts of the Volcano Job by task, and stays so
