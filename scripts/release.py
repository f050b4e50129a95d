"""Makes a release in a folder: python scripts/release.py VERSION --output FOLDER --key KEY; --help has more.

Everything is built from the commit, not from the working tree, and from nothing else: the same commit and key
make the same bytes. The folder gets

- the sdist and the wheel,
- the image but for its base, as a context of `docker build`,
- NOTES.md, the section of CHANGELOG.md,
- the manifest of the suite: an in-toto statement about the files of the release, with every file that
  specifies or judges, signed in a DSSE envelope,
- SHA256SUMS, of all of these.

Nothing is uploaded. ``scripts/verify_release.py`` checks such a folder. See "Release" in CONTRIBUTING.md.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from datetime import UTC, date, datetime
from getpass import getpass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

from batchproof.attestation import envelope, keys
from batchproof.attestation.statement import STATEMENT, Statement, Subject
from batchproof.evidence.digests import DigestPart
from batchproof.ground.errors import UserError
from batchproof.ground.stored import encode

RELEASE: Final = "urn:batchproof:release:v1"
"""The predicate type of the manifest."""
MANIFEST: Final = "suite-manifest.intoto.jsonl"
NOTES: Final = "NOTES.md"
SUMS: Final = "SHA256SUMS"
_PASSWORD: Final = "BATCHPROOF_KEY_PASSWORD"  # noqa: S105 - the name of a variable
_SHOWN: Final = 5
_PARTS: Final = """
import json, batchproof
from batchproof.evidence import digests
files = [dict(path=one.path, size=one.size, sha256=one.sha256) for one in digests.parts()]
print(json.dumps(dict(version=batchproof.__version__, suite=digests.suite_digest(), files=files)))
"""
_SECTION: Final = re.compile(r"^## \[(?P<version>[^]]+)\](?P<rest>.*)$", re.MULTILINE)


class Release(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the manifest says of a release.

    Attributes:
        suite: the digest of what specifies and judges, as ``batchproof --version`` prints it.
        files: what that is of.
        commit: what everything was built from.
    """

    version: str
    suite: str
    files: tuple[DigestPart, ...]
    commit: str = ""


def main(arguments: list[str] | None = None) -> int:
    """Make the release that the command line asks for; 2 if something is not ready for it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("version", metavar="VERSION", help="as in pyproject.toml, such as 0.2.0")
    parser.add_argument("--output", metavar="FOLDER", type=Path, required=True, help="a new or empty folder")
    parser.add_argument("--key", type=Path, required=True, help="private key, of `certify --new-key`")
    parser.add_argument("--no-image", action="store_true", help="leave out what the image is made of")
    parser.add_argument("--tag", action="store_true", help="make the annotated tag, after everything else")
    given = parser.parse_args(arguments)
    try:
        _release(
            Path.cwd(), given.version, given.output, given.key, with_image=not given.no_image, tag=given.tag
        )
    except (UserError, OSError) as error:
        print(f"release: {error}", file=sys.stderr)
        return 2
    return 0


def notes_of(changelog: str, version: str, today: date) -> str:
    """The section of a version in a changelog, without its heading.

    Raises:
        UserError: there is none, it has no date or one that is to come, or it is empty.
    """
    sections = list(_SECTION.finditer(changelog))
    ends = [*(one.start() for one in sections[1:]), len(changelog)]
    for section, end in zip(sections, ends, strict=True):
        if section["version"] == version:
            day = _day(section["rest"], version)
            if day > today:
                raise UserError(f"CHANGELOG.md: {version} has a date in the future, {day}: write {today}")
            if text := changelog[section.end() : end].strip():
                return f"# batchproof {version}\n\n{text}\n"
            raise UserError(f"CHANGELOG.md: the section [{version}] is empty: write what a user notices")
    raise UserError(f"CHANGELOG.md has no section [{version}]: add '## [{version}] - {today}' with the notes")


def unreleased(changelog: str) -> int:
    """How many lines a changelog has under ``[Unreleased]``, headings apart: they are not in the notes."""
    _, _, rest = changelog.partition("## [Unreleased]")
    section = rest.partition("\n## [")[0]
    return sum(1 for line in section.splitlines() if line.strip() and not line.startswith("#"))


def _day(rest: str, version: str) -> date:
    try:
        return date.fromisoformat(rest.removeprefix(" - ").strip())
    except ValueError as error:
        raise UserError(
            f"CHANGELOG.md: the section [{version}] has no date: write '## [{version}] - YEAR-MONTH-DAY'"
        ) from error


def _release(root: Path, version: str, output: Path, key_file: Path, *, with_image: bool, tag: bool) -> None:
    see_ready(root, version, output)
    key = keys.private_key(key_file.read_bytes(), str(key_file), _password)
    commit, when = _git(root, "log", "-1", "--format=%H %ct").split()
    with TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        _export(root, commit, tree)
        built = Path(folder, "built")
        build(tree, built, when)
        judged = _of_built(built, tree, Path(folder, "wheel"), version)
        if with_image:
            image(tree, built / f"batchproof-{version}-image.tar.gz", when)
        made = {path.name: path.read_bytes() for path in built.iterdir() if path.is_file()}
        changelog = (tree / "CHANGELOG.md").read_text("utf-8")
    made[NOTES] = notes_of(changelog, version, _today()).encode()
    made[MANIFEST] = envelope.lines([envelope.sign(manifest(made, judged, commit), key)])
    made[SUMS] = "".join(f"{_sha256(made[name])}  {name}\n" for name in sorted(made)).encode()
    output.mkdir(parents=True, exist_ok=True)
    for name, content in made.items():
        (output / name).write_bytes(content)
        print(output / name)
    if left := unreleased(changelog):
        print(f"not in the notes, as [Unreleased] in CHANGELOG.md has them: {left} lines")
    print(f"suite     {judged.suite}, {len(judged.files)} files")
    print(f"signed by {key.public.keyid} ({key.public.algorithm})")
    _tag(root, version, commit, make=tag)


def see_ready(root: Path, version: str, output: Path) -> None:
    """See that a version can be released from a checkout.

    Raises:
        UserError: something is not ready; the message says what to do.
    """
    if Path(_git(root, "rev-parse", "--show-toplevel")) != root.resolve():
        raise UserError(f"{root} is not the root of a checkout: run it there")
    status = _git(root, "status", "--porcelain", "--untracked-files=all")
    if changed := [line.split(maxsplit=1)[1] for line in status.splitlines()]:
        more = f" and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else ""
        raise UserError(
            f"the checkout has changes that are not committed: {', '.join(changed[:_SHOWN])}{more}; "
            "commit or remove them: a release is built from a commit"
        )
    declared = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    if declared != version:
        raise UserError(f"pyproject.toml has version {declared}, not {version}: change it and commit")
    notes_of((root / "CHANGELOG.md").read_text("utf-8"), version, _today())
    if _git(root, "tag", "--list", f"v{version}"):
        raise UserError(f"there is a tag v{version} already: a version is released once; choose the next one")
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise UserError(f"--output: {output} is not an empty folder")


def build(tree: Path, folder: Path, when: str) -> None:
    """Build the sdist and the wheel with the pinned hatchling.

    Args:
        tree: what is committed.
        folder: where to build.
        when: the time of the commit, which all files get.

    Raises:
        UserError: the build fails; the message ends with what it says.
    """
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", str(folder)]
    _make("the package cannot be built", command, cwd=tree, when=when)


def image(tree: Path, archive: Path, when: str) -> None:
    """Pack the layers of the image with its Containerfile: all but the base, whose digest that pins.

    Raises:
        UserError: a layer cannot be made or packed; the message ends with what the program says.
    """
    layers = tree.with_name("layers")
    command = [sys.executable, str(tree / "scripts" / "image.py"), str(layers)]
    _make("the image cannot be made", command, cwd=tree, when=when, PYTHONPATH=str(tree / "src"))
    tar = ["tar", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", f"--mtime=@{when}"]
    packed = ["--use-compress-program=gzip -n1", "--create", "--file", str(archive)]
    names = sorted(path.name for path in layers.iterdir())
    command = [*tar, *packed, "-C", str(tree), "Containerfile", "-C", str(layers), *names]
    _make("the image cannot be packed", command, cwd=tree, when=when)


def _make(failure: str, command: list[str], *, cwd: Path, when: str, **env: str) -> None:
    """Run a program that makes a part of the release, with the time of the commit.

    Raises:
        UserError: it fails; the message is the failure and what the program says.
    """
    env = {**os.environ, "SOURCE_DATE_EPOCH": when, **env}
    ended = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise UserError(f"{failure}: {ended.stderr.strip() or ended.stdout.strip()}")


def manifest(made: dict[str, bytes], judged: Release, commit: str) -> bytes:
    """The statement that is signed: the files of the release, and every file of the suite."""
    subjects = tuple(Subject({"sha256": _sha256(made[name])}, name) for name in sorted(made))
    return encode(
        Statement(
            type_=STATEMENT,
            subject=subjects,
            predicate_type=RELEASE,
            predicate=msgspec.to_builtins(msgspec.structs.replace(judged, commit=commit)),
        )
    )


def _of_built(folder: Path, tree: Path, unpacked: Path, version: str) -> Release:
    """What the wheel itself says of its suite, if it is what the commit says of its own.

    Raises:
        UserError: they differ, or the wheel has another version.
    """
    (wheel,) = folder.glob("*.whl")
    shutil.unpack_archive(wheel, unpacked, "zip")
    built, committed = parts(unpacked), parts(tree / "src")
    if built != committed:
        other = sorted(one.path for one in {*committed.files} ^ {*built.files})
        raise UserError(
            f"{wheel.name} has another suite than the commit: {', '.join(other[:_SHOWN])}; "
            "see [tool.hatch.build.targets.wheel] in pyproject.toml"
        )
    if built.version != version:
        raise UserError(f"src/batchproof/__init__.py has version {built.version}, not {version}")
    return built


def parts(package: Path) -> Release:
    """The version, the digest and the files of the suite, as the package in a folder computes them."""
    ended = subprocess.run(
        [sys.executable, "-c", _PARTS],
        cwd=package,
        env={**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return msgspec.json.decode(ended.stdout, type=Release)


def _export(root: Path, commit: str, tree: Path) -> None:
    """Put the files of a commit into a folder."""
    archive = tree.with_suffix(".tar")
    _git(root, "archive", f"--output={archive}", commit)
    shutil.unpack_archive(archive, tree, "tar", filter="data")


def _tag(root: Path, version: str, commit: str, *, make: bool) -> None:
    command = ["git", "tag", "--annotate", f"v{version}", "--message", f"batchproof {version}", commit]
    if make:
        _git(root, *command[1:])
        print(f"tagged    v{version}; publish it with: git push origin v{version}")
    else:
        command[5] = f'"{command[5]}"'
        print(f"tag it    {' '.join(command)}")


def _git(root: Path, *arguments: str) -> str:
    ended = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise UserError(f"git {arguments[0]}: {ended.stderr.strip()}")
    return ended.stdout.strip()


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _today() -> date:
    return datetime.now(UTC).date()


def _password() -> str:
    given = os.environ.get(_PASSWORD)
    return given if given is not None else getpass("Password of the key: ")


if __name__ == "__main__":
    sys.exit(main())
