"""Facts of the profile ``tfjob``."""
