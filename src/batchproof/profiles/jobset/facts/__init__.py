"""Facts of the profile ``jobset``."""
