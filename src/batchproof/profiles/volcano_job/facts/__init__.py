"""Facts of the profile ``volcano-job``."""
