Feature: What a Volcano Job needs is made before its pods

  Rule: The PodGroup asks for what the Volcano Job asks for

    @VOL-002
    Scenario: The PodGroup says how many pods of each task are needed
      Given a Volcano Job of 2 pods of task ps and 3 pods of task worker of which 1 must succeed with minAvailable 3
      Then the PodGroup of the Volcano Job needs 2 pods of task ps
      And the PodGroup of the Volcano Job needs 1 pod of task worker

    @VOL-002
    Scenario: The PodGroup has the labels of the Volcano Job
      Given a Volcano Job of 1 pod with minAvailable 1 and the label colour
      Then the PodGroup of the Volcano Job has the label colour

    @VOL-003
    Scenario: The PodGroup asks for what the minimum needs
      Given a Volcano Job of 3 pods asking for 2 CPUs with minAvailable 2
      Then the PodGroup of the Volcano Job asks for 4 CPUs

    @VOL-003
    Scenario: The pods of a task with a higher priority come first
      Given a Volcano Job of 2 pods of task small of low priority asking for 1 CPU and 2 pods of task big of high priority asking for 4 CPUs with minAvailable 2
      Then the PodGroup of the Volcano Job asks for 8 CPUs

    @VOL-003
    Scenario: What every task needs comes before all else
      Given a Volcano Job of 2 pods of task big of high priority asking for 4 CPUs of which 1 must succeed and 2 pods of task small of low priority asking for 1 CPU of which 1 must succeed with minAvailable 2
      Then the PodGroup of the Volcano Job asks for 5 CPUs

    @VOL-005 @fault
    Scenario: A PodGroup that is let in when it is first seen starts the pods
      Given the implementation's view of podgroups is frozen
      And a Volcano Job of 2 pods with minAvailable 2
      And the scheduler lets its PodGroup in
      And the server ends the watches of podgroups with 410
      When the view of podgroups catches up
      Then in the end the Volcano Job has 2 pods, and stays so

  Rule: There has to be a queue

    @VOL-008
    Scenario: A Volcano Job in a queue that does not exist gets no pod
      Given the scheduler lets every PodGroup in
      When the user asks for a Volcano Job in a queue that does not exist
      Then for 2 seconds the Volcano Job has 0 pods

  Rule: Volumes are claimed

    @VOL-007
    Scenario: A volume is claimed for the Volcano Job
      Given a Volcano Job of 1 pod with minAvailable 1 and a volume
      When the scheduler lets its PodGroup in
      Then the Volcano Job has 1 pod, and stays so
      And the Volcano Job has a PersistentVolumeClaim of its own that its pods mount
      And the Volcano Job lists its PersistentVolumeClaim as its own

    @VOL-007
    Scenario: A Volcano Job waits for the claim that it names
      Given the scheduler lets every PodGroup in
      When a Volcano Job of 1 pod with minAvailable 1 and the volume data
      Then an event PVCError of the Volcano Job names data
      And for 2 seconds the Volcano Job has 0 pods
      And now the Volcano Job is Pending

    @VOL-007
    Scenario: A Volcano Job starts when the claim that it names is there
      Given the scheduler lets every PodGroup in
      And a Volcano Job of 1 pod with minAvailable 1 and the volume data
      And an event PVCError of the Volcano Job names data
      When the user creates the PersistentVolumeClaim data
      Then in the end the Volcano Job has 1 pod, and stays so

  Rule: What could not be created is created later

    @VOL-012 @fault
    Scenario Outline: A pod that was refused is created later
      Given the <nth> pod creation is answered with 500
      And a Volcano Job of <pods> with minAvailable 1
      When the scheduler lets its PodGroup in
      Then in the end the Volcano Job has <pods>
      And for 2 seconds the Volcano Job has <pods>

      Examples:
        | nth | pods   |
        | 1st | 1 pod  |
        | 2nd | 4 pods |

    @VOL-012 @fault
    Scenario: Replies to creations of pods of a Volcano Job are lost
      Given every 2nd pod creation is carried out but its reply is lost
      And a Volcano Job of 4 pods with minAvailable 4
      When the scheduler lets its PodGroup in
      Then in the end the Volcano Job has 4 pods, and stays so

    @VOL-012 @fault
    Scenario: The controller is killed while it makes pods of a Volcano Job
      Given the implementation is killed just after its 2nd pod creation and started again
      And a Volcano Job of 4 pods with minAvailable 4
      When the scheduler lets its PodGroup in
      Then in the end the Volcano Job has 4 pods, and stays so

    @VOL-013 @fault
    Scenario: A Volcano Job whose pods are refused for ever is terminated
      Given pod creations are answered with 403
      And a Volcano Job of 2 pods with minAvailable 2
      When the scheduler lets its PodGroup in
      Then in the end the Volcano Job is Terminated, and stays so
      And an event ExecuteAction of the Volcano Job names limit

  Rule: A pod of the same name is left alone

    @VOL-051
    Scenario: A pod that somebody else made is neither taken over nor deleted
      Given another pod has the name of the first pod of the Volcano Job
      And a Volcano Job of 2 pods with minAvailable 2
      When the scheduler lets its PodGroup in
      Then the Volcano Job has 1 pod
      And for 2 seconds the pod with the name of the first is nobody's
