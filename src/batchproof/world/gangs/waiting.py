"""What is claimed of gangs, with the witnesses of "not bound"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from batchproof.judgement.claims import always, eventually, never, now, proof
from batchproof.judgement.facts.bindings import pod_bound
from batchproof.judgement.facts.gangs import (
    bound_since_ever,
    gang_bound_at_most,
    nothing_in_part,
    one_more_bound,
)
from batchproof.judgement.facts.room import room_was_free
from batchproof.world.gangs.groups import Groups
from batchproof.world.gangs.nodes import PROBE_LABEL

if TYPE_CHECKING:
    from batchproof.cell import Cell
    from batchproof.descriptor.dialect import Dialect
    from batchproof.world.pods import Pods

NOTHING_IN_PART = "GNG-003"
"""Judged at the end of every gang scenario: when all has come to rest, no gang is bound in part."""
PROBE_CPU = "50m"


class Gangs(Groups):
    """Nodes, gangs and queues of one scenario, and what is claimed of them."""

    def __init__(self, world: Pods, cell: Cell, dialect: Dialect) -> None:
        super().__init__(world, cell, dialect)
        self._probes = 0

    def claim_waits(self, name: str, *, room: int | None, during: str = "window") -> None:
        """Claim that no pod of a gang is bound, with both witnesses.

        Room for so many of its pods (None: for its whole minimum) was free all the time, and the
        implementation was alive before and after: it bound a probe, a small gang on a node of its own.

        Args:
            name: the gang.
            room: for how many of its pods there is room.
            during: the name of the window.

        Raises:
            Unmet: one more was bound.
            Inconclusive: a witness is missing.
        """
        self.see_minimums()
        since = self._world.seen.last
        self._claim_gangs_bound()
        self._world.claim(always(gang_bound_at_most(gang=name, count=0), during=during))
        self._claim_gangs_bound()
        self._world.claim(now(gang_bound_at_most(gang=name, count=0)))
        gang = self[name]
        if gang.pods and len(gang.refused) == len(gang.pods):
            return  # none can be bound: that is how the implementation lets them wait
        at_least = self[name].minimum if room is None else room
        free = room_was_free(gang=name, at_least=at_least, at_most=room, since=since)
        self._world.claim(now(free, precondition=True))

    def claim_pod_waits(self, pod: str) -> None:
        """Claim that a pod outside of all gangs is not bound while the implementation binds others.

        Raises:
            Unmet: it was bound.
            Inconclusive: the implementation was not seen alive.
        """
        self._claim_alive()
        self._world.claim(never(pod_bound(pod=pod)))
        self._claim_alive()

    def claim_all_run(self) -> None:
        """Claim that one gang after the other is bound, each ending soon after, until none is left."""
        waiting = {name for name in self._gangs if not name.startswith("probe")}
        while waiting:
            self.see_minimums()
            self._world.claim(eventually(one_more_bound(gangs=sorted(waiting)), within="settle"))
            whole = {name for name in waiting if self._whole(name)}
            for name in sorted(whole):
                self.end(name)
            waiting -= whole

    def let_room_appear(self, name: str, times: int) -> None:
        """Let all that runs end so often, each time just after a gang came that wants the room too.

        Those gangs are of priority low. It is over when the gang is bound. Each time the room is taken, by
        whomever, before it appears again.

        Args:
            name: the gang.
            times: how often room appears at the most.

        Raises:
            Inconclusive: nobody took it.
        """
        waiting = {name}
        for number in range(1, times + 1):
            later = f"{name}-later-{number}"
            self.add(later, self[name].minimum, priority="low")
            self.add_pods(later, len(self[name].pods))
            waiting.add(later)
            self.end_all()
            taken = one_more_bound(gangs=sorted(waiting))
            self._world.claim(eventually(taken, within="recovery", precondition=True))
            waiting = {gang for gang in waiting if not self._whole(gang)}
            if name not in waiting:
                break

    def _whole(self, name: str) -> bool:
        return len(bound_since_ever(self._world.seen, name)) >= len(self[name].pods)

    def _claim_gangs_bound(self) -> None:
        """Claim that a gang of two small pods is bound: what has to wait is a gang too."""
        self._make_probe_node()
        self._probes += 1
        name = f"probe-{self._probes}"
        self.add(name, 2)
        self.add_pods(name, 2, cpus=PROBE_CPU, selector={PROBE_LABEL: self._namespace})
        for pod in self[name].pods:
            self._world.claim(proof(pod_bound(pod=pod)))
        self.end(name)

    def _claim_alive(self) -> None:
        self._make_probe_node()
        self._probes += 1
        name = f"probe-{self._probes}"
        selector = {PROBE_LABEL: self._namespace}
        self.add_single(name, cpus=PROBE_CPU, spec={"nodeSelector": selector})
        self._world.claim(proof(pod_bound(pod=name)))
        self.end_single(name)

    def settle(self) -> None:
        """Wait until no gang is bound in part: GNG-003 speaks of what is so when all has come to rest."""
        if not self._gangs:
            return
        self.see_minimums()
        self._world.claim(replace(eventually(nothing_in_part()), requirement=NOTHING_IN_PART))
