"""The reference controller, which does nothing at its first start: later ones find the file ``HAS_SLEPT``."""

from __future__ import annotations

import os
import runpy
from pathlib import Path

slept = Path(os.environ["HAS_SLEPT"])
os.environ["WRITES"] = "1000000" if slept.exists() else "0"
slept.touch()
runpy.run_path(str(Path(__file__).with_name("stops_writing.py")), run_name="__main__")
