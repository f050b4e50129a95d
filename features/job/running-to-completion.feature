Feature: A Job runs to completion
  A Job with completions is over when so many of its pods have succeeded. Until then it has as many active
  pods as parallelism says, but never more than it still needs.

  @BAS-013
  Scenario: A single pod that succeeds completes its Job
    Given a Job with 1 completion and parallelism 1
    When 1 pod succeeds
    Then the Job completes with 1 succeeded pod, and stays so
    And the Job reports 0 active pods, and stays so
    And 1 pod has been created in all, and stays so

  @BAS-013
  Scenario: A single pod that ended while no process ran completes its Job
    Given the implementation is killed
    And a Job with 1 completion and parallelism 1
    And a pod that a user made is given to the Job
    When 1 pod succeeds
    And the implementation is started again
    Then the Job completes with 1 succeeded pod, and stays so

  @BAS-007
  Scenario: A Job knows its pods by the selector of its user
    Given a Job with 2 completions, parallelism 2 and selector shared
    When 2 pods succeed
    Then the Job completes with 2 succeeded pods, and stays so
    And 2 pods have been created in all, and stays so

  @EXP-030
  Scenario: Pods are made as their template says
    When a Job whose pod template says much is created with 2 completions and parallelism 2
    Then 2 pods are active, and stays so
    And every pod of the Job is made as its template says

  @BAS-014
  Scenario: A Job has no more active pods than parallelism says
    Given a Job with 6 completions and parallelism 2
    And 2 pods are running
    When 2 pods succeed
    And 4 pods have been created in all
    Then for 2 seconds no pod is created above what the Job allows

  @BAS-014
  Scenario: A Job has no more active pods than completions are left
    Given a Job with 3 completions and parallelism 2
    And 2 pods are running
    When 2 pods succeed
    And the Job counts 2 succeeded and 0 failed pods
    And 1 pod fails
    And 4 pods have been created in all
    Then for 2 seconds no pod is created above what the Job allows

  @BAS-015
  Scenario: A pod that succeeds makes room for the next
    Given a Job with 4 completions and parallelism 2
    And 2 pods are running
    When 1 pod succeeds
    Then 3 pods have been created in all, and stays so
    And 2 pods are active, and stays so

  @BAS-016
  Scenario: A Job has no more pods than completions even if parallelism is higher
    When a Job is created with 2 completions and parallelism 5
    Then 2 pods are active
    And for 2 seconds no more than 2 pods are created in all

  @BAS-017
  Scenario Outline: A <kind> with parallelism 0 has no pods and does not finish
    When a <kind> is created with <spec>
    Then for 2 seconds the Job does not finish
    And 0 pods have been created in all

    Examples:
      | kind           | spec                            |
      | Job            | 2 completions and parallelism 0 |
      | work-queue Job | parallelism 0                   |

  @BAS-017
  Scenario: A Job starts its pods once parallelism is raised from 0
    Given a Job with 2 completions and parallelism 0
    And the Job has started
    When the Job is changed to parallelism 2
    Then 2 pods are active, and stays so

  @BAS-018
  Scenario: A Job with no completions to reach is complete without a pod
    When a Job is created with 0 completions and parallelism 2
    Then the Job completes with 0 succeeded pods, and stays so
    And 0 pods have been created in all, and stays so

  @BAS-019
  Scenario: Raising parallelism adds pods
    Given a Job with 6 completions and parallelism 1
    And 1 pod is running
    When the Job is changed to parallelism 3
    Then 3 pods are active
    And for 2 seconds no more than 3 pods are created in all

  @BAS-019
  Scenario: Lowering parallelism deletes the excess pods and no other
    Given a Job with 6 completions and parallelism 4
    And 4 pods are running
    When the Job is changed to parallelism 1
    Then 1 pod is active
    And for 2 seconds 1 pod is active
    And 4 pods have been created in all

  @BAS-020
  Scenario: Pods deleted because parallelism was lowered are not failures
    Given a Job with 6 completions and parallelism 3
    And 3 pods are running
    When the Job is changed to parallelism 1
    Then 1 pod is active
    And for 2 seconds the Job reports 0 failed pods

  @BAS-021 @fault
  Scenario: Pods still active when the completions are reached are deleted
    Given a Job with 1 completion and parallelism 1
    And 1 pod is running
    And the implementation's view of pods is frozen
    And 1 pod succeeds
    And a pod that a user made is given to the Job
    When the view of pods catches up
    Then 0 pods are active, and stays so
    And the Job completes with 1 succeeded pod, and stays so

  @BAS-022
  Scenario: A pod that a user deletes is replaced and counted as failed
    Given a Job with 2 completions and parallelism 2
    And 2 pods are running
    When the user deletes 1 pod
    Then in the end 3 pods have been created in all, and stays so
    And the Job reports 2 active and 1 failed pods, and stays so

  @BAS-022
  Scenario: A pod that a user deletes before it runs is counted as failed
    Given a Job with 2 completions and parallelism 2
    And 2 pods are active
    When the user deletes 1 pod
    Then the Job reports 1 failed pod, and stays so

  @BAS-023
  Scenario: A pod whose node is lost stays active and is not replaced
    Given a Job with 2 completions and parallelism 2
    And 2 pods are running
    And the Job reports 2 active pods
    When the node of 1 pod is lost
    Then for 2 seconds the Job reports 2 active, 0 succeeded and 0 failed pods
    And 2 pods are active
    And 2 pods have been created in all
