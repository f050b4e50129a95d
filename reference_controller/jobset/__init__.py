"""What the controller of JobSets decides: pure."""
