"""The controller of JobSets: its caches, its loop and its writes."""
