"""What is claimed of gangs, with the witnesses of "not bound"."""

from __future__ import annotations

from dataclasses import replace

from batchproof.judgement.claims import always, eventually, never, now, proof
from batchproof.profiles.gang import sentences
from batchproof.profiles.gang.facts.bindings import pod_bound
from batchproof.profiles.gang.facts.gangs import (
    bound_since_ever,
    gang_bound_at_most,
    one_more_bound,
)
from batchproof.profiles.gang.facts.room import room_was_free
from batchproof.profiles.gang.specs import GangSpec, PodSpec
from batchproof.profiles.gang.verbs.gang import KnownGangs
from batchproof.profiles.gang.verbs.groups import Gangs
from batchproof.profiles.gang.verbs.nodes import PROBE_LABEL, Nodes
from batchproof.profiles.gang.verbs.outcomes import PodOutcomes
from batchproof.profiles.gang.verbs.pods import GangPods
from batchproof.specification.verbs import verb
from batchproof.world import World

PROBE_CPU = "50m"


class GangClaims:
    """What is claimed of the gangs of one scenario."""

    def __init__(self, world: World) -> None:
        self._world, self._namespace = world, world.scene.namespace
        self._nodes = world.verbs(Nodes)
        self._gangs = world.verbs(Gangs)
        self._pods = world.verbs(GangPods)
        self._outcomes = world.verbs(PodOutcomes)
        self._known = world.verbs(KnownGangs)
        self._probes = 0

    @verb(sentences.GANG_WAITS)
    def claim_waits(self, name: str, *, room: int | None, during: str = "window") -> None:
        """Claim that no pod of a gang is bound, with both witnesses.

        Room for the given number of its pods (None: for its whole minimum) was free all the time, and the
        implementation was alive before and after: it bound a probe, a small gang on a node of its own.

        Args:
            name: the gang.
            room: for how many of its pods there is room.
            during: the name of the window.

        Raises:
            Unmet: one more was bound.
            Inconclusive: a witness is missing.
        """
        self._gangs.see_minimums()
        since = self._world.seen.last
        self.claim_gangs_bound()
        self._world.claim(always(gang_bound_at_most(gang=name, count=0), during=during))
        self.claim_gangs_bound()
        self._world.claim(now(gang_bound_at_most(gang=name, count=0)))
        gang = self._known[name]
        if gang.pods and len(gang.refused) == len(gang.pods):
            return  # none can be bound: that is how the implementation lets them wait
        at_least = self._known[name].minimum if room is None else room
        free = room_was_free(gang=name, at_least=at_least, at_most=room, since=since)
        self._world.claim(now(free, precondition=True))

    @verb("for 2 seconds pod {pod:word} is not bound")
    def claim_pod_waits(self, pod: str) -> None:
        """Claim that a pod outside of all gangs is not bound while the implementation binds others.

        Raises:
            Unmet: it was bound.
            Inconclusive: the implementation was not seen alive.
        """
        self._claim_alive()
        self._world.claim(never(pod_bound(pod=pod)))
        self._claim_alive()

    @verb(sentences.ALL_RUN)
    def claim_all_run(self) -> None:
        """Claim that one gang after the other is bound, each ending soon after, until none is left."""
        waiting = {name for name in self._known.all if not name.startswith("probe")}
        while waiting:
            self._gangs.see_minimums()
            self._world.claim(eventually(one_more_bound(gangs=sorted(waiting)), within="settle"))
            whole = {name for name in waiting if self._whole(name)}
            for name in sorted(whole):
                self._outcomes.end(name)
            waiting -= whole

    @verb(
        "room for gang {name:gang} appears {times:d} times,"
        " each time just after a gang of priority low came that wants it too"
    )
    def let_room_appear(self, name: str, times: int) -> None:
        """Let all that runs end so often, each time just after a gang came that wants the room too.

        Those gangs are of priority low. It is over when the gang is bound. Each time the room is taken, by
        whomever, before it appears again.

        Args:
            name: the gang.
            times: how often room appears at the most.

        Raises:
            Inconclusive: no pod took it.
        """
        waiting = {name}
        for number in range(1, times + 1):
            later = f"{name}-later-{number}"
            pods = PodSpec(count=len(self._known[name].pods))
            self._gangs.add(
                GangSpec(name=later, minimum=self._known[name].minimum, priority="low", pods=pods)
            )
            waiting.add(later)
            self._outcomes.end_all()
            taken = one_more_bound(gangs=sorted(waiting))
            self._world.claim(eventually(taken, within="recovery", precondition=True))
            waiting = {gang for gang in waiting if not self._whole(gang)}
            if name not in waiting:
                break

    def _whole(self, name: str) -> bool:
        return len(bound_since_ever(self._world.seen, name)) >= len(self._known[name].pods)

    def claim_gangs_bound(self) -> None:
        """Claim that a gang of two small pods is bound: what has to wait is a gang too."""
        self._nodes.make_probe_node()
        self._probes += 1
        name = f"probe-{self._probes}"
        self._gangs.add(GangSpec(name=name, minimum=2, pods=replace(self._probe(), count=2)))
        for pod in self._known[name].pods:
            self._world.claim(proof(pod_bound(pod=pod)))
        self._outcomes.end(name)

    def _probe(self) -> PodSpec:
        return PodSpec(cpus=PROBE_CPU, selector=((PROBE_LABEL, self._namespace),))

    def _claim_alive(self) -> None:
        self._nodes.make_probe_node()
        self._probes += 1
        name = f"probe-{self._probes}"
        self._pods.add_single(replace(self._probe(), name=name))
        self._world.claim(proof(pod_bound(pod=name)))
        self._outcomes.end_single(name)
