"""Which mutants a change concerns, in git or since a record was kept: only those need to be judged again."""

from __future__ import annotations

import subprocess
import tarfile
import tempfile
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from batchproof.evidence.digests import code_digest
from batchproof.ground import suite
from batchproof.ground.errors import UserError
from batchproof.report.wording import count, named
from batchproof.specification.changes import PARTS, EverythingChanged, affected
from batchproof.specification.mutants import Mutant
from batchproof.specification.proved import proof_keys, read, sample, unproved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


def changed_since(revision: str, mutants: Sequence[Mutant], say: Callable[[str], None]) -> frozenset[str]:
    """The names of the mutants that something has changed for; all, where that cannot be known.

    Args:
        revision: a revision of git.
        mutants: those that there are.
        say: called with which were chosen, and why.

    Raises:
        UserError: this is no checkout of git, or there is no such revision.
    """
    with state_at(revision) as old:
        try:
            found = affected(mutants, old, suite.features().parent)
        except EverythingChanged as all_of_them:
            say(f"all {count(len(mutants), 'mutant')}, for since {revision} {all_of_them}")
            return frozenset(one.name for one in mutants)
    say(f"{len(found)} of {count(len(mutants), 'mutant')} have to be judged again since {revision}")
    for reason in sorted(set(found.values())):
        say(f"  {reason}: {named([name for name, why in found.items() if why == reason], 5)}")
    return frozenset(found)


def not_proved(
    path: Path, size: int, mutants: Sequence[Mutant], say: Callable[[str], None]
) -> frozenset[str]:
    """The names of the mutants that a record does not have as they are, and of a sample of the others.

    Args:
        path: the record, as ``scripts/proved.py`` writes it.
        size: how many of those that it has are judged all the same; another state of the suite draws others.
        mutants: those that there are.
        say: called with how many were chosen.

    Raises:
        UserError: the record cannot be read.
    """
    killed = read(path)
    again = unproved(mutants, proof_keys(mutants, suite.features().parent), killed)
    others = sample({one.name for one in mutants} - again, size, code_digest(suite.defects()))
    say(
        f"{len(again)} of {count(len(mutants), 'mutant')} are not in {path} as they are now"
        + (f"; {len(others)} of the others are judged again all the same" if size else "")
    )
    return again | others


@contextmanager
def state_at(revision: str) -> Iterator[Path]:
    """A folder with the parts of the suite as they were at a revision of git.

    Raises:
        UserError: this is no checkout of git, or there is no such revision.
    """
    with tempfile.TemporaryDirectory(prefix="batchproof-since-") as folder:
        with tarfile.open(fileobj=BytesIO(_archive(suite.features().parent, revision))) as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder)


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
