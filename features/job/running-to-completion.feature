Feature: A Job runs to completion
  A Job with completions is complete once that many of its pods have succeeded. Until then it has parallelism active
  pods, but never more than it still needs.

  @BAS-013.2
  Scenario: A single pod that succeeds completes its Job
    Given a Job with 1 completion and parallelism 1
    When 1 pod succeeds
    Then the Job completes with 1 succeeded pod, and stays so
    And the Job reports 0 active pods, and stays so
    And 1 pod has been created in all, and stays so

  @BAS-013.3
  Scenario: A pod that finished while the controller was down completes its Job
    Given the implementation is killed
    And a Job with 1 completion and parallelism 1
    And a pod that a user made is given to the Job
    When 1 pod succeeds
    And the implementation is started again
    Then the Job completes with 1 succeeded pod, and stays so
    And 1 pod has been created in all, and stays so

  @BAS-013.4
  Scenario: A Job that becomes the child of another object is completed by its pod
    Given a Job with 1 completion and parallelism 1
    And 1 pod is active
    And another client makes the Job the child of another object
    When 1 pod succeeds
    Then the Job completes with 1 succeeded pod, and stays so
    And 1 pod has been created in all, and stays so

  @BAS-007.1
  Scenario: A Job with manualSelector has the pods of that selector
    Given a Job with 2 completions, parallelism 2 and selector shared
    When 2 pods succeed
    Then the Job completes with 2 succeeded pods, and stays so
    And 2 pods have been created in all, and stays so

  @BAS-007.3
  Scenario: A Job with matchExpressions has the pods of that selector
    Given a Job with 2 completions, parallelism 2 and matchExpressions shared
    When 2 pods succeed
    Then the Job completes with 2 succeeded pods, and stays so
    And 2 pods have been created in all, and stays so

  @BAS-007.2
  Scenario: A selector by expressions has the pods that match it, and no others
    Given the implementation is killed
    And a Job with 2 completions, parallelism 2 and matchExpressions shared
    And a user makes pod p of group other
    And a user makes pod q of group stranger
    When the implementation is started again
    And pod p belongs to the Job
    Then 2 pods are active, and stays so for 2 seconds
    And for 2 seconds pod q does not belong to the Job

  @EXP-030.1
  Scenario: Pods are created from the pod template
    When a Job whose pod template says much is created with 2 completions and parallelism 2
    Then 2 pods are active, and stays so
    And every pod of the Job is made as its template says

  @BAS-014.1
  Scenario: A Job has at most parallelism active pods
    Given a Job with 6 completions and parallelism 2
    And 2 pods are running
    When 2 pods succeed
    And 4 pods have been created in all
    Then for 2 seconds no pod is created above what the Job allows

  @BAS-014.2
  Scenario: A Job has at most as many active pods as completions remain
    Given a Job with 3 completions and parallelism 2
    And 2 pods are running
    When 2 pods succeed
    And the Job counts 2 succeeded and 0 failed pods
    And 1 pod fails
    And 4 pods have been created in all
    Then for 2 seconds no pod is created above what the Job allows

  @BAS-015.1
  Scenario: A succeeded pod is followed by the next one
    Given a Job with 4 completions and parallelism 2
    And 2 pods are running
    When 1 pod succeeds
    Then 3 pods have been created in all, and stays so
    And 2 pods are active, and stays so

  @BAS-016.1
  Scenario: A Job has at most completions pods, even if parallelism is higher
    When a Job is created with 2 completions and parallelism 5
    Then 2 pods are active
    And for 2 seconds no more than 2 pods are created in all

  @BAS-016.2
  Scenario: A Job has at most completions pods, even with the highest parallelism
    When a Job is created with 2 completions and parallelism 2147483647
    Then 2 pods are active
    And for 2 seconds no more than 2 pods are created in all

  @BAS-017.1
  Scenario Outline: A <kind> with parallelism 0 has no pods and does not finish
    When a <kind> is created with <spec>
    Then for 2 seconds the Job does not finish
    And 0 pods have been created in all

    Examples:
      | case | kind           | spec                            |
      | a    | Job            | 2 completions and parallelism 0 |
      | b    | work-queue Job | parallelism 0                   |

  @BAS-017.2
  Scenario: A Job creates its pods once parallelism is raised from 0
    Given a Job with 2 completions and parallelism 0
    And the Job has started
    When the Job is changed to parallelism 2
    Then 2 pods are active, and stays so

  @BAS-018.1
  Scenario: A Job with 0 completions completes without a pod
    When a Job is created with 0 completions and parallelism 2
    Then the Job completes with 0 succeeded pods, and stays so
    And 0 pods have been created in all, and stays so

  @BAS-019.1
  Scenario: Raising parallelism creates the additional pods
    Given a Job with 6 completions and parallelism 1
    And 1 pod is running
    When the Job is changed to parallelism 3
    Then 3 pods are active
    And for 2 seconds no more than 3 pods are created in all

  @BAS-019.2
  Scenario: Lowering parallelism deletes only the excess pods
    Given a Job with 6 completions and parallelism 4
    And 4 pods are running
    When the Job is changed to parallelism 1
    Then 1 pod is active
    And for 2 seconds 1 pod is active
    And 4 pods have been created in all

  @BAS-020.1
  Scenario: Pods deleted by lowering parallelism do not count as failed
    Given a Job with 6 completions and parallelism 3
    And 3 pods are running
    When the Job is changed to parallelism 1
    And 1 pod is active
    Then for 2 seconds the Job reports 0 failed pods

  @BAS-020.2 @cap-BackoffLimitPerIndex
  Scenario: Pods deleted by lowering parallelism do not count for their indexes
    Given an Indexed Job with 3 completions, parallelism 3 and backoffLimitPerIndex 0
    And 3 pods are running
    And the Job is changed to parallelism 1
    And 1 pod is active
    When the Job is changed to parallelism 3
    Then the active pods have the indexes 0, 1 and 2, and stays so
    And the failed indexes of the Job are none, and stays so

  @BAS-021.1 @fault
  Scenario: Pods still active when the completions are reached are deleted
    Given a Job with 1 completion and parallelism 1
    And 1 pod is running
    And the implementation's view of pods is stale
    And 1 pod succeeds
    And a pod that a user made is given to the Job
    When the view of pods catches up
    Then 0 pods are active, and stays so
    And the Job completes with 1 succeeded pod, and stays so, as BAS-013 requires

  @BAS-022.1
  Scenario: A pod that a user deletes is replaced and counted as failed
    Given a Job with 2 completions and parallelism 2
    And 2 pods are running
    When the user deletes 1 pod
    Then eventually 3 pods have been created in all, and stays so
    And the Job reports 2 active and 1 failed pods, and stays so

  @BAS-022.2
  Scenario: A pod that a user deletes before it is running is counted as failed
    Given a Job with 2 completions and parallelism 2
    And 2 pods are active
    When the user deletes 1 pod
    Then the Job reports 1 failed pod, and stays so

  @BAS-022.3
  Scenario: All pods of a Job that a user deletes before they run are counted as failed
    Given a Job with 2 completions and parallelism 2
    And 2 pods are active
    When the user deletes 2 pods
    Then the Job reports 2 failed pods, and stays so
    And eventually 4 pods have been created in all, and stays so

  @BAS-023.2
  Scenario: A pod whose node is reachable again continues
    Given a Job with 2 completions and parallelism 2
    And 2 pods are running
    And the node of 1 pod is lost
    And the Job reports 2 active pods
    When 2 pods are running and ready
    Then the Job reports 2 active and 2 ready pods, and stays so for 2 seconds
    And now 2 pods have been created in all

  @BAS-023.3
  Scenario: A pod of an unreachable node that fails later is counted then and replaced
    Given a Job with 1 completion and parallelism 1
    And 1 pod is running
    And the node of 1 pod is lost
    And for 2 seconds the Job reports 1 active, 0 succeeded and 0 failed pods
    When 1 pod fails
    Then the Job reports 1 failed pod, and stays so
    And eventually 2 pods have been created in all, and stays so, as BAS-015 requires

  @BAS-023.1
  Scenario: A pod of an unreachable node stays active and is not replaced
    Given a Job with 2 completions and parallelism 2
    And 2 pods are running
    And the Job reports 2 active pods
    When the node of 1 pod is lost
    Then for 2 seconds the Job reports 2 active, 0 succeeded and 0 failed pods
    And 2 pods are active
    And 2 pods have been created in all
