Feature: A Job whose pods are a gang runs to its end

  Rule: What is left of a gang Job is scheduled when others of its pods have ended

    @GNG-079 @cap-GangJobs
    Scenario: A failed pod is replaced while the others run
      Given a node with 4 CPUs
      And gang Job a with minimum 4 and 4 completions is created
      And 4 pods of gang a are bound
      When 1 running pod of gang a fails
      Then 5 pods of gang a are bound, and stays so
      And for 2 seconds no pod of gang a that was bound is deleted

    @GNG-079 @cap-GangJobs
    Scenario: A failed pod is replaced after the others have succeeded
      Given a node with 4 CPUs
      And gang Job a with minimum 4 and 4 completions is created
      And 4 pods of gang a are bound
      And 3 running pods of gang a succeed
      When 1 running pod of gang a fails
      Then 5 pods of gang a are bound, and stays so

    @GNG-079 @cap-GangJobs
    Scenario: The last pod of a Job is bound after the others have succeeded
      Given a node with 4 CPUs
      And gang Job a with minimum 4 and 5 completions is created
      And 4 pods of gang a are bound
      When 4 running pods of gang a succeed
      Then 5 pods of gang a are bound, and stays so

  Rule: A Job has a Workload and a PodGroup, and pods only then

    @GNG-073 @cap-JobWorkloads
    Scenario: A gang Job has both before its first pod
      When a Job whose pods are a gang is created with 4 completions and parallelism 2
      Then 2 pods are active, and stays so
      And the Job has one Workload and one PodGroup
      And no pod was asked for before there were a Workload and a PodGroup

    @GNG-073 @cap-JobWorkloads
    Scenario: A Job that asks for no gang has both too
      When a Job is created with 2 completions and parallelism 2
      Then 2 pods are active, and stays so
      And the Job has one Workload and one PodGroup
      And the Workload and the PodGroup of the Job ask for no gang
      And no pod was asked for before there were a Workload and a PodGroup

    @GNG-073 @cap-JobWorkloads
    Scenario: A Job that was created suspended has both before its first pod
      Given a suspended Job with 2 completions and parallelism 2
      And the Job becomes suspended
      When the user resumes the Job
      Then 2 pods are active, and stays so
      And the Job has one Workload and one PodGroup
      And no pod was asked for before there were a Workload and a PodGroup

    @GNG-073 @cap-JobWorkloads @fault
    Scenario: A Workload whose creation was not heard of is not made again
      Given the next Workload creation is carried out but its reply is lost
      When a Job whose pods are a gang is created with 2 completions and parallelism 2
      Then in the end 2 pods are active, and stays so
      And the Job has one Workload and one PodGroup
      And the Job has had one Workload only, and has it still

    @GNG-073 @cap-JobWorkloads @fault
    Scenario: A PodGroup whose creation was not heard of is not made again
      Given the next native PodGroup creation is carried out but its reply is lost
      When a Job whose pods are a gang is created with 2 completions and parallelism 2
      Then in the end 2 pods are active, and stays so
      And the Job has one Workload and one PodGroup

  Rule: Each pod of a Job is in its PodGroup

    @GNG-074 @cap-JobWorkloads
    Scenario: The pods that a Job begins with are in its PodGroup
      When a Job whose pods are a gang is created with 4 completions and parallelism 3
      Then 3 pods are active, and stays so
      And every pod of the Job is in its PodGroup

    @GNG-074 @cap-JobWorkloads
    Scenario: A pod that is made for more parallelism is in the PodGroup
      Given a Job whose pods are a gang of 2 is created with 4 completions and parallelism 2
      And 2 pods are active
      When the Job is changed to parallelism 4
      Then 4 pods are active, and stays so
      And every pod of the Job is in its PodGroup

    @GNG-074 @cap-JobWorkloads @fault
    Scenario: A pod that is made by the next process is in the PodGroup
      Given a Job whose pods are a gang of 2 is created with 4 completions and parallelism 2
      And 2 pods are active
      And the implementation is killed and started again
      When the Job is changed to parallelism 4
      Then in the end 4 pods are active, and stays so
      And every pod of the Job is in its PodGroup

  Rule: Each pod of a Job is owned by its PodGroup

    @GNG-091 @cap-JobWorkloads
    Scenario: The pods of a gang Job are owned by its PodGroup
      When a Job whose pods are a gang is created with 4 completions and parallelism 3
      Then 3 pods are active, and stays so
      And every pod of the Job is owned by its PodGroup, and controlled by the Job alone

  Rule: The minimum of the group is that of the Job

    @GNG-075 @cap-JobWorkloads
    Scenario: A minimum that is not said is the parallelism
      When a Job whose pods are a gang is created with 4 completions and parallelism 3
      Then the Workload and the PodGroup of the Job ask for 3 pods, and stays so

    @GNG-075 @cap-JobWorkloads
    Scenario: A minimum that is not said follows the parallelism
      Given a Job whose pods are a gang is created with 4 completions and parallelism 2
      And the Workload and the PodGroup of the Job ask for 2 pods
      When the Job is changed to parallelism 4
      Then the Workload and the PodGroup of the Job ask for 4 pods
      And for 2 seconds the Workload and the PodGroup of the Job ask for 4 pods

    @GNG-075 @cap-JobWorkloads
    Scenario: A minimum that is said holds whatever the parallelism is
      Given a Job whose pods are a gang of 2 is created with 4 completions and parallelism 3
      And the Workload and the PodGroup of the Job ask for 2 pods
      When the Job is changed to parallelism 4
      Then 4 pods are active, and stays so
      And the Workload and the PodGroup of the Job ask for 2 pods, and stays so

    @GNG-075 @cap-JobWorkloads
    Scenario: A minimum that the user changes is taken over
      Given a Job whose pods are a gang of 2 is created with 4 completions and parallelism 3
      And the Workload and the PodGroup of the Job ask for 2 pods
      When the user changes the minimum of the Job to 3
      Then the Workload and the PodGroup of the Job ask for 3 pods, and stays so

    @GNG-075 @cap-JobWorkloads @fault
    Scenario Outline: A change of the minimum that is refused at first is made again
      Given a Job whose pods are a gang is created with 4 completions and parallelism 2
      And the Workload and the PodGroup of the Job ask for 2 pods
      And the next update of the <object> is answered with 500
      When the Job is changed to parallelism 4
      Then in the end the Workload and the PodGroup of the Job ask for 4 pods, and stays so

      Examples:
        | object          |
        | Workload        |
        | native PodGroup |

  Rule: Without its Workload and its PodGroup a Job has no pods

    @GNG-076 @cap-JobWorkloads @fault
    Scenario Outline: No pod is made while the Workload or the PodGroup is refused
      Given <object> creations are answered with <status>
      When a Job whose pods are a gang is created with 2 completions and parallelism 2
      And the fault has struck
      Then for 2 seconds no more than 0 pods are created in all
      And once the faults end 2 pods are active
      And the Job has one Workload and one PodGroup
      And every pod of the Job is in its PodGroup

      Examples:
        | object          | status |
        | Workload        | 500    |
        | Workload        | 403    |
        | native PodGroup | 500    |
        | native PodGroup | 403    |

  Rule: A Job keeps its Workload

    @GNG-077 @cap-JobWorkloads
    Scenario: A Job that is suspended and resumed keeps its Workload
      Given a Job whose pods are a gang is created with 4 completions and parallelism 2
      And 2 pods are active
      And the user suspends the Job
      And 0 pods are active
      When the user resumes the Job
      Then 2 pods are active, and stays so
      And the Job has had one Workload only, and has it still
      And every pod of the Job is in its PodGroup

    @GNG-077 @cap-JobWorkloads @fault
    Scenario: The next process keeps the Workload
      Given a Job whose pods are a gang is created with 4 completions and parallelism 2
      And 2 pods are active
      And the implementation is killed and started again
      When the Job is changed to parallelism 3
      Then in the end 3 pods are active, and stays so
      And the Job has had one Workload only, and has it still
      And the Job has one Workload and one PodGroup

    @GNG-077 @cap-JobWorkloads @fault
    Scenario Outline: What the last process made is not made again
      Given the implementation is killed just after its 1st <object> creation and started again
      When a Job whose pods are a gang is created with 2 completions and parallelism 2
      Then in the end 2 pods are active, and stays so
      And the Job has had one Workload only, and has it still
      And the Job has one Workload and one PodGroup
      And every pod of the Job is in its PodGroup

      Examples:
        | object          |
        | Workload        |
        | native PodGroup |

  Rule: What somebody else makes is not made by the Job controller

    @GNG-078 @cap-JobWorkloads
    Scenario: A Job whose pods are in a group already has none of its own
      When a Job whose pod template names a group is created with 2 completions and parallelism 2
      Then 2 pods are active
      And for 2 seconds no Workload or PodGroup has been made for the Job
      And every pod of the Job is made as its template says

    @GNG-078 @cap-JobWorkloads
    Scenario: A Job that a parent controls has no Workload and no PodGroup
      When a Job of a parent is created with 2 completions and parallelism 2
      Then 2 pods are active
      And for 2 seconds no Workload or PodGroup has been made for the Job
      And every pod of the Job is in no group

    @GNG-078 @cap-JobWorkloads
    Scenario: A Job whose parent leaves the PodGroup to it makes only that
      When a Job of a parent, with a template in its Workload, is created with 2 completions and parallelism 2
      Then 2 pods are active, and stays so
      And the Job has no Workload, and one PodGroup of Workload parent
      And every pod of the Job is in its PodGroup

    @GNG-078 @cap-JobWorkloads @fault
    Scenario: A Job that is seen before the Workload of its parent has a PodGroup of it
      Given workloads are seen 1 seconds late
      When a Job of a parent, with a template in its Workload, is created with 2 completions and parallelism 2
      Then 2 pods are active, and stays so
      And the Job has no Workload, and one PodGroup of Workload parent
      And every pod of the Job is in its PodGroup
