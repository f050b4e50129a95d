"""What the results say of the ground that judged."""

from __future__ import annotations

import platform
import tomllib
from pathlib import Path

import msgspec
from packaging.requirements import Requirement

from batchproof.running.header import versions


def test_python_and_every_library_that_is_declared_has_its_version() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {Requirement(one).name for one in project["dependencies"]}

    assert set(versions()) == {"python", *declared}
    assert versions()["python"] == platform.python_version()
    assert versions()["msgspec"] == msgspec.__version__
