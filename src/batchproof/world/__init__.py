"""The verbs of the steps: what one scenario can do and see."""

from batchproof.world.world import JOB, World

__all__ = ["JOB", "World"]
