"""The names by which the harness knows its own objects, and those of Kubernetes that it judges by."""

TRACKING_FINALIZER = "batch.kubernetes.io/job-tracking"
GANG_LABEL = "batchproof.dev/gang"
"""On every member of a gang, whatever the dialect: how the judgement knows it."""
QUEUE_LABEL = "batchproof.dev/queue"
"""On every member of a gang that is in a queue: the queue's name in the scenario."""
CELL_LABEL = "batchproof.dev/cell"
"""The label of all that the harness makes; its value is the name of a cell."""

SIMULATED_SCHEDULER = "batchproof.dev/simulated"
"""The schedulerName of pods that only the harness binds; no scheduler has it."""

SCENE_LABEL = "batchproof.dev/scene"
"""On the nodes of a scenario: its namespace."""
SIMULATED_TAINT = "batchproof.dev/simulated"
"""On every node of the harness: nothing else lands there."""
ZONE_LABEL = "topology.kubernetes.io/zone"
"""The zone of a node, as the API names it."""
