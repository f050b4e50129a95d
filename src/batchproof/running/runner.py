"""A run from end to end: what is judged, on which control plane, and what is reported in the end."""

from __future__ import annotations

import os
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass, replace
from io import StringIO
from typing import TYPE_CHECKING

import pytest

from batchproof import profiles
from batchproof.control_plane.choice import ClusterOptions
from batchproof.descriptor import implementation as descriptors
from batchproof.descriptor.implementation import Implementation
from batchproof.evidence.plan import HISTORIES, catalogue, features
from batchproof.ground import documents, files, suite
from batchproof.ground.documents import Problem
from batchproof.ground.errors import HarnessError, NothingSelected, UserError
from batchproof.ground.screen import quiet, say, show
from batchproof.ground.stored import PRIVATE
from batchproof.report import wording, write_all
from batchproof.report.drawings import TIMELINES
from batchproof.report.outcome import judge_run
from batchproof.report.records import Header, Planned
from batchproof.report.results import FILE_NAME, ResultsStream, read_results
from batchproof.report.table import verdict_table
from batchproof.running import selection
from batchproof.running.alone import run_pytest
from batchproof.running.environment import ENDED, RunEnvironment, Session, staged
from batchproof.running.header import RunRequest, results_header
from batchproof.running.plays import Play
from batchproof.running.progress import RunProgress
from batchproof.running.session.collect import FeatureCollector, planned, play_of
from batchproof.running.session.record import LOGS
from batchproof.running.session.stream import Stream
from batchproof.specification import in_place, lint
from batchproof.specification.descriptors import unknown_capabilities
from batchproof.specification.gherkin import parse_features
from batchproof.specification.registry import Registry, load_registry
from batchproof.specification.vocabulary import load_steps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

_SELECTION_HELP = 'write it as pytest does: -k "FIN-004 or suspend"'


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What the user chose on the command line; see ``batchproof run --help``.

    Attributes:
        feature: a feature file to play instead of those of the suite, by its whole path.
        strict: what could not be judged the first time, or not at all, fails the run.
        accept_known: the run does not fail with core requirements that deviations cover.
    """

    implementation: str
    profile: str
    expression: str
    workers: int | None
    output: Path
    junit: Path | None
    choice: ClusterOptions
    feature: Path | None = None
    strict: bool = False
    accept_known: bool = False
    as_json: bool = False

    @property
    def asked(self) -> RunRequest:
        """What the header of the results says of this."""
        return RunRequest(self.profile, self.expression, self.feature, self.strict, self.accept_known)

    @property
    def what(self) -> Path:
        """The folder of features, or the feature file, from which the scenarios are chosen."""
        return self.feature or suite.features() / self.profile

    @property
    def files(self) -> tuple[Path, ...]:
        """The feature files that hold all that is selected; empty: any of ``what`` may hold some."""
        return (self.feature,) if self.feature else selection.files(self.expression, self.what)

    @property
    def everything(self) -> bool:
        """All of the profile is judged, so that what has no scenario is missing."""
        return not self.expression and self.feature is None


def chosen(implementation: str | None, profile: str | None) -> tuple[str, str]:
    """What is judged, and as what, where the user has named one of them, or neither.

    Raises:
        UserError: there is no such descriptor or profile.
    """
    if implementation is None:
        judged_as = profiles.profile(profile) if profile else next(iter(profiles.profiles().values()))
        return judged_as.reference, judged_as.name
    if profile is None:
        return implementation, descriptors.load(descriptors.find(implementation)).profiles[0]
    return implementation, profile


def default_workers(implementation: Implementation) -> int:
    """Scenarios at once: they mostly wait. Measured on 2 processors: see benchmarks/README.md.

    Where each has an API server of its own, which is most of the work, fewer are quickest.
    """
    processors = os.cpu_count() or 1
    return max(2, processors * 3 // 2) if implementation.isolation == "control-plane" else 6 * processors


def out_of_reach(choices: RunOptions, implementation: Implementation) -> tuple[str, ...]:
    """The ids of the scenarios that cannot be judged where the implementation is judged in place."""
    if not implementation.installed:
        return ()
    return tuple(in_place.out_of_reach(features(choices.what), load_steps(suite.steps())))


def chosen_requirements(choices: RunOptions) -> Registry:
    """The requirements of the chosen profile."""
    return load_registry().of_profile(profiles.profile(choices.profile).name)


def selected(choices: RunOptions) -> list[Planned]:
    """The scenarios that ``-k`` selects, found as pytest finds them, without running any.

    They stand in the order of the files, not in that in which they are played.

    Raises:
        UserError: the selection is no expression, names an id that does not exist, or selects nothing.
    """
    places = {id_: place for place, id_ in enumerate(catalogue(choices.what))}
    chosen = sorted(map(planned, _collected(choices, ())), key=lambda one: places[one.id])
    if not chosen and not choices.expression:
        raise UserError(f"--feature: {choices.feature} has no scenario")
    if not chosen:
        raise NothingSelected(
            f"{choices.expression!r} selects nothing; `batchproof run --dry-run` lists what there is"
            + selection.elsewhere(choices.expression, choices.profile)
        )
    return chosen


def selected_plays(choices: RunOptions, plays: Sequence[Play]) -> list[Play]:
    """Those of some plays that ``-k`` selects.

    Raises:
        UserError: the selection is no expression, or names an id that does not exist.
    """
    return [play_of(item) for item in _collected(choices, plays)]


def _collected(choices: RunOptions, plays: Sequence[Play]) -> list[pytest.Item]:
    selection.check_known(choices.expression, choices.what)
    chosen = _Chosen()
    arguments = ["--collect-only", *pytest_arguments(choices)]
    with redirect_stderr(StringIO()) as said:
        status = run_pytest(arguments, [FeatureCollector(plays), chosen])
    if status not in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
        why = said.getvalue().strip().removeprefix("ERROR: ")
        raise UserError(f"the selection {choices.expression!r} cannot be used: {_SELECTION_HELP}\n{why}")
    return chosen.items


def check_suite(profile: str, files: Sequence[Path] = ()) -> None:
    """See that the features of a profile, or only some files, can be run, before anything is started.

    Raises:
        UserError: they cannot; the message has a line for each reason.
    """
    if wrong := lint.blocking(lint.bundled(), profile, files):
        raise UserError("\n".join(map(str, wrong)))
    registry = load_registry()
    for one in (scenario for file in files for scenario in parse_features(file)):
        for its in (registry[id_] for id_ in one.requirements if registry[id_].profile != profile):
            raise UserError(
                f"{one.path}:{one.line}: {its.id} is a requirement of the profile {its.profile}, "
                f"not {profile}: choose it with --profile {its.profile}"
            )


def output_folder(output: Path) -> Path:
    """The folder of the results, made if it is not there.

    Raises:
        UserError: it cannot be made.
    """
    try:
        output.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"--output: the folder {output} cannot be made: {error.strerror}") from error
    files.check_writable(output / FILE_NAME)
    return output


def check_reportable(choices: RunOptions) -> None:
    """See that what a run comes to can be written, before anything else is done.

    Raises:
        UserError: it cannot.
    """
    output_folder(choices.output)
    if choices.junit:
        files.check_writable(choices.junit)


def emptied_folder(output: Path, *names: str) -> Path:
    """The folder of the results; what an earlier run left in these folders proves nothing about this one.

    Raises:
        UserError: it cannot be made.
    """
    for name in names:
        files.empty_folder(output_folder(output), name)
    return output


class _Chosen:
    """Keeps what pytest has selected."""

    def __init__(self) -> None:
        self.items: list[pytest.Item] = []

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.items = list(session.items)


def pytest_arguments(choices: RunOptions) -> list[str]:
    """The arguments of every pytest of a run: our features, our selection."""
    arguments = _files_for_pytest(choices, choices.files)
    return [*arguments, "-k", selection.for_pytest(choices.expression)] if choices.expression else arguments


def _files_for_pytest(choices: RunOptions, files: Sequence[Path]) -> list[str]:
    """The arguments of pytest that name these feature files; none: all that may be chosen."""
    return [*map(str, files or (choices.what,)), f"--rootdir={choices.what.parent}"]


def run(choices: RunOptions) -> int:
    """Judge an implementation; returns the exit code, which is the verdict."""
    check_reportable(choices)
    implementation = descriptors.load(descriptors.find(choices.implementation))
    registry = chosen_requirements(choices)
    check_claimed(implementation, choices.profile)
    check_suite(choices.profile, choices.files)
    wanted = choices.workers or default_workers(implementation)
    only = () if choices.everything else tuple(one.id for one in selected(choices))
    if only:  # no worker that has nothing to do
        wanted = min(wanted, len(only))
    progress = RunProgress()
    with begun(choices, implementation, registry, progress, workers=wanted) as it:
        everything = choices.everything
        stream = Stream(it.results, it.header, progress, selected_all=everything, played=choices.what)
        status = play(it, choices, stream, progress, only=only)
        progress.end()
        stream.finish(trouble(status))
    return tell(choices)


def play(
    it: ActiveRun, choices: RunOptions, stream: Stream, progress: RunProgress, *, only: tuple[str, ...] = ()
) -> int:
    """Play scenarios, and what could not be judged a second time; returns pytest's exit code.

    Args:
        it: the run under way.
        choices: what the user chose.
        stream: takes the records.
        progress: shows how far the run is.
        only: the ids of the scenarios; empty: all that the choices select.
    """

    def again() -> list[Play]:
        if ids := stream.play_again():
            progress.say(f"{wording.count(len(ids), 'scenario')} could not be judged: retried")
        return list(map(Play, ids))

    beyond = out_of_reach(choices, it.stage.implementation)
    first = replace(session(choices, it.workers, map(Play, only)), out_of_reach=beyond)
    return it.stage.play(first, stream, again)


@dataclass(frozen=True, slots=True)
class ActiveRun:
    """A run under way: what it is played on, and where its results go.

    Attributes:
        workers: how many scenarios are played at once.
        header: the results header.
    """

    stage: RunEnvironment
    workers: int
    header: Header
    results: ResultsStream


def session(choices: RunOptions, workers: int, plays: Iterable[Play]) -> Session:
    """A session of pytest with these plays; with none of them it plays all that the choices select."""
    chosen = tuple(plays)
    holding = selection.files_of({one.scenario for one in chosen}, choices.what)
    return Session(
        arguments=_files_for_pytest(choices, holding) if chosen else pytest_arguments(choices),
        what=choices.what,
        output=choices.output,
        workers=min(workers, len(chosen)) if chosen else workers,
        profile=choices.profile,
        plays=chosen,
    )


@contextmanager
def begun(
    choices: RunOptions,
    implementation: Implementation,
    registry: Registry,
    progress: RunProgress,
    *,
    workers: int,
    results: str = "",
) -> Iterator[ActiveRun]:
    """Everything that a run of an implementation needs, for the length of a block.

    Args:
        choices: what the user chose.
        implementation: what is judged.
        registry: the requirements of the profile.
        progress: shows how far the run is.
        workers: how many scenarios are played at once.
        results: the id of the run in its results; empty: a new one.

    Raises:
        UserError: the folder of the results cannot be made, or the implementation or the cluster not be used.
    """
    output = emptied_folder(choices.output, HISTORIES, LOGS, TIMELINES)
    with staged(implementation, choices.choice, progress.say) as found:
        stage = replace(found, results=results) if results else found
        possible = stage.workers(workers)
        header = results_header(choices.asked, stage, registry, possible)
        with ResultsStream(output / FILE_NAME) as recorded:
            try:
                yield ActiveRun(stage, possible, header, recorded)
            except pytest.exit.Exception as error:  # a record could not be written
                raise HarnessError(str(error)) from error


def check_claimed(implementation: Implementation, profile: str) -> None:
    """See that the implementation claims the profile, and no capability that nothing needs: it is mistyped.

    Raises:
        UserError: it does not claim the profile, or such a capability.
    """
    if profile not in implementation.profiles:
        claimed = ", ".join(implementation.profiles)
        raise UserError(f"{implementation.descriptor}: claims the profile {claimed}, not {profile}")
    document = descriptors.document_of(implementation.descriptor)
    wrong = unknown_capabilities(document, load_registry())
    documents.refuse(Problem(one.path, one.line, f"capabilities: {one.message}") for one in wrong)


def check_started(implementation: Implementation, what: str) -> None:
    """See that the implementation is started by us, which it takes to have something go wrong.

    Raises:
        UserError: it is judged in place.
    """
    if implementation.installed:
        raise UserError(
            f"{implementation.descriptor}: is tested in in-cluster mode, where faults cannot be injected: "
            f"{what} needs a descriptor with 'start'"
        )


def trouble(status: int) -> str:
    """Why pytest did not come to its end, if it did not."""
    if status in ENDED:
        return ""
    return "interrupted" if status == pytest.ExitCode.INTERRUPTED else f"pytest ended with {status}"


def tell(choices: RunOptions) -> int:
    """Write all reports of a run, print the verdict, and return the exit code.

    Raises:
        HarnessError: a report cannot be written; the results are there.
    """
    results = read_results(choices.output)
    try:
        paths = write_all(results, choices.output, choices.junit)
    except (UserError, HarnessError) as error:
        again = f"`batchproof report {choices.output}` makes the reports again"
        raise HarnessError(f"{error}; the run is judged: {again}") from error
    outcome = judge_run(results)
    if choices.as_json:
        say(paths["json"].read_text("utf-8"), nl=False)
    elif quiet():
        say(outcome.sentence)
    else:
        where = choices.choice.words()
        show(verdict_table(results, outcome, paths, choices.implementation, where))
    return outcome.exit_code
