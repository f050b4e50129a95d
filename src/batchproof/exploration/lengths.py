"""How long to explore, as it is written on the command line: ``90s``, ``5m``, ``1h``, ``1h30m``."""

from __future__ import annotations

import re

_UNITS_S = {"h": 3600, "m": 60, "s": 1}
_WRITTEN = re.compile(r"(?:(?P<h>\d+)h)?(?:(?P<m>\d+)m)?(?:(?P<s>\d+)s?)?")


def seconds(written: str) -> int:
    """A length of time in seconds; a number alone is one.

    Raises:
        ValueError: it is none, or nothing.
    """
    found = _WRITTEN.fullmatch(written)
    total = sum(int(found[unit] or 0) * of for unit, of in _UNITS_S.items()) if found else 0
    if not total:
        raise ValueError(f"{written!r} is no length of time such as 90s, 5m or 1h30m")
    return total
