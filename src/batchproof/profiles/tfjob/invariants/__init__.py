"""Invariants of controllers of TFJobs."""
