"""What makes the results of a run evidence: they are bound to the suite, and judged again by it alone."""
