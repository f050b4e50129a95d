"""The profile ``gang``: what a scheduler owes to pods that are of use only together."""
