"""What several profiles speak of: what was made for an owner, suspension, events, groups of pods."""
