"""Two real runs of one implementation, made once for all tests."""

from __future__ import annotations

import os
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest
from command import ended
from dishonest import Scene, moment
from filelock import FileLock

from batchproof.attestation import keys
from batchproof.attestation.judging import JudgedAgain, judged_again
from batchproof.evidence.digests import suite_digest
from batchproof.ground.errors import UserError
from batchproof.report.results import FILE_NAME, read_results

NAMES: Final = ("reference-tfjob", "reference-tfjob-again")  # of the smallest profile
_WHOLE: Final = ("--profile", "tfjob")
SMALL: Final = "ai-conformance-operator"


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two runs of a profile: those in ``BATCHPROOF_RESULTS`` where they are of this suite, else made now."""
    first, second = (copied(tmp_path_factory, name, *_WHOLE) for name in NAMES)
    return first, second


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a small suite, likewise."""
    return copied(tmp_path_factory, SMALL, "--suite", SMALL)


def copied(made: pytest.TempPathFactory, name: str, *words: str) -> Path:
    """A copy of a run, which is made where there is none of this suite.

    A checkout has changes while somebody works on it, and could not be certified: the copy says it has none.
    """
    given = os.environ.get("BATCHPROOF_RESULTS")
    kept = (Path(given) if given else made.getbasetemp().parent / "batchproof-certified") / name
    kept.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(kept.parent / ".lock"):
        if not fresh(kept):
            code, said = ended("run", *words, "--output", kept)
            assert code == 0, said
        folder = made.mktemp(name)
        shutil.copytree(kept / "histories", folder / "histories")
        results = (kept / FILE_NAME).read_bytes()
        (folder / FILE_NAME).write_bytes(results.replace(b'"changed checkout"', b'"checkout"', 1))
    return folder


def fresh(folder: Path) -> bool:
    """Whether there is a finished run of this suite."""
    try:
        return read_results(folder).header.suite.digest == suite_digest()
    except UserError:
        return False


@pytest.fixture(scope="session")
def honest(runs: tuple[Path, Path]) -> JudgedAgain:
    """The first run, judged again."""
    return judged_again(runs[0])


@pytest.fixture
def scene(runs: tuple[Path, Path], honest: JudgedAgain, tmp_path: Path) -> Scene:
    """The runs, the keys of vendor and lab, and the moment after both."""
    later = max(moment(read_results(one).footer.finished) for one in runs)
    return Scene(
        run=runs[0],
        again=runs[1],
        folder=tmp_path,
        honest=honest,
        key=keys.new_key(),
        lab=keys.new_key(),
        now=later + timedelta(hours=1),
    )
