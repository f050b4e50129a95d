"""A vendor's view: the installed wheel alone, an empty folder, and a controller somewhere else on disk.

Runs in the tox environment ``wheel``, where nothing of the checkout can be imported. With another Python in
which the wheel is installed: ``python -m pytest tests/wheel --import-mode=importlib -c /dev/null``.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import batchproof
from batchproof.evidence.digests import DigestPart, digest_of, suite_digest
from batchproof.ground import suite
from batchproof.report.schemas import schemas

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(batchproof.__file__).parent
COMMAND = Path(sys.executable).with_name("batchproof")
CHECKOUT = Path(__file__).parents[2]
HANGS_S = 900.0  # it only ends a hang; tests/shared cannot be imported here

DESCRIPTOR = """\
name: my-controller
version: "7.3"
organisation: A Vendor
profiles: [job]
start:
  argv: ["{python}", "-m", "reference_controller", "job", "--kubeconfig", "{kubeconfig}"]
  env: {PYTHONPATH: "{descriptor_dir}/lib"}
  ready: {watches: [jobs, pods], within_s: 900}  # it only ends a hang
"""
LEAVES_A_TRACE = '\nimport pathlib\n\npathlib.Path(__file__).with_name("started").touch()\n'


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """An empty folder to work in."""
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """The vendor's folder: a descriptor, and a controller that leaves a file to show that it ran."""
    folder = tmp_path / "elsewhere"
    package = folder / "lib" / "reference_controller"
    shutil.copytree(suite.reference(), package)
    with (package / "__init__.py").open("a") as module:
        module.write(LEAVES_A_TRACE)
    (folder / "my.yaml").write_text(DESCRIPTOR)
    return folder


def run(cwd: Path, *arguments: str, code: int = 0) -> str:
    """Run ``batchproof`` and see how it ends; what it printed."""
    told = [name for name in os.environ if name.startswith(("PYTHONPATH", "PYTEST"))]
    env = {name: value for name, value in os.environ.items() if name not in told}
    ended = subprocess.run(
        [COMMAND, *arguments],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=HANGS_S,
    )
    assert ended.returncode == code, ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr
    return ended.stdout


def started(elsewhere: Path) -> bool:
    """The vendor's copy of the controller has run."""
    return (elsewhere / "lib" / "reference_controller" / "started").exists()


def test_nothing_is_read_from_the_checkout() -> None:
    assert not PACKAGE.is_relative_to(CHECKOUT / "src")
    assert "site-packages" in PACKAGE.parts
    for folder in (suite.features(), suite.steps(), suite.fixtures(), suite.schemas(), suite.defects()):
        assert folder.is_relative_to(PACKAGE), folder
    assert suite.reference() == PACKAGE.parent / "reference_controller"


def test_the_wheel_holds_the_whole_suite() -> None:
    for folder, source in (
        (suite.features(), CHECKOUT / "features"),
        (suite.steps(), CHECKOUT / "steps"),
        (suite.fixtures(), CHECKOUT / "fixtures"),
        (suite.schemas(), CHECKOUT / "reports" / "schemas"),
        (suite.defects(), CHECKOUT / "tests" / "mutants"),
    ):
        wanted = {path.relative_to(source) for path in source.rglob("*.*") if path.suffix != ".pyc"}
        installed = {path.relative_to(folder) for path in folder.rglob("*.*") if path.suffix != ".pyc"}
        assert installed == wanted | ({*map(Path, schemas())} if folder == suite.schemas() else set())
    assert {name: (suite.schemas() / name).read_bytes() for name in schemas()} == schemas()


def test_the_requirements_are_listed_with_scenarios_and_defects(empty: Path) -> None:
    told = json.loads(run(empty, "requirements", "--json"))
    assert told["not_judged"]
    rows = told["requirements"]
    assert len(rows) >= 60
    for row in rows:
        assert row["id"]
        assert row["sentence"]
        assert row["source"]
        assert row["scenarios"], row["id"]
    assert any(row["defects"] for row in rows)


def test_the_suite_and_a_vendors_descriptor_are_linted(empty: Path, elsewhere: Path) -> None:
    run(empty, "lint")
    run(empty, "lint", str(elsewhere / "my.yaml"))
    (elsewhere / "my.yaml").write_text(DESCRIPTOR.replace("{kubeconfig}", "{kubeconfg}"))
    assert "did you mean 'kubeconfig'?" in run(empty, "lint", str(elsewhere / "my.yaml"), code=1)


def test_a_controller_elsewhere_on_disk_is_judged(empty: Path, elsewhere: Path) -> None:
    output = empty / "results"
    chosen = ["-k", "(BAS-013 and succeeds) or (FIN-004 and 500)", "-n", "2", "-o", str(output)]
    run(empty, "run", "-i", str(elsewhere / "my.yaml"), *chosen)
    assert started(elsewhere)
    report = json.loads((output / "report.json").read_text())
    assert report["implementation"]["name"] == "my-controller"
    assert report["totals"]["scenarios"]["passed"] == 2
    assert "my-controller" in (output / "index.html").read_text()
    run(empty, "replay", str(output))
    assert [path.name for path in empty.iterdir()] == ["results"]


def test_a_path_relative_to_the_working_folder_is_found(empty: Path, elsewhere: Path) -> None:
    told = run(elsewhere, "run", "--dry-run", "-i", "./my.yaml", "-k", "BAS-013 and succeeds")
    assert told.endswith("1 scenario for my-controller 7.3\n")
    assert "my-controller" not in run(empty, "run", "--dry-run", "-k", "BAS-013")


def test_a_descriptor_passes_the_smoke_test(empty: Path, elsewhere: Path) -> None:
    told = run(empty, "smoke", str(elsewhere / "my.yaml"))
    assert started(elsewhere)
    assert "FAILED" not in told
    assert "can be judged" in told


def test_a_descriptor_that_is_wrong_is_blamed_by_the_smoke_test(empty: Path, elsewhere: Path) -> None:
    wrong = elsewhere / "wrong.yaml"
    wrong.write_text(DESCRIPTOR.replace('"job", "--kubeconfig"', '"job", "--kubeconfg"'))
    told = run(empty, "smoke", str(wrong), code=1)
    assert "FAILED  it starts and watches jobs, pods" in told
    assert f"look at 'start' in {wrong}" in told
    assert "name your own files by {descriptor_dir}" in told


def test_mutants_are_made_of_the_installed_reference(empty: Path) -> None:
    told = json.loads(run(empty, "mutants", "--json", "-k", "pods-without-finalizer"))
    [row] = told["rows"]
    assert (row["defect"], row["verdict"]) == ("pods-without-finalizer", "caught")


def test_the_digest_of_the_suite_is_that_of_the_checkout_and_of_the_wheel() -> None:
    """Installed, in the wheel's own list of files, and in the checkout it was built from: one digest."""
    of_the_checkout = subprocess.run(
        [sys.executable, "-c", "from batchproof.evidence.digests import suite_digest; print(suite_digest())"],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT / "src")},
    ).stdout.strip()

    assert suite_digest() == of_the_checkout == digest_of(sorted(listed_in_the_wheel()))


def listed_in_the_wheel() -> Iterator[DigestPart]:
    """What the wheel itself lists of what specifies and judges."""
    for file in distribution("batchproof").files or ():
        path = file.as_posix()
        if not path.startswith("batchproof/") or file.hash is None or file.size is None:
            continue
        inside = path.removeprefix("batchproof/suite/")
        specifies = inside.startswith(("features/", "suites/", "steps/", "fixtures/dialects/"))
        if specifies or inside == path:
            padded = file.hash.value + "=" * (-len(file.hash.value) % 4)
            yield DigestPart(inside, file.size, base64.urlsafe_b64decode(padded).hex())
