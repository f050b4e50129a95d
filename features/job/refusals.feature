Feature: Rejected requests are retried
  An API server rejects requests, does not respond, or is unavailable for a while. A rejected request had no effect
  and must be retried. Meanwhile the work on other Jobs continues.

  Rule: A rejected request does not end the work on a Job

    @ROB-018.1 @fault
    Scenario Outline: <requests> that fail with <status> for a while are retried
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And <requests> are answered with <status>
      When 2 pods succeed
      And the fault has been triggered
      And 5 seconds pass
      Then once the faults end the Job completes with 2 succeeded pods, and stays so

      Examples:
        | case | requests                  | status |
        | a    | updates of the Job status | 500    |
        | b    | updates of the Job status | 503    |
        | c    | updates of pods           | 504    |

    @ROB-020.1 @fault
    Scenario Outline: Pod creations that are rejected with <status> do not count as failed
      Given pod creations are answered with <status>
      When a Job is created with 2 completions, parallelism 2 and backoffLimit 0
      And the fault has been triggered
      And 3 seconds pass
      Then for 2 seconds the Job does not finish
      And the Job reports 0 failed pods
      And once the faults end 2 pods are active

      Examples:
        | case | status |
        | a    | 403    |
        | b    | 422    |

    @ROB-019.1 @fault
    Scenario: A request with Retry-After is not retried earlier
      Given the next pod creation is answered with 429 and Retry-After 3
      When a Job is created with 1 completion and parallelism 1
      And the fault has been triggered
      And eventually 1 pod is active
      Then no more than 1 pod was requested until 2.5 seconds after the first failure

    @ROB-039.1 @fault
    Scenario: Requests with Retry-After are retried until they succeed
      Given the next 2 updates of the Job status are answered with 429 and Retry-After 1
      And the next pod creation is answered with 429 and Retry-After 1
      When a Job is created with 1 completion and parallelism 1
      And the fault has been triggered
      Then eventually 1 pod is active, and stays so
      And eventually the Job reports 1 active pod, and stays so, as BAS-050 requires

    @EXP-032.1 @fault
    Scenario: A pod whose generated name is taken is created under another name
      Given the next pod creation is refused because the name is taken
      When a Job is created with 1 completion and parallelism 1
      And the fault has been triggered
      Then eventually 1 pod is active, and stays so
      And the Job reports 1 active pod, and stays so, as BAS-050 requires

  Rule: A rejected request does not block other work

    @ROB-026.1 @fault
    Scenario: A request without a response does not block other Jobs
      Given the next pod creation is held before taking effect
      And a Job a with 1 completion and parallelism 1
      And the fault has been triggered
      When a Job b is created with 1 completion and parallelism 1
      Then 1 pod of Job b is active, and stays so

    @ROB-026.2 @fault
    Scenario: A finalizer removal without a response does not keep pods of other deleted Jobs
      Given a Job a with 1 completion and parallelism 1
      And a Job b with 1 completion and parallelism 1
      And 1 pod of Job a and 1 pod of Job b are running
      And the next update of a pod is held before taking effect
      And the user deletes Job a
      And the fault has been triggered
      When the user deletes Job b
      Then no pod of Job b is left, and stays so

    @ROB-026.3 @fault
    Scenario Outline: <A write> without a response does not keep another Job from completing
      Given a Job a with 1 completion and parallelism 1
      And Job a reports 1 active pod
      And the next <write> is held before taking effect
      And 1 pod of Job a succeeds
      And the fault has been triggered
      And a Job b with 1 completion and parallelism 1
      When 1 pod of Job b succeeds
      Then Job b completes with 1 succeeded pod, and stays so

      Examples:
        | case | A write             | write                    |
        | a    | A status write      | update of the Job status |
        | b    | A finalizer removal | update of a pod          |

  Rule: Changes that were not observed are found by listing

    @ROB-022.1 @fault
    Scenario: Lost responses to writes do not change the counts of a Job
      Given every 2nd pod creation is applied but its reply is lost
      And the 2nd update of the Job status is applied but its reply is lost
      And a Job with 4 completions and parallelism 2
      When 2 pods succeed
      Then eventually 2 pods are active, and stays so
      And eventually the Job reports 2 active and 2 succeeded pods, and stays so
      And eventually the counters of the Job are equal to what its pods did

    @ROB-011.1 @fault
    Scenario: A pod that was removed during a gap in the watch is replaced
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And the Job reports 2 active pods
      And the implementation's view of pods is stale
      And the user makes 1 running pod vanish
      When the server ends the watches of pods with 410
      And the view of pods catches up
      Then eventually 3 pods have been created in all, and stays so
