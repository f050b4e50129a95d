"""Facts of several profiles."""
