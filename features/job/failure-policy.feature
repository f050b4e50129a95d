@cap-PodFailurePolicy
Feature: podFailurePolicy decides what the failure of a pod means
  podFailurePolicy has rules about exit codes and about conditions of pods.

  Rule: The first rule that matches decides

    @FAIL-020.1
    Scenario: A later matching rule does not fail the Job
      Given a Job with 2 completions and parallelism 2, where condition DisruptionTarget means Ignore, then exit code 42 means FailJob
      And 2 pods are running
      When 1 pod fails with exit code 42 and condition DisruptionTarget
      Then eventually 3 pods have been created in all
      And for 2 seconds the Job does not finish
      And the Job reports 0 failed pods

    @FAIL-020.2
    Scenario: The first rule that matches fails the Job
      Given a Job with 2 completions and parallelism 2, where exit code 42 means FailJob, then condition DisruptionTarget means Ignore
      And 2 pods are running
      When 1 pod fails with exit code 42 and condition DisruptionTarget
      Then the Job fails with reason PodFailurePolicy, and stays so

  Rule: FailJob fails the Job

    @FAIL-021.1
    Scenario: A failure with action FailJob fails the Job and its pods are deleted
      Given a Job with 3 completions and parallelism 3, where exit code 42 means FailJob
      And 3 pods are running
      When 1 pod fails with exit code 42
      Then the Job fails with reason PodFailurePolicy, and stays so
      And 0 pods are active, and stays so
      And 3 pods have been created in all, and stays so, as FAIL-008 requires

    @FAIL-021.2 @fault
    Scenario: A Job fails by a rule although the matching pod goes before others are deleted
      Given a Job with 2 completions and parallelism 2, where exit code 42 means FailJob
      And 2 pods are running
      And pod deletions are answered with 500
      And 1 pod fails with exit code 42
      And the fault has been triggered
      When the user deletes the finished pod
      And 2 seconds pass
      Then once the faults end the Job fails with reason PodFailurePolicy, and stays so

    @FAIL-021.3
    Scenario: A deleted pod that ends with an exit code of a FailJob rule fails the Job
      Given a Job with 1 completion and parallelism 1, where exit code 42 means FailJob
      And 1 pod is running
      And deleted pods stay terminating
      And the user deletes 1 pod
      When the pods that are being deleted fail with exit code 42
      Then the Job fails with reason PodFailurePolicy, and stays so

    @FAIL-062.1
    Scenario Outline: The message names the failed pod and its <what>
      Given a Job with 2 completions and parallelism 2, where exit code 3 means Ignore, then <what> means FailJob
      When 1 pod fails with <what>
      And the Job fails with reason PodFailurePolicy
      Then the message of the Job names the pod that failed and says "<told>"

      Examples:
        | case | what                 | told                                                   |
        | a    | exit code 42         | failed with exit code 42 matching FailJob rule at index 1 |
        | b    | condition ConfigIssue | has condition ConfigIssue matching FailJob rule at index 1 |

    @FAIL-031.1
    Scenario: A Job with FailureTarget fails even if the matching pod is gone
      Given a Job with 2 completions and parallelism 2, where exit code 42 means FailJob
      And deleted pods stay terminating
      And 1 pod fails with exit code 42
      And the Job has FailureTarget with reason PodFailurePolicy
      And the implementation is killed
      And the user makes the finished pod vanish
      When the implementation is started again
      Then once the terminating pods end the Job fails with reason PodFailurePolicy, and stays so

    @FAIL-031.2
    Scenario: The message of Failed is that of FailureTarget
      Given a Job with 2 completions and parallelism 2, where exit code 42 means FailJob
      When 1 pod fails with exit code 42
      Then the Job fails with reason PodFailurePolicy, and stays so
      And the message of the Job is that of FailureTarget

  Rule: Ignore replaces the pod without counting it

    @FAIL-022.1
    Scenario: An ignored failure does not count towards backoffLimit
      Given a Job with 2 completions, parallelism 2 and backoffLimit 0, where condition DisruptionTarget means Ignore
      And 2 pods are running
      When 1 pod fails with condition DisruptionTarget
      Then eventually 3 pods have been created in all
      And for 2 seconds the Job does not finish
      And the Job reports 2 active and 0 failed pods

    @FAIL-022.2
    Scenario: The failure of a pod that was preempted is ignored
      Given a Job with 2 completions, parallelism 1 and backoffLimit 0, where condition DisruptionTarget means Ignore
      And 1 pod is running
      And deleted pods stay terminating
      And another client sets DisruptionTarget of 1 running pod to True
      And the user deletes 1 pod
      When the pods that are being deleted fail with exit code 143
      Then eventually 2 pods have been created in all, and stays so
      And the Job reports 1 active and 0 failed pods, and stays so

    @FAIL-023.1
    Scenario: A pod whose failure is ignored is replaced after the back-off delay
      Given a Job with 2 completions and parallelism 2, where exit code 42 means Ignore
      And 2 pods are running
      When 1 pod fails with exit code 42 that ended 5 seconds ago
      Then eventually 3 pods have been created in all, and stays so
      And the first pod after the last failure came no earlier than 10 seconds after it

  Rule: Count, and a failure that no rule matches, counts towards backoffLimit

    @FAIL-024.1
    Scenario Outline: A failure counts towards backoffLimit <why>
      Given a Job with 2 completions, parallelism 1 and backoffLimit 0, where exit code 42 means <action>
      When 1 pod fails with exit code <code>
      Then the Job fails with reason BackoffLimitExceeded, and stays so
      And the Job reports 1 failed pod, and stays so

      Examples:
        | case | why                   | action | code |
        | a    | where Count says so   | Count  | 42   |
        | b    | where no rule matches | Ignore | 41   |

  Rule: A rule matches a non-zero exit code of a container, or a condition of the pod

    @FAIL-026.1
    Scenario Outline: <rule> matches <code>
      Given a Job with 2 completions, initContainer setup and secondContainer side, where <rule> means FailJob
      When 1 pod fails with <code>
      Then the Job fails with reason PodFailurePolicy, and stays so

      Examples:
        | case | rule                              | code                               |
        | a    | exit codes 3, 5 or 42             | exit code 5 of container side      |
        | b    | exit code 42 of container side    | exit code 42 of container side     |
        | c    | exit codes other than 42          | exit code 41                       |
        | d    | exit code 7                       | exit code 7 of init container setup |

    @FAIL-026.2
    Scenario Outline: <rule> does not match <code>
      Given a Job with 2 completions and secondContainer side, where <rule> means FailJob
      When 1 pod fails with <code>
      Then for 2 seconds the Job does not finish
      And the Job reports 1 failed pod, as FAIL-024 requires
      And eventually 1 pod is active, as BAS-015 requires

      Examples:
        | case | rule                              | code                           |
        | a    | exit code 42 of container side    | exit code 42 of container main |
        | b    | exit codes other than 42          | exit code 42 of container main |

    @FAIL-026.3
    Scenario: A rule about exit codes does not match a pod that the kubelet has rejected
      Given a Job with 2 completions, where exit codes other than 42 means FailJob
      And 1 pod is active
      When the kubelet rejects 1 pod
      Then for 2 seconds the Job does not finish
      And the Job reports 1 failed pod, as FAIL-024 requires
      And eventually 1 pod is active, as BAS-015 requires

    @FAIL-027.1
    Scenario: A rule matches a negative exit code
      Given a Job with 2 completions, where exit code -1073741676 means FailJob
      When 1 pod fails with exit code -1073741676
      Then the Job fails with reason PodFailurePolicy, and stays so

    @FAIL-028.1
    Scenario Outline: A rule matches a condition with status <status>
      Given a Job with 2 completions, where condition ConfigIssue <status> means FailJob
      When 1 pod fails with condition ConfigIssue <status>
      Then the Job fails with reason PodFailurePolicy, and stays so

      Examples:
        | case | status |
        | a    | True   |
        | b    | False  |

    @FAIL-028.2
    Scenario: A rule does not match a condition with another status
      Given a Job with 2 completions, where condition ConfigIssue means FailJob
      When 1 pod fails with condition ConfigIssue False
      Then for 2 seconds the Job does not finish
      And the Job reports 1 failed pod, as FAIL-024 requires
      And eventually 1 pod is active, as BAS-015 requires

    @FAIL-028.3
    Scenario: A rule about DisruptionTarget does not match a condition that is False
      Given a Job with 2 completions, parallelism 1 and backoffLimit 0, where condition DisruptionTarget means Ignore
      When 1 pod fails with condition DisruptionTarget False
      Then the Job fails with reason BackoffLimitExceeded, and stays so, as FAIL-024 requires
      And the Job reports 1 failed pod, and stays so

  Rule: Rules match failed pods only

    @FAIL-029.2
    Scenario: A rule does not match a pod that succeeds, whatever condition it has
      Given a Job with 1 completion and parallelism 1, where condition DisruptionTarget means FailJob
      And 1 pod is running
      And another client sets DisruptionTarget of 1 running pod to True
      When 1 pod succeeds
      Then the Job completes with 1 succeeded pod, and stays so

    @FAIL-030.1
    Scenario: A rule does not match a termination before a container restart
      Given a Job with 2 completions, where exit code 42 means FailJob
      When 1 pod fails with exit code 1 after a restart that followed exit code 42
      Then for 2 seconds the Job does not finish
      And the Job reports 1 failed pod, as FAIL-024 requires
      And eventually 1 pod is active, as BAS-015 requires

    @FAIL-029.1
    Scenario: A terminated container of a running pod does not fail the Job
      Given a Job with 2 completions and secondContainer side, where exit code 42 means FailJob
      When container side of 1 running pod ends with exit code 42
      Then for 2 seconds 1 pod is active
      And for 2 seconds the Job does not finish
      And now 1 pod has been created in all

  Rule: A condition with status False is ignored

    @FAIL-032.1
    Scenario: A Job with FailureTarget False continues
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      And another client sets FailureTarget of the Job to False
      When 1 pod succeeds
      Then the Job completes with 1 succeeded pod, and stays so
