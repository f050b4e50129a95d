"""The controller of TFJobs: its caches, its loop and its writes."""
