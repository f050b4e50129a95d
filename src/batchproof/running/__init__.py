"""A run from end to end: the stage, pytest upon it, and what is said in the end."""
