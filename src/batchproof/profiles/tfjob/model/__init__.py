"""The model for random programs of the profile ``tfjob``."""
