Feature: A Job has the pods that match it and that nobody else controls
  Pods may be there before their Job is, and users change labels. Whose a pod is decides who counts it, who
  replaces it and who deletes it.

  Rule: A pod that matches and is nobody's becomes the Job's

    @EXP-033
    Scenario: A pod that matches the Job and belongs to nobody is adopted
      Given the implementation is killed
      And a Job with 3 completions and parallelism 2
      And a user makes pod p with the labels of the Job's pods
      When the implementation is started again
      Then pod p belongs to the Job
      And pod p has the tracking finalizer

    @EXP-036
    Scenario: A pod that was adopted takes the place of a new one
      Given the implementation is killed
      And a Job with 3 completions and parallelism 2
      And a user makes pod p with the labels of the Job's pods
      When the implementation is started again
      And pod p belongs to the Job
      Then 2 pods are active, and stays so for 2 seconds

    @EXP-036
    Scenario: A pod that had succeeded when it was adopted is counted
      Given the implementation is killed
      And a Job with 2 completions and parallelism 1
      And a user makes pod p with the labels of the Job's pods
      And pod p, made by a user, succeeds
      When the implementation is started again
      And pod p belongs to the Job
      Then the Job reports 1 active and 1 succeeded pods, and stays so

  Rule: What is somebody else's, or on its way out, is left alone

    @EXP-034 @fault
    Scenario: A Job that is being deleted adopts nothing, seen or not
      Given a Job with 2 completions, parallelism 1 and finalizer batchproof.dev/hold
      And 1 pod is running
      And the implementation's view of jobs is frozen
      And the user deletes the Job
      When a user makes pod p with the labels of the Job's pods
      Then for 2 seconds pod p does not belong to the Job

    @EXP-035
    Scenario Outline: A pod <which> is left alone
      Given a Job with 2 completions and parallelism 1
      And 1 pod is running
      And the implementation is killed
      And a user makes pod p with the labels of the Job's pods, <how>
      When the implementation is started again
      Then for 2 seconds no change of pod p is asked for

      Examples:
        | which                 | how                         |
        | of another controller | controlled by somebody else |
        | that is being deleted | and deletes it              |

    @EXP-039
    Scenario: The pods of a Job that is gone are not those of the next one of its name
      Given a Job with 2 completions, parallelism 2 and selector shared
      And 2 pods are running
      And updates of pods are answered with 500
      And 1 pod succeeds
      And the user deletes the Job
      When a Job is created with 2 completions, parallelism 2 and selector shared
      Then for 5 seconds the Job accounts for 0 succeeded pods
      And the Job accounts for 0 failed pods

    @EXP-041
    Scenario: A Job does not wait for the failures of one that had its name
      Given a Job with 2 completions and parallelism 1
      And 1 pod fails that ended 0 seconds ago
      And the Job reports 1 failed pod
      And the user deletes the Job
      And the Job is gone
      When a Job is created with 2 completions and parallelism 1
      Then 1 pod is active, and stays so

    @EXP-041 @fault
    Scenario: A Job does not wait for the failures of one whose end was not seen
      Given a Job with 3 completions and parallelism 2
      And 2 pods fail that ended 0 seconds ago
      And the Job reports 2 failed pods
      And the implementation's view of jobs is frozen
      And the user deletes the Job
      And a Job with 3 completions and parallelism 2
      When the view of jobs catches up
      Then 2 pods are active, and stays so

    @EXP-041 @fault
    Scenario: A Job does not wait for the failures of one whose end was missed
      Given a Job with 3 completions and parallelism 2
      And 2 pods fail that ended 0 seconds ago
      And the Job reports 2 failed pods
      And the implementation's view of jobs is frozen
      And the user deletes the Job
      And a Job with 3 completions and parallelism 2
      When the server ends the watches of jobs with 410
      Then once the view of jobs catches up 2 pods are active, and stays so

  Rule: A pod that no longer matches is let go, and replaced

    @EXP-037
    Scenario: A pod that has lost the labels of its Job is released
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      When the user takes all labels from 1 pod
      Then 1 pod that the Job had is there without a controller and without the tracking finalizer, and stays so
      And 2 pods are active, and stays so

  Rule: A pod that gets another controller concerns both

    @EXP-040
    Scenario: The Job that loses a pod replaces it, and the one that gets it has one too many
      Given a Job a with 2 completions, parallelism 1 and label shared
      And a Job b with 2 completions, parallelism 0 and selector shared
      And 1 pod of Job a is running
      And 2 seconds pass
      When the user gives 1 pod of Job a to Job b
      Then 1 pod of Job a is active
      And 0 pods of Job b are active, and stays so
