"""Leader election: of several replicas of a controller one works, and the others stand by."""
