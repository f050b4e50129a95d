Feature: A Job whose pods are a gang runs to its end

  Rule: What is left of a gang Job is scheduled when others of its pods have ended

    @GNG-079 @cap-GangJobs
    Scenario: A failed pod is replaced while the others run
      Given a node with 4 CPUs
      And gang Job a with minimum 4 and 4 completions is created
      And 4 pods of gang a are bound
      When 1 running pod of gang a fails
      Then 5 pods of gang a are bound

    @GNG-079 @cap-GangJobs
    Scenario: A failed pod is replaced after the others have succeeded
      Given a node with 4 CPUs
      And gang Job a with minimum 4 and 4 completions is created
      And 4 pods of gang a are bound
      And 3 running pods of gang a succeed
      When 1 running pod of gang a fails
      Then 5 pods of gang a are bound

    @GNG-079 @cap-GangJobs
    Scenario: The last pod of a Job is bound after the others have succeeded
      Given a node with 4 CPUs
      And gang Job a with minimum 4 and 5 completions is created
      And 4 pods of gang a are bound
      When 4 running pods of gang a succeed
      Then 5 pods of gang a are bound
