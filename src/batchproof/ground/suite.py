"""Where the suite lies: inside the installed package, or in the checkout that the package is run from."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_INSTALLED = Path(__file__).parents[1] / "suite"
_CHECKOUT = Path(__file__).parents[3]


def _root() -> Path:
    return _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT


def checkout() -> Path | None:
    """The root of the checkout that the package is run from; None where it is installed from a wheel."""
    return None if _INSTALLED.is_dir() else _CHECKOUT


def lock() -> Path:
    """The file that pins the libraries, if batchproof came with it."""
    return _root() / "requirements.lock"


def features() -> Path:
    """The folder of the Gherkin features; ``requirements/`` in it is the registry."""
    return _root() / "features"


@cache
def profiles() -> tuple[str, ...]:
    """The names of the profiles: of the folders with features; that of Jobs is the first."""
    names = {path.parent.name for path in features().glob("*/*.feature")}
    return tuple(sorted(names, key=lambda name: (name != "job", name)))


def suites() -> Path:
    """The folder of the small suites that others ask for: a feature file each."""
    return _root() / "suites"


def steps() -> Path:
    """The folder of the step definitions."""
    return _root() / "steps"


def fixtures() -> Path:
    """The folder of descriptors, dialects, CRDs and the Go modules that are built."""
    return _root() / "fixtures"


def schemas() -> Path:
    """The folder of the JSON Schemas."""
    return _root() / "schemas" if _INSTALLED.is_dir() else _root() / "reports" / "schemas"


def defects() -> Path:
    """The folder of the mutants."""
    return _root() / "mutants" if _INSTALLED.is_dir() else _root() / "tests" / "mutants"


def reference() -> Path:
    """The folder of the package ``reference_controller``: beside this package, or in the checkout."""
    return (Path(__file__).parents[2] if _INSTALLED.is_dir() else _CHECKOUT) / "reference_controller"
