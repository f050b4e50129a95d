Feature: What the API server refuses is asked for again
  An API server refuses, hangs, and is away for a while. What it refused has not happened, and has to be asked for
  again. Neither the rest of the work nor other Jobs wait for it.

  Rule: A refusal is no end

    @ROB-018 @fault
    Scenario Outline: <requests> that fail with <status> for a while are asked for again
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And <requests> are answered with <status>
      When 2 pods succeed
      And the fault has struck
      And 5 seconds pass
      Then once the faults end the Job completes with 2 succeeded pods, and stays so

      Examples:
        | requests                  | status |
        | updates of the Job status | 500    |
        | updates of the Job status | 503    |
        | updates of pods           | 504    |

    @ROB-020 @fault
    Scenario Outline: Pods that are refused with <status> are no failures of their Job
      Given pod creations are answered with <status>
      When a Job is created with 2 completions, parallelism 2 and backoffLimit 0
      And the fault has struck
      And 3 seconds pass
      Then for 2 seconds the Job does not finish
      And the Job reports 0 failed pods
      And once the faults end 2 pods are active

      Examples:
        | status |
        | 403    |
        | 422    |

    @ROB-019 @fault
    Scenario: A request that is told to wait is not made again before
      Given the next pod creation is answered with 429 and Retry-After 3
      When a Job is created with 1 completion and parallelism 1
      And the fault has struck
      Then in the end 1 pod is active, and stays so
      And no more than 1 pod was asked for within 2.5 seconds of the first failure

    @ROB-039 @fault
    Scenario: Requests that are told to wait are made again until they are carried out
      Given the next 2 updates of the Job status are answered with 429 and Retry-After 1
      And the next pod creation is answered with 429 and Retry-After 1
      When a Job is created with 1 completion and parallelism 1
      And the fault has struck
      Then in the end 1 pod is active, and stays so
      And in the end the Job reports 1 active pod, and stays so

    @EXP-032 @fault
    Scenario: A pod whose name is taken is created under another
      Given the next pod creation is refused because the name is taken
      When a Job is created with 1 completion and parallelism 1
      And the fault has struck
      Then in the end 1 pod is active, and stays so
      And the Job reports 1 active pod, and stays so

  Rule: What is refused holds up nothing else

    @ROB-026 @fault
    Scenario: A request that hangs holds up no other Job
      Given the next pod creation is held before taking effect
      And a Job a with 1 completion and parallelism 1
      And the fault has struck
      When a Job b is created with 1 completion and parallelism 1
      Then 1 pod of Job b is active, and stays so

  Rule: What was not seen to happen is found out

    @ROB-022 @fault
    Scenario: Writes whose replies are lost bring a Job to the same end
      Given every 2nd pod creation is carried out but its reply is lost
      And the 2nd update of the Job status is carried out but its reply is lost
      And a Job with 4 completions and parallelism 2
      When 2 pods succeed
      Then in the end 2 pods are active, and stays so
      And in the end the Job reports 2 active and 2 succeeded pods, and stays so
      And in the end the counters of the Job are equal to what its pods did

    @ROB-011 @fault
    Scenario: A pod that vanished while nothing was seen of pods is replaced
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And the Job reports 2 active pods
      And the implementation's view of pods is frozen
      And the user makes 1 running pod vanish
      When the server ends the watches of pods with 410
      And the view of pods catches up
      Then in the end 3 pods have been created in all, and stays so
