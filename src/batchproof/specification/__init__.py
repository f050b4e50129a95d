"""What is read of the suite: requirements, scenarios, steps, planted defects; and do they fit each other?"""
