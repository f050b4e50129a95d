"""The verbs about the implementation's process."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NoReturn

from batchproof.cell import Cell, ScenarioRun
from batchproof.judgement.elected import SLACK_S, Leading
from batchproof.judgement.faults import Fault
from batchproof.judgement.forms import DEADLINES_S
from batchproof.judgement.history import CONTINUES, paused

if TYPE_CHECKING:
    from collections.abc import Callable


class ProcessVerbs:
    """The process of the implementation, or its replicas: killed, started, paused, cut off."""

    def __init__(self, cell: Cell, scene: ScenarioRun, lack: Callable[[str], NoReturn]) -> None:
        """Begin a scenario.

        Args:
            cell: where it plays.
            scene: what it is there.
            lack: ends it, as something is not there.
        """
        self._lack = lack
        self._cell = cell
        self._scene = scene

    def kill(self) -> None:
        """Kill the implementation with SIGKILL."""

        async def kill() -> None:
            self._cell.kill()

        self._cell.call(kill())

    def start(self) -> None:
        """Start the implementation again."""
        self._cell.call(self._cell.start())

    def keep_running(self) -> None:
        """Start the implementation again whenever it is killed from now on."""

        async def keep() -> None:
            self._cell.keep_running()

        self._cell.call(keep())

    def kill_at(self, fault: Fault) -> None:
        """Put a fault in force that kills the implementation, and start it again each time."""

        async def arm() -> None:
            self._cell.keep_running()  # before the fault, which may be triggered immediately
            self._scene.arm(fault)

        self._cell.call(arm())

    def elect(self, count: int) -> None:
        """Let the given number of replicas run instead of the one, which elect a leader."""
        self._cell.call(self._cell.replicate(count, self._scene.namespace))

    @property
    def leader(self) -> int:
        """The replica that has the Lease.

        Raises:
            Inconclusive: none has it now.
        """
        term = self._scene.seen.calls.fold(Leading).term
        if term is None or not term.leader:
            self._lack("a replica that leads")
        return term.leader

    def kill_leader(self) -> None:
        """Kill the replica that leads."""
        number = self.leader

        async def kill() -> None:
            self._cell.kill_replica(number)

        self._cell.call(kill())

    def stop_leader(self) -> None:
        """Ask the replica that leads to end, as a node does before it kills, and see it end."""
        number = self.leader

        async def stop() -> None:
            self._scene.act(f"replica {number} is asked to end")
            await asyncio.to_thread(self._cell.replica(number).stop)
            self._scene.process(number, "killed")

        self._cell.call(stop())

    def let_lease_run_out(self) -> None:
        """Let the time pass for which the Lease is still valid, if nothing renews it; at most 150 s."""

        async def wait() -> None:
            self._scene.act("waits until the Lease has run out")
            term = self._scene.seen.calls.fold(Leading).term
            left_s = term.at_s + term.duration_s - self._scene.seen.now_s if term else 0.0
            left_s = round(min(max(left_s, 0.0) + 2 * SLACK_S, DEADLINES_S["persistence"]), 1)
            await self._scene.let_pass(left_s)
            self._scene.act("looks whether the Lease has run out")

        self._cell.call(wait())

    def cut_leader_off(self) -> None:
        """Let the replica that leads not reach the API server any more."""
        number = self.leader

        async def cut() -> None:
            self._scene.act(f"replica {number} cannot reach the API server")
            self._cell.replica(number).cut_off(whether=True)

        self._cell.call(cut())

    def reconnect(self) -> None:
        """Let every replica reach the API server again."""

        async def reconnect() -> None:
            self._scene.act("every replica reaches the API server")
            for each in self._cell.replicas:
                each.cut_off(whether=False)

        self._cell.call(reconnect())

    def pause_leader(self) -> None:
        """Let the replica that leads stand still, as on a machine that is frozen."""
        number = self.leader

        async def pause() -> None:
            self._scene.act(paused(number))
            self._cell.replica(number).pause()

        self._cell.call(pause())

    def wake_replicas(self) -> None:
        """Let every replica go on that stands still."""

        async def wake() -> None:
            self._scene.act(CONTINUES)
            for each in self._cell.replicas:
                if each.alive:
                    each.wake()

        self._cell.call(wake())

    def restart(self) -> None:
        """Kill the implementation and start it again."""
        self.kill()
        self.start()
