Feature: A Job is suspended and resumed
  A suspended Job has no active pods. Its counts are kept; unfinished work starts again after the resume.

  Rule: A Job that is created suspended does not start

    @BAS-028.1
    Scenario: A Job created suspended has no pods and no startTime
      Given a suspended Job with 2 completions and parallelism 2
      Then for 2 seconds no more than 0 pods are created in all
      And the Job becomes suspended
      And the Job reports 0 active pods
      And the Job has no startTime

    @BAS-028.2 @fault
    Scenario: A suspended Job does not wait for a pod creation of a deleted Job of its name
      Given the next pod creation is held before taking effect
      And a Job with 1 completion and parallelism 1
      And the fault has been triggered
      And the user deletes the Job
      And the Job is gone
      When a suspended Job with 1 completion and parallelism 1
      And 2 seconds pass
      Then once the faults end the Job becomes suspended

    @BAS-028.3 @fault
    Scenario Outline: A Job is suspended although its first status write is <treated>
      Given the next update of the Job status is <treated>
      When a suspended Job is created with 2 completions and parallelism 2
      And the fault has been triggered
      Then eventually the Job becomes suspended

      Examples:
        | case | treated           |
        | a    | answered with 500 |
        | b    | answered with 409 |

    @BAS-036.1
    Scenario: A suspended Job with 0 completions completes
      Given a suspended Job with 0 completions and parallelism 0
      Then the Job completes with 0 succeeded pods, and stays so

  Rule: Suspending a Job deletes its pods without counting them

    @BAS-029.1
    Scenario: Suspending a running Job deletes all its active pods
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      When the user suspends the Job
      Then the Job becomes suspended
      And 0 pods are active, and stays so
      And the Job reports 0 active pods, and stays so

    @BAS-030.1
    Scenario: Pods deleted by a suspension do not count as failed
      Given a Job with 2 completions, parallelism 2 and backoffLimit 0
      And 2 pods are running
      When the user suspends the Job
      And 0 pods are active
      Then for 2 seconds the Job reports 0 failed pods
      And once the user resumes the Job 2 pods are active, as BAS-031 requires

    @BAS-030.2 @cap-BackoffLimitPerIndex
    Scenario: Pods deleted by a suspension do not count for their indexes
      Given an Indexed Job with 2 completions, parallelism 2 and backoffLimitPerIndex 0
      And 2 pods are running
      And the user has suspended the Job
      When the user resumes the Job
      Then the active pods have the indexes 0 and 1, and stays so
      And the failed indexes of the Job are none, and stays so

    @BAS-033.1
    Scenario: A suspended Job that had started has no startTime
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      When the user suspends the Job
      Then the Job becomes suspended
      And the Job has no startTime

  Rule: Resuming a Job starts it again

    @BAS-031.1
    Scenario: A resumed Job has pods and a new startTime
      Given a suspended Job with 2 completions and parallelism 2
      And the Job becomes suspended
      When the user resumes the Job
      Then the Job becomes resumed
      And 2 pods are active, and stays so
      And the startTime of the Job is the time of its resume

    @BAS-031.3
    Scenario: A Job that is resumed while its old pods terminate has new pods
      Given a Job with 2 completions and parallelism 2
      And deleted pods stay terminating
      And 2 pods are running
      And the user has suspended the Job
      When the user resumes the Job
      Then the Job becomes resumed
      And 2 pods are active, and stays so
      And once the terminating pods end the Job reports 2 active and 0 failed pods, as BAS-030 requires

    @BAS-031.4
    Scenario: A Job that is suspended and resumed during a back-off delay has its pods
      Given a Job with 2 completions and parallelism 1
      And 1 pod fails that ended 5 seconds ago
      And the Job reports 1 failed pod
      And the user has suspended the Job
      When the user resumes the Job
      Then the Job becomes resumed
      And eventually 1 pod is active, and stays so

    @BAS-031.6 @fault
    Scenario Outline: A Job is resumed although the next status write is <treated>
      Given a suspended Job with 2 completions and parallelism 2
      And the Job becomes suspended
      And the next update of the Job status is <treated>
      When the user resumes the Job
      And the fault has been triggered
      Then eventually the Job becomes resumed
      And the Job has started

      Examples:
        | case | treated           |
        | a    | answered with 500 |
        | b    | answered with 409 |

    @BAS-077.1
    Scenario: Events report the suspension and the resume of a Job
      Given a suspended Job with 2 completions and parallelism 2
      And the Job becomes suspended
      When the user resumes the Job
      Then the Job becomes resumed
      And exactly one Normal event Suspended says "Job suspended", and stays so
      And exactly one Normal event Resumed says "Job resumed", and stays so

    @BAS-084.1
    Scenario: A condition of a Job that changes has the time of its change
      Given a suspended Job with 2 completions and parallelism 2
      And the Job becomes suspended
      And 1 second passes
      And the user resumes the Job
      And the Job becomes resumed
      And 1 pod succeeds
      When the Job reports 1 succeeded pod
      Then for 2 seconds lastTransitionTime of each condition of the Job is the time of its last change

    @BAS-031.5
    Scenario: A Job that is suspended a second time has the startTime of its second resume
      Given a suspended Job with 1 completion and parallelism 1
      And the Job becomes suspended
      And the user resumes the Job
      And 1 pod is running
      And the user has suspended the Job
      And 1 second passes
      When the user resumes the Job
      Then the startTime of the Job is the time of its resume

    @BAS-031.7
    Scenario Outline: A Job is resumed after its parallelism was <changed>
      Given a Job with 4 completions and parallelism <before>
      And <before> pods are running
      And the user has suspended the Job
      And the Job reports 0 active pods
      And the Job is changed to parallelism <after>
      When the user resumes the Job
      Then the Job becomes resumed
      And <after> pods are active, and stays so

      Examples:
        | case | changed | before | after |
        | a    | raised  | 2      | 4     |
        | b    | lowered | 4      | 2     |

    @BAS-031.2
    Scenario: A Job that had started has a new startTime after its resume
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      And the user has suspended the Job
      And 1 second passes
      When the user resumes the Job
      Then 1 pod is active, and stays so
      And the startTime of the Job is the time of its resume

    @BAS-032.1
    Scenario: The status of a resumed Job that had started is accepted
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      And 1 second passes
      And the user has suspended the Job
      When the user resumes the Job
      Then the Job becomes resumed
      And the Job reports 1 active pod, and stays so

    @BAS-070.1
    Scenario: The pods of a resumed Job are created from the current pod template
      Given a suspended Job with 2 completions and parallelism 2
      And the Job becomes suspended
      And the user changes the labels, annotations and nodeSelector in the pod template of the Job
      When the user resumes the Job
      Then 2 pods are active, and stays so
      And every pod of the Job is made as its template says

    @BAS-082.1
    Scenario: The pods of a Job that ran before are created from the changed template
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And the user has suspended the Job
      And the Job reports 0 active pods
      And the user changes the labels, annotations and nodeSelector in the pod template of the Job
      When the user resumes the Job
      Then 2 pods are active, and stays so
      And every pod of the Job is made as its template says

  Rule: A Job that is being deleted is not suspended

    @BAS-038.1
    Scenario: No pod of a Job being deleted is deleted when it is suspended
      Given a Job with 4 completions, parallelism 2 and finalizer batchproof.dev/hold
      And 2 pods are running
      And the user deletes the Job
      When the user suspends the Job
      Then for 2 seconds 2 pods are active

  Rule: Each status of a Job is valid

    @BAS-073.1
    Scenario: No status of a Job that is suspended and resumed is rejected
      Given a Job with 3 completions and parallelism 2
      And deleted pods stay terminating
      And 2 pods are running and ready
      When the user suspends the Job
      And the Job becomes suspended
      And once the terminating pods end the Job reports 0 active and 0 terminating pods
      And once the user resumes the Job 2 pods are active
      Then no status write has been refused as invalid

  Rule: Counts survive suspension and resume

    @BAS-034.1
    Scenario: A resumed Job needs only the remaining completions
      Given a Job with 3 completions and parallelism 2
      And 1 pod succeeds
      And the Job reports 1 succeeded pod
      And the user has suspended the Job
      When the user resumes the Job
      And the Job becomes resumed
      And 2 pods succeed
      Then the Job completes with 3 succeeded pods, and stays so

    @BAS-034.2
    Scenario: A resumed Job keeps its count of successes
      Given a Job with 3 completions and parallelism 2
      And 1 pod succeeds
      And the Job reports 1 succeeded pod
      And the user has suspended the Job
      When the user resumes the Job
      Then the Job becomes resumed
      And the Job reports 1 succeeded pod, and stays so

    @BAS-034.3
    Scenario: A resumed Job keeps its count of failures
      Given a Job with 2 completions and parallelism 2
      And 1 pod fails
      And the Job reports 1 failed pod
      And the user has suspended the Job
      When the user resumes the Job
      And 2 pods succeed
      Then the Job completes with 2 succeeded pods, and stays so
      And the Job reports at least 1 failed pod, and stays so

    @BAS-034.4
    Scenario: A resumed Job keeps its completed indexes
      Given an Indexed Job with 4 completions and parallelism 4
      And the pods of indexes 0 and 1 succeed
      And the completed indexes of the Job are 0,1
      And the user has suspended the Job
      When the user resumes the Job
      And the Job has at least 2 active pods
      Then the active pods have the indexes 2 and 3, and stays so
      And the completed indexes of the Job are 0,1, and stays so

  Rule: A pod that finished before it could be deleted is counted

    @BAS-035.1
    Scenario: A Job that is suspended while its last pods finish completes
      Given a Job with 2 completions and parallelism 2
      And the Job reports 2 active pods
      And the implementation is killed
      And the user suspends the Job
      When 2 pods succeed
      And the implementation is started again
      Then the Job completes with 2 succeeded pods, and stays so

    @BAS-035.2
    Scenario: A pod that finishes while its Job is suspended is counted
      Given a Job with 2 completions and parallelism 2
      And the Job reports 2 active pods
      And the implementation is killed
      And the user suspends the Job
      When 1 pod succeeds
      And the implementation is started again
      Then the Job becomes suspended
      And the Job reports 1 succeeded pod, and stays so

  Rule: Suspension and resume survive a restart

    @BAS-037.1
    Scenario: A suspended Job stays suspended after a restart
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And the user has suspended the Job
      When the implementation is killed and started again
      Then for 2 seconds no more than 2 pods are created in all
      And the Job becomes suspended

    @BAS-037.2
    Scenario: The pods of a Job that is suspended while the controller is down are deleted
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And the implementation is killed
      And the user suspends the Job
      When the implementation is started again
      Then the Job becomes suspended
      And 0 pods are active
      And for 2 seconds no more than 2 pods are created in all

    @BAS-037.3
    Scenario: A resumed Job keeps its pods after a restart
      Given a suspended Job with 2 completions and parallelism 2
      And the Job becomes suspended
      And the user resumes the Job
      And 2 pods are running
      And the Job becomes resumed
      When the implementation is killed and started again
      Then for 2 seconds 2 pods are active
      And the Job becomes resumed
