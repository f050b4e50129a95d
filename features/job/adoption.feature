Feature: A Job has the pods that match it and that have no other controller
  Pods may exist before their Job, and users change labels. The controller of a pod counts, replaces and
  deletes it.

  Rule: A Job adopts a matching pod without a controller

    @EXP-033.1
    Scenario: A pod without a controller that matches the Job is adopted
      Given the implementation is killed
      And a Job with 3 completions and parallelism 2
      And a user makes pod p with the labels of the Job's pods
      When the implementation is started again
      Then pod p belongs to the Job
      And pod p has the tracking finalizer

    @EXP-036.1
    Scenario: An adopted pod counts as one of the active pods
      Given the implementation is killed
      And a Job with 3 completions and parallelism 2
      And a user makes pod p with the labels of the Job's pods
      When the implementation is started again
      And pod p belongs to the Job
      Then 2 pods are active, and stays so for 2 seconds

    @EXP-036.2
    Scenario: An adopted pod that has already succeeded is counted
      Given the implementation is killed
      And a Job with 2 completions and parallelism 1
      And a user makes pod p with the labels of the Job's pods
      And pod p, made by a user, succeeds
      When the implementation is started again
      Then the Job reports 1 active and 1 succeeded pods, and stays so

    @EXP-036.3
    Scenario: A pod from which another client takes the controller is adopted and counted
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      When another client takes the controller from 1 pod
      And 2 pods are active
      And 2 pods succeed
      Then the Job completes with 2 succeeded pods, and stays so
      And 2 pods have been created in all, and stays so

  Rule: A pod with the name of a deleted pod is another pod

    Background:
      Given the implementation is killed
      And a Job with 2 completions and parallelism 2
      And a user makes pod p with the labels of the Job's pods

    @EXP-033.2 @fault
    Scenario Outline: A pod with the name of a deleted pod is adopted and counted, <seen>
      Given the implementation is started again
      And pod p belongs to the Job
      And the implementation's view of pods is stale
      And the user makes pod p vanish and makes another of its name
      And <gap>
      When the view of pods catches up
      Then pod p belongs to the Job
      And 2 pods are active, and stays so, as EXP-036 requires

      Examples:
        | case | seen           | gap                                          |
        | a    | seen late      | 1 second passes                              |
        | b    | in a watch gap | the server ends the watches of pods with 410 |

  Rule: Pods of other controllers and terminating pods are not adopted

    @EXP-034.1 @fault
    Scenario: A Job being deleted adopts no pod, even if the deletion is not observed yet
      Given a Job with 2 completions, parallelism 1 and finalizer batchproof.dev/hold
      And 1 pod is running
      And the implementation's view of jobs is stale
      And the user deletes the Job
      When a user makes pod p with the labels of the Job's pods
      Then for 2 seconds pod p does not belong to the Job

    @EXP-035.1
    Scenario Outline: A pod <which> is not adopted
      Given a Job with 2 completions and parallelism 1
      And 1 pod is running
      And the implementation is killed
      And a user makes pod p with the labels of the Job's pods, <how>
      When the implementation is started again
      Then for 2 seconds no change of pod p is requested

      Examples:
        | case | which                 | how                         |
        | a    | of another controller | controlled by another controller |
        | b    | that is being deleted | and deletes it              |

    @EXP-039.1
    Scenario: Pods of a deleted Job do not count for a new Job of the same name
      Given a Job with 2 completions, parallelism 2 and selector shared
      And 2 pods are running
      And updates of pods are answered with 500
      And 1 pod succeeds
      And the user deletes the Job
      When a Job is created with 2 completions, parallelism 2 and selector shared
      Then for 5 seconds the Job accounts for 0 succeeded pods
      And now the Job accounts for 0 failed pods

    @EXP-039.2
    Scenario: A pod of a former Job of the same name is not adopted
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      When a user makes pod p with the labels of the Job's pods, controlled by a former Job of its name
      Then for 2 seconds no change of pod p is requested

    @EXP-039.3
    Scenario: A pod of a former Job of the same name is not deleted
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And a user makes pod p with the labels of the Job's pods, controlled by a former Job of its name
      When the Job is changed to parallelism 0
      And 0 pods are active
      Then for 2 seconds no change of pod p is requested

    @EXP-041.1
    Scenario: A new Job does not inherit the back-off delay of a deleted one of its name
      Given a Job with 2 completions and parallelism 1
      And 1 pod fails that ended 0 seconds ago
      And the Job reports 1 failed pod
      And the user deletes the Job
      And the Job is gone
      When a Job is created with 2 completions and parallelism 1
      Then 1 pod is active, and stays so

    @EXP-041.2 @fault
    Scenario: A recreated Job has no back-off delay if its deletion is observed late
      Given a Job with 3 completions and parallelism 2
      And 2 pods fail that ended 0 seconds ago
      And the Job reports 2 failed pods
      And the implementation's view of jobs is stale
      And the user deletes the Job
      And a Job with 3 completions and parallelism 2
      When the view of jobs catches up
      Then 2 pods are active, and stays so

    @EXP-041.3 @fault
    Scenario: A recreated Job has no back-off delay if its deletion was in a watch gap
      Given a Job with 3 completions and parallelism 2
      And 2 pods fail that ended 0 seconds ago
      And the Job reports 2 failed pods
      And the implementation's view of jobs is stale
      And the user deletes the Job
      And a Job with 3 completions and parallelism 2
      When the server ends the watches of jobs with 410
      Then once the view of jobs catches up 2 pods are active, and stays so

    @EXP-041.4 @fault
    Scenario Outline: A new Job does not wait for <which> of a deleted Job of its name
      Given <which> is held before taking effect
      And a Job with 3 completions and parallelism <parallelism>
      And the fault has been triggered
      And the user deletes the Job
      And the Job is gone
      When a Job is created with 3 completions and parallelism <parallelism>
      And 2 seconds pass
      Then once the faults end <active> active, and stays so

      Examples:
        | case | which                 | parallelism | active     |
        | a    | the next pod creation | 1           | 1 pod is   |
        | b    | the 3rd pod creation  | 3           | 3 pods are |

    @EXP-041.5 @fault
    Scenario: A new Job does not wait for pods of a deleted Job that are observed late
      Given the implementation's view of pods is stale
      And a Job with 3 completions and parallelism 2
      And 2 pods have been created in all
      And the user deletes the Job
      And the Job is gone
      When a Job is created with 3 completions and parallelism 2
      And 2 seconds pass
      Then once the view of pods catches up 2 pods are active, and stays so

    @EXP-041.6 @fault
    Scenario: A Job that is recreated in a watch gap does not wait for pods of the old one
      Given the implementation's view of pods is stale
      And a Job with 3 completions and parallelism 2
      And 2 pods have been created in all
      When the implementation misses that the Job is deleted and created again
      And 5 seconds pass
      Then once the view of pods catches up 2 pods are active, and stays so

  Rule: A pod that no longer matches is released and replaced

    @EXP-037.1
    Scenario: A pod that no longer has the labels of its Job is released
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      When the user takes all labels from 1 pod
      Then 1 pod that the Job had is there without a controller and without the tracking finalizer, and stays so
      And 2 pods are active, and stays so

  Rule: A change of a pod's controller concerns both Jobs

    @EXP-040.1
    Scenario: When a pod changes its Job, one replaces it and the other has an excess pod
      Given a Job a with 2 completions, parallelism 1 and label shared
      And a Job b with 2 completions, parallelism 0 and selector shared
      And 1 pod of Job a is running
      And 2 seconds pass
      When the user gives 1 pod of Job a to Job b
      Then 1 pod of Job a is active
      And 0 pods of Job b are active, and stays so
