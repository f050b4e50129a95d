Feature: The Jobs of a JobSet start in order

  Rule: With InOrder, a ReplicatedJob waits for the one listed before it

    @JST-011.1
    Scenario: No Job starts while no Job listed before it is ready
      Given a JobSet of 1 leader and 2 workers, started in order
      When Job leader-0 has 1 active pod
      Then for 2 seconds no Job of workers has been started

    @JST-011.2
    Scenario: No Job starts while one of the Jobs listed before it is not ready
      Given a JobSet of 2 leaders and 1 workers, started in order
      And Job leaders-1 has 1 active pod
      When the pods of Job leaders-0 run
      Then for 2 seconds no Job of workers has been started

    @JST-011.3
    Scenario: The Jobs of a suspended JobSet start in order once it is resumed
      Given a suspended JobSet of 1 leader and 2 workers, started in order
      And the JobSet is Suspended
      And the user resumes the JobSet
      When Job leader-0 has 1 active pod
      Then for 2 seconds no Job of workers has been started

    @JST-011.4
    Scenario: The Jobs of a JobSet start in order again when it restarts
      Given a JobSet of 1 leader and 2 workers, started in order, restarted at most 1 time
      And the pods of Job leader-0 run
      And the pods of Job workers-0 fail
      When Job leader-0 of the JobSet has been created 2 times in all
      Then for 2 seconds Job workers-0 of the JobSet has been created 1 time in all

    @JST-014.1
    Scenario: A JobSet whose first Jobs are not ready reports that its startup is in progress
      When a JobSet of 1 leader and 2 workers, started in order
      Then the JobSet is StartupPolicyInProgress, and stays so
      And for 1 second the JobSet is not StartupPolicyCompleted

    @JST-014.2
    Scenario: A JobSet whose Jobs have started reports that its startup is complete
      Given a JobSet of 1 leader and 1 workers, started in order
      And the pods of Job leader-0 run
      When the pods of Job workers-0 run
      Then the JobSet is StartupPolicyCompleted
      And the JobSet is no longer StartupPolicyInProgress, and stays so

    @JST-049.1
    Scenario: A condition of a JobSet that changes has the time of its change
      Given a JobSet of 1 leader and 1 workers, started in order
      And the JobSet is StartupPolicyInProgress
      And 1 second passes
      And the pods of Job leader-0 run
      And the pods of Job workers-0 run
      When the JobSet is StartupPolicyCompleted
      Then for 2 seconds lastTransitionTime of each condition of the JobSet is the time of its last change

  Rule: A ReplicatedJob waits for those that it depends on

    @JST-012.1
    Scenario: No Job is created before all Jobs that it depends on are ready
      Given a JobSet of 2 leaders and 1 workers, whose workers wait until leaders are Ready
      And the pods of Job leaders-0 run
      When Job leaders-1 has 1 active pod
      Then for 2 seconds no Job of workers has been created

    @JST-012.2
    Scenario: A Job is created once all Jobs that it depends on are ready
      Given a JobSet of 2 leaders and 1 workers, whose workers wait until leaders are Ready
      And the pods of Job leaders-0 run
      When the pods of Job leaders-1 run
      Then the JobSet has the Jobs leaders-0, leaders-1 and workers-0, and stays so

    @JST-012.3
    Scenario: A Job waits again for one that it depends on and that was created again
      Given a JobSet of 2 leaders and 1 workers, whose workers wait until leaders are Ready
      And the pods of Job leaders-0 run
      And the JobSet reports 1 ready, 2 active, 0 suspended, 0 succeeded and 0 failed Jobs of leaders
      And the user deletes Job leaders-0 of the JobSet
      And Job leaders-0 of the JobSet has been created 2 times in all
      When the pods of Job leaders-1 run
      Then for 2 seconds no Job of workers has been created

    @JST-012.4
    Scenario: A Job waits for one whose node cannot be reached
      Given a JobSet of 2 leaders and 1 workers, whose workers wait until leaders are Ready
      And the pods of Job leaders-0 run
      And the JobSet reports 1 ready, 2 active, 0 suspended, 0 succeeded and 0 failed Jobs of leaders
      And the node of Job leaders-0 cannot be reached
      And the JobSet reports 0 ready, 2 active, 0 suspended, 0 succeeded and 0 failed Jobs of leaders
      When the pods of Job leaders-1 run
      Then for 2 seconds no Job of workers has been created

    @JST-012.5 @fault
    Scenario: A Job is created once the Job that it depends on has succeeded unobserved
      Given a JobSet of 1 leader and 1 workers, whose workers wait until leader is Ready
      And Job leader-0 has 1 active pod
      And the implementation is killed
      And the pods of Job leader-0 succeed
      And Job leader-0 has completed
      When the implementation is started again
      Then eventually the JobSet has the Jobs leader-0 and workers-0, and stays so

    @JST-013.1
    Scenario: No Job is created while the Jobs that it depends on are ready and not complete
      Given a JobSet of 1 leader and 1 workers, whose workers wait until leader is Complete
      When the pods of Job leader-0 run
      Then for 2 seconds no Job of workers has been created

    @JST-013.2
    Scenario: A Job is created once the Job that it depends on is complete
      Given a JobSet of 1 leader and 1 workers, whose workers wait until leader is Complete
      When the pods of Job leader-0 succeed
      Then the JobSet has the Jobs leader-0 and workers-0, and stays so

    @JST-027.1
    Scenario: After a restart, a Job waits again for those that it depends on
      Given a JobSet of 1 leader and 1 workers, whose workers wait until leader is Ready, restarted at most 2 times
      And the pods of Job leader-0 run
      And the pods of Job workers-0 fail
      When Job leader-0 of the JobSet has been created 2 times in all
      Then for 2 seconds Job workers-0 of the JobSet has been created 1 time in all
