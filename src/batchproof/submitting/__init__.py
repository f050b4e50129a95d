"""A run in a cluster: its scenarios are played in the pods of an Indexed Job, and become one run here."""
