"""Where the suite lies: inside the installed package, or in the checkout that the package is run from."""

from __future__ import annotations

from pathlib import Path

_INSTALLED = Path(__file__).parent / "suite"
_CHECKOUT = Path(__file__).parents[2]


def _root() -> Path:
    return _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT


def features() -> Path:
    """The folder of the Gherkin features; ``requirements/`` in it is the registry."""
    return _root() / "features"


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
    """The folder of the planted defects."""
    return _root() / "defects" if _INSTALLED.is_dir() else _root() / "tests" / "defects"


def reference() -> Path:
    """The folder of the package ``reference_controller``: beside this package, or in the checkout."""
    return (Path(__file__).parents[1] if _INSTALLED.is_dir() else _CHECKOUT) / "reference_controller"
