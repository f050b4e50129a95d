"""The verbs of the steps: what one scenario can do and see."""

from batchproof.judgement.template import JOB
from batchproof.world.world import World

__all__ = ["JOB", "World"]
