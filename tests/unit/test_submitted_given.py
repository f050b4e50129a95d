"""What a shard is given of the implementation, and what has to be in an image."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from batchproof.commands import submit
from batchproof.descriptor import implementation as descriptors
from batchproof.descriptor.implementation import Implementation
from batchproof.ground.errors import UserError
from batchproof.submitting.given import check_image, files_of, programs_of

if TYPE_CHECKING:
    from pathlib import Path

DESCRIPTOR = """\
name: mine
version: "1"
organisation: Example Ltd
profiles: [job]
capabilities: []
start:
  argv: [%s, "--kubeconfig={kubeconfig}"]
"""


def described(folder: Path, argv: str) -> Implementation:
    (folder / "mine.yaml").write_text(DESCRIPTOR % argv)
    return descriptors.load(folder / "mine.yaml")


@pytest.mark.parametrize(
    ("argv", "programs"),
    [
        ("/implementation/bin/manager", ("/bin/manager",)),
        ("python3, /implementation/app/main.py", ("/app/main.py",)),
        ("sh, --config=/implementation/etc/x.yaml", ("/etc/x.yaml",)),
        ("/my/manager", ()),
        ("/implementations/manager", ()),
    ],
)
def test_what_is_named_of_its_own_image_is_found(
    tmp_path: Path, argv: str, programs: tuple[str, ...]
) -> None:
    found = described(tmp_path, argv)
    assert programs_of(found) == programs
    check_image(found, "example.org/mine:1")
    if not programs:
        check_image(found, "")
        return
    with pytest.raises(UserError, match=r"mine\.yaml starts /implementation/.*--implementation-image"):
        check_image(found, "")


def test_a_missing_image_is_named_before_a_cluster_is_asked(tmp_path: Path) -> None:
    described(tmp_path, "/implementation/bin/manager")
    words = ["-i", str(tmp_path / "mine.yaml"), "--image", "x", "-k", "FIN-001", "-o", str(tmp_path / "out")]
    nowhere = ["--kubeconfig", str(tmp_path / "none")]
    failed = CliRunner().invoke(submit.command, [*words, *nowhere], standalone_mode=False)
    assert isinstance(failed.exception, UserError)
    assert "name that image with --implementation-image" in str(failed.exception)


def test_the_files_beside_a_descriptor_are_given_by_their_paths(tmp_path: Path) -> None:
    found = described(tmp_path, "/my/manager")
    assert [*files_of(str(tmp_path / "mine.yaml"), found)] == ["mine.yaml"]
    assert files_of("reference", descriptors.load(descriptors.find("reference"))) == {}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--mutants", "--explore", "1m"], "--mutants and --explore are two runs"),
        (["--mutants", "--strict"], "--faults, --strict, --accept-known and --junit are of a run"),
        (
            ["--explore", "1m", "--faults", "all"],
            "--faults, --strict, --accept-known and --junit are of a run",
        ),
        (["--seed", "1"], "give --explore TIME too"),
        (["--explore", "soon"], "'soon' is no length of time"),
        (["--explore", "1m", "-k", "FIN"], "leave it out with --explore"),
        (["--mutants", "-i", "reference"], "--implementation needs --profile"),
        (["--attach", "x", "--mutants"], "leave out -i, --profile, -k, --faults, --mutants"),
    ],
)
def test_options_of_several_commands_are_refused(tmp_path: Path, words: list[str], why: str) -> None:
    given = [*words, "--image", "x", "-o", str(tmp_path)]
    failed = CliRunner().invoke(submit.command, given, standalone_mode=False)
    assert isinstance(failed.exception, UserError)
    assert why in str(failed.exception)
