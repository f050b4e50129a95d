"""Invariants of the profile ``job``."""
