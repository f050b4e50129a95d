"""What is read of the suite: requirements, scenarios, steps, mutants; and do they fit each other?"""
