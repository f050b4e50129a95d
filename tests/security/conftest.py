"""The fixtures of the attacks; there they have types (mypy takes no two modules of this name)."""

from attacks import batchproof, results

__all__ = ["batchproof", "results"]
