"""The variables that a started program gets: a few that say nothing of the user, and those meant for it.

What is judged, and what it is judged on, gets no more: the environment of a user holds cloud credentials,
tokens of CI, and a KUBECONFIG that leads to a real cluster.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from batchproof.processes.janitor import MARK

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_HARMLESS = frozenset({"PATH", "LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH"})
"""Where programs and their libraries are found, and how they write text and times."""


def bare(home: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables of a program that is not trusted with the user's.

    Args:
        home: a folder of its own, for what it keeps in HOME and TMPDIR.
        more: the variables that are meant for it.
    """
    harmless = {
        name: value for name, value in os.environ.items() if name in _HARMLESS or name.startswith("LC_")
    }
    return {**harmless, "HOME": str(home), "TMPDIR": str(home), **(more or {})}


def ours(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables of this process, for its own workers and for tools of the user: go, pip, kind, docker."""
    return {**{name: value for name, value in os.environ.items() if name != MARK}, **(more or {})}
