Feature: Missing pods are created by and by, and again when it failed
  A controller that needs many pods tries few first, so that an API server that refuses them is spared; and what
  was refused it tries again, ever later.

  Rule: Missing pods are created in batches that double

    @EXP-012 @fault
    Scenario: Twenty missing pods are created in batches of 1, 2, 4, 8 and the rest
      Given pod creations take 0.3 seconds each
      When a Job is created with 20 completions and parallelism 20
      Then pods are created in batches of 1, 2, 4, 8 and 5, one after another

    @EXP-013 @fault
    Scenario: No batch follows one with a creation that failed
      Given the 2nd pod creation is answered with 500
      When a Job is created with 9 completions and parallelism 9
      Then in the end 9 pods are active, and stays so
      And no more than 3 pods were asked for within 0.5 seconds of the first failure

  Rule: Creations that failed are tried again

    @EXP-014 @fault
    Scenario: Pods whose creation failed or was left out are created at the next attempt
      Given the 2nd pod creation is answered with 500
      When a Job is created with 6 completions and parallelism 6
      Then 6 pods are active, and stays so

    @EXP-015 @fault
    Scenario: A pod creation that times out is tried again as soon as any that failed
      Given the next pod creation is answered with 504
      When a Job is created with 3 completions and parallelism 3
      Then 3 pods are active, and stays so

    @EXP-016 @fault
    Scenario: Pod creations that keep failing are tried after delays that double
      Given pod creations are answered with 500
      When a Job is created with 2 completions and parallelism 2
      Then pod creation is tried 4 times with delays that double from 1 second

    @EXP-017 @fault
    Scenario: After a success the delay of what is refused begins anew
      Given the next 3 pod creations are answered with 500
      And a Job with 2 completions and parallelism 1
      And within 150 seconds the Job reports 1 active pod
      And 2 seconds pass
      And the next pod creation is answered with 500
      When the Job is changed to parallelism 2
      Then pod creation is tried again after failure 4 no later than after those before

    @ROB-031 @fault
    Scenario: A change of the Job is acted on though a delay is not over
      Given the next 4 pod creations are answered with 500
      And a Job with 2 completions and parallelism 1
      And pod creation is tried 4 times with delays that double from 1 second
      When the Job is changed to parallelism 2
      Then 2 pods are active, and stays so

    @EXP-019 @fault
    Scenario: Pods refused by a namespace that is going away are not told on and on
      Given pod creations are refused because the namespace is going away
      When a Job is created with 2 completions and parallelism 2
      And the fault has struck
      Then for 5 seconds no second Warning event FailedCreate follows

    @ROB-029 @fault
    Scenario: Pod creations that keep failing are not asked for without pause
      Given pod creations are answered with 500
      When a Job is created with 2 completions and parallelism 2
      And the fault has struck
      And 5 seconds pass
      Then no more than 50 pods were asked for within 5 seconds of the first failure

    @EXP-018 @fault
    Scenario: Pods that a quota refuses many times are created once it allows them
      Given the next 6 pod creations are refused by a quota with 403
      When a Job is created with 2 completions and parallelism 2
      Then within 150 seconds 2 pods are active, and stays so

    @EXP-018 @fault
    Scenario Outline: Pods that a quota refuses with <status> are created once it allows them
      Given the next 2 pod creations are refused by a quota with <status>
      When a Job is created with 2 completions and parallelism 2
      Then in the end 2 pods are active, and stays so

      Examples:
        | status |
        | 403    |
        | 409    |

    @EXP-021 @fault
    Scenario: Pods whose creation failed are not reported as active
      Given pod creations after the 3rd are answered with 403
      When a Job is created with 8 completions and parallelism 8
      And the fault has struck
      And 2 seconds pass
      Then for 2 seconds the Job reports no more active pods than there are
