"""The gang scheduler at work: the cluster is watched, and what `scheduler` decides is carried out."""
