"""The gang scheduler's decisions: which pods go to which nodes, and what to report of the others.

Everything here is pure: no clock, no network, no log. `decide.decide` is the entry.
"""
