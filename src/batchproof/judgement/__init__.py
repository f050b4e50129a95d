"""What judges: pure functions of a history. Knows no clock, no network, no pytest."""
