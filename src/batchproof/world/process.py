"""The verbs about the implementation's process."""

from __future__ import annotations

from batchproof.world.scenario import Scenario


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

    def restart(self) -> None:
        """Kill the implementation and start it again."""
        self.kill()
        self.start()
