"""The verbs about TFJobs that may be refused."""

from __future__ import annotations

from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.requests import Requests
from batchproof.profiles.tfjob.containers import CONTAINERS
from batchproof.profiles.tfjob.objects import TFJOBS
from batchproof.profiles.tfjob.specs import TFJobSpec
from batchproof.profiles.tfjob.verbs import TEMPLATE, tfjob_body
from batchproof.specification.verbs import verb
from batchproof.world import World


class TFJobRequests:
    """TFJobs that users ask for, and changes of them."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._requests = world.verbs(Requests)

    @verb("the user submits {tfjob:a_tfjob}")
    def ask_for_tfjob(self, tfjob: TFJobSpec) -> None:
        """Ask for a TFJob."""
        name = tfjob.name or (f"other-{self._requests.asked}" if self._requests.asked else JOB)
        self._requests.ask(f"TFJob {name}", lambda: self._world.create(TFJOBS, tfjob_body(name, tfjob)))

    @verb("the user asks to give the {kind:replica_type}s of the TFJob {containers:containers}", name=JOB)
    def ask_to_change_tfjob(self, name: str, kind: str, containers: str) -> None:
        """Ask to give the replicas of a type other containers."""
        template = {"spec": {**TEMPLATE["spec"], "containers": CONTAINERS[containers]}}
        change = {"spec": {"tfReplicaSpecs": {kind: {"template": template}}}}
        self._requests.ask(f"a change of TFJob {name}", lambda: self._world.patch(TFJOBS, name, change))
