"""pytest with our plugins alone: whatever else is installed, every process of a run would load it."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_VARIABLE: Final = "PYTEST_DISABLE_PLUGIN_AUTOLOAD"
_OURS: Final = ("pytest_bdd.plugin", "batchproof.running.plugin")
_XDIST: Final = "xdist.plugin"
# The last two look for garbage each time that a pytest ends, and warn: nobody reads warnings.
_UNUSED: Final = (
    "cacheprovider",
    "terminalreporter",
    "warnings",
    "logging",
    "unraisableexception",
    "threadexception",
)


def run_pytest(arguments: Sequence[str], plugins: Sequence[object], *, workers: int = 1) -> int:
    """Run pytest in this process, and return its exit code.

    Args:
        arguments: what it collects, and how; nobody's configuration files are read.
        plugins: further plugins, as objects.
        workers: in how many processes tests run; 1: in this one.
    """
    spread = ["-p", _XDIST, "-n", str(workers), "--dist=load", "--maxschedchunk=1"] if workers > 1 else []
    loaded = [word for name in (*_OURS, *(f"no:{one}" for one in _UNUSED)) for word in ("-p", name)]
    with _no_others():  # the workers inherit it
        return pytest.main([*loaded, *spread, "-c", os.devnull, *arguments], plugins=[*plugins])


@contextmanager
def _no_others() -> Iterator[None]:
    before = os.environ.get(_VARIABLE)
    os.environ[_VARIABLE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_VARIABLE]
        else:
            os.environ[_VARIABLE] = before
