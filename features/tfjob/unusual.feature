Feature: Unusual TFJobs, and unusual moments of usual ones
  What decides is at the edge of a range, comes in another order than usual, or comes a second time.

  Rule: Numbers are compared as numbers, and 0 is a number

    @TFJ-001.20
    Scenario: A TFJob with more than ten Workers keeps a pod for each of them
      Given a TFJob of 1 PS and 12 Workers
      Then the TFJob has one pod for each of its 13 replicas
      And for 2 seconds the TFJob has one pod for each of its 13 replicas

    @TFJ-006.20
    Scenario: A single replica has no TF_CONFIG beside a type without replicas
      Given a TFJob of 0 PS and 1 Worker
      When the TFJob has one pod for each of its 1 replica
      Then for 2 seconds no pod of the TFJob has a TF_CONFIG

    @TFJ-010.20
    Scenario: A type that is scaled down to 0 replicas has no pods and services left
      Given a TFJob of 2 PS and 2 Workers
      And its replicas run
      When the user changes the TFJob to 0 PS
      Then the TFJob has one pod for each of its 2 replicas, and stays so
      And the TFJob has 2 pods and as many services, and stays so

    @TFJ-022.20
    Scenario Outline: With ExitCode, a pod that fails with exit code <code> is replaced
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy ExitCode
      And its replicas run
      When Worker 1 of the TFJob fails with exit code <code>
      Then Worker 1 of the TFJob is replaced
      And for 2 seconds the TFJob is not Failed

      Examples:
        | case | code |
        | a    | 128  |
        | b    | 255  |

    @TFJ-023.20
    Scenario: With ExitCode, exit code 127 fails the TFJob
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy ExitCode
      And its replicas run
      When Worker 1 of the TFJob fails with exit code 127
      Then the TFJob is Failed, and stays so

  Rule: What the pod template says beside the usual is kept, and decides nothing else

    @TFJ-005.20
    Scenario: Pods are created with the finalizers of their template
      Given a TFJob of 1 PS and 2 Workers whose pod templates name a finalizer
      When the TFJob has one pod for each of its 3 replicas
      Then each pod of the TFJob is made as its template says

    @TFJ-008.20
    Scenario: The default restartPolicy is Never, whatever the pod template says
      Given a TFJob that says the pod template of a Worker with restartPolicy OnFailure and nothing else
      When the TFJob has one pod for each of its 1 replica
      Then each pod of the TFJob has the restartPolicy Never, and stays so

    @TFJ-025.20
    Scenario Outline: With <policy>, a pod that another container has failed is replaced
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy <policy> whose pod templates say much
      And its replicas run
      When Worker 1 of the TFJob fails with exit code 1 of container side
      Then Worker 1 of the TFJob is replaced
      And for 2 seconds the TFJob is not Failed

      Examples:
        | case | policy    |
        | a    | OnFailure |
        | b    | Always    |

  Rule: A replica of any type, and any index, counts

    @TFJ-019.20
    Scenario: With AllWorkers, a succeeded Worker 0 is not run again when its pod is deleted
      Given a TFJob of 1 PS and 2 Workers with the successPolicy AllWorkers
      And its replicas run
      And Worker 0 of the TFJob succeeds
      And the TFJob reports 1 active, 1 succeeded and 0 failed replicas of type Worker
      When the user makes the pod of Worker 0 vanish
      Then for 2 seconds Worker 0 of the TFJob has no active pod
      And for 2 seconds the TFJob is not Failed

    @TFJ-026.20
    Scenario: With enableDynamicWorker, a failed Chief fails the TFJob
      Given a TFJob of 1 Chief, 1 PS and 2 Workers with the enableDynamicWorker true
      And its replicas run
      And the TFJob is Running
      When Chief 0 of the TFJob fails with exit code 1
      Then the TFJob is Failed, and stays so

    @TFJ-055.20
    Scenario Outline: The TFJob becomes Restarting when <replica>, which decides nothing, is replaced
      Given a TFJob of <replicas> with the restartPolicy ExitCode
      And its replicas run
      And the TFJob is Running
      When <replica> of the TFJob fails with exit code 137
      Then <replica> of the TFJob is replaced
      And the TFJob has been Restarting for the reason TFJobRestarting

      Examples:
        | case | replicas              | replica  |
        | a    | 1 PS and 2 Workers    | PS 0     |
        | b    | 1 Chief and 2 Workers | Worker 1 |

    @TFJ-034.20
    Scenario: With a Chief and AllWorkers, a TFJob succeeds with its Chief
      Given a TFJob of 1 Chief and 2 Workers with the successPolicy AllWorkers
      And its replicas run
      When Chief 0 of the TFJob succeeds
      Then the TFJob is Succeeded, and stays so

    @TFJ-034.21
    Scenario: With a Chief and AllWorkers, a TFJob does not succeed with its Workers
      Given a TFJob of 1 Chief and 2 Workers with the successPolicy AllWorkers
      And its replicas run
      When Worker 0 of the TFJob succeeds
      And Worker 1 of the TFJob succeeds
      Then for 2 seconds the TFJob is not Succeeded

    @TFJ-035.20 @fault
    Scenario: With AllWorkers, a TFJob does not succeed while a Worker has no pod
      Given a TFJob of 1 PS and 2 Workers with the successPolicy AllWorkers
      And its replicas run
      And pod creations are answered with 403
      And the user changes the TFJob to 3 Workers
      And the fault has been triggered
      When Worker 0 of the TFJob succeeds
      And Worker 1 of the TFJob succeeds
      Then for 2 seconds the TFJob is not Succeeded

  Rule: Deletions are no failures, and failures at one moment are several

    @TFJ-056.20
    Scenario: A deleted pod that is reported as failed before it is gone is no retry
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy OnFailure and the backoffLimit 0
      And its replicas run
      And deleted pods stay terminating
      And the user deletes the pod of Worker 1
      When the terminating pod of the TFJob fails with exit code 143
      Then for 2 seconds the TFJob is not Failed
      And once the terminating pods end Worker 1 of the TFJob is replaced

    @TFJ-028.20 @fault
    Scenario: Two pods that failed while the controller was down are two retries
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy ExitCode and the backoffLimit 1
      And its replicas run
      And the TFJob is Running
      And the implementation is killed
      And Worker 0 of the TFJob fails with exit code 137
      And Worker 1 of the TFJob fails with exit code 137
      When the implementation is started again
      Then the TFJob is Failed, and stays so

    @TFJ-016.20 @fault
    Scenario Outline: A <what> whose name is taken at first is created later
      Given the next 3 <what> creations are refused because the name is taken
      When a TFJob of 1 PS and 2 Workers
      Then eventually the TFJob has one pod for each of its 3 replicas, and stays so
      And eventually the TFJob has 3 pods and as many services, and stays so

      Examples:
        | case | what    |
        | a    | pod     |
        | b    | service |

    @TFJ-015.20 @fault
    Scenario: No service is created twice while watch events for services are withheld
      Given the implementation's view of services is stale
      And a TFJob of 1 PS and 2 Workers
      And the TFJob has 3 pods and as many services
      When the user annotates the TFJob
      Then for 2 seconds no service is requested that the TFJob has already
      And once the view of services catches up the TFJob has 3 pods and as many services, as TFJ-002 requires

    @TFJ-018.20 @fault
    Scenario: A pod that vanishes before it is observed is replaced
      Given the implementation's view of pods is stale
      And a TFJob of 1 PS and 2 Workers
      And the TFJob has one pod for each of its 3 replicas
      And the user makes the pod of Worker 1 vanish
      When the server ends the watches of pods with 410
      Then once the view of pods catches up Worker 1 of the TFJob is replaced
      And eventually the TFJob has one pod for each of its 3 replicas, and stays so

    @TFJ-053.20
    Scenario: A pod whose labels name another controller is released
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      When the user changes the operator-name of the pod of Worker 1 to other
      Then the pod of Worker 1 is released by the TFJob

  Rule: The status is right when things come early, late or again

    @TFJ-029.20
    Scenario: activeDeadlineSeconds is enforced while no pod runs yet
      Given a TFJob of 1 PS and 2 Workers with the activeDeadlineSeconds 4
      When the TFJob has one pod for each of its 3 replicas
      Then the TFJob is Failed
      And the TFJob is Failed no earlier than 4 seconds after its startTime

    @TFJ-032.20
    Scenario: The conditions agree when a TFJob fails while it restarts
      Given a TFJob of 1 Worker with the restartPolicy ExitCode
      And its replicas run
      And Worker 0 of the TFJob fails with exit code 137
      And Worker 0 of the TFJob is replaced
      When Worker 0 of the TFJob fails with exit code 1 and never ran
      And the TFJob is Failed
      Then the conditions of the TFJob have never contradicted each other

    @TFJ-033.20 @fault
    Scenario: A TFJob whose status cannot be written before its pods run is Created
      Given updates of the TFJob status are answered with 500
      And a TFJob of 1 PS and 2 Workers
      And the fault has been triggered
      When its replicas run
      Then once the faults end the TFJob has been Created for the reason TFJobCreated

    @TFJ-037.20
    Scenario: The startTime of a TFJob stays when a pod is replaced
      Given a TFJob of 1 PS and 2 Workers with the restartPolicy ExitCode
      And its replicas run
      And the TFJob is Running
      And 1 second passes
      And Worker 1 of the TFJob fails with exit code 137
      And Worker 1 of the TFJob is replaced
      When its replicas run
      Then for 2 seconds no time in the status of the TFJob has been changed once it was set

    @TFJ-038.20
    Scenario Outline: With cleanPodPolicy <policy> a failed TFJob keeps <count> pods
      Given a TFJob of 1 Chief, 1 PS and 2 Workers with the cleanPodPolicy <policy>
      And its replicas run
      And Worker 0 of the TFJob succeeds
      When Worker 1 of the TFJob fails with exit code 1
      Then the TFJob is Failed
      And the TFJob has <count> pods and as many services
      And for 2 seconds the TFJob has <count> pods and as many services

      Examples:
        | case | policy  | count |
        | a    | None    | 4     |
        | b    | Running | 2     |
        | c    | All     | 0     |

  Rule: A TFJob is suspended from the beginning, late, or again

    @TFJ-041.20 @cap-Suspension
    Scenario: A TFJob created suspended is Suspended
      Given a suspended TFJob of 1 PS and 2 Workers
      Then the TFJob is Suspended, and stays so
      And for 2 seconds the TFJob has 0 pods and as many services

    @TFJ-042.20 @cap-Suspension
    Scenario: The finished pods of a suspended TFJob are deleted too
      Given a TFJob of 1 PS and 3 Workers with the enableDynamicWorker true
      And its replicas run
      And Worker 1 of the TFJob succeeds
      And Worker 2 of the TFJob fails with exit code 1
      And the TFJob reports 1 active, 1 succeeded and 1 failed replicas of type Worker
      When the user suspends the TFJob
      Then the TFJob is Suspended
      And the TFJob has 0 pods and as many services, and stays so

    @TFJ-052.20 @cap-Suspension
    Scenario: A TFJob that is resumed a second time has a new startTime
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the user suspends the TFJob and, once it is Suspended, resumes it
      And the user suspends the TFJob
      And the TFJob is Suspended
      And 1 second passes
      When the user resumes the TFJob
      Then the startTime of the TFJob is the time of its resume, and stays so for 2 seconds

    @TFJ-054.20 @cap-Suspension
    Scenario: The condition Suspended has its reason when a TFJob is suspended a second time
      Given a TFJob of 1 PS and 2 Workers
      And its replicas run
      And the user suspends the TFJob and, once it is Suspended, resumes it
      When the user suspends the TFJob
      Then the TFJob is Suspended, as TFJ-042 requires
      And the TFJob has been Suspended for the reason TFJobSuspended

  Rule: No TFJob makes the controller exit

    @TFJ-051.20
    Scenario: The implementation keeps running when a TFJob has a text instead of a container
      Given the user submits a TFJob of 1 Worker with a text instead of a container
      When 2 seconds pass
      Then the implementation runs
