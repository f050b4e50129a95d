"""Facts of the profile ``job``."""
