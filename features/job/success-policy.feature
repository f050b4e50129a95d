Feature: successPolicy decides when a Job has succeeded
  successPolicy has rules about the indexes of an Indexed Job: how many must succeed, which ones, or how many of which.

  @cap-SuccessPolicy
  Rule: A Job completes when a rule of its successPolicy is met, and not before

    @FAIL-050.1
    Scenario Outline: A Job completes when its rule is met: <rule>
      Given an Indexed Job with 4 completions and parallelism 4, where <rule>
      When the <which> succeed
      Then the Job completes with <count> succeeded pods, and stays so

      Examples:
        | case | rule                          | which                   | count |
        | a    | 2 indexes mean success        | pods of indexes 1 and 3 | 2     |
        | b    | indexes 0,2 mean success      | pods of indexes 0 and 2 | 2     |
        | c    | 2 of indexes 1-3 mean success | pods of indexes 1 and 3 | 2     |

    @FAIL-050.2
    Scenario Outline: Fewer or other successes do not meet the rule: <rule>
      Given an Indexed Job with 4 completions and parallelism 4, where <rule>
      When the <event>
      Then the completed indexes of the Job are <completed>
      And for 2 seconds the Job does not finish

      Examples:
        | case | rule                          | event                           | completed |
        | a    | 2 indexes mean success        | pod of index 1 succeeds         | 1         |
        | b    | indexes 0,2 mean success      | pods of indexes 0 and 1 succeed | 0,1       |
        | c    | 2 of indexes 1-3 mean success | pods of indexes 0 and 1 succeed | 0,1       |

    @FAIL-050.3
    Scenario: A Job completes when more indexes have succeeded than its rule requires
      Given an Indexed Job with 4 completions and parallelism 4, where 2 indexes mean success
      And the Job reports 4 active pods
      And the implementation is killed
      And the pods of indexes 0, 1 and 3 succeed
      When the implementation is started again
      Then the Job completes with 3 succeeded pods, and stays so

    @FAIL-050.4
    Scenario: A succeeded index counts for a rule although its pod was deleted
      Given an Indexed Job with 4 completions and parallelism 4, where indexes 0,2 mean success
      And the pod of index 0 succeeds
      And the Job reports 1 succeeded pod
      And the user deletes the finished pod
      When the pod of index 2 succeeds
      Then the Job completes with 2 succeeded pods, and stays so

    @FAIL-050.5 @cap-BackoffLimitPerIndex
    Scenario: A Job completes by a rule although another index has failed
      Given an Indexed Job with 3 completions, parallelism 3 and backoffLimitPerIndex 0, where index 0 means success
      And the pod of index 1 fails
      And the failed indexes of the Job are 1
      When the pod of index 0 succeeds
      Then the Job completes with 1 succeeded pod, and stays so

    @FAIL-051.1
    Scenario: The other pods of a Job are deleted when a success rule is met
      Given an Indexed Job with 3 completions and parallelism 3, where index 0 means success
      And 3 pods are running
      When the pod of index 0 succeeds
      Then the Job completes with 1 succeeded pod, and stays so
      And the Job has SuccessCriteriaMet with reason SuccessPolicy
      And the Job has Complete with reason SuccessPolicy
      And 0 pods are active, and stays so

    @FAIL-066.1
    Scenario Outline: The message names the rule that was met, although <others>
      Given an Indexed Job with 3 completions and parallelism 3, where <rules>
      When the pod of index 1 succeeds
      Then the Job is SuccessCriteriaMet with reason SuccessPolicy and message "Matched rules at index <met>"
      And eventually the Job is Complete with reason SuccessPolicy and message "Matched rules at index <met>"

      Examples:
        | case | others            | rules                                                      | met |
        | a    | one before is not | index 0 means success, then index 1 means success          | 1   |
        | b    | one behind is too | index 1 means success, then 1 of indexes 0-2 means success | 0   |

    @FAIL-052.1
    Scenario: Pods deleted by a success rule do not count as failed
      Given an Indexed Job with 3 completions and parallelism 3, where index 0 means success
      And 3 pods are running
      When the pod of index 0 succeeds
      And the Job completes with 1 succeeded pod
      Then the Job reports 1 succeeded and 0 failed pods, and stays so

  @cap-SuccessPolicy
  Rule: A failure takes precedence over a rule, unless the rule has decided

    @FAIL-053.1
    Scenario: A Job that meets a success rule and exceeds backoffLimit fails
      Given an Indexed Job with 3 completions, parallelism 3 and backoffLimit 0, where index 0 means success
      And 3 pods are running
      And the implementation is killed
      And the pod of index 0 succeeds
      And the pod of index 1 fails
      When the implementation is started again
      Then the Job fails with reason BackoffLimitExceeded, and stays so

    @FAIL-053.2 @cap-PodFailurePolicy
    Scenario: A Job that meets a success rule and a FailJob rule fails
      Given an Indexed Job with 3 completions and parallelism 3, where exit code 42 means FailJob, then index 0 means success
      And 3 pods are running
      And the implementation is killed
      And the pod of index 0 succeeds
      And the pod of index 1 fails with exit code 42
      When the implementation is started again
      Then the Job fails with reason PodFailurePolicy, and stays so

    @FAIL-054.1
    Scenario: A Job with SuccessCriteriaMet completes even if its other pods fail
      Given an Indexed Job with 3 completions, parallelism 3 and backoffLimit 0, where index 0 means success
      And 3 pods are running
      And deleted pods stay terminating
      And the pod of index 0 succeeds
      And the Job has SuccessCriteriaMet with reason SuccessPolicy
      When the terminating pods end
      Then the Job completes with 1 succeeded pod, and stays so

    @FAIL-054.2
    Scenario: A Job with FailureTarget fails even if a success rule is met later
      Given an Indexed Job with 2 completions, parallelism 2 and backoffLimit 0, where index 0 means success
      And 2 pods are running
      And the implementation is killed
      And it is recorded that the Job is to fail with reason BackoffLimitExceeded
      And the pod of index 0 succeeds
      When the implementation is started again
      Then the Job fails with reason BackoffLimitExceeded, and stays so

  Rule: Without a policy a Job completes by its completions

    @FAIL-055.1
    Scenario: A Job without successPolicy does not complete by one
      Given an Indexed Job with 2 completions and parallelism 2
      When 2 pods succeed
      And the Job completes with 2 succeeded pods
      Then no condition of the Job has the reason SuccessPolicy
