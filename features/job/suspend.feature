Feature: A Job is suspended and resumed
  A suspended Job has no active pods. What was counted stays counted; what was not finished begins anew after
  the resume.

  Rule: A Job that is suspended from its creation on has not started

    @BAS-028
    Scenario: A Job created suspended creates no pods and has not started
      Given a suspended Job with 2 completions and parallelism 2
      Then for 2 seconds no more than 0 pods are created in all
      And the Job becomes suspended
      And the Job reports 0 active pods
      And the Job has no startTime

    @BAS-036
    Scenario: A suspended Job that needs no completions is Complete
      Given a suspended Job with 0 completions and parallelism 0
      Then the Job completes with 0 succeeded pods, and stays so

  Rule: Suspending a Job takes its pods away without counting them

    @BAS-029
    Scenario: Suspending a running Job deletes all its active pods
      Given a Job with 3 completions and parallelism 3
      And 3 pods are running
      When the user suspends the Job
      Then the Job becomes suspended
      And 0 pods are active, and stays so
      And the Job reports 0 active pods, and stays so

    @BAS-030
    Scenario: Pods deleted by a suspension are not failures
      Given a Job with 2 completions, parallelism 2 and backoffLimit 0
      And 2 pods are running
      When the user suspends the Job
      Then the Job becomes suspended
      And for 2 seconds the Job reports 0 failed pods
      And once the user resumes the Job 2 pods are active

    @BAS-033
    Scenario: A suspended Job that had started has no startTime
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      When the user suspends the Job
      Then the Job becomes suspended
      And the Job has no startTime

  Rule: Resuming a Job starts it anew

    @BAS-031
    Scenario: A resumed Job has its pods and a new startTime
      Given a suspended Job with 2 completions and parallelism 2
      And the Job becomes suspended
      When the user resumes the Job
      Then the Job becomes resumed
      And 2 pods are active, and stays so
      And the startTime of the Job is not before it was resumed

    @BAS-077
    Scenario: That a Job is suspended and resumed is told
      Given a suspended Job with 2 completions and parallelism 2
      And the Job becomes suspended
      When the user resumes the Job
      Then the Job becomes resumed
      And exactly one Normal event Suspended says "Job suspended"
      And exactly one Normal event Resumed says "Job resumed"

    @BAS-031
    Scenario: A Job that had started before has the startTime of its resume
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      And the user has suspended the Job
      And 1 second passes
      When the user resumes the Job
      Then 1 pod is active, and stays so
      And the startTime of the Job is not before it was resumed

    @BAS-032
    Scenario: The status of a Job that is resumed after it had started is written
      Given a Job with 1 completion and parallelism 1
      And 1 pod is running
      And 1 second passes
      And the user has suspended the Job
      When the user resumes the Job
      Then the Job becomes resumed
      And the Job reports 1 active pod, and stays so

    @BAS-070
    Scenario: The pods of a resumed Job are made as its template says by then
      Given a suspended Job with 2 completions and parallelism 2
      And the Job becomes suspended
      And the user changes the labels, annotations and nodeSelector in the pod template of the Job
      When the user resumes the Job
      Then 2 pods are active, and stays so
      And every pod of the Job is made as its template says

  Rule: A Job that is being deleted is not suspended

    @BAS-038
    Scenario: A Job being deleted loses no pod when it is suspended
      Given a Job with 4 completions, parallelism 2 and finalizer batchproof.dev/hold
      And 2 pods are running
      And the user deletes the Job
      When the user suspends the Job
      Then for 2 seconds 2 pods are active

  Rule: Whatever becomes of a Job, its status is valid

    @BAS-073
    Scenario: No status of a Job that is suspended and resumed is refused
      Given a Job with 3 completions and parallelism 2
      And deleted pods stay terminating
      And 2 pods are running and ready
      When the user suspends the Job
      Then the Job becomes suspended
      And once the terminating pods end the Job reports 0 active and 0 terminating pods
      And once the user resumes the Job 2 pods are active, and stays so
      And no status write has been refused as invalid

  Rule: What was counted stays counted

    @BAS-034
    Scenario: A resumed Job needs only the completions that are left
      Given a Job with 3 completions and parallelism 2
      And 1 pod succeeds
      And the Job reports 1 succeeded pod
      And the user has suspended the Job
      When the user resumes the Job
      And the Job becomes resumed
      And 2 pods succeed
      Then the Job completes with 3 succeeded pods, and stays so

    @BAS-034
    Scenario: A Job with a success is resumed with its count
      Given a Job with 3 completions and parallelism 2
      And 1 pod succeeds
      And the Job reports 1 succeeded pod
      And the user has suspended the Job
      When the user resumes the Job
      Then the Job becomes resumed
      And the Job reports 1 succeeded pod, and stays so

    @BAS-034
    Scenario: A resumed Job keeps its count of failures
      Given a Job with 2 completions and parallelism 2
      And 1 pod fails
      And the Job reports 1 failed pod
      And the user has suspended the Job
      When the user resumes the Job
      And 2 pods succeed
      Then the Job completes with 2 succeeded pods, and stays so
      And the Job reports at least 1 failed pod, and stays so

    @BAS-034
    Scenario: Completed indexes stay completed after a resume
      Given an Indexed Job with 4 completions and parallelism 4
      And the pods of indexes 0 and 1 succeed
      And the completed indexes of the Job are 0,1
      And the user has suspended the Job
      When the user resumes the Job
      And the Job has at least 2 active pods
      Then the active pods have the indexes 2 and 3, and stays so
      And the completed indexes of the Job are 0,1, and stays so

  Rule: A pod that had finished before its Job could take it away is counted

    @BAS-035
    Scenario: A Job that was suspended while its last pods finished is Complete
      Given a Job with 2 completions and parallelism 2
      And the Job reports 2 active pods
      And the implementation is killed
      And the user suspends the Job
      When 2 pods succeed
      And the implementation is started again
      Then the Job completes with 2 succeeded pods, and stays so

    @BAS-035
    Scenario: A pod that finished while its Job was suspended is counted
      Given a Job with 2 completions and parallelism 2
      And the Job reports 2 active pods
      And the implementation is killed
      And the user suspends the Job
      When 1 pod succeeds
      And the implementation is started again
      Then the Job becomes suspended
      And the Job reports 1 succeeded pod, and stays so

  Rule: Suspension and resume survive a restart

    @BAS-037
    Scenario: A suspended Job stays suspended when the implementation is restarted
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And the user has suspended the Job
      When the implementation is killed and started again
      Then for 2 seconds no more than 2 pods are created in all
      And the Job becomes suspended

    @BAS-037
    Scenario: A Job suspended while the implementation is down loses its pods
      Given a Job with 2 completions and parallelism 2
      And 2 pods are running
      And the implementation is killed
      And the user suspends the Job
      When the implementation is started again
      Then the Job becomes suspended
      And 0 pods are active
      And for 2 seconds no more than 2 pods are created in all

    @BAS-037
    Scenario: A resumed Job keeps its pods when the implementation is restarted
      Given a suspended Job with 2 completions and parallelism 2
      And the Job becomes suspended
      And the user resumes the Job
      And 2 pods are running
      And the Job becomes resumed
      When the implementation is killed and started again
      Then for 2 seconds 2 pods are active
      And the Job becomes resumed
