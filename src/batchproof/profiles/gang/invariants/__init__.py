"""Invariants of gang schedulers."""
