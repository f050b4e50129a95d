"""The verbs about TFJobs that may be refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from batchproof.judgement.facts.tfjob import CONTAINER
from batchproof.judgement.template import JOB
from batchproof.judgement.things.tfjob import TFJOBS
from batchproof.world.requests import Requests
from batchproof.world.tfjob import TEMPLATE, tfjob_body

if TYPE_CHECKING:
    from collections.abc import Mapping

    from batchproof.judgement.history import Json

_IMAGE: Final = "batchproof.dev/simulated"
CONTAINERS: Mapping[str, list[Json]] = {
    "one container": [{"name": CONTAINER, "image": _IMAGE}],
    "no container": [],
    "a container without an image": [{"name": CONTAINER}],
    "a container of another name": [{"name": "main", "image": _IMAGE}],
    "a container of another name beside it": [
        {"name": "main", "image": _IMAGE},
        {"name": CONTAINER, "image": _IMAGE},
    ],
}
"""The containers of a pod template, as a scenario says them."""


class TFJobRequests(Requests):
    """TFJobs that users ask for, and changes of them."""

    def ask_for_tfjob(self, replicas: Mapping[str, int], *, name: str, containers: str) -> None:
        """Ask for a TFJob with these replicas, whose templates have these containers.

        ``name`` is its name; empty: the usual one of the scenario, or another if that was asked for already.
        """
        name = name or (f"other-{self._asked}" if self._asked else JOB)
        template = {"spec": {**TEMPLATE["spec"], "containers": CONTAINERS[containers]}}
        body = tfjob_body(name, replicas, template=template)
        self.ask(f"TFJob {name}", lambda: self._world.create(TFJOBS, body))

    def ask_to_change_tfjob(self, name: str, kind: str, containers: str) -> None:
        """Ask to give the replicas of a type other containers."""
        template = {"spec": {**TEMPLATE["spec"], "containers": CONTAINERS[containers]}}
        change = {"spec": {"tfReplicaSpecs": {kind: {"template": template}}}}
        self.ask(f"a change of TFJob {name}", lambda: self._world.patch(TFJOBS, name, change))
