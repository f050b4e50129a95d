Feature: Clean-up of a finished TFJob

  Rule: cleanPodPolicy decides which pods of a finished TFJob are deleted

    @TFJ-038.1
    Scenario Outline: With cleanPodPolicy <policy> a succeeded TFJob keeps <count> pods
      Given a TFJob of 1 Chief, 1 PS and 2 Workers with the cleanPodPolicy <policy>
      And its replicas run
      And Worker 0 of the TFJob succeeds
      When Chief 0 of the TFJob succeeds
      Then the TFJob is Succeeded
      And the TFJob has <count> pods and as many services
      And for 2 seconds the TFJob has <count> pods and as many services

      Examples:
        | case | policy  | count |
        | a    | None    | 4     |
        | b    | Running | 2     |
        | c    | All     | 0     |

    @TFJ-038.3
    Scenario Outline: A cleanPodPolicy that is changed to <policy> while pods run decides at the end
      Given a TFJob of 1 Chief, 1 PS and 2 Workers with the cleanPodPolicy <before>
      And its replicas run
      And the TFJob is Running
      And the user gives the TFJob the cleanPodPolicy <policy>
      And 1 second passes
      When Chief 0 of the TFJob succeeds
      Then the TFJob is Succeeded
      And the TFJob has <count> pods and as many services, and stays so for 2 seconds

      Examples:
        | case | before | policy | count |
        | a    | None   | All    | 0     |
        | b    | All    | None   | 4     |

    @TFJ-038.4
    Scenario: With cleanPodPolicy Running, pods that do not run yet are deleted too
      Given a TFJob of 1 Chief, 1 PS and 2 Workers with the cleanPodPolicy Running
      And the TFJob has one pod for each of its 4 replicas
      When Worker 1 of the TFJob fails with exit code 1 and never ran
      Then the TFJob is Failed
      And the TFJob has 1 pod and as many services, and stays so

    @TFJ-038.2
    Scenario: With cleanPodPolicy Running the unfinished pods are deleted
      Given a TFJob of 1 Chief, 1 PS and 2 Workers with the cleanPodPolicy Running
      And its replicas run
      And Worker 0 of the TFJob succeeds
      When Chief 0 of the TFJob succeeds
      Then the TFJob is Succeeded
      And the TFJob has 2 pods and as many services, and stays so
      And for 2 seconds Worker 1 of the TFJob has no active pod
      And for 2 seconds PS 0 of the TFJob has no active pod

    @TFJ-038.5 @fault
    Scenario Outline: Pods and services of a succeeded TFJob go though <one deletion> is <answer>
      Given a TFJob of 1 Chief, 1 PS and 2 Workers with the cleanPodPolicy All
      And its replicas run
      And the TFJob is Running
      And the next <one deletion> is <answer>
      When Chief 0 of the TFJob succeeds
      Then eventually the TFJob has 0 pods and as many services, and stays so

      Examples:
        | case | one deletion     | answer                        |
        | a    | pod deletion     | answered with 500             |
        | b    | pod deletion     | answered with 409             |
        | c    | pod deletion     | applied but its reply is lost |
        | d    | service deletion | answered with 500             |
        | e    | service deletion | answered with 409             |
        | f    | service deletion | applied but its reply is lost |
