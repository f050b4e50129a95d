"""What a run was told to do, as the command line hands it to the pytest processes that do it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path

import orjson


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices of one run.

    Attributes:
        run: a short id, unique on the API server.
        descriptor: the implementation's descriptor.
        binary: the built program that ``{binary}`` in it stands for.
        run_dir: the folder of the run; its control plane is announced there.
        output: the folder of the results.
        provider: where the control plane comes from.
        taken: capabilities that the cluster itself has, which nobody can judge in it.
        defects: names of the planted defects to judge instead of the implementation itself.
    """

    run: str
    descriptor: Path
    binary: Path | None
    run_dir: Path
    output: Path
    provider: str
    taken: tuple[str, ...]
    defects: tuple[str, ...] = field(default=())

    def write(self, path: Path) -> None:
        """Save as JSON."""
        path.write_bytes(orjson.dumps(asdict(self), default=str))

    @classmethod
    def read(cls, path: Path) -> Settings:
        """The settings that ``write`` saved."""
        told = orjson.loads(path.read_bytes())
        binary = Path(told["binary"]) if told["binary"] else None
        paths = {name: Path(told[name]) for name in ("descriptor", "run_dir", "output")}
        names = {name: tuple(told[name]) for name in ("taken", "defects")}
        return cls(**{**told, **paths, **names, "binary": binary})
