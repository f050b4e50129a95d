"""Planted defects judged: first the reference without any, then each by the scenarios of its requirement."""

from __future__ import annotations

import compileall
import secrets
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Final

import msgspec

import batchproof
from batchproof import files, suite
from batchproof.errors import HarnessError, UserError
from batchproof.judgement.history import Saved
from batchproof.report.catches import Catch, Miss, warnings
from batchproof.report.marks import touched
from batchproof.report.matrix import FILE_NAME, SCHEMA_VERSION, Matrix, Row, Selection, Wanted, dump
from batchproof.report.matrix_page import matrix_page
from batchproof.report.results import FILE_NAME as RESULTS
from batchproof.report.results import InvalidResults, ResultsStream, read_results
from batchproof.running.defects.choice import Chosen, Wish, chosen, needed, share
from batchproof.running.defects.verdicts import Verdicts
from batchproof.running.digests import code_digest
from batchproof.running.progress import RunProgress
from batchproof.running.runner import (
    ENDED,
    default_workers,
    output_folder,
    pytest_arguments,
    results_header,
)
from batchproof.running.session.record import PLANTED
from batchproof.running.session.stream import Stream
from batchproof.running.stage import Stage, staged
from batchproof.specification.defects import plant, sound

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from pathlib import Path

    from batchproof.report.records import Header, Scenario
    from batchproof.report.results import Results
    from batchproof.specification.defects import Defect

_VERY_SLOW_S: Final = 30.0
SOUND = "reference"
"""The folder, within that of the matrix, of the results of the reference without any defect."""


def prove_defects(wish: Wish) -> Matrix:
    """Judge the chosen defects, and write the matrix as JSON and as a page.

    Raises:
        UserError: the choice cannot be used.
        HarnessError: pytest did not come to its end.
    """
    began = monotonic()
    found = chosen(wish, RunProgress().say)
    pairs = [pair for one in found for pair in one.pairs]
    names = [defect.name for one in found for defect in (*one.judged, *one.not_declared)]
    ours = share(names, [1 + sum(name == defect for defect, _ in pairs) for name in names], wish.shard)
    rows: list[Row] = []
    for one in found:
        mine = replace(
            one,
            judged=tuple(defect for defect in one.judged if defect.name in ours),
            pairs=tuple(pair for pair in one.pairs if pair[0] in ours),
            not_declared=tuple(defect for defect in one.not_declared if defect.name in ours),
        )
        rows += [
            _row(defect, not_declared=" and ".join(needed(defect, one.requirements)))
            for defect in mine.not_declared
        ]
        rows += _prove(wish, mine) if mine.judged else []
    order = {name: place for place, name in enumerate(names)}
    matrix = Matrix(
        schema=SCHEMA_VERSION,
        batchproof=batchproof.__version__,
        digest=code_digest(suite.defects()),
        selection=Selection(
            profiles=tuple(one.choices.profile for one in found),
            implementations={one.choices.profile: one.implementation.full_name for one in found},
            expression=wish.expression,
            since=wish.since,
            shard=wish.shard,
        ),
        planned=tuple(names),
        requirements={
            id_: Wanted(it.level, it.profile, it.sentence, it.capability)
            for one in found
            for id_, it in one.requirements.items()
        },
        rows=tuple(sorted(rows, key=lambda row: order[row.defect])),
        took_s=round(monotonic() - began, 3),
    )
    write(matrix, wish.output)
    return matrix


def write(matrix: Matrix, folder: Path) -> None:
    """Write the matrix into a folder, as JSON and as a page."""
    files.write(folder, FILE_NAME, dump(matrix))
    files.write(folder, "index.html", matrix_page(matrix).encode())


def _prove(wish: Wish, of: Chosen) -> list[Row]:
    """Judge the defects of one profile."""
    output_folder(of.choices.output)
    for defect in of.judged:
        files.remove_folder(wish.output, defect.name)
    progress = RunProgress(what="planted defect", bad=("not caught",))
    workers = of.choices.workers or default_workers(of.implementation)
    with staged(of.implementation, of.choices.choice, progress.say) as stage:
        _plant(of.judged, stage.run_dir / PLANTED)
        folder = _reference(of, stage, wish, workers, RunProgress())
        reference = read_results(folder)
        passing = {one.id for one in reference.scenarios if one.verdict == "passed"}
        pairs = _ordered([pair for pair in of.pairs if pair[1] in passing], reference)
        verdicts = Verdicts(of.judged, pairs, output=wish.output, run_dir=stage.run_dir, progress=progress)
        status, second = 0, False
        while pairs and status in ENDED:
            status = replace(stage, run=secrets.token_hex(3)).pytest(
                pytest_arguments(of.choices),
                verdicts,
                output=wish.output,
                workers=min(stage.workers(workers), len(pairs)),
                profile=of.choices.profile,
                planted=tuple(pairs),
                reference=None if wish.patient else folder,
                second=second,
            )
            pairs, second = ([] if second else verdicts.play_again()), True
        progress.end()
        if status not in ENDED:
            raise HarnessError(f"the defects were not judged: pytest ended with {status}")
        header = results_header(of.choices, stage, of.requirements, workers)
        for defect in of.judged:
            _record(wish.output / defect.name, header, defect, verdicts.records[defect.name])
    unfit = {
        one.id: Miss(one.id, one.verdict, "the reference itself does not pass it")
        for one in reference.scenarios
        if one.id not in passing
    }
    histories = {one.id: folder / one.history for one in reference.scenarios if one.history}
    return [
        _outcome(
            defect,
            verdicts,
            [unfit[id_] for name, id_ in of.pairs if name == defect.name and id_ in unfit],
            wish.output,
            histories,
        )
        for defect in of.judged
    ]


def _plant(defects: Iterable[Defect], folder: Path) -> None:
    """Make a wrong controller of each defect; what none of them changes is compiled once for all."""
    source = folder / f".{SOUND}"
    sound(suite.reference().parent, source)
    compileall.compile_dir(source, quiet=1)
    for defect in defects:
        plant(defect, source, folder / defect.name, linked=True)


def _reference(of: Chosen, stage: Stage, wish: Wish, workers: int, progress: RunProgress) -> Path:
    """The folder of the results of the reference without any defect, in the scenarios that are to catch one.

    They say that the scenarios pass, and how long each claim takes. Those of an earlier run are taken if
    nothing has changed since.
    """
    wanted = tuple(dict.fromkeys(id_ for _, id_ in of.pairs))
    folder = wish.output / SOUND / of.choices.profile / of.implementation.descriptor.stem
    for before in (*wish.reference, folder):
        if _serves(before, of, wanted):
            progress.say(f"the reference without any defect was judged before: {before}")
            return before
    files.empty_folder(folder.parent, folder.name)
    progress.say("first the reference without any defect")
    choices = replace(of.choices, expression="", output=folder)
    with ResultsStream(folder / RESULTS) as results:
        header = results_header(choices, stage, of.requirements, workers)
        stream = Stream(results, header, progress, selected_all=False)
        status = 0
        if wanted:
            status = stage.pytest(
                pytest_arguments(choices),
                stream,
                output=folder,
                workers=min(stage.workers(workers), len(wanted)),
                profile=choices.profile,
                only=wanted,
            )
        progress.end()
        stream.finish("" if status in ENDED else f"pytest ended with {status}")
    if status not in ENDED:
        raise HarnessError(f"the reference was not judged: pytest ended with {status}")
    return folder


def _serves(folder: Path, of: Chosen, wanted: Iterable[str]) -> bool:
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


def _ordered(pairs: Sequence[tuple[str, str]], reference: Results) -> list[tuple[str, str]]:
    """The order to run in: of each defect its quickest scenario, then of each its second, and so on.

    Most are caught by the first, and then the others need not be run. Within a round the slowest goes first,
    and what is very slow is begun with the first round, so that nothing long is left for the end.
    """
    took = {one.id: one.duration_s for one in reference.scenarios}
    rounds: dict[str, int] = {}
    placed: list[tuple[int, float, tuple[str, str]]] = []
    for name, id_ in sorted(pairs, key=lambda pair: took[pair[1]]):
        rounds[name] = rounds.get(name, -1) + 1
        placed.append((rounds[name] if took[id_] < _VERY_SLOW_S else 0, -took[id_], (name, id_)))
    return [pair for *_, pair in sorted(placed)]


def _record(folder: Path, header: Header, defect: Defect, records: Sequence[Scenario]) -> None:
    """Write what became of a defect as the results of a run, so that it can be judged again and reported."""
    if not records:
        return
    name = f"{header.implementation.name} with {defect.name}"
    implementation = msgspec.structs.replace(header.implementation, name=name)
    own_header = msgspec.structs.replace(header, implementation=implementation, required=())
    with ResultsStream(folder / RESULTS) as results:
        stream = Stream(results, own_header, _Silent(), selected_all=False)
        stream.plan([record.id for record in records])
        for record in records:
            stream.take(record)
        stream.finish()


class _Silent:
    """Nobody waits for what is written afterwards."""

    def planned(self, count: int) -> None:
        """Say nothing."""

    def started(self, id_: str) -> None:
        """Say nothing."""

    def left(self, id_: str) -> None:
        """Say nothing."""

    def again(self, verdict: str) -> None:
        """Say nothing."""

    def finished(self, id_: str, verdict: str, title: str = "", broken: Collection[str] = ()) -> None:
        """Say nothing."""


def _outcome(
    defect: Defect,
    verdicts: Verdicts,
    unfit: Sequence[Miss],
    output: Path,
    histories: dict[str, Path],
) -> Row:
    """What became of a defect; of the reference there is a history for each scenario."""
    catch = verdicts.catches.get(defect.name)
    if catch and catch.history:
        catch = msgspec.structs.replace(catch, history=f"{defect.name}/{catch.history}")
        catch = _compared(catch, output, histories)
    second = defect.name in verdicts.second
    return msgspec.structs.replace(
        _row(defect),
        catch=catch,
        misses=(*verdicts.misses[defect.name], *unfit),
        warnings=warnings(verdicts.traces[defect.name], catch.marks, second=second) if catch else (),
        took_s=round(sum(record.duration_s for record in verdicts.records[defect.name]), 3),
    )


def _compared(catch: Catch, output: Path, histories: dict[str, Path]) -> Catch:
    """The catch with what its defect has to do with the records that it is shown by."""
    if not catch.marks or not catch.history:
        return catch
    wrong, right = Saved(output / catch.history), Saved(histories[catch.scenario])
    return msgspec.structs.replace(catch, marks=touched(catch.marks, list(wrong), right))


def _row(defect: Defect, *, not_declared: str | None = None) -> Row:
    planted = tuple(dict.fromkeys(edit.where for edit in defect.edits))
    return Row(defect.name, defect.requirement, defect.what, planted, not_declared=not_declared)
