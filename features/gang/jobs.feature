Feature: A Job whose pods are a gang runs to its end

  Rule: The remaining pods of a gang Job are scheduled after others have finished

    @GNG-079.1 @cap-GangJobs
    Scenario: A failed pod is replaced while the others run
      Given a node with 4 CPUs
      And gang Job a with minimum 4 and 4 completions is created
      And 4 pods of gang a are bound
      When 1 running pod of gang a fails
      Then 5 pods of gang a are bound, and stays so
      And for 2 seconds no pod of gang a that was bound is deleted

    @GNG-079.2 @cap-GangJobs
    Scenario: A failed pod is replaced after the others have succeeded
      Given a node with 4 CPUs
      And gang Job a with minimum 4 and 4 completions is created
      And 4 pods of gang a are bound
      And 3 running pods of gang a succeed
      When 1 running pod of gang a fails
      Then 5 pods of gang a are bound, and stays so

    @GNG-079.3 @cap-GangJobs
    Scenario: The last pod of a Job is bound after the others have succeeded
      Given a node with 4 CPUs
      And gang Job a with minimum 4 and 5 completions is created
      And 4 pods of gang a are bound
      When 4 running pods of gang a succeed
      Then 5 pods of gang a are bound, and stays so

    @GNG-079.4 @cap-GangJobs
    Scenario: The pods of a resumed Job are bound after others have succeeded
      Given a node with 4 CPUs
      And gang Job a with minimum 4 and 4 completions is created
      And 4 pods of gang a are bound
      And 2 running pods of gang a succeed
      And the user suspends the Job
      And 0 pods are active
      When the user resumes the Job
      Then 6 pods of gang a are bound, and stays so

  Rule: A Job has a Workload and a PodGroup before its first pod

    @GNG-073.1 @cap-JobWorkloads
    Scenario: A gang Job has a Workload and a PodGroup before its first pod
      When a Job whose pods are a gang is created with 4 completions and parallelism 2
      Then 2 pods are active, and stays so
      And the Job has one Workload and one PodGroup
      And no pod was requested before there were a Workload and a PodGroup

    @GNG-073.2 @cap-JobWorkloads
    Scenario: A Job without a gang policy has a basic Workload and PodGroup
      When a Job is created with 2 completions and parallelism 2
      Then 2 pods are active, and stays so
      And the Job has one Workload and one PodGroup
      And the Workload and the PodGroup of the Job require no gang
      And no pod was requested before there were a Workload and a PodGroup

    @GNG-073.3 @cap-JobWorkloads
    Scenario: A Job created suspended has a Workload and a PodGroup before its first pod
      Given a suspended Job with 2 completions and parallelism 2
      And the Job becomes suspended
      When the user resumes the Job
      Then 2 pods are active, and stays so
      And the Job has one Workload and one PodGroup
      And no pod was requested before there were a Workload and a PodGroup

    @GNG-073.4 @cap-JobWorkloads @fault
    Scenario: A Workload whose creation response was lost is not created again
      Given the next Workload creation is applied but its reply is lost
      When a Job whose pods are a gang is created with 2 completions and parallelism 2
      Then eventually 2 pods are active, and stays so
      And the Job has one Workload and one PodGroup
      And the Job has had one Workload only, and has it still

    @GNG-073.5 @cap-JobWorkloads @fault
    Scenario: A PodGroup whose creation response was lost is not created again
      Given the next native PodGroup creation is applied but its reply is lost
      When a Job whose pods are a gang is created with 2 completions and parallelism 2
      Then eventually 2 pods are active, and stays so
      And the Job has one Workload and one PodGroup

    @GNG-073.6 @cap-JobWorkloads
    Scenario: A Job that a CronJob controls has a Workload and a PodGroup of its own
      When a Job of a CronJob whose pods are a gang is created with 4 completions and parallelism 2
      Then 2 pods are active, and stays so
      And the Job has one Workload and one PodGroup
      And no pod was requested before there were a Workload and a PodGroup
      And every pod of the Job is in its PodGroup, as GNG-074 requires

    # No garbage collector runs: the Workload and the PodGroup of the former Job are still there.
    @GNG-073.7 @cap-JobWorkloads
    Scenario: A Job with the name of a former one has a Workload and a PodGroup of its own
      Given a Job whose pods are a gang is created with 2 completions and parallelism 2
      And 2 pods are active
      And the user deletes the Job
      And the Job is gone
      When a Job whose pods are a gang is created with 2 completions and parallelism 2
      Then 2 pods are active, and stays so
      And the Job has one Workload and one PodGroup
      And every pod of the Job is in its PodGroup, as GNG-074 requires

    @GNG-073.8 @cap-JobWorkloads
    Scenario: A Job has groups of its own while pods of a former one of its name terminate
      Given a Job whose pods are a gang is created with 2 completions and parallelism 2
      And 2 pods are active
      And deleted pods stay terminating
      And the user deletes the pods of the Job
      And the user deletes the Job
      When a Job whose pods are a gang is created with 2 completions and parallelism 2
      Then the Job has one Workload and one PodGroup
      And every pod of the Job is in its PodGroup, as GNG-074 requires

    @GNG-073.10 @cap-JobWorkloads
    Scenario: A Job has its own groups while a Workload of a former Job is being deleted
      Given a Job whose pods are a gang is created with 2 completions and parallelism 2
      And 2 pods are active
      And another client deletes the Workload of the Job, which a finalizer holds
      And the user deletes the Job
      And the Job is gone
      When a Job whose pods are a gang is created with 2 completions and parallelism 2
      Then the Job has one Workload and one PodGroup
      And every pod of the Job is in its PodGroup, as GNG-074 requires

    @GNG-073.9 @cap-JobWorkloads @fault
    Scenario Outline: A Job has groups of its own after a former one of its name, <view> delayed
      Given a Job whose pods are a gang is created with 2 completions and parallelism 2
      And 2 pods are active
      And the implementation's view of <view> is stale
      And the user deletes the Job
      And a Job whose pods are a gang is created with 2 completions and parallelism 2
      And <gap>
      When the view of <view> catches up
      Then eventually the Job has one Workload and one PodGroup, and stays so

      Examples:
        | case | view      | gap                                             |
        | a    | jobs      | 1 second passes                                 |
        | b    | jobs      | the server ends the watches of jobs with 410    |
        | c    | workloads | 1 second passes                                 |
        | d    | workloads | the server ends the watches of workloads with 410 |

  Rule: Each pod of a Job is in its PodGroup

    @GNG-074.1 @cap-JobWorkloads
    Scenario: The first pods of a Job are in its PodGroup
      When a Job whose pods are a gang is created with 4 completions and parallelism 3
      Then 3 pods are active, and stays so
      And every pod of the Job is in its PodGroup

    @GNG-074.2 @cap-JobWorkloads
    Scenario: A pod that is created for raised parallelism is in the PodGroup
      Given a Job whose pods are a gang of 2 is created with 4 completions and parallelism 2
      And 2 pods are active
      When the Job is changed to parallelism 4
      Then 4 pods are active, and stays so
      And every pod of the Job is in its PodGroup

    @GNG-074.3 @cap-JobWorkloads @fault
    Scenario: A pod that is created after a restart is in the PodGroup
      Given a Job whose pods are a gang of 2 is created with 4 completions and parallelism 2
      And 2 pods are active
      And the implementation is killed and started again
      When the Job is changed to parallelism 4
      Then eventually 4 pods are active, and stays so
      And every pod of the Job is in its PodGroup

  Rule: Each pod of a Job is owned by its PodGroup

    @GNG-091.1 @cap-JobWorkloads
    Scenario: The pods of a gang Job are owned by its PodGroup
      When a Job whose pods are a gang is created with 4 completions and parallelism 3
      Then 3 pods are active, and stays so
      And every pod of the Job is owned by its PodGroup, and controlled by the Job alone

  Rule: The minimum of the group is that of the Job

    @GNG-075.1 @cap-JobWorkloads
    Scenario: The minimum defaults to the parallelism
      When a Job whose pods are a gang is created with 4 completions and parallelism 3
      Then the Workload and the PodGroup of the Job require 3 pods, and stays so

    @GNG-075.2 @cap-JobWorkloads
    Scenario: A minimum that is unset follows the parallelism
      Given a Job whose pods are a gang is created with 4 completions and parallelism 2
      And the Workload and the PodGroup of the Job require 2 pods
      When the Job is changed to parallelism 4
      Then the Workload and the PodGroup of the Job require 4 pods
      And for 2 seconds the Workload and the PodGroup of the Job require 4 pods

    @GNG-075.3 @cap-JobWorkloads
    Scenario: A minimum that is set does not follow the parallelism
      Given a Job whose pods are a gang of 2 is created with 4 completions and parallelism 3
      And the Workload and the PodGroup of the Job require 2 pods
      When the Job is changed to parallelism 4
      Then 4 pods are active, and stays so
      And the Workload and the PodGroup of the Job require 2 pods, and stays so

    @GNG-075.4 @cap-JobWorkloads
    Scenario: A minimum that the user changes is applied
      Given a Job whose pods are a gang of 2 is created with 4 completions and parallelism 3
      And the Workload and the PodGroup of the Job require 2 pods
      When the user changes the minimum of the Job to 3
      Then the Workload and the PodGroup of the Job require 3 pods, and stays so

    @GNG-075.5 @cap-JobWorkloads @fault
    Scenario Outline: An update of the minimum of the <object> is retried if <answered>
      Given a Job whose pods are a gang is created with 4 completions and parallelism 2
      And the Workload and the PodGroup of the Job require 2 pods
      And 2 pods are active
      And the next update of the <object> is <answered>
      When the Job is changed to parallelism 4
      Then eventually the Workload and the PodGroup of the Job require 4 pods, and stays so

      Examples:
        | case | object          | answered                      |
        | a    | Workload        | answered with 500             |
        | b    | native PodGroup | answered with 500             |
        | c    | Workload        | answered with 409             |
        | d    | native PodGroup | answered with 409             |
        | e    | Workload        | applied but its reply is lost |
        | f    | native PodGroup | applied but its reply is lost |

    @GNG-075.8 @cap-JobWorkloads
    Scenario: A gang Job with parallelism 0 has groups, and pods once it is raised
      Given a Job whose pods are a gang is created with 4 completions and parallelism 0
      And the Workload and the PodGroup of the Job require 1 pod
      And 0 pods have been created in all
      When the Job is changed to parallelism 2
      Then 2 pods are active, and stays so
      And the Workload and the PodGroup of the Job require 2 pods, and stays so

    @GNG-075.9 @cap-JobWorkloads
    Scenario: A gang Job that is lowered to parallelism 0 has no pods
      Given a Job whose pods are a gang is created with 4 completions and parallelism 2
      And 2 pods are active
      When the Job is changed to parallelism 0
      Then 0 pods are active, and stays so
      And the Workload and the PodGroup of the Job require 1 pod, and stays so

    @GNG-075.6 @cap-JobWorkloads
    Scenario: A minimum that another client changed in the Workload is restored
      Given a Job whose pods are a gang is created with 4 completions and parallelism 3
      And the Workload and the PodGroup of the Job require 3 pods
      And another client changes the minimum in the Workload of the Job to 2
      When 1 pod is running
      Then eventually the Workload and the PodGroup of the Job require 3 pods, and stays so

    @GNG-075.7 @cap-JobWorkloads
    Scenario: A minimum follows the parallelism after another client marked the Workload
      Given a Job whose pods are a gang is created with 4 completions and parallelism 2
      And the Workload and the PodGroup of the Job require 2 pods
      And another client annotates and labels the Workload of the Job
      When the Job is changed to parallelism 4
      Then eventually the Workload and the PodGroup of the Job require 4 pods, and stays so

  Rule: A Job without its Workload and its PodGroup has no pods

    @GNG-076.1 @cap-JobWorkloads @fault
    Scenario Outline: No pod is created while <object> creations fail with <status>
      Given <object> creations are answered with <status>
      When a Job whose pods are a gang is created with 2 completions and parallelism 2
      And the fault has been triggered
      Then for 2 seconds no more than 0 pods are created in all
      And once the faults end 2 pods are active
      And the Job has one Workload and one PodGroup
      And every pod of the Job is in its PodGroup, as GNG-074 requires

      Examples:
        | case | object          | status |
        | a    | Workload        | 500    |
        | b    | Workload        | 403    |
        | c    | native PodGroup | 500    |
        | d    | native PodGroup | 403    |

  Rule: A Job whose Workload or PodGroup cannot be updated is still managed

    @GNG-096.1 @cap-JobWorkloads @fault
    Scenario Outline: A success is counted while updates of the <object> are answered with <status>
      Given a Job whose pods are a gang is created with 4 completions and parallelism 2
      And the Workload and the PodGroup of the Job require 2 pods
      And 2 pods are running
      And updates of <object>s are answered with <status>
      And the Job is changed to parallelism 3
      When 1 pod succeeds
      Then the Job reports 1 succeeded pod
      And no finished pod of the Job has the tracking finalizer

      Examples:
        | case | object          | status |
        | a    | Workload        | 403    |
        | b    | Workload        | 500    |
        | c    | native PodGroup | 403    |
        | d    | native PodGroup | 500    |

    @GNG-096.2 @cap-JobWorkloads @fault
    Scenario Outline: A Job is suspended while updates of its <object> are answered with 403
      Given a Job whose pods are a gang is created with 4 completions and parallelism 2
      And the Workload and the PodGroup of the Job require 2 pods
      And 2 pods are running
      And updates of <object>s are answered with 403
      And the Job is changed to parallelism 3
      When the user suspends the Job
      Then 0 pods are active, and stays so
      And the Job becomes suspended

      Examples:
        | case | object          |
        | a    | Workload        |
        | b    | native PodGroup |

    @GNG-096.3 @cap-JobWorkloads @fault
    Scenario Outline: A deadline is enforced while updates of the <object> are answered with 403
      Given a Job whose pods are a gang is created with 4 completions and parallelism 2
      And the Workload and the PodGroup of the Job require 2 pods
      And 2 pods are running
      And updates of <object>s are answered with 403
      And the Job is changed to parallelism 3
      When the Job is changed to activeDeadlineSeconds 1
      Then the Job fails by its deadline
      And 0 pods are active, and stays so

      Examples:
        | case | object          |
        | a    | Workload        |
        | b    | native PodGroup |

  Rule: A Job keeps its Workload

    @GNG-077.1 @cap-JobWorkloads
    Scenario: A Job that is suspended and resumed keeps its Workload
      Given a Job whose pods are a gang is created with 4 completions and parallelism 2
      And 2 pods are active
      And the user suspends the Job
      And 0 pods are active
      When the user resumes the Job
      Then 2 pods are active, and stays so
      And the Job has had one Workload only, and has it still
      And every pod of the Job is in its PodGroup, as GNG-074 requires

    @GNG-077.2 @cap-JobWorkloads @fault
    Scenario: The Workload survives a restart of the controller
      Given a Job whose pods are a gang is created with 4 completions and parallelism 2
      And 2 pods are active
      And the implementation is killed and started again
      When the Job is changed to parallelism 3
      Then eventually 3 pods are active, and stays so
      And the Job has had one Workload only, and has it still
      And the Job has one Workload and one PodGroup

    @GNG-077.3 @cap-JobWorkloads @fault
    Scenario Outline: A <object> that was created before a restart is not created again
      Given the implementation is killed just after its 1st <object> creation and started again
      When a Job whose pods are a gang is created with 2 completions and parallelism 2
      Then eventually 2 pods are active, and stays so
      And the Job has had one Workload only, and has it still
      And the Job has one Workload and one PodGroup
      And every pod of the Job is in its PodGroup, as GNG-074 requires

      Examples:
        | case | object          |
        | a    | Workload        |
        | b    | native PodGroup |

  Rule: The Job controller creates no groups for pods that have another owner of groups

    @GNG-078.1 @cap-JobWorkloads
    Scenario: A Job whose pod template names a group has no group of its own
      When a Job whose pod template names a group is created with 2 completions and parallelism 2
      And 2 pods are active
      Then for 2 seconds no Workload or PodGroup has been made for the Job
      And every pod of the Job is made as its template says

    @GNG-078.2 @cap-JobWorkloads
    Scenario: A Job that a parent controls has no Workload and no PodGroup
      When a Job of a parent is created with 2 completions and parallelism 2
      And 2 pods are active
      Then for 2 seconds no Workload or PodGroup has been made for the Job
      And every pod of the Job is in no group

    @GNG-078.3 @cap-JobWorkloads
    Scenario: A Job with a template in its parent's Workload has only a PodGroup
      When a Job of a parent, with a template in its Workload, is created with 2 completions and parallelism 2
      And 2 pods are active
      Then the Job has no Workload, and one PodGroup of Workload parent
      And every pod of the Job is in its PodGroup

    @GNG-078.4 @cap-JobWorkloads @fault
    Scenario: A Job that is observed before its parent's Workload has a PodGroup of it
      Given workloads are seen 1 seconds late
      When a Job of a parent, with a template in its Workload, is created with 2 completions and parallelism 2
      And 2 pods are active
      Then the Job has no Workload, and one PodGroup of Workload parent
      And every pod of the Job is in its PodGroup

    @GNG-078.5 @cap-JobWorkloads
    Scenario: Two Jobs with one template of their parent's Workload have a PodGroup each
      Given a Job a of a parent, with a template in its Workload, is created with 2 completions and parallelism 2
      When a Job b of a parent, with a template in its Workload, is created with 2 completions and parallelism 2
      Then Job a has no Workload, and one PodGroup of Workload parent
      And Job b has no Workload, and one PodGroup of Workload parent
      And every pod of Job a is in its PodGroup
      And every pod of Job b is in its PodGroup
