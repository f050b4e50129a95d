"""A cell: one running implementation with its own proxy, view, simulated node and history.

``Cell`` lives as long as its pytest worker; a ``ScenarioRun`` is one scenario in it: namespace, history, the
faults in force. The ``Recorder`` watches the API server independently of the implementation; the ``Kubelet``
plays what a node does to pods. All of it runs on the cell's own event loop, in a thread of the worker.
"""

from batchproof.cell.cell import Cell
from batchproof.cell.scenario_run import ScenarioRun

__all__ = ["Cell", "ScenarioRun"]
