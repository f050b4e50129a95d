"""The profile ``jobset``: what a controller of JobSets owes its users."""
