"""The verbs of gang scenarios, a base for each subject: nodes, queues, members, groups, what is claimed."""

from batchproof.world.gangs.nodes import Flaw
from batchproof.world.gangs.waiting import Gangs

__all__ = ["Flaw", "Gangs"]
