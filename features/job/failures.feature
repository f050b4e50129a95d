Feature: A Job gives up when too many of its pods fail

  Rule: A Job fails when more pods have failed than backoffLimit says, and not before

    @FAIL-001
    Scenario: A Job goes on as long as no more pods have failed than backoffLimit says
      Given a Job with 3 completions, parallelism 3 and backoffLimit 2
      And 3 pods are running
      When 2 pods fail
      Then for 2 seconds the Job does not finish
      And the Job reports 3 active and 2 failed pods

    @FAIL-001
    Scenario: A Job fails with the first failure above backoffLimit
      Given a Job with 1 completion and backoffLimit 1
      And 1 pod fails
      And the Job reports 1 active and 1 failed pods
      When 1 pod fails
      Then the Job is Failed with reason BackoffLimitExceeded and message "Job has reached the specified backoff limit"
      And the Job reports 2 failed pods
      And 2 pods have been created in all

    @FAIL-002
    Scenario: The first failure fails a Job with backoffLimit 0
      Given a Job with 2 completions, parallelism 1 and backoffLimit 0
      And 1 pod is running
      When 1 pod fails
      Then the Job fails with reason BackoffLimitExceeded
      And the Job reports 1 failed pod
      And 1 pod has been created in all
