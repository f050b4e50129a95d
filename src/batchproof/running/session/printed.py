"""What the processes of the implementation print while a scenario runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from batchproof.cell.redaction import scrubbed
from batchproof.ground.screen import printable

if TYPE_CHECKING:
    from pathlib import Path

_LINES: Final = 60
_WIDE: Final = 400  # characters of a line
_LOGS: Final = 4  # the newest: a scenario may start a process often
_READ: Final = 1 << 18  # bytes of the end of a log: more than 60 lines of that width


class Printed:
    """The logs of a worker's processes, from where they stood when a scenario began."""

    def __init__(self, logs: Path, worker: str) -> None:
        """Note how long each log is.

        Args:
            logs: the folder of the logs; it need not be there yet.
            worker: how the names of this worker's logs begin.
        """
        self._logs, self._names = logs, f"{worker}-*.log"
        self._began = {log: log.stat().st_size for log in self._mine()}

    def tail(self) -> str:
        """The last lines of each log since then, under its name, without tokens; empty if there are none."""
        newest = sorted(self._mine(), key=lambda log: log.stat().st_mtime_ns)[-_LOGS:]
        return "\n".join(filter(None, map(self._since, newest)))

    def _mine(self) -> list[Path]:
        return sorted(self._logs.glob(self._names))

    def _since(self, log: Path) -> str:
        began = self._began.get(log, 0)
        size = log.stat().st_size
        with log.open("rb") as file:
            file.seek(
                max(began if began <= size else 0, size - _READ)
            )  # a log that was shortened begins again
            text = file.read().decode("utf-8", "replace")
        lines = [line[:_WIDE] for line in printable(scrubbed(text)).splitlines()]
        shown = lines[-_LINES:]
        left_out = [f"[{len(lines) - len(shown)} lines before]"] if len(lines) > len(shown) else []
        return "\n".join([f"{log.name}:", *left_out, *shown]) if shown else ""
