"""A vendor's view: only the wheel is installed, the folder is empty, the controller lies elsewhere."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import batchproof
import reference_controller

_COMMAND = (sys.executable, "-m", "batchproof")
_LIMIT_S = 3600

_DESCRIPTOR = """\
name: elsewhere
version: 1.2.3
organisation: Example Vendor
profiles: [job]
capabilities: []
start:
  argv: ["{python}", "-m", "their_controller", "job", "--kubeconfig", "{kubeconfig}"]
  env: {PYTHONPATH: "{descriptor_dir}"}
"""


@pytest.fixture(scope="module")
def descriptor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A controller of somebody else, with its descriptor beside it."""
    folder = tmp_path_factory.mktemp("vendor")
    source = Path(reference_controller.__file__).parent
    shutil.copytree(source, folder / "their_controller")
    for path in (folder / "their_controller").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("reference_controller", "their_controller"), encoding="utf-8")
    path = folder / "their.yaml"
    path.write_text(_DESCRIPTOR, encoding="utf-8")
    return path


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [*_COMMAND, *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=_LIMIT_S)


def test_the_package_is_not_the_checkout() -> None:
    assert (Path(batchproof.__file__).parent / "suite" / "features" / "requirements").is_dir()


@pytest.mark.usefixtures("empty")
def test_the_suite_travels_with_the_wheel() -> None:
    told = json.loads(_run("requirements", "--json").stdout)
    assert len(told) >= 60
    assert all(one["scenarios"] for one in told)


@pytest.mark.usefixtures("empty")
def test_a_descriptor_is_smoked(descriptor: Path) -> None:
    done = _run("smoke", descriptor)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_controller_elsewhere_is_judged(descriptor: Path, empty: Path) -> None:
    done = _run(
        "run", "-i", descriptor, "-n", "2", "-k", "BAS-013 or FIN-008 or BAS-046", "--junit", "out.xml"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (empty / "out.xml").is_file()
    assert (empty / "batchproof-results" / "index.html").is_file()
    report = json.loads((empty / "batchproof-results" / "report.json").read_text(encoding="utf-8"))
    assert report["implementation"]["name"] == "elsewhere"
