"""The verbs about the implementation's process."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from batchproof.errors import HarnessError
from batchproof.judgement.elected import SLACK_S, Leading
from batchproof.judgement.forms import DEADLINES_S
from batchproof.world.scenario import Scenario

if TYPE_CHECKING:
    from batchproof.judgement.faults import Fault


class Process(Scenario):
    """The implementation is killed and started."""

    def kill(self) -> None:
        """Kill the implementation with SIGKILL."""

        async def kill() -> None:
            self._cell.kill()

        self.do(kill())

    def start(self) -> None:
        """Start the implementation again."""
        self.do(self._cell.start())

    def keep_running(self) -> None:
        """Start the implementation again whenever it is killed from now on."""

        async def keep() -> None:
            self._cell.keep_running()

        self.do(keep())

    def kill_at(self, fault: Fault) -> None:
        """Put a fault in force that kills the implementation, and start it again each time."""

        async def arm() -> None:
            self._cell.keep_running()  # before the fault, which may strike at once
            self._scene.arm(fault)

        self.do(arm())

    def elect(self, count: int) -> None:
        """Let so many replicas run instead of the one, which elect a leader."""
        self.do(self._cell.replicate(count, self._scene.namespace))

    @property
    def leader(self) -> int:
        """The replica that has the Lease.

        Raises:
            HarnessError: none has.
        """
        term = self.seen.calls.fold(Leading).term
        if term is None or not term.leader:
            raise HarnessError(
                "no replica leads: say 'a replica leads' before a step that is about the leader"
            )
        return term.leader

    def kill_leader(self) -> None:
        """Kill the replica that leads."""
        number = self.leader

        async def kill() -> None:
            self._cell.kill_replica(number)

        self.do(kill())

    def stop_leader(self) -> None:
        """Ask the replica that leads to end, as a node does before it kills, and see it end."""
        number = self.leader

        async def stop() -> None:
            self._scene.act(f"replica {number} is asked to end")
            await asyncio.to_thread(self._cell.replica(number).stop)
            self._scene.process(number, "killed")

        self.do(stop())

    def let_lease_run_out(self) -> None:
        """Let the time pass for which the Lease is still valid, if nothing renews it; at most 150 s."""
        self.act("waits until the Lease has run out")
        term = self.seen.calls.fold(Leading).term
        left_s = term.at_s + term.duration_s - self.seen.now_s if term else 0.0
        self.let_pass(round(min(max(left_s, 0.0) + 2 * SLACK_S, DEADLINES_S["persistence"]), 1))
        self.act("looks whether the Lease has run out")

    def cut_leader_off(self) -> None:
        """Let the replica that leads not reach the API server any more."""
        number = self.leader

        async def cut() -> None:
            self._scene.act(f"replica {number} cannot reach the API server")
            self._cell.replica(number).cut_off(whether=True)

        self.do(cut())

    def reconnect(self) -> None:
        """Let every replica reach the API server again."""

        async def reconnect() -> None:
            self._scene.act("every replica reaches the API server")
            for each in self._cell.replicas:
                each.cut_off(whether=False)

        self.do(reconnect())

    def pause_leader(self) -> None:
        """Let the replica that leads stand still, as on a machine that is frozen."""
        number = self.leader

        async def pause() -> None:
            self._scene.act(f"replica {number} stands still")
            self._cell.replica(number).pause()

        self.do(pause())

    def wake_replicas(self) -> None:
        """Let every replica go on that stands still."""

        async def wake() -> None:
            self._scene.act("every replica goes on")
            for each in self._cell.replicas:
                if each.alive:
                    each.wake()

        self.do(wake())

    def restart(self) -> None:
        """Kill the implementation and start it again."""
        self.kill()
        self.start()
