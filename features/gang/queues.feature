Feature: Queues share resources by their weights

  Rule: A gang belongs to a queue

    @GNG-023.1 @cap-Queues
    Scenario: A gang without a queue is scheduled from the default queue
      Given a node with 3 CPUs
      And a queue other of weight 1
      When gang a with minimum 3 has 3 pods
      Then 3 pods of gang a are bound, and stays so

    @GNG-023.2 @cap-Queues
    Scenario: A gang in an unknown queue is not scheduled
      Given a node with 4 CPUs
      When gang a in queue nowhere with minimum 3 has 3 pods
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

  Rule: A gang waits while its queue is deleted

    Background:
      Given a node with 1 CPU
      And queues small and other of weight 1
      And gang a in queue small with minimum 2 has 2 pods

    # In the 5 seconds the scheduler observes that the queue is gone: no object of another resource shows that it has.
    @GNG-023.3 @cap-Queues @cap-GroupObjects @fault
    Scenario Outline: A gang whose queue was deleted is not bound, <what>
      Given <deleted>
      And 5 seconds pass
      When another node with 4 CPUs joins
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

      Examples:
        | case | what           | deleted                                                |
        | a    | observed       | a user deletes queue small                             |
        | b    | in a watch gap | the implementation misses that queue small is deleted  |

    @GNG-023.4 @cap-Queues @cap-GroupObjects
    Scenario: A gang is bound when its queue is created again
      Given a user deletes queue small
      And 5 seconds pass
      And another node with 4 CPUs joins
      And for 2 seconds no pod of gang a is bound, with room for its minimum
      When queue small is created again
      Then 2 pods of gang a are bound, and stays so

  Rule: Each queue gets its share by weight

    @GNG-024.1 @cap-Queues @cap-SurplusPods
    Scenario: Two queues share by their weights
      Given a queue big of weight 2
      And a queue small of weight 1
      And gang a in queue big with minimum 1 has 9 pods
      And gang b in queue small with minimum 1 has 9 pods
      When 3 nodes with 3 CPUs each join
      Then each queue is given its share, and stays so

    @GNG-024.3 @cap-Queues @cap-SurplusPods
    Scenario: A queue whose weight was changed gets its new share
      Given a queue big of weight 1
      And a queue small of weight 1
      And gang a in queue big with minimum 1 has 9 pods
      And gang b in queue small with minimum 1 has 9 pods
      And a user changes the weight of queue big to 2
      And 5 seconds pass
      When 3 nodes with 3 CPUs each join
      Then each queue is given its share, and stays so

    @GNG-024.2 @cap-Queues @cap-SurplusPods
    Scenario: Resources that one queue does not request are shared by the others
      Given queues left and right of weight 1
      And a queue middle of weight 2
      And gang a in queue left with minimum 1 has 10 pods
      And gang b in queue middle with minimum 1 has 2 pods
      And gang c in queue right with minimum 1 has 10 pods
      When 3 nodes with 4 CPUs each join
      Then each queue is given its share, and stays so

  Rule: A queue at or above its share waits for the others

    @GNG-025.1 @cap-Queues @cap-SurplusPods
    Scenario: Resources that become free go to the queue below its share
      Given queues first and late of weight 1
      And 2 nodes with 4 CPUs each
      And gang a in queue first with minimum 1 has 12 pods
      And queue first has 8 CPUs
      And gang b in queue late with minimum 1 has 8 pods
      When 3 running pods of queue first succeed
      Then queue late has 3 CPUs
      And for 2 seconds no pod of queue first has been bound since room appeared

    @GNG-025.2 @cap-Queues
    Scenario: Gangs of the queue below its share are first, even if others are older
      Given queues first and late of weight 1
      And 2 nodes with 4 CPUs each
      And queue first gets 12 gangs of a pod each
      And queue first has 8 CPUs
      And queue late gets 6 gangs of a pod each
      When 3 running pods of queue first succeed
      Then queue late has 3 CPUs
      And for 2 seconds no pod of queue first has been bound since room appeared

  Rule: A queue may use resources that other queues do not request

    @GNG-026.1 @cap-Queues @cap-SurplusPods
    Scenario: A queue gets resources that no other queue has requested
      Given 2 nodes with 4 CPUs each
      And a queue busy of weight 1
      And a queue idle of weight 3
      When gang a in queue busy with minimum 1 has 8 pods
      Then queue busy has 8 CPUs

    @GNG-026.2 @cap-Queues @cap-SurplusPods
    Scenario: A queue gets resources that another queue no longer requests
      Given 2 nodes with 4 CPUs each
      And a queue busy of weight 1
      And a queue ended of weight 3
      And queue ended gets 6 gangs of a pod each with 16 GiB of memory
      And queue ended has 6 CPUs
      And 6 running pods of queue ended succeed
      When queue busy gets 8 gangs of a pod each with 16 GiB of memory
      Then queue busy has 8 CPUs

    @GNG-026.3 @cap-Queues @cap-QueueGuarantee @cap-SurplusPods
    Scenario: What was kept for a queue is given to another once the queue is deleted
      Given a node with 8 CPUs
      And a queue kept of weight 1 for which 3 CPUs are kept
      And a queue other of weight 1
      And gang a in queue other with minimum 1 has 8 pods
      And queue other has 5 CPUs
      When a user deletes queue kept
      Then eventually queue other has 8 CPUs, and stays so

  Rule: No queue has more than its capability

    @GNG-034.1 @cap-QueueCapability @cap-SurplusPods
    Scenario: A queue gets no more than its capability
      Given a node with 8 CPUs
      And a queue small of weight 1 with at most 2 CPUs
      When gang a in queue small with minimum 1 has 4 pods
      Then queue small has 2 CPUs
      And for 2 seconds no more than 2 pods of gang a are bound

    @GNG-020.2 @cap-QueueCapability @cap-Backfill
    Scenario: A best-effort pod waits with its gang for the capability of its queue
      Given a node with 8 CPUs
      And a queue small of weight 1 with at most 2 CPUs
      And gang a in queue small with minimum 2 has 2 pods
      And 2 pods of gang a are bound
      And gang b in queue small with minimum 2 has 1 pod
      When 1 pod that requests nothing is added to gang b
      Then for 2 seconds no pod of gang b is bound, with room for its minimum

    @GNG-034.2 @cap-QueueCapability @cap-SurplusPods
    Scenario: Resources above the capability of a queue are shared by the others
      Given a queue small of weight 1 with at most 2 CPUs
      And a queue other of weight 1
      And gang a in queue small with minimum 1 has 8 pods
      And gang b in queue other with minimum 1 has 8 pods
      When 2 nodes with 4 CPUs each join
      Then each queue is given its share, and stays so

    @GNG-034.3 @cap-QueueCapability
    Scenario: A gang that exceeds the capability of its queue waits
      Given a node with 4 CPUs
      And a queue small of weight 1 with at most 2 CPUs
      When gang a in queue small with minimum 3 has 3 pods
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-034.10 @cap-QueueCapability
    Scenario Outline: A gang waits that exceeds the capability of its queue with <what>
      Given a node with 8 CPUs
      And a queue small of weight 1 with at most 3 CPUs
      When gang a in queue small with minimum 2 has 2 pods <of pods>
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

      Examples:
        | case | what                   | of pods                                |
        | a    | its init containers    | whose init container requests 2 CPUs   |
        | b    | its sidecars           | whose sidecar requests 1 CPU           |
        | c    | its runtimes           | whose runtime takes 1 CPU              |

    @GNG-103.2 @cap-QueueCapability @cap-PodLevelResources
    Scenario: A gang waits that exceeds the capability of its queue by its pods as a whole
      Given a node with 8 CPUs
      And a queue small of weight 1 with at most 3 CPUs
      When gang a in queue small with minimum 2 has 2 pods that request 2 CPUs for the whole pod
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-034.11 @cap-QueueCapability
    Scenario: A pod waits that is bigger than what is left of the capability of its queue
      Given a node with 8 CPUs
      And a queue small of weight 1 with at most 3 CPUs
      And gang a in queue small with minimum 2 has 2 pods
      And 2 pods of gang a are bound
      When gang b in queue small with minimum 1 has 1 pod of 2 CPUs
      Then for 2 seconds no pod of gang b is bound, with room for its minimum

    @GNG-034.8 @cap-QueueCapability
    Scenario: A capability of CPUs does not limit devices
      Given a node with 8 CPUs and 4 devices
      And a queue small of weight 1 with at most 4 CPUs
      When gang a in queue small with minimum 2 has 2 pods that also request 2 devices each
      Then 2 pods of gang a are bound, and stays so

    @GNG-034.12 @cap-QueueCapability
    Scenario: A queue with a capability of 0 CPUs gets no CPU
      Given a node with 4 CPUs
      And a queue small of weight 1 with at most 0 CPUs
      When gang a in queue small with minimum 2 has 2 pods
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

    @GNG-034.4 @cap-QueueCapability @cap-SurplusPods
    Scenario: A queue gets more when its capability is raised
      Given a node with 8 CPUs
      And a queue small of weight 1 with at most 2 CPUs
      And gang a in queue small with minimum 1 has 4 pods
      And queue small has 2 CPUs
      When a user lets queue small have at most 3 CPUs
      Then queue small has 3 CPUs
      And for 2 seconds no more than 3 pods of gang a are bound

    @GNG-034.5 @cap-QueueCapability
    Scenario: A queue gets nothing more when its capability is lowered below what it has
      Given a node with 8 CPUs
      And a queue small of weight 1 with at most 4 CPUs
      And gang a in queue small with minimum 2 has 2 pods
      And 2 pods of gang a are bound
      And a user lets queue small have at most 1 CPU
      And 2 seconds pass
      When gang b in queue small with minimum 1 has 1 pod
      Then for 2 seconds no pod of gang b is bound, with room for its minimum

    @GNG-034.9 @cap-QueueCapability
    Scenario: A queue at its capability gets one pod for one that has ended
      Given a node with 8 CPUs
      And a queue small of weight 1 with at most 2 CPUs
      And queue small gets 4 gangs of a pod each
      And queue small has 2 CPUs
      When 1 running pod of queue small succeeds
      Then eventually queue small has 2 CPUs, and stays so for 2 seconds

  Rule: A gang may be moved to another queue

    @GNG-101.1 @cap-Queues @cap-QueueCapability @cap-GroupObjects
    Scenario: A gang that exceeds the capability of its queue is bound by another queue
      Given a node with 4 CPUs
      And a queue small of weight 1 with at most 2 CPUs
      And a queue other of weight 1
      And gang a in queue small with minimum 3 has 3 pods
      And for 2 seconds no pod of gang a is bound, with room for its minimum
      When a user moves gang a to queue other
      Then 3 pods of gang a are bound, and stays so

    @GNG-101.2 @cap-Queues @cap-GroupObjects
    Scenario: A gang whose queue does not exist is bound by one that does
      Given a node with 4 CPUs
      And a queue other of weight 1
      And gang a in queue nowhere with minimum 3 has 3 pods
      And for 2 seconds no pod of gang a is bound, with room for its minimum
      When a user moves gang a to queue other
      Then 3 pods of gang a are bound, and stays so

    @GNG-034.7 @cap-QueueCapability @cap-GroupObjects
    Scenario: A gang that is moved to a queue waits for the capability of that queue
      Given a node with 1 CPU
      And a queue small of weight 1 with at most 1 CPU
      And a queue other of weight 1
      And gang a in queue other with minimum 2 has 2 pods
      And for 2 seconds no pod of gang a is bound, with room for 1 of them
      And a user moves gang a to queue small
      When another node with 3 CPUs joins
      Then for 2 seconds no pod of gang a is bound, with room for its minimum

  Rule: A queue that is created again has its own capability

    Background:
      Given a node with 8 CPUs
      And a queue small of weight 1 with at most 4 CPUs
      And gang a in queue small with minimum 2 has 2 pods

    # In the 2 seconds the scheduler observes the new queue: no object of another resource shows that it has.
    @GNG-034.6 @cap-QueueCapability @cap-GroupObjects @fault
    Scenario Outline: A gang that exceeds the capability of a new queue waits, <what>
      Given 2 pods of gang a are bound
      And the pods of gang a succeed and are deleted
      And the group of gang a is deleted
      And <replaced>
      And 2 seconds pass
      When gang b in queue small with minimum 2 has 2 pods
      Then for 2 seconds no pod of gang b is bound, with room for its minimum

      Examples:
        | case | what           | replaced                                                                                      |
        | a    | seen at once   | queue small is replaced by one of its name with at most 1 CPU                                 |
        | b    | seen late      | the implementation sees late that queue small is replaced by one of its name with at most 1 CPU |
        | c    | in a watch gap | the implementation misses that queue small is replaced by one of its name with at most 1 CPU  |

  Rule: Guaranteed resources are kept for their queue

    @GNG-089.1 @cap-QueueGuarantee @cap-SurplusPods
    Scenario: The guaranteed resources of a queue are not given to another queue
      Given a node with 8 CPUs
      And a queue kept of weight 1 for which 3 CPUs are kept
      And a queue other of weight 1
      When gang a in queue other with minimum 1 has 8 pods
      Then queue other has 5 CPUs
      And for 2 seconds no more than 5 pods of gang a are bound

    @GNG-089.2 @cap-QueueGuarantee @cap-SurplusPods
    Scenario: A queue gets its guaranteed resources without waiting
      Given a node with 8 CPUs
      And a queue kept of weight 1 for which 3 CPUs are kept
      And a queue other of weight 1
      And gang a in queue other with minimum 1 has 8 pods
      And queue other has 5 CPUs
      When gang b in queue kept with minimum 3 has 3 pods
      Then 3 pods of gang b are bound, and stays so

    @GNG-089.3 @cap-QueueGuarantee @cap-SurplusPods
    Scenario: The guaranteed resources of two queues are not given to another queue
      Given a node with 8 CPUs
      And a queue kept of weight 1 for which 3 CPUs are kept
      And a queue too of weight 1 for which 2 CPUs are kept
      And a queue other of weight 1
      When gang a in queue other with minimum 1 has 8 pods
      Then queue other has 3 CPUs
      And for 2 seconds no more than 3 pods of gang a are bound

    @GNG-089.4 @cap-QueueGuarantee
    Scenario: Resources beyond the guarantees of other queues are given to a queue
      Given a node with 4 CPUs
      And a queue kept of weight 1 for which 6 CPUs are kept
      And a queue other of weight 1
      And gang a in queue other with minimum 1 has 1 pod
      And 3 seconds pass
      When another node with 4 CPUs joins
      Then eventually 1 pod of gang a is bound, and stays so

    @GNG-089.5 @cap-QueueGuarantee @cap-SurplusPods
    Scenario: Two queues together get no more than what is not guaranteed to a third
      Given a node with 8 CPUs
      And a queue kept of weight 1 for which 6 CPUs are kept
      And queues left and right of weight 1
      And gang b in queue left with minimum 1 has 8 pods
      And gang c in queue right with minimum 1 has 8 pods
      When gang a in queue kept with minimum 1 has 1 pod
      Then eventually queue kept has 1 CPU
      And for 2 seconds no more than 2 pods of gang b are bound

    @GNG-089.6 @cap-QueueGuarantee @cap-SurplusPods
    Scenario: Other queues get no more than what is free beside a guarantee that was raised
      Given a node with 8 CPUs
      And queues kept and other of weight 1
      And gang a in queue other with minimum 1 has 4 pods
      And a user keeps 3 CPUs for queue kept
      And 2 seconds pass
      When 4 more pods are added to gang a
      Then queue other has 5 CPUs
      And for 2 seconds no more than 5 pods of gang a are bound

  Rule: The scheduler runs with any guarantees

    @GNG-082.2 @cap-QueueGuarantee
    Scenario: The scheduler keeps running while more is guaranteed than there is
      Given a node with 4 CPUs
      And a queue kept of weight 1 for which 6 CPUs are kept
      And a queue other of weight 1
      When gang a in queue other with minimum 1 has 1 pod
      And 3 seconds pass
      Then the implementation runs
