"""The versions of what judges, as the results keep them: so that a verdict can be repeated."""

from __future__ import annotations

import platform
import re
from functools import cache
from importlib.metadata import requires, version
from typing import Final

_DISTRIBUTION: Final = "batchproof"


@cache
def versions() -> dict[str, str]:
    """The version of Python and of each library that batchproof declares to need, by name."""
    needed = [one for one in requires(_DISTRIBUTION) or () if "extra ==" not in one]
    names = sorted(re.split(r"[^\w.-]", one, maxsplit=1)[0] for one in needed)
    return {"python": platform.python_version(), **{name: version(name) for name in names}}
