"""Which planted defects a change in git concerns: only those need to be judged again."""

from __future__ import annotations

import subprocess
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from batchproof import suite
from batchproof.errors import UserError
from batchproof.report.wording import count, named
from batchproof.specification.changes import PARTS, EverythingChanged, affected

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from batchproof.specification.defects import Defect


def changed_since(revision: str, defects: Sequence[Defect], say: Callable[[str], None]) -> frozenset[str]:
    """The names of the defects that something has changed for; all, where that cannot be known.

    Args:
        revision: a revision of git.
        defects: those that there are.
        say: called with which were chosen, and why.

    Raises:
        UserError: this is no checkout of git, or there is no such revision.
    """
    root = suite.features().parent
    with tempfile.TemporaryDirectory(prefix="batchproof-since-") as folder:
        old = Path(folder)
        with tarfile.open(fileobj=BytesIO(_archive(root, revision))) as archive:
            archive.extractall(old, filter="data")
        try:
            found = affected(defects, old, root)
        except EverythingChanged as all_of_them:
            say(f"all {count(len(defects), 'defect')}, for since {revision} {all_of_them}")
            return frozenset(one.name for one in defects)
    say(f"{len(found)} of {count(len(defects), 'defect')} have to be judged again since {revision}")
    for reason in sorted(set(found.values())):
        say(f"  {reason}: {named([name for name, why in found.items() if why == reason], 5)}")
    return frozenset(found)


def _archive(root: Path, revision: str) -> bytes:
    """The parts of the suite as they were, as a tar archive."""
    there = subprocess.run(
        ["git", "ls-tree", "--name-only", revision, "--", *PARTS], cwd=root, capture_output=True, check=False
    )
    parts = there.stdout.decode().split()
    if there.returncode or not parts:
        why = there.stderr.decode().strip() or "it holds no suite"
        raise UserError(f"--since: {revision!r} cannot be compared with {root}: {why}")
    archive = ["git", "archive", "--format=tar", revision, "--", *parts]
    return subprocess.run(archive, cwd=root, capture_output=True, check=True).stdout
