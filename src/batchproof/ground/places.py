"""Where batchproof keeps things on this machine, outside the folder of the results."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

CACHE_VARIABLE = "BATCHPROOF_CACHE"
RUNS_VARIABLE = "BATCHPROOF_RUNS"


def cache_folder() -> Path:
    """The cache, whether it exists or not: that of the user, or what BATCHPROOF_CACHE names."""
    chosen = os.environ.get(CACHE_VARIABLE)
    return Path(chosen).expanduser().absolute() if chosen else platformdirs.user_cache_path("batchproof")


def runs_folder() -> Path:
    """The folder of all runs of this user: in the cache, or what BATCHPROOF_RUNS names.

    It is private, never shared as the system's temporary folder is.
    """
    chosen = os.environ.get(RUNS_VARIABLE)
    return Path(chosen).expanduser().absolute() if chosen else cache_folder() / "runs"
