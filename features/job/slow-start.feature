Feature: Missing pods are created in growing batches, and failed creations are retried
  A controller that needs many pods creates few first, to spare an API server that rejects them, and retries rejected
  creations with a growing delay.

  Rule: Missing pods are created in batches that double

    @EXP-012.1 @fault
    Scenario: Twenty missing pods are created in batches of 1, 2, 4, 8 and the rest
      Given pod creations take 0.3 seconds each
      When a Job is created with 20 completions and parallelism 20
      Then pods are created in batches of 1, 2, 4, 8 and 5, one after another

    @EXP-013.1 @fault
    Scenario: No batch follows a batch with a failed creation
      Given the 2nd pod creation is answered with 500
      When a Job is created with 9 completions and parallelism 9
      And eventually 9 pods are active
      Then no more than 3 pods were requested until 0.5 seconds after the first failure

  Rule: Failed creations are retried

    @EXP-014.1 @fault
    Scenario: Pods whose creation failed or was skipped are created at the next retry
      Given the 2nd pod creation is answered with 500
      When a Job is created with 6 completions and parallelism 6
      Then 6 pods are active, and stays so

    @EXP-015.1 @fault
    Scenario: A pod creation that times out is retried
      Given the next pod creation is answered with 504
      When a Job is created with 3 completions and parallelism 3
      Then 3 pods are active, and stays so

    @EXP-016.1 @fault
    Scenario: Pod creations that keep failing are retried after delays that double
      Given pod creations are answered with 500
      When a Job is created with 2 completions and parallelism 2
      Then pod creation is tried 4 times with delays that double from 1 second

    @EXP-016.2 @fault
    Scenario: Failed pod creations of a Job do not delay those of another Job
      Given pod creations are answered with 500
      And a Job a with 2 completions and parallelism 2
      And pod creation is tried 4 times with delays that double from 1 second
      And the faults end
      When a Job b is created with 2 completions and parallelism 2
      Then 2 pods of Job b are active

    @EXP-017.1 @fault
    Scenario: A success resets the back-off of failed creations
      Given the next 3 pod creations are answered with 500
      And a Job with 2 completions and parallelism 1
      And within 150 seconds the Job reports 1 active pod
      And 2 seconds pass
      And the next pod creation is answered with 500
      When the Job is changed to parallelism 2
      Then pod creation is retried after failure 4 no later than after those before

    @ROB-031.1 @fault
    Scenario: A change of the Job is applied during a back-off of creations
      Given the next 4 pod creations are answered with 500
      And a Job with 2 completions and parallelism 1
      And pod creation is tried 4 times with delays that double from 1 second
      When the Job is changed to parallelism 2
      Then 2 pods are active, and stays so

    @EXP-019.1 @fault
    Scenario: Creations rejected by a terminating namespace are not reported repeatedly
      Given pod creations are refused because the namespace is going away
      When a Job is created with 2 completions and parallelism 2
      And the fault has been triggered
      Then for 5 seconds no second Warning event FailedCreate follows

    @ROB-029.1 @fault
    Scenario: Pod creations that keep failing are retried with pauses
      Given pod creations are answered with 500
      When a Job is created with 2 completions and parallelism 2
      And the fault has been triggered
      And 5 seconds pass
      Then no more than 50 pods were requested until 5 seconds after the first failure

    @EXP-018.1 @fault
    Scenario: Pods that a quota rejects many times are created once it allows them
      Given the next 6 pod creations are refused by a quota with 403
      When a Job is created with 2 completions and parallelism 2
      Then within 150 seconds 2 pods are active, and stays so

    @EXP-018.2 @fault
    Scenario Outline: Pods that a quota rejects with <status> are created once it allows them
      Given the next 2 pod creations are refused by a quota with <status>
      When a Job is created with 2 completions and parallelism 2
      Then eventually 2 pods are active, and stays so

      Examples:
        | case | status |
        | a    | 403    |
        | b    | 409    |

    @EXP-021.1 @fault
    Scenario: Pods whose creation failed are not reported as active
      Given pod creations after the 3rd are answered with 403
      When a Job is created with 8 completions and parallelism 8
      And the fault has been triggered
      And 2 seconds pass
      Then for 2 seconds the Job reports no more active pods than there are
