"""Where the suite lies: in a wheel beside the package, else in the checkout."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import batchproof
from batchproof.ground import suite

if TYPE_CHECKING:
    import pytest


def test_a_wheel_has_the_suite_in_the_package_and_the_reference_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suite, "_INSTALLED", tmp_path)
    assert suite.features() == tmp_path / "features"
    assert suite.reference() == Path(batchproof.__file__).parents[1] / "reference_controller"


def test_a_checkout_has_the_suite_at_its_root() -> None:
    root = Path(__file__).parents[2]
    assert suite.checkout() == root
    assert suite.features() == root / "features"
    assert suite.reference() == root / "reference_controller"
