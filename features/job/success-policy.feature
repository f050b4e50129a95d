Feature: A Job has succeeded when enough of its indexes have
  successPolicy has rules about the indexes of an Indexed Job: how many have to succeed, or which, or how many of which.

  @cap-SuccessPolicy
  Rule: A Job completes when its indexes meet a rule, and not before

    @FAIL-050
    Scenario Outline: <rule>
      Given an Indexed Job with 4 completions and parallelism 4, where <rule>
      When the <which> succeed
      Then the Job completes with <count> succeeded pods, and stays so

      Examples:
        | rule                          | which                   | count |
        | 2 indexes mean success        | pods of indexes 1 and 3 | 2     |
        | indexes 0,2 mean success      | pods of indexes 0 and 2 | 2     |
        | 2 of indexes 1-3 mean success | pods of indexes 1 and 3 | 2     |

    @FAIL-050
    Scenario Outline: <rule>, fewer or others do not
      Given an Indexed Job with 4 completions and parallelism 4, where <rule>
      When the <event>
      Then the completed indexes of the Job are <completed>
      And for 2 seconds the Job does not finish

      Examples:
        | rule                          | event                           | completed |
        | 2 indexes mean success        | pod of index 1 succeeds         | 1         |
        | indexes 0,2 mean success      | pods of indexes 0 and 1 succeed | 0,1       |
        | 2 of indexes 1-3 mean success | pods of indexes 0 and 1 succeed | 0,1       |

    @FAIL-051
    Scenario: The other pods of a Job that has met a rule are deleted
      Given an Indexed Job with 3 completions and parallelism 3, where index 0 means success
      And 3 pods are running
      When the pod of index 0 succeeds
      Then the Job completes with 1 succeeded pod, and stays so
      And the Job has SuccessCriteriaMet with reason SuccessPolicy
      And the Job has Complete with reason SuccessPolicy
      And 0 pods are active, and stays so

    @FAIL-066
    Scenario Outline: The message says which rule was met, though <others>
      Given an Indexed Job with 3 completions and parallelism 3, where <rules>
      When the pod of index 1 succeeds
      Then in the end the Job is Complete with reason SuccessPolicy and message "Matched rules at index <met>"

      Examples:
        | others            | rules                                                      | met |
        | one before is not | index 0 means success, then index 1 means success          | 1   |
        | one behind is too | index 1 means success, then 1 of indexes 0-2 means success | 0   |

    @FAIL-052
    Scenario: The other pods of a Job that has met a rule are no failures
      Given an Indexed Job with 3 completions and parallelism 3, where index 0 means success
      And 3 pods are running
      When the pod of index 0 succeeds
      And the Job completes with 1 succeeded pod
      Then the Job reports 1 succeeded and 0 failed pods, and stays so

  @cap-SuccessPolicy
  Rule: What fails the Job goes first, and what is decided holds

    @FAIL-053
    Scenario: A Job that has met a rule and reached backoffLimit fails
      Given an Indexed Job with 3 completions, parallelism 3 and backoffLimit 0, where index 0 means success
      And 3 pods are running
      And the implementation is killed
      And the pod of index 0 succeeds
      And the pod of index 1 fails
      When the implementation is started again
      Then the Job fails with reason BackoffLimitExceeded, and stays so

    @FAIL-053 @cap-PodFailurePolicy
    Scenario: A Job that has met a rule of success and one of failure fails
      Given an Indexed Job with 3 completions and parallelism 3, where exit code 42 means FailJob, then index 0 means success
      And 3 pods are running
      And the implementation is killed
      And the pod of index 0 succeeds
      And the pod of index 1 fails with exit code 42
      When the implementation is started again
      Then the Job fails with reason PodFailurePolicy, and stays so

    @FAIL-054
    Scenario: A Job that has met a rule completes though its other pods fail
      Given an Indexed Job with 3 completions, parallelism 3 and backoffLimit 0, where index 0 means success
      And 3 pods are running
      And deleted pods stay terminating
      And the pod of index 0 succeeds
      And the Job has SuccessCriteriaMet with reason SuccessPolicy
      When the terminating pods end
      Then the Job completes with 1 succeeded pod, and stays so

    @FAIL-054
    Scenario: A Job that is to fail fails though a rule is met later
      Given an Indexed Job with 2 completions, parallelism 2 and backoffLimit 0, where index 0 means success
      And 2 pods are running
      And the implementation is killed
      And it is recorded that the Job is to fail with reason BackoffLimitExceeded
      And the pod of index 0 succeeds
      When the implementation is started again
      Then the Job fails with reason BackoffLimitExceeded, and stays so

  Rule: Without a policy a Job completes by its completions

    @FAIL-055
    Scenario: A Job without successPolicy does not complete by one
      Given an Indexed Job with 2 completions and parallelism 2
      When 2 pods succeed
      And the Job completes with 2 succeeded pods
      Then no condition of the Job has the reason SuccessPolicy
