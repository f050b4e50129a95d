"""The fixtures of the forgeries; there they have types (mypy takes no two modules of this name)."""

from run_of_suite import gangs, grid, original

__all__ = ["gangs", "grid", "original"]
