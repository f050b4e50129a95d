"""Objects of several profiles."""
