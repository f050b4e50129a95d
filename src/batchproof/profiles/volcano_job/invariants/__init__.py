"""Invariants of Volcano's controllers."""
