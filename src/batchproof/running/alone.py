"""pytest with our plugins alone: whatever else is installed, every process of a run would load it."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

AUTOLOAD: Final = "PYTEST_DISABLE_PLUGIN_AUTOLOAD"
"""With this variable set, pytest and its workers load only the plugins that their arguments name."""
_OURS: Final = ("pytest_bdd.plugin", "batchproof.running.plugin")
# The last two collect garbage each time that pytest ends, to warn of it; no report shows warnings.
_UNUSED: Final = (
    "cacheprovider",
    "terminalreporter",
    "warnings",
    "logging",
    "unraisableexception",
    "threadexception",
)


def run_pytest(arguments: Sequence[str], plugins: Sequence[object]) -> int:
    """Run pytest in this process, and return its exit code.

    Args:
        arguments: what it collects, and how; no configuration file is read.
        plugins: further plugins, as objects.
    """
    loaded = [word for name in (*_OURS, *(f"no:{one}" for one in _UNUSED)) for word in ("-p", name)]
    with _no_others():
        return pytest.main([*loaded, "-c", os.devnull, *arguments], plugins=[*plugins])


@contextmanager
def _no_others() -> Iterator[None]:
    before = os.environ.get(AUTOLOAD)
    os.environ[AUTOLOAD] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[AUTOLOAD]
        else:
            os.environ[AUTOLOAD] = before
