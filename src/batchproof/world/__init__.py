"""What one scenario can do and see."""

from batchproof.world.world import World

__all__ = ["World"]
