"""Mutants judged: first the reference itself, then each mutant by the scenarios of its requirement."""

from __future__ import annotations

import compileall
from collections import Counter
from dataclasses import replace
from math import fsum
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

import msgspec
import pytest

import batchproof
from batchproof.evidence.digests import code_digest
from batchproof.evidence.plan import catalogue
from batchproof.ground import files, suite
from batchproof.ground.errors import HarnessError, UserError
from batchproof.judgement.history import Saved
from batchproof.report.catches import Kill, Survival, warnings
from batchproof.report.drawings import TIMELINES
from batchproof.report.marks import touched
from batchproof.report.matrix import (
    FILE_NAME,
    SCHEMA_VERSION,
    Matrix,
    MutantResult,
    MutatedRequirement,
    Selection,
    dump,
)
from batchproof.report.matrix_page import catches, matrix_page
from batchproof.report.records import Header, ScenarioRecord
from batchproof.report.results import FILE_NAME as RESULTS
from batchproof.report.results import InvalidResults, ResultsStream, read_results
from batchproof.running.environment import ENDED, RunEnvironment, staged
from batchproof.running.header import results_header
from batchproof.running.mutants.choice import (
    MutantOptions,
    SelectedMutants,
    chosen,
    needed,
    numbers_of,
    share,
)
from batchproof.running.mutants.verdicts import Verdicts
from batchproof.running.plays import Play
from batchproof.running.progress import RunProgress
from batchproof.running.runner import default_workers, output_folder, session
from batchproof.running.session.record import PLANTED
from batchproof.running.session.stream import Stream
from batchproof.specification.mutants import Mutant, plant, sound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

_VERY_SLOW_S: Final = 30.0
BAD: Final = ("survived",)
"""The verdicts on mutants that are counted besides."""
SOUND = "reference"
"""The folder, within that of the matrix, of the results of the reference without any mutant."""


def judge_mutants(
    wish: MutantOptions, progress: Callable[[], RunProgress] = lambda: RunProgress(what="mutant", bad=BAD)
) -> Matrix:
    """Judge the chosen mutants, and write the matrix as JSON and as a page.

    Args:
        wish: what the user chose.
        progress: shows how far the mutants of one reference are.

    Raises:
        UserError: the choice cannot be used.
        HarnessError: pytest did not come to its end.
    """
    began = monotonic()
    numbers_of(wish.shard)  # refused before anything is prepared
    found = chosen(wish, RunProgress().say)
    ours = of_shard(found, wish.shard)
    rows = [row for one in found for row in _rows(wish, one.only(ours), progress)]
    matrix = _matrix(wish, found, rows, took_s=round(monotonic() - began, 3))
    write(matrix, wish.output)
    return matrix


def of_shard(found: Sequence[SelectedMutants], shard: str) -> frozenset[str]:
    """The names of the mutants that a shard judges; one with many scenarios weighs more."""
    scenarios = Counter(name for one in found for name in (play.mutant for play in one.plays))
    names = [name for one in found for name in one.names]
    return share(names, [1 + scenarios[name] for name in names], shard)


def _rows(
    wish: MutantOptions, of: SelectedMutants, progress: Callable[[], RunProgress]
) -> list[MutantResult]:
    """The outcome of the mutants of one reference."""
    left_out = [
        _row(mutant, not_declared=" and ".join(needed(mutant, of.requirements))) for mutant in of.not_declared
    ]
    return [*left_out, *(_prove(wish, of, progress()) if of.judged else ())]


def _matrix(
    wish: MutantOptions, found: Sequence[SelectedMutants], rows: Iterable[MutantResult], *, took_s: float
) -> Matrix:
    names = tuple(name for one in found for name in one.names)
    return Matrix(
        schema=SCHEMA_VERSION,
        batchproof=batchproof.__version__,
        digest=code_digest(suite.defects()),
        selection=Selection(
            profiles=tuple(one.choices.profile for one in found),
            implementations={one.choices.profile: one.implementation.full_name for one in found},
            expression=wish.expression,
            since=wish.since,
            proved=f"{wish.proved.name} and {wish.sample} others" if wish.proved else "",
            shard=wish.shard,
        ),
        planned=names,
        requirements={
            id_: MutatedRequirement(it.level, it.profile, it.sentence, it.capability)
            for one in found
            for id_, it in one.requirements.items()
        },
        rows=tuple(sorted(rows, key=lambda row: names.index(row.defect))),
        took_s=took_s,
    )


def write(matrix: Matrix, folder: Path) -> None:
    """Write the matrix into a folder: as JSON, as a page, and for each catch there its drawn timeline."""
    files.write(folder, FILE_NAME, dump(matrix))
    drawn = catches(matrix, folder)
    with files.new_folder(folder, TIMELINES) as timelines:
        for mutant, page in drawn.items():
            (timelines / f"{Path(mutant).name}.html").write_bytes(page)
    files.write(folder, "index.html", matrix_page(matrix, drawn).encode())


def _prove(wish: MutantOptions, of: SelectedMutants, progress: RunProgress) -> list[MutantResult]:
    """Judge the mutants of one reference."""
    output_folder(of.choices.output)
    for mutant in of.judged:
        files.remove_folder(wish.output, mutant.name)
    workers = of.choices.workers or default_workers(of.implementation)
    with staged(of.implementation, of.choices.choice, progress.say) as stage:
        _plant(of.judged, stage.run_dir / PLANTED)
        reference = _Reference(_reference(of, stage, wish, workers, RunProgress()))
        plays = _ordered([one for one in of.plays if one.scenario in reference.passed], reference.took_s)
        verdicts = Verdicts(of.judged, plays, output=wish.output, run_dir=stage.run_dir, progress=progress)
        timings = None if wish.patient else reference.folder
        judged = replace(session(of.choices, stage.workers(workers), plays), reference=timings)
        try:
            again = verdicts.play_again
            status = stage.anew.play(judged, verdicts, again) if plays else pytest.ExitCode.OK
            if status not in ENDED:
                raise HarnessError(f"the mutants were not judged: pytest ended with {status}")
        finally:
            progress.end()
        header = results_header(of.choices.asked, stage, of.requirements, workers)
        for mutant in of.judged:
            _record(wish.output / mutant.name, header, mutant, verdicts.records[mutant.name])
    return [
        _outcome(
            mutant,
            verdicts,
            reference.unfit(one.scenario for one in of.plays if one.mutant == mutant.name),
            wish.output,
            reference.histories,
        )
        for mutant in of.judged
    ]


class _Reference:
    """What the results of the unchanged reference say of the scenarios.

    Args:
        folder: that of the results.

    Attributes:
        passed: the ids of the scenarios that it passes: only these can kill a mutant.
        took_s: how long each took.
        histories: the file of each history.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._scenarios = {one.id: one for one in read_results(folder).scenarios}
        self.passed = {id_ for id_, one in self._scenarios.items() if one.verdict == "passed"}
        self.took_s = {id_: one.duration_s for id_, one in self._scenarios.items()}
        self.histories = {id_: folder / one.history for id_, one in self._scenarios.items() if one.history}

    def unfit(self, ids: Iterable[str]) -> list[Survival]:
        """Those of some scenarios that the reference itself does not pass."""
        return [
            Survival(id_, self._scenarios[id_].verdict, "the reference itself does not pass it")
            for id_ in ids
            if id_ in self._scenarios and id_ not in self.passed
        ]


def _plant(mutants: Iterable[Mutant], folder: Path) -> None:
    """Make a wrong controller of each mutant; what none of them changes is compiled once for all."""
    source = folder / f".{SOUND}"
    sound(suite.reference().parent, source)
    compileall.compile_dir(source, quiet=1)
    for mutant in mutants:
        plant(mutant, source, folder / mutant.name, linked=True)


def _reference(
    of: SelectedMutants, stage: RunEnvironment, wish: MutantOptions, workers: int, progress: RunProgress
) -> Path:
    """The folder of the results of the reference without any mutant, in the scenarios that are to catch one.

    They say that the scenarios pass, and how long each claim takes. Those of an earlier run are taken if
    nothing has changed since.
    """
    wanted = tuple(dict.fromkeys(one.scenario for one in of.plays))
    folder = wish.output / SOUND / of.choices.profile / of.implementation.descriptor.stem
    for before in (*wish.reference, folder):
        if _serves(before, of, wanted):
            progress.say(f"the unchanged reference was judged before: {before}")
            return before
    files.empty_folder(folder.parent, folder.name)
    progress.say("first the unchanged reference")
    choices = replace(of.choices, expression="", output=folder)
    with ResultsStream(folder / RESULTS) as results:
        header = results_header(choices.asked, stage, of.requirements, workers)
        stream = Stream(results, header, progress, selected_all=False)
        status = 0
        if wanted:
            status = stage.pytest(session(choices, stage.workers(workers), map(Play, wanted)), stream)
        progress.end()
        stream.finish("" if status in ENDED else f"pytest ended with {status}")
    if status not in ENDED:
        raise HarnessError(f"the reference was not judged: pytest ended with {status}")
    return folder


def _serves(folder: Path, of: SelectedMutants, wanted: Iterable[str]) -> bool:
    """Whether results are those of this reference, of this very code, and whole: none has failed."""
    try:
        results = read_results(folder)
    except (InvalidResults, UserError):
        return False
    header = results.header
    sound = {one.id for one in results.scenarios if one.verdict in {"passed", "skipped"}}
    return (
        (header.implementation.descriptor, header.profile)
        == (of.implementation.descriptor.name, of.choices.profile)
        and header.suite.code == code_digest()
        and sound.issuperset(wanted)
    )


def _ordered(plays: Sequence[Play], took_s: Mapping[str, float]) -> list[Play]:
    """The order to run in: of each mutant its quickest scenario, then of each its second, and so on.

    Most are killed by the first, and then the others need not be run. Within a round the slowest goes first,
    and what is very slow is begun with the first round, so that nothing long is left for the end.
    """
    rounds: dict[str, int] = {}
    placed: list[tuple[int, float, str, str]] = []
    for one in sorted(plays, key=lambda play: took_s[play.scenario]):
        id_, name = one.scenario, one.mutant
        rounds[name] = rounds.get(name, -1) + 1
        placed.append((rounds[name] if took_s[id_] < _VERY_SLOW_S else 0, -took_s[id_], name, id_))
    return [Play(id_, mutant=name) for *_, name, id_ in sorted(placed)]


def _record(folder: Path, header: Header, mutant: Mutant, records: Sequence[ScenarioRecord]) -> None:
    """Write what became of a mutant as the results of a run, so that it can be judged again and reported."""
    if not records:
        return
    name = f"{header.implementation.name} with {mutant.name}"
    implementation = msgspec.structs.replace(header.implementation, name=name)
    own_header = msgspec.structs.replace(header, implementation=implementation, required=())
    with ResultsStream(folder / RESULTS) as results:
        stream = Stream(results, own_header, selected_all=False)
        stream.set_out([catalogue()[record.id] for record in records])
        for record in records:
            stream.take(record)
        stream.finish()


def _outcome(
    mutant: Mutant,
    verdicts: Verdicts,
    unfit: Sequence[Survival],
    output: Path,
    histories: Mapping[str, Path],
) -> MutantResult:
    """The outcome of a mutant; of the reference there is a history for each scenario."""
    catch = verdicts.catches.get(mutant.name)
    if catch and catch.history:
        catch = msgspec.structs.replace(catch, history=f"{mutant.name}/{catch.history}")
        catch = _compared(catch, output, histories)
    second = mutant.name in verdicts.second
    return msgspec.structs.replace(
        _row(mutant),
        catch=catch,
        misses=(*verdicts.misses[mutant.name], *unfit),
        warnings=warnings(verdicts.traces[mutant.name], catch.marks, second=second) if catch else (),
        took_s=round(fsum(record.duration_s for record in verdicts.records[mutant.name]), 3),
    )


def _compared(catch: Kill, output: Path, histories: Mapping[str, Path]) -> Kill:
    """The catch with what its mutant has to do with the records that it is shown by."""
    if not catch.marks or not catch.history:
        return catch
    wrong, right = Saved(output / catch.history), Saved(histories[catch.scenario])
    return msgspec.structs.replace(catch, marks=touched(catch.marks, list(wrong), right))


def _row(mutant: Mutant, *, not_declared: str | None = None) -> MutantResult:
    planted = tuple(dict.fromkeys(edit.where for edit in mutant.edits))
    return MutantResult(mutant.name, mutant.requirement, mutant.what, planted, not_declared=not_declared)
