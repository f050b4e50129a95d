Feature: A Job without completions is a work queue
  Its pods agree among themselves when the work is done: the first that succeeds says so. From then on no pod
  is added, and the Job is over when the others have finished too.

  @BAS-024.1
  Scenario: A work-queue Job has parallelism active pods
    When a work-queue Job is created with parallelism 3
    Then 3 pods are active
    And for 2 seconds no more than 3 pods are created in all

  @BAS-024.2
  Scenario: A work-queue Job replaces pods that fail before the first success
    Given a work-queue Job with parallelism 3
    And 3 pods are running
    When 2 pods fail
    Then eventually 5 pods have been created in all, and stays so
    And the Job reports 3 active and 2 failed pods, and stays so

  @BAS-024.3
  Scenario: A work-queue Job whose pods have all failed continues
    Given a work-queue Job with parallelism 2
    And 2 pods are running
    And the implementation is killed
    And 2 pods fail that ended 15 seconds ago
    When the implementation is started again
    Then for 2 seconds the Job does not finish
    And eventually 4 pods have been created in all, and stays so
    And the Job reports 2 active and 2 failed pods, and stays so

  @BAS-025.1
  Scenario: A pod of a work-queue Job that succeeds is not replaced
    Given a work-queue Job with parallelism 3
    And 3 pods are running
    When 1 pod succeeds
    Then 3 pods have been created in all, and stays so
    And the Job reports 2 active and 1 succeeded pods, and stays so, as BAS-050 requires

  @BAS-025.2
  Scenario: A work-queue Job gets no pod after the first success
    Given a work-queue Job with parallelism 3
    And 3 pods are running
    And 1 pod succeeds
    And the Job reports 2 active and 1 succeeded pods
    When 1 pod fails
    Then for 2 seconds no more than 3 pods are created in all

  @BAS-025.3
  Scenario: Raising parallelism creates no pod after the first success
    Given a work-queue Job with parallelism 2
    And 2 pods are running
    And 1 pod succeeds
    And the Job reports 1 active and 1 succeeded pods
    When the Job is changed to parallelism 4
    Then for 2 seconds no more than 2 pods are created in all

  @BAS-026.1
  Scenario: A work-queue Job does not complete while pods are active after a success
    Given a work-queue Job with parallelism 3
    And 3 pods are running
    When 1 pod succeeds
    Then for 2 seconds the Job does not finish
    And 2 pods are active

  @BAS-026.2
  Scenario: A work-queue Job completes when its last pod finishes after a success
    Given a work-queue Job with parallelism 3
    And 3 pods are running
    And 1 pod succeeds
    And the Job reports 2 active and 1 succeeded pods
    When 2 pods succeed
    Then the Job completes with 3 succeeded pods, and stays so
    And 3 pods have been created in all, and stays so

  @BAS-027.1
  Scenario: A failure after the first success does not fail a work-queue Job
    Given a work-queue Job with parallelism 2 and backoffLimit 1
    And 2 pods are running
    And 1 pod succeeds
    And the Job reports 1 active and 1 succeeded pods
    When 1 pod fails
    Then the Job completes with 1 succeeded pod, and stays so
    And the Job reports 1 succeeded and 1 failed pods, and stays so
