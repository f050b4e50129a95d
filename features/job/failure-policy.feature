@cap-PodFailurePolicy
Feature: A Job says what the failure of a pod means
  podFailurePolicy has rules about exit codes and about conditions of pods.

  Rule: The rules are tried in order, and the first that matches decides

    @FAIL-020
    Scenario: A later rule that matches too does not fail the Job
      Given a Job with 2 completions and parallelism 2, where condition DisruptionTarget means Ignore, then exit code 42 means FailJob
      And 2 pods are running
      When 1 pod fails with exit code 42 and condition DisruptionTarget
      Then in the end 3 pods have been created in all
      And for 2 seconds the Job does not finish
      And the Job reports 0 failed pods

    @FAIL-020
    Scenario: The first rule that matches fails the Job
      Given a Job with 2 completions and parallelism 2, where exit code 42 means FailJob, then condition DisruptionTarget means Ignore
      And 2 pods are running
      When 1 pod fails with exit code 42 and condition DisruptionTarget
      Then the Job fails with reason PodFailurePolicy, and stays so

  Rule: FailJob ends the Job

    @FAIL-021
    Scenario: A failure that means FailJob ends the Job and its pods
      Given a Job with 3 completions and parallelism 3, where exit code 42 means FailJob
      And 3 pods are running
      When 1 pod fails with exit code 42
      Then the Job fails with reason PodFailurePolicy, and stays so
      And 0 pods are active, and stays so
      And 3 pods have been created in all, and stays so

    @FAIL-062
    Scenario Outline: The message says which pod failed how: <what>
      Given a Job with 2 completions and parallelism 2, where exit code 3 means Ignore, then <what> means FailJob
      When 1 pod fails with <what>
      Then the Job fails with reason PodFailurePolicy, and stays so
      And the message of the Job names the pod that failed and says "<told>"

      Examples:
        | what                 | told                                                   |
        | exit code 42         | failed with exit code 42 matching FailJob rule at index 1 |
        | condition ConfigIssue | has condition ConfigIssue matching FailJob rule at index 1 |

    @FAIL-031
    Scenario: A Job that is to fail fails without the pod that was the reason
      Given a Job with 2 completions and parallelism 2, where exit code 42 means FailJob
      And deleted pods stay terminating
      And 1 pod fails with exit code 42
      And the Job has FailureTarget with reason PodFailurePolicy
      And the implementation is killed
      And the user makes the finished pod vanish
      When the implementation is started again
      Then once the terminating pods end the Job fails with reason PodFailurePolicy, and stays so

    @FAIL-031
    Scenario: A Job that failed by a rule has the words of the decision
      Given a Job with 2 completions and parallelism 2, where exit code 42 means FailJob
      When 1 pod fails with exit code 42
      Then the Job fails with reason PodFailurePolicy, and stays so
      And the message of the Job is that of FailureTarget

  Rule: Ignore replaces the pod and does not count it

    @FAIL-022
    Scenario: A failure that is ignored does not reach backoffLimit
      Given a Job with 2 completions, parallelism 2 and backoffLimit 0, where condition DisruptionTarget means Ignore
      And 2 pods are running
      When 1 pod fails with condition DisruptionTarget
      Then in the end 3 pods have been created in all
      And for 2 seconds the Job does not finish
      And the Job reports 2 active and 0 failed pods

    @FAIL-023
    Scenario: A pod whose failure is ignored is replaced after the delay
      Given a Job with 2 completions and parallelism 2, where exit code 42 means Ignore
      And 2 pods are running
      When 1 pod fails with exit code 42 that ended 5 seconds ago
      Then in the end 3 pods have been created in all, and stays so
      And the first pod after the last failure came no earlier than 10 seconds after it

  Rule: Count, and what no rule is about, counts towards backoffLimit

    @FAIL-024
    Scenario Outline: A failure counts <why>
      Given a Job with 2 completions, parallelism 1 and backoffLimit 0, where exit code 42 means <action>
      When 1 pod fails with exit code <code>
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And the Job reports 1 failed pod, and stays so

      Examples:
        | why                   | action | code |
        | where Count says so   | Count  | 42   |
        | where no rule matches | Ignore | 41   |

  Rule: A rule matches a container that ended with an exit code other than 0, or a condition

    @FAIL-026
    Scenario Outline: <rule> matches <code>
      Given a Job with 2 completions, initContainer setup and secondContainer side, where <rule> means FailJob
      When 1 pod fails with <code>
      Then the Job fails with reason PodFailurePolicy, and stays so

      Examples:
        | rule                              | code                               |
        | exit codes 3, 5 or 42             | exit code 5 of container side      |
        | exit code 42 of container side    | exit code 42 of container side     |
        | exit codes other than 42          | exit code 41                       |
        | exit code 7                       | exit code 7 of init container setup |

    @FAIL-026
    Scenario Outline: <rule> does not match <code>
      Given a Job with 2 completions and secondContainer side, where <rule> means FailJob
      When 1 pod fails with <code>
      Then for 2 seconds the Job does not finish
      And in the end the Job reports 1 active and 1 failed pods

      Examples:
        | rule                              | code                           |
        | exit code 42 of container side    | exit code 42 of container main |
        | exit codes other than 42          | exit code 42 of container main |

    @FAIL-027
    Scenario: A negative exit code is matched
      Given a Job with 2 completions, where exit code -1073741676 means FailJob
      When 1 pod fails with exit code -1073741676
      Then the Job fails with reason PodFailurePolicy, and stays so

    @FAIL-028
    Scenario Outline: A condition is matched that is <status>
      Given a Job with 2 completions, where condition ConfigIssue <status> means FailJob
      When 1 pod fails with condition ConfigIssue <status>
      Then the Job fails with reason PodFailurePolicy, and stays so

      Examples:
        | status |
        | True   |
        | False  |

    @FAIL-028
    Scenario: A condition of another status is not matched
      Given a Job with 2 completions, where condition ConfigIssue means FailJob
      When 1 pod fails with condition ConfigIssue False
      Then for 2 seconds the Job does not finish
      And in the end the Job reports 1 active and 1 failed pods

  Rule: Only a pod that has failed is judged

    @FAIL-030
    Scenario: An end of a container that was started again is not judged
      Given a Job with 2 completions, where exit code 42 means FailJob
      When 1 pod fails with exit code 1 after a restart that followed exit code 42
      Then for 2 seconds the Job does not finish
      And in the end the Job reports 1 active and 1 failed pods

    @FAIL-029
    Scenario: A container that ended in a pod that runs on does not fail the Job
      Given a Job with 2 completions and secondContainer side, where exit code 42 means FailJob
      When container side of 1 running pod ends with exit code 42
      Then 1 pod is active, and stays so for 2 seconds
      And for 2 seconds the Job does not finish
      And 1 pod has been created in all

  Rule: A condition that is False decides nothing

    @FAIL-032
    Scenario: A Job with FailureTarget False goes on
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      And another client sets FailureTarget of the Job to False
      When 1 pod succeeds
      Then the Job completes with 1 succeeded pod, and stays so
