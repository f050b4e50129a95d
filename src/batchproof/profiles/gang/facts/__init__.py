"""Facts of the profile ``gang``."""
