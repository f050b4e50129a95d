"""Files that were edited at random are read, or named and refused in one sentence: never a traceback.

``BATCHPROOF_EDITS`` and ``BATCHPROOF_SEED`` choose how many edits, and which; each has a number.
"""

from __future__ import annotations

import os
import random
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import report_sample as sample
from attacks import Ended
from edits import edited
from test_matrix import KILLED, OTHER, SURVIVED, matrix
from test_replay import early, met, missed, recorded

from batchproof.control_plane import kind_record
from batchproof.ground import stored, suite
from batchproof.ground.errors import UserError
from batchproof.report.matrix import dump

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from attacks import CommandLine

EDITS = int(os.environ.get("BATCHPROOF_EDITS", "200"))
SEED = int(os.environ.get("BATCHPROOF_SEED", "23"))


@dataclass(frozen=True)
class Case:
    """A file that is edited, and the commands that read it.

    Attributes:
        kind: how it is edited.
        commands: the commands, in which FOLDER and FILE stand for those of the file.
        verdicts: the exit codes with which a command may end that could read it.
    """

    file: str
    kind: str
    commands: Sequence[Sequence[str]]
    verdicts: frozenset[int]


CLUSTERS = ["the clusters of kind"]
DESCRIPTORS = ("reference", "kube-scheduler", "volcano", "reference-tfjob-admission", "reference-volcano-job")
RIGHTS = [["rbac", "-i", "FILE"]]
READS = [["report", "FOLDER"], ["compare", "FOLDER"]]
REPLAYS = [["replay", "--any-suite", "RUN"]]
MERGES = [["mutants", "--merge", "FOLDER", "-o", "OUT"]]
CASES = (
    *(
        Case(f"descriptors/{name}.yaml", "yaml", [["rbac", "-i", "FILE"]], frozenset({0}))
        for name in DESCRIPTORS
    ),
    Case("descriptors/reference.yaml", "yaml", [["lint", "FILE"]], frozenset({0, 1})),
    Case("results/results.jsonl", "jsonl", READS, frozenset({0, 1})),
    *(Case(f"played/histories/{n}.jsonl", "jsonl", REPLAYS, frozenset({0, 1})) for n in range(3)),
    Case("matrix/defects.json", "json", MERGES, frozenset({0, 1})),
    Case("cache/kind/clusters/x.json", "json", [CLUSTERS], frozenset({0})),
)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All the files as they should be."""
    folder = tmp_path_factory.mktemp("sound")
    (folder / "descriptors").mkdir()
    for name in DESCRIPTORS:
        shutil.copy(suite.fixtures() / "implementations" / f"{name}.yaml", folder / "descriptors")
    (folder / "results").mkdir()
    sample.write_stream(folder / "results", sample.stream(sample.scenarios()))
    (folder / "played").mkdir()
    recorded(
        folder / "played",
        (sample.scenario("BAS-002", "passed"), met()),
        (sample.scenario("BAS-002", "failed", "failed"), missed()),
        (sample.scenario("FIN-004", "released", "failed"), early()),
    )
    (folder / "matrix").mkdir()
    (folder / "matrix" / "defects.json").write_bytes(dump(matrix(KILLED, SURVIVED, OTHER)))
    record = kind_record.KindRecord("batchproof-x", "/kind", "/run", "/kubeconfig", "", ("a",))
    (folder / "cache" / "kind" / "clusters").mkdir(parents=True)
    (folder / "cache" / "kind" / "clusters" / "x.json").write_bytes(stored.encode(record))
    return folder


@pytest.fixture
def read(batchproof: CommandLine, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ended]:
    """Read a file by one of the commands."""

    def read(command: Sequence[str], file: Path) -> Ended:
        if command == CLUSTERS:  # which a run with --cluster kind reads first
            monkeypatch.setattr(kind_record, "folder", lambda: file.parent)
            try:
                kind_record.recorded()
            except UserError as error:
                return Ended(2, "", f"batchproof: {error}\n")
            return Ended(0, "", "")
        stands_for = {"FILE": file, "FOLDER": file.parent, "RUN": file.parents[1], "OUT": file.parent / "out"}
        return batchproof(*(stands_for.get(word, word) for word in command))

    return read


def wrong(ended: Ended, case: Case, file: Path) -> str:
    """What is wrong with how a command ended; "" if nothing is."""
    if not ended.sound:
        return ended.err
    if ended.code in case.verdicts:
        return ""
    if ended.code != 2:
        return f"it ends with {ended.code}: {ended.err}"
    if str(file.parent) not in ended.err and "matrix" not in ended.err:
        return f"the file is not named: {ended.err}"
    if case.kind == "yaml" and not re.search(rf"{re.escape(str(file))}:\d+: ", ended.err):
        return f"the line is not named: {ended.err}"
    return ""


def test_edited_files_are_read_or_refused_in_one_sentence(
    read: Callable[..., Ended], sound: Path, tmp_path: Path
) -> None:
    found, refused = [], 0
    for number in range(EDITS):
        case = CASES[number % len(CASES)]
        folder = tmp_path / str(number)
        top = Path(case.file).parts[0]
        shutil.copytree(sound / top, folder / top)
        file = folder / case.file
        file.write_bytes(edited(file.read_bytes(), case.kind, random.Random(f"{SEED} {number}")))  # noqa: S311 - chance must come back
        for command in case.commands:
            ended = read(command, file)
            refused += ended.code == 2
            if what := wrong(ended, case, file):
                found.append(f"edit {number}: {' '.join(command)} {file}: {what[-2000:]}")
        if not found or not found[-1].startswith(f"edit {number}:"):
            shutil.rmtree(folder)
    assert not found, f"{len(found)} wrong\n" + "\n".join(found)
    assert refused > EDITS // 4  # or the edits would prove nothing


@pytest.mark.quick
def test_the_files_are_sound_before_they_are_edited(read: Callable[..., Ended], sound: Path) -> None:
    for case in CASES:
        for command in case.commands:
            ended = read(command, sound / case.file)
            assert ended.code in case.verdicts, (command, ended.err)
