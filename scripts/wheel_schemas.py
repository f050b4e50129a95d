"""Puts the JSON Schemas that are made of the records into the wheel: a build hook of hatchling."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WheelSchemas(BuildHookInterface[Any]):
    """Makes them beside the checkout, for as long as the wheel is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make them; an editable install reads none of them."""
        if version == "editable":
            return
        self.folder = TemporaryDirectory()
        for name, text in _made(Path(self.root, "src")).items():
            path = Path(self.folder.name, name)
            path.write_bytes(text)
            build_data["force_include"][str(path)] = f"batchproof/suite/schemas/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove them."""
        del build_data, artifact_path
        if version != "editable":
            self.folder.cleanup()


def _made(source: Path) -> dict[str, bytes]:
    """The schemas of the records in this source, and of no other batchproof that is installed."""
    before, keeps = sys.path[:], sys.dont_write_bytecode
    sys.path.insert(0, str(source))
    sys.dont_write_bytecode = True
    try:
        from batchproof.report.schemas import schemas  # noqa: PLC0415 - needs that path

        return schemas()
    finally:
        sys.path[:], sys.dont_write_bytecode = before, keeps
