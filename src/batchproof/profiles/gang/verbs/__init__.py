"""The verbs of gang scenarios, an object for each subject: nodes, queues, trees, gangs, pods, claims."""

from batchproof.profiles.gang.verbs.groups import Gangs
from batchproof.profiles.gang.verbs.nodes import Nodes
from batchproof.profiles.gang.verbs.others import OtherClients
from batchproof.profiles.gang.verbs.outcomes import PodOutcomes
from batchproof.profiles.gang.verbs.pods import GangPods
from batchproof.profiles.gang.verbs.queues import Queues
from batchproof.profiles.gang.verbs.trees import Trees
from batchproof.profiles.gang.verbs.waiting import GangClaims

__all__ = ["GangClaims", "GangPods", "Gangs", "Nodes", "OtherClients", "PodOutcomes", "Queues", "Trees"]
