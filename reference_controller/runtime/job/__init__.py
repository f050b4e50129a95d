"""The Job controller at work: pods and Jobs are watched, and what `job` decides is carried out."""
