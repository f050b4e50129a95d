"""A release, rehearsed: made from a commit of this checkout into a folder, checked, and attacked."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from batchproof.attestation import keys
from batchproof.evidence.digests import suite_digest

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
HEADING = next(
    line
    for line in (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines()
    if line.startswith(f"## [{VERSION}]")
)
HANGS_S = 900.0  # it only ends a hang
MANIFEST, SUMS = "suite-manifest.intoto.jsonl", "SHA256SUMS"


def started(cwd: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command, without what pytest set for itself."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHONPATH", "GIT_"))}
    return subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=HANGS_S
    )


def git(cwd: Path, *arguments: str | Path) -> str:
    ended = started(cwd, "git", "-c", "user.name=A", "-c", "user.email=a@example.com", *arguments)
    assert not ended.returncode, ended.stderr
    return ended.stdout.strip()


def release(
    checkout: Path, output: Path, *more: str, image: bool = False
) -> subprocess.CompletedProcess[str]:
    command = ("scripts/release.py", VERSION, "--output", output, "--key", checkout.parent / "key.pem")
    return started(checkout, sys.executable, *command, *more, *(() if image else ("--no-image",)))


def verified(checkout: Path, folder: Path, key: str = "key.pub") -> subprocess.CompletedProcess[str]:
    return started(
        checkout, sys.executable, "scripts/verify_release.py", folder, "--key", checkout.parent / key
    )


@pytest.fixture(scope="module")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout in which everything of this one is committed, changes included."""
    checkout = tmp_path_factory.mktemp("release") / "batchproof"
    listed = git(ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "-z")
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (checkout / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, checkout / name)
    git(checkout, "init", "--quiet")
    git(checkout, "add", "--all")
    git(checkout, "commit", "--quiet", "--message", "A commit")
    for name in ("key", "other"):
        key = keys.new_key()
        (checkout.parent / f"{name}.pem").write_bytes(key.pem)
        (checkout.parent / f"{name}.pub").write_text(key.public.pem)
    return checkout


@pytest.fixture(scope="module")
def made(committed: Path) -> Path:
    """A release of it."""
    folder = committed.parent / "made"
    ended = release(committed, folder)
    assert not ended.returncode, ended.stderr
    head = git(committed, "rev-parse", "HEAD")
    command = f'git tag --annotate v{VERSION} --message "batchproof {VERSION}" {head}'
    assert ended.stdout.splitlines()[-1].endswith(command)
    assert not git(committed, "tag")
    return folder


@pytest.fixture
def checkout(committed: Path, tmp_path: Path) -> Path:
    """A copy of the checkout that may be changed."""
    for name in ("key.pem", "key.pub"):
        shutil.copy(committed.parent / name, tmp_path / name)
    git(tmp_path, "clone", "--quiet", "--local", committed, tmp_path / "checkout")
    return tmp_path / "checkout"


def commit(checkout: Path, name: str, old: str, new: str) -> None:
    path = checkout / name
    assert old in path.read_text("utf-8")
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    git(checkout, "commit", "--quiet", "--all", "--message", "A change")


def test_a_release_has_the_packages_the_notes_and_what_proves_them(committed: Path, made: Path) -> None:
    packages = {f"batchproof-{VERSION}-py3-none-any.whl", f"batchproof-{VERSION}.tar.gz"}
    assert {path.name for path in made.iterdir()} == packages | {"NOTES.md", MANIFEST, SUMS}
    notes = (made / "NOTES.md").read_text("utf-8")
    assert notes.startswith(f"# batchproof {VERSION}\n")
    assert "### Added" in notes
    assert "## [" not in notes
    for line in (made / SUMS).read_text("utf-8").splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((made / name).read_bytes()).hexdigest() == digest
    ended = verified(committed, made)
    assert not ended.returncode, ended.stderr
    assert suite_digest() in ended.stdout


def test_the_manifest_is_signed_as_dsse_demands(committed: Path, made: Path) -> None:
    """The signature is checked here by the words of the standard, and by no code of batchproof."""
    envelope = json.loads((made / MANIFEST).read_text("utf-8"))
    body = base64.b64decode(envelope["payload"])
    kind = envelope["payloadType"]
    signed = f"DSSEv1 {len(kind)} {kind} {len(body)} ".encode() + body
    (signature,) = envelope["signatures"]
    key = load_pem_public_key((committed.parent / "key.pub").read_bytes())
    key.verify(base64.b64decode(signature["sig"]), signed)  # type: ignore[union-attr, call-arg] # it is Ed25519
    statement = json.loads(body)
    assert statement["predicate"]["suite"] == suite_digest()
    assert statement["predicate"]["commit"] == git(committed, "rev-parse", "HEAD")
    for subject in statement["subject"]:
        content = (made / subject["name"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == subject["digest"]["sha256"]


def test_the_same_commit_and_key_make_the_same_bytes(committed: Path, made: Path, tmp_path: Path) -> None:
    ignored = committed / "src" / "batchproof" / "__pycache__"
    ignored.mkdir(exist_ok=True)
    (ignored / "left.pyc").touch()
    assert not release(committed, tmp_path / "again").returncode
    assert (tmp_path / "again" / SUMS).read_bytes() == (made / SUMS).read_bytes()


def test_the_image_but_for_its_base_is_part_of_it_and_the_same_bytes_each_time(
    committed: Path, tmp_path: Path
) -> None:
    made = [tmp_path / "once", tmp_path / "again"]
    for folder in made:
        ended = release(committed, folder, image=True)
        assert not ended.returncode, ended.stderr
        assert not verified(committed, folder).returncode
    assert (made[0] / SUMS).read_bytes() == (made[1] / SUMS).read_bytes()
    with tarfile.open(made[0] / f"batchproof-{VERSION}-image.tar.gz") as context:
        names = context.getnames()
        recipe = context.extractfile("Containerfile")
        assert recipe is not None
        copied = re.findall(r"^COPY (?:--\S+ )?(\S+)/ /$", recipe.read().decode(), re.MULTILINE)
        assert copied
        assert {name.partition("/")[0] for name in names} == {"Containerfile", *copied}
        assert context.getmember("writable/results").isdir()
        texts = [one for one in context if one.isfile() and one.name.endswith(("/RECORD", ".json", ".cfg"))]
        held = {one.name: file.read() for one in texts if (file := context.extractfile(one))}
    of_us = {name: text for name, text in held.items() if name.startswith("batchproof/")}
    assert of_us
    assert not [name for name, text in of_us.items() if str(committed.parent).encode() in text]


def test_a_tag_is_made_when_it_is_wanted(checkout: Path, tmp_path: Path) -> None:
    ended = release(checkout, tmp_path / "out", "--tag")
    assert not ended.returncode, ended.stderr
    assert git(checkout, "cat-file", "-t", f"v{VERSION}") == "tag"
    assert git(checkout, "rev-parse", f"v{VERSION}^{{}}") == git(checkout, "rev-parse", "HEAD")
    again = release(checkout, tmp_path / "second", "--tag")
    assert again.returncode == 2
    assert f"there is a tag v{VERSION} already" in again.stderr


CHANGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a change": (lambda it: (it / "README.md").write_text("Other."), "not committed: README.md;"),
    "a new file": (
        lambda it: (it / "features" / "new.feature").write_text(""),
        "not committed: features/new.feature;",
    ),
    "another version": (
        lambda it: commit(it, "pyproject.toml", f'version = "{VERSION}"', 'version = "9.9.9"'),
        "pyproject.toml has version 9.9.9",
    ),
    "the package has another version": (
        lambda it: commit(it, "src/batchproof/__init__.py", f'"{VERSION}"', '"9.9.9"'),
        "__init__.py has version 9.9.9",
    ),
    "no notes": (
        lambda it: commit(it, "CHANGELOG.md", HEADING, "## [9.9.9] - 2026-01-01"),
        f"CHANGELOG.md has no section [{VERSION}]",
    ),
    "empty notes": (
        lambda it: commit(it, "CHANGELOG.md", HEADING, f"{HEADING}\n\n## [0.0.1] - 2020-01-01"),
        f"the section [{VERSION}] is empty",
    ),
    "no date": (
        lambda it: commit(it, "CHANGELOG.md", HEADING, f"## [{VERSION}] - soon"),
        f"the section [{VERSION}] has no date",
    ),
    "a date to come": (
        lambda it: commit(it, "CHANGELOG.md", HEADING, f"## [{VERSION}] - 2999-01-01"),
        "date in the future, 2999-01-01",
    ),
    "a wheel without a part of the suite": (
        lambda it: commit(it, "pyproject.toml", '"suites" = "batchproof/suite/suites"\n', ""),
        "has another suite than the commit: suites/",
    ),
    "an output that is not empty": (
        lambda it: shutil.copytree(it / "suites", it.parent / "out"),
        "is not an empty folder",
    ),
    "a public key": (
        lambda it: shutil.copy(it.parent / "key.pub", it.parent / "key.pem"),
        "holds no private key",
    ),
}


@pytest.mark.parametrize(("change", "message"), CHANGES.values(), ids=CHANGES)
def test_what_is_not_ready_is_not_released(
    checkout: Path, tmp_path: Path, change: Callable[[Path], object], message: str
) -> None:
    change(checkout)
    ended = release(checkout, tmp_path / "out", "--tag")
    assert ended.returncode == 2, ended.stdout
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not list((tmp_path / "out").glob("batchproof*"))
    assert not git(checkout, "tag")


def replaced(folder: Path, name: str, content: bytes) -> None:
    """Replace a file, and list it in SHA256SUMS, as anyone can."""
    (folder / name).write_bytes(content)
    files = sorted(path for path in folder.iterdir() if path.name != SUMS)
    sums = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (folder / SUMS).write_text("".join(sums))


def manifest(folder: Path, old: str, new: str) -> None:
    envelope = json.loads((folder / MANIFEST).read_bytes())
    body = base64.b64decode(envelope["payload"]).decode()
    assert old in body
    envelope["payload"] = base64.b64encode(body.replace(old, new).encode()).decode()
    replaced(folder, MANIFEST, json.dumps(envelope).encode())


def other_wheel(folder: Path) -> None:
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path, "a") as wheel:
        wheel.writestr("batchproof/suite/features/easy.feature", "Feature: Nothing\n")
    replaced(folder, path.name, path.read_bytes())


ATTACKS: dict[str, tuple[Callable[[Path], object], str]] = {
    "other notes": (
        lambda it: (it / "NOTES.md").write_text("All is well."),
        f"not the file that {SUMS} lists",
    ),
    "other notes and sums": (lambda it: replaced(it, "NOTES.md", b"All is well."), "the manifest lists"),
    "another wheel": (other_wheel, "whl is not the file that the manifest lists"),
    "one file more": (
        lambda it: replaced(it, "more.whl", b"x"),
        "more.whl is not the file that the manifest",
    ),
    "one file less": (lambda it: (it / "NOTES.md").unlink(), "NOTES.md is listed, but it is not here"),
    "another manifest": (lambda it: manifest(it, VERSION, "9.9.9"), "is not signed by this key"),
    "no manifest": (lambda it: (it / MANIFEST).unlink(), MANIFEST),
    "no sums": (lambda it: (it / SUMS).unlink(), SUMS),
}


@pytest.mark.parametrize(("attack", "message"), ATTACKS.values(), ids=ATTACKS)
def test_what_was_changed_afterwards_is_refused(
    committed: Path, made: Path, tmp_path: Path, attack: Callable[[Path], object], message: str
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(made, folder)
    attack(folder)
    ended = verified(committed, folder)
    assert ended.returncode == 1, ended.stdout
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_release_of_another_key_is_refused(committed: Path, made: Path) -> None:
    ended = verified(committed, made, key="other.pub")
    assert ended.returncode == 1
    assert "is not signed by this key" in ended.stderr
