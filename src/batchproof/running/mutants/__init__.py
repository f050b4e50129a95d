"""Mutants from end to end: which are judged, the reference without any, each of them, the matrix."""
