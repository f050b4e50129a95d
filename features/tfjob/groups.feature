@cap-PodGroups
Feature: A TFJob is started as a whole by a gang scheduler

  @TFJ-044.1
  Scenario: The minimum of the PodGroup is the number of replicas
    Given a TFJob of 1 PS and 2 Workers
    When the TFJob has one pod for each of its 3 replicas
    Then the PodGroup of the TFJob needs 3 pods, and stays so

  @TFJ-044.2
  Scenario: The minimum of the PodGroup is the minAvailable of the user
    Given a TFJob of 1 PS and 2 Workers with the minAvailable 2
    When the TFJob has one pod for each of its 3 replicas
    Then the PodGroup of the TFJob needs 2 pods, and stays so

  @TFJ-044.3
  Scenario: The minimum of the PodGroup is a minAvailable above the number of replicas
    Given a TFJob of 1 PS and 2 Workers with the minAvailable 4
    When the TFJob has one pod for each of its 3 replicas
    Then the PodGroup of the TFJob needs 4 pods, and stays so

  @TFJ-044.4
  Scenario: The PodGroup that a user deletes while pods do not run yet is created again
    Given a TFJob of 1 PS and 2 Workers
    And the TFJob has one pod for each of its 3 replicas
    When the user deletes the PodGroup of the TFJob
    Then the PodGroup of the TFJob needs 3 pods, and stays so
    And Worker 1 of the TFJob has had no more than 1 pod, as TFJ-001 requires

  @TFJ-044.5 @fault
  Scenario: The PodGroup that a user deletes in a watch gap is created again
    Given a TFJob of 1 PS and 2 Workers
    And the TFJob has one pod for each of its 3 replicas
    And the implementation's view of podgroups is stale
    And the user deletes the PodGroup of the TFJob
    When the server ends the watches of podgroups with 410
    Then once the view of podgroups catches up the PodGroup of the TFJob needs 3 pods, and stays so

  @TFJ-044.6 @cap-Suspension
  Scenario: A resumed TFJob has a PodGroup again
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the user suspends the TFJob
    And the TFJob is Suspended
    And the PodGroup of the TFJob was made once and is gone
    When the user resumes the TFJob
    Then the PodGroup of the TFJob needs 3 pods, and stays so
    And the TFJob has one pod for each of its 3 replicas, and stays so, as TFJ-042 requires

  @TFJ-044.7 @cap-Suspension
  Scenario: A resumed TFJob whose PodGroup terminated has one again
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And a finalizer of another client holds the PodGroup of the TFJob
    And the user suspends the TFJob
    And the TFJob is Suspended
    And the user resumes the TFJob
    When the finalizer is taken off the PodGroup of the TFJob
    Then the PodGroup of the TFJob needs 3 pods, and stays so

  @TFJ-046.1 @cap-VolcanoPodGroups
  Scenario: Pods name their PodGroup and replica type for Volcano
    Given a TFJob of 1 PS and 2 Workers
    When the TFJob has one pod for each of its 3 replicas
    Then each pod of the TFJob has named its PodGroup since it was created

  @TFJ-058.1 @cap-CoschedulingPodGroups
  Scenario: Pods name their PodGroup for scheduler-plugins
    Given a TFJob of 1 PS and 2 Workers
    When the TFJob has one pod for each of its 3 replicas
    Then each pod of the TFJob has named its PodGroup since it was created

  @TFJ-047.1
  Scenario: Pods without a schedulerName get that of the gang scheduler
    Given a TFJob of 1 PS and 2 Workers whose pod templates name no scheduler
    When the TFJob has one pod for each of its 3 replicas
    Then each pod of the TFJob is given to one gang scheduler, and stays so

  @TFJ-047.2
  Scenario: Pods with a schedulerName keep it
    Given a TFJob of 1 PS and 2 Workers
    When the TFJob has one pod for each of its 3 replicas
    Then each pod of the TFJob is given to the scheduler of its template, and stays so

  @TFJ-048.1
  Scenario: The minimum of the PodGroup follows the number of replicas
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    When the user changes the TFJob to 4 Workers
    Then the PodGroup of the TFJob needs 5 pods, and stays so
    And the TFJob has one pod for each of its 5 replicas, and stays so, as TFJ-010 requires

  @TFJ-048.2 @cap-VolcanoPodGroups @fault
  Scenario Outline: The minimum of the PodGroup follows though the next update is <answer>
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the TFJob is Running
    And the next update of a PodGroup is <answer>
    When the user changes the TFJob to 4 Workers
    Then eventually the PodGroup of the TFJob needs 5 pods, and stays so

    Examples:
      | case | answer                        |
      | a    | answered with 500             |
      | b    | answered with 409             |
      | c    | applied but its reply is lost |

  @TFJ-048.3 @cap-VolcanoPodGroups
  Scenario: The minimum of a PodGroup that waits follows the number of replicas
    Given the scheduler lets PodGroups wait
    And a TFJob of 1 PS and 3 Workers
    And the PodGroup of the TFJob needs 4 pods
    When the user changes the TFJob to 1 Worker
    Then the PodGroup of the TFJob needs 2 pods, and stays so

  @TFJ-048.4
  Scenario: The minimum follows the number of replicas after another client has raised it
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the TFJob is Running
    And another client sets minMember of the PodGroup of the TFJob to 7
    When the user changes the TFJob to 4 Workers
    Then the PodGroup of the TFJob needs 5 pods, and stays so

  @TFJ-048.20
  Scenario Outline: The minimum of the PodGroup follows a changed minAvailable <when>
    Given a TFJob of 1 PS and 2 Workers with the minAvailable 2
    And <before>
    When the user gives the TFJob the minAvailable 3
    Then the PodGroup of the TFJob needs 3 pods, and stays so

    Examples:
      | case | when                | before                                 |
      | a    | once there is one   | the PodGroup of the TFJob needs 2 pods |
      | b    | while its pods run  | its replicas run                       |

  @TFJ-010.4 @cap-VolcanoPodGroups
  Scenario Outline: A TFJob with a PodGroup is scaled up after <what> changed
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And <change>
    When the user changes the TFJob to 3 Workers
    Then the TFJob has one pod for each of its 4 replicas, and stays so
    And the PodGroup of the TFJob needs 4 pods, and stays so, as TFJ-048 requires
    And Worker 1 of the TFJob has had no more than 1 pod, as TFJ-001 requires

    Examples:
      | case | what                     | change                                                                |
      | a    | annotations of the group | another client annotates the PodGroup of the TFJob                    |
      | b    | labels of the group      | another client labels the PodGroup of the TFJob                       |
      | c    | owners of the group      | another client gives the PodGroup of the TFJob another owner          |
      | d    | conditions of the group  | the scheduler reports that the PodGroup of the TFJob is Unschedulable |

  @TFJ-001.14 @cap-VolcanoPodGroups
  Scenario: The pods of a TFJob stay when one of them names another group
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    When another client changes the group that the pod of Worker 1 names
    Then for 2 seconds Worker 1 of the TFJob has had no more than 1 pod
    And the TFJob has one pod for each of its 3 replicas, and stays so
    And the PodGroup of the TFJob needs 3 pods, and stays so, as TFJ-044 requires

  @TFJ-049.1
  Scenario: A PodGroup in the desired state is not written again
    Given a TFJob of 1 PS and 2 Workers
    And its replicas run
    And the TFJob is Running
    When the user annotates the TFJob
    Then for 2 seconds no PodGroup is changed by the implementation

  Rule: A PodGroup is deleted with its use

    @TFJ-050.1
    Scenario: The PodGroup of a succeeded TFJob is deleted
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      When Worker 0 of the TFJob succeeds
      Then the TFJob is Succeeded
      And the PodGroup of the TFJob was made once and is gone
      And for 2 seconds the PodGroup of the TFJob was made once and is gone

    @TFJ-050.2 @cap-Suspension
    Scenario: The PodGroup of a suspended TFJob is deleted
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      When the user suspends the TFJob
      Then the TFJob is Suspended
      And the PodGroup of the TFJob was made once and is gone
      And for 2 seconds the PodGroup of the TFJob was made once and is gone

    @TFJ-050.5
    Scenario Outline: The PodGroup of a TFJob that is <state> is not created again
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy Never
      And its replicas run
      And <end>
      And the TFJob is <state>
      And the PodGroup of the TFJob was made once and is gone
      When the user annotates the TFJob
      Then for 2 seconds the PodGroup of the TFJob was made once and is gone

      Examples:
        | case | state     | end                                          |
        | a    | Succeeded | Worker 0 of the TFJob succeeds               |
        | b    | Failed    | Worker 1 of the TFJob fails with exit code 1 |

    @TFJ-050.3 @cap-VolcanoPodGroups @fault
    Scenario Outline: The PodGroup of a TFJob is deleted though the next deletion is <answer>
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the next PodGroup deletion is <answer>
      When Worker 0 of the TFJob succeeds
      Then eventually the PodGroup of the TFJob was made once and is gone, and stays so

      Examples:
        | case | answer                        |
        | a    | answered with 409             |
        | b    | applied but its reply is lost |

    @TFJ-050.4 @cap-Suspension @cap-VolcanoPodGroups
    Scenario: The PodGroup of a TFJob that is suspended while it waits is deleted
      Given the scheduler lets PodGroups wait
      And a TFJob of 1 PS and 2 Workers
      And the PodGroup of the TFJob needs 3 pods
      When the user suspends the TFJob
      Then the TFJob is Suspended
      And the PodGroup of the TFJob was made once and is gone
      And for 2 seconds the PodGroup of the TFJob was made once and is gone
      And the TFJob has 0 pods and as many services, and stays so, as TFJ-042 requires

  Rule: A PodGroup that could not be created is created later

    @TFJ-044.8 @cap-VolcanoPodGroups @fault
    Scenario Outline: A PodGroup is created later whose creations are <answer>
      Given PodGroup creations are <answer>
      And a TFJob of 1 PS and 2 Workers
      And the fault has been triggered
      When 1 second passes
      Then once the faults end the PodGroup of the TFJob needs 3 pods, and stays so
      And the TFJob has one pod for each of its 3 replicas, and stays so, as TFJ-001 requires

      Examples:
        | case | answer                            |
        | a    | refused because the name is taken |
        | b    | answered with 403                 |

  Rule: A PodGroup that cannot be changed holds up nothing else

    @TFJ-035.6 @cap-VolcanoPodGroups @fault
    Scenario: A TFJob succeeds while its PodGroup cannot be updated
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the TFJob is Running
      And updates of PodGroups are answered with 403
      And the user changes the TFJob to 3 Workers
      And the fault has been triggered
      When Worker 0 of the TFJob succeeds
      Then the TFJob is Succeeded, and stays so

    @TFJ-042.5 @cap-Suspension @cap-VolcanoPodGroups @fault
    Scenario: A TFJob is suspended while its PodGroup cannot be deleted
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the TFJob is Running
      And PodGroup deletions are answered with 403
      When the user suspends the TFJob
      Then the TFJob is Suspended
      And the TFJob has 0 pods and as many services, and stays so

  Rule: With Volcano pods are created once the PodGroup is admitted

    @TFJ-045.1 @cap-VolcanoPodGroups
    Scenario: No pod is created while the PodGroup is Pending
      Given the scheduler lets PodGroups wait
      And a TFJob of 1 PS and 2 Workers
      When the PodGroup of the TFJob needs 3 pods
      Then for 2 seconds the TFJob has 0 pods and as many services

    @TFJ-045.2 @cap-VolcanoPodGroups
    Scenario: Pods are created once the PodGroup is Inqueue
      Given the scheduler lets PodGroups wait
      And a TFJob of 1 PS and 2 Workers
      And the PodGroup of the TFJob needs 3 pods
      When the scheduler admits the PodGroup of the TFJob
      Then the TFJob has one pod for each of its 3 replicas, and stays so

    @TFJ-033.3 @cap-VolcanoPodGroups
    Scenario: A TFJob whose PodGroup waits is Created
      Given the scheduler lets PodGroups wait
      When a TFJob of 1 PS and 2 Workers
      Then the PodGroup of the TFJob needs 3 pods, as TFJ-044 requires
      And the TFJob has been Created for the reason TFJobCreated
      And the implementation runs, as TFJ-051 requires

    @TFJ-026.6 @cap-VolcanoPodGroups
    Scenario: A TFJob whose PodGroup waits again is Failed when a Worker fails
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the TFJob is Running
      And the scheduler lets the PodGroup of the TFJob wait again
      When Worker 1 of the TFJob fails with exit code 1
      Then the TFJob is Failed, and stays so

    @TFJ-035.7 @cap-VolcanoPodGroups
    Scenario: A TFJob whose PodGroup waits again is Succeeded when Worker 0 succeeds
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the TFJob is Running
      And the scheduler lets the PodGroup of the TFJob wait again
      When Worker 0 of the TFJob succeeds
      Then the TFJob is Succeeded, and stays so

    @TFJ-045.3 @cap-Suspension @cap-VolcanoPodGroups @fault
    Scenario: No pod is created by the phase of a PodGroup that was deleted
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And podgroups are seen 2 seconds late
      And the user suspends the TFJob
      And the PodGroup of the TFJob was made once and is gone
      And the scheduler lets PodGroups wait
      When the user resumes the TFJob
      Then for 2 seconds the TFJob has 0 pods and as many services

    @TFJ-044.9 @cap-VolcanoPodGroups
    Scenario: The PodGroup that a user deletes while it waits is created again
      Given the scheduler lets PodGroups wait
      And a TFJob of 1 PS and 2 Workers
      And the PodGroup of the TFJob needs 3 pods
      When the user deletes the PodGroup of the TFJob
      Then the PodGroup of the TFJob needs 3 pods, and stays so
      And for 1 second the TFJob has 0 pods and as many services, as TFJ-045 requires

    @TFJ-025.4 @cap-VolcanoPodGroups
    Scenario Outline: A failed pod is replaced while its PodGroup is <phase>
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure
      And its replicas run
      And the TFJob is Running
      And <what>
      When Worker 1 of the TFJob fails with exit code 1
      Then Worker 1 of the TFJob is replaced

      Examples:
        | case | phase   | what                                                      |
        | a    | Running | the scheduler sees the PodGroup of the TFJob running      |
        | b    | Unknown | the scheduler cannot place all pods of the TFJob any more |

    @TFJ-035.10 @cap-VolcanoPodGroups
    Scenario: A TFJob whose PodGroup is Completed is Succeeded when Worker 0 succeeds
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the TFJob is Running
      And the scheduler sees the PodGroup of the TFJob completed
      When Worker 0 of the TFJob succeeds
      Then the TFJob is Succeeded, and stays so

    @TFJ-057.1 @cap-VolcanoPodGroups
    Scenario: A PodGroup has the queue and the priority of its TFJob
      Given a TFJob of 1 PS and 2 Workers with the queue left and the priorityClass high
      When the TFJob has one pod for each of its 3 replicas
      Then the PodGroup of the TFJob says queue left
      And the PodGroup of the TFJob says priorityClassName high

    @TFJ-057.3 @cap-VolcanoPodGroups
    Scenario: The priority of a PodGroup follows a changed priorityClass
      Given a TFJob of 1 PS and 2 Workers with the priorityClass low
      And the PodGroup of the TFJob says priorityClassName low
      When the user gives the TFJob the priorityClass high
      Then the PodGroup of the TFJob says priorityClassName high, and stays so

    @TFJ-077.1 @cap-VolcanoPodGroups
    Scenario: The queue that another client has given a PodGroup stays when a TFJob is scaled
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the TFJob is Running
      And another client moves the PodGroup of the TFJob to queue left
      When the user changes the TFJob to 4 Workers
      Then the PodGroup of the TFJob needs 5 pods, as TFJ-048 requires
      And for 2 seconds the PodGroup of the TFJob says queue left

    @TFJ-057.2 @cap-VolcanoPodGroups
    Scenario Outline: The PodGroup of a TFJob <without> is in queue default
      Given a TFJob of <tfjob>
      When the TFJob has one pod for each of its 3 replicas
      Then the PodGroup of the TFJob is in queue default, and stays so

      Examples:
        | case | without                    | tfjob                                         |
        | a    | without a schedulingPolicy | 1 PS and 2 Workers                            |
        | b    | that names no queue        | 1 PS and 2 Workers with the priorityClass high |

    @TFJ-061.1 @cap-PodGroups
    Scenario: The PodGroup of a TFJob needs the minResources of its TFJob
      When a TFJob of 1 PS and 2 Workers with the minResources 7
      Then the PodGroup of the TFJob needs 7 CPUs, and stays so

    @TFJ-061.2 @cap-PodGroups
    Scenario: The PodGroup of a TFJob follows changed minResources
      Given a TFJob of 1 PS and 2 Workers with the minResources 7
      And the PodGroup of the TFJob needs 7 CPUs
      When the user gives the TFJob the minResources 4
      Then the PodGroup of the TFJob needs 4 CPUs, and stays so

    @TFJ-062.1 @cap-PodGroups
    Scenario: The PodGroup of a TFJob needs what all its pods request
      When a TFJob of 1 PS and 2 Workers with a container of 2 CPUs
      Then the PodGroup of the TFJob needs 6 CPUs, and stays so

    @TFJ-062.2 @cap-PodGroups
    Scenario: The PodGroup of a scaled TFJob needs what all its pods request
      Given a TFJob of 1 PS and 2 Workers with a container of 2 CPUs
      And the PodGroup of the TFJob needs 6 CPUs
      When the user changes the TFJob to 4 Workers
      Then the PodGroup of the TFJob needs 10 CPUs, and stays so
