"""A run from end to end: what is judged, on which control plane, and what is reported in the end."""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from io import StringIO
from typing import TYPE_CHECKING

import pytest

from batchproof import __version__, files, profiles, suite
from batchproof.descriptor import implementation as descriptors
from batchproof.errors import HarnessError, NothingSelected, UserError
from batchproof.judgement.forms import DEADLINES_S
from batchproof.report import wording, write_all
from batchproof.report.outcome import judge_run
from batchproof.report.records import (
    IN_PLACE,
    NOT_DECLARED,
    SCHEMA_VERSION,
    Cluster,
    Header,
    Requirement,
    Suite,
)
from batchproof.report.records import Implementation as Judged
from batchproof.report.results import FILE_NAME, ResultsStream, read_results
from batchproof.report.table import verdict_table
from batchproof.running.digests import code_digest, suite_digest
from batchproof.running.progress import RunProgress
from batchproof.running.session.collect import FeatureCollector, catalogue, defect_of, needs, planned
from batchproof.running.session.record import HISTORIES, LOGS, as_waiver, now
from batchproof.running.session.stream import Stream
from batchproof.running.stage import Stage, staged
from batchproof.running.versions import versions
from batchproof.screen import say, show
from batchproof.specification import in_place, lint
from batchproof.specification.gherkin import parse_features
from batchproof.specification.registry import load_registry
from batchproof.specification.vocabulary import load_steps
from batchproof.stored import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from batchproof.control_plane.choice import Choice
    from batchproof.descriptor.implementation import Implementation
    from batchproof.report.records import Planned
    from batchproof.specification.registry import Registry

ENDED = {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED}
"""What pytest returns when it has come to its end."""
_SELECTION_HELP = 'write it as pytest does: -k "FIN-004 or suspend"'


@dataclass(frozen=True, slots=True)
class Choices:
    """What the user chose on the command line; see ``batchproof run --help``.

    Attributes:
        feature: a feature file to play instead of those of the suite, by its whole path.
        strict: what could not be judged the first time, or not at all, fails the run.
    """

    implementation: str
    profile: str
    expression: str
    workers: int | None
    output: Path
    junit: Path | None
    choice: Choice
    feature: Path | None = None
    strict: bool = False

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


def dry_run(choices: Choices) -> int:
    """List what ``run`` would judge, one scenario a line: requirement and id."""
    if choices.feature:
        see_suite(choices.profile, choices.feature)
    implementation = descriptors.load(descriptors.find(choices.implementation))
    registry = chosen_requirements(choices)
    shown, unreached, capabilities = 0, out_of_reach(choices, implementation), needs(choices.feature)
    for one in selected(choices):
        requirement = registry[one.requirement]
        note = f"  (skipped: {IN_PLACE})" if one.id in unreached else ""
        note = note if requirement.in_force(implementation.implements) else "  (skipped: not-applicable)"
        declared = map(implementation.declares, {requirement.capability, *capabilities[one.id]})
        note = note if all(declared) else f"  (skipped: {NOT_DECLARED})"
        say(f"{one.requirement}  {one.id}{note}")
        shown += 1
    say(f"{wording.count(shown, 'scenario')} for {implementation.full_name}")
    return 0


def out_of_reach(choices: Choices, implementation: Implementation) -> tuple[str, ...]:
    """The ids of the scenarios that cannot be judged where the implementation is judged in place."""
    if not implementation.installed:
        return ()
    ours = f"{choices.profile}/"
    played = [
        one for one in parse_features(choices.feature) if choices.feature or one.feature.startswith(ours)
    ]
    return tuple(in_place.out_of_reach(played, load_steps(suite.steps())))


def chosen_requirements(choices: Choices) -> Registry:
    """The requirements of the chosen profile."""
    return load_registry().of_profile(profiles.profile(choices.profile).name)


def selected(choices: Choices) -> list[Planned]:
    """The scenarios that ``-k`` selects, found as pytest finds them, without running any.

    They stand in the order of the files, not in that in which they are played.

    Raises:
        UserError: the selection is no expression, or there are none.
    """
    places = {id_: place for place, id_ in enumerate(catalogue(choices.feature))}
    chosen = sorted(map(planned, _collected(choices, ())), key=lambda one: places[one.id])
    if not chosen:
        raise NothingSelected(
            f"{choices.expression!r} selects nothing; `batchproof run --dry-run` lists what there is"
        )
    return chosen


def selected_defects(choices: Choices, planted: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Those of the pairs of a planted defect and a scenario that ``-k`` selects.

    Raises:
        UserError: the selection is no expression.
    """
    return [(defect_of(item) or "", planned(item).id) for item in _collected(choices, planted)]


def _collected(choices: Choices, planted: Sequence[tuple[str, str]]) -> list[pytest.Item]:
    chosen = _Chosen()
    arguments = ["--collect-only", "-p", "no:xdist", *pytest_arguments(choices)]
    with redirect_stderr(StringIO()) as said:
        status = pytest.main(arguments, plugins=[FeatureCollector(planted), chosen])
    if status not in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
        why = said.getvalue().strip().removeprefix("ERROR: ")
        raise UserError(f"the selection {choices.expression!r} cannot be used: {_SELECTION_HELP}\n{why}")
    return chosen.items


def see_suite(profile: str, feature: Path | None = None) -> None:
    """See that the features of a profile, or that one file, can be run, before anything is started for them.

    Raises:
        UserError: they cannot; the message has a line for each reason.
    """
    if wrong := lint.blocking(lint.bundled(), profile, feature):
        raise UserError("\n".join(map(str, wrong)))


def output_folder(output: Path) -> Path:
    """The folder of the results, made if it is not there.

    Raises:
        UserError: it cannot be made.
    """
    try:
        output.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"--output: the folder {output} cannot be made: {error.strerror}") from error
    files.see_writable(output / FILE_NAME)
    return output


def see_reportable(choices: Choices) -> None:
    """See that what a run comes to can be written, before anything else is done.

    Raises:
        UserError: it cannot.
    """
    output_folder(choices.output)
    if choices.junit:
        files.see_writable(choices.junit)


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


def pytest_arguments(choices: Choices) -> list[str]:
    """The arguments of every pytest of a run: our features, our selection, nobody's configuration files."""
    features, what = suite.features(), suite.features() / choices.profile
    if choices.feature:
        features, what = choices.feature.parent, choices.feature
    arguments = [str(what), f"--rootdir={features}", "-c", os.devnull]
    for unused in ("cacheprovider", "terminalreporter", "warnings", "logging"):
        arguments += ["-p", f"no:{unused}"]
    return [*arguments, "-k", choices.expression] if choices.expression else arguments


def run(choices: Choices) -> int:
    """Judge an implementation; returns the exit code, which is the verdict."""
    see_reportable(choices)
    implementation = descriptors.load(descriptors.find(choices.implementation))
    registry = chosen_requirements(choices)
    see_claimed(implementation, choices.profile)
    see_suite(choices.profile, choices.feature)
    wanted = choices.workers or default_workers(implementation)
    if not choices.everything:  # no worker that has nothing to do
        wanted = min(wanted, len(selected(choices)))
    progress = RunProgress()
    with begun(choices, implementation, registry, progress, workers=wanted) as it:
        everything, played = choices.everything, choices.feature
        stream = Stream(it.results, it.header, progress, selected_all=everything, played=played)
        status = _pytest(it, choices, stream)
        if status in ENDED and (again := stream.play_again()):
            progress.say(f"{wording.count(len(again), 'scenario')} could not be judged: retried")
            status = _pytest(it.anew(len(again)), choices, stream, second=again)
        progress.end()
        stream.finish(trouble(status))
    return tell(choices)


@dataclass(frozen=True, slots=True)
class Begun:
    """A run under way: what it is played on, and where its results go.

    Attributes:
        workers: how many scenarios are played at once.
        header: the results header, see ``results_header``.
    """

    stage: Stage
    workers: int
    header: Header
    results: ResultsStream

    def anew(self, plays: int) -> Begun:
        """The same for another session of so many plays: the cells have names of their own."""
        return replace(
            self,
            stage=replace(self.stage, run=secrets.token_hex(3)),
            workers=min(self.workers, plays),
        )


@contextmanager
def begun(
    choices: Choices,
    implementation: Implementation,
    registry: Registry,
    progress: RunProgress,
    *,
    workers: int,
) -> Iterator[Begun]:
    """Everything that a run of an implementation needs, for the length of a block.

    Raises:
        UserError: the folder of the results cannot be made, or the implementation or the cluster not be used.
    """
    output = emptied_folder(choices.output, HISTORIES, LOGS)
    with staged(implementation, choices.choice, progress.say) as stage:
        possible = stage.workers(workers)
        header = results_header(choices, stage, registry, possible)
        with ResultsStream(output / FILE_NAME) as results:
            try:
                yield Begun(stage, possible, header, results)
            except pytest.exit.Exception as error:  # a record could not be written
                raise HarnessError(str(error)) from error


def see_claimed(implementation: Implementation, profile: str) -> None:
    """See that the implementation claims the profile.

    Raises:
        UserError: it does not.
    """
    if profile not in implementation.profiles:
        claimed = ", ".join(implementation.profiles)
        raise UserError(f"{implementation.descriptor}: claims the profile {claimed}, not {profile}")


def see_started(implementation: Implementation, what: str) -> None:
    """See that the implementation is started by us, which it takes to have something go wrong.

    Raises:
        UserError: it is judged in place.
    """
    if implementation.installed:
        raise UserError(
            f"{implementation.descriptor}: is judged in place, where nothing can be made to go wrong: {what} "
            "needs a descriptor that says how it is started"
        )


def _pytest(it: Begun, choices: Choices, stream: Stream, second: tuple[str, ...] = ()) -> int:
    return it.stage.pytest(
        pytest_arguments(choices),
        stream,
        output=choices.output,
        workers=it.workers,
        profile=choices.profile,
        only=second,
        second=bool(second),
        out_of_reach=out_of_reach(choices, it.stage.implementation),
    )


def results_header(choices: Choices, stage: Stage, registry: Registry, workers: int) -> Header:
    """The results header, but for what only the collection finds out."""
    implementation = stage.implementation
    applies = [
        one
        for one in registry.values()
        if implementation.declares(one.capability)
        and one.capability not in stage.taken
        and one.in_force(implementation.implements)
    ]
    return Header(
        schema=SCHEMA_VERSION,
        batchproof=__version__,
        suite=Suite(digest=suite_digest(choices.feature), code=code_digest()),
        implementation=Judged(
            name=implementation.name,
            version=implementation.version,
            organisation=implementation.organisation,
            profiles=tuple(implementation.profiles),
            capabilities=tuple(sorted(implementation.capabilities)),
            descriptor=implementation.descriptor.name,
            implements=implementation.implements,
            in_place=implementation.installed,
            deviations=tuple(map(as_waiver, implementation.in_force(datetime.now(UTC).date()))),
        ),
        cluster=Cluster(provider=stage.provider, kubernetes=stage.kubernetes_version),
        profile=choices.profile,
        workers=workers,
        started=now(),
        strict=choices.strict,
        time_scale=implementation.time_scale,
        deadlines={name: limit * implementation.time_scale for name, limit in DEADLINES_S.items()},
        required=tuple(one.id for one in applies if one.level == "MUST"),
        planned=(),
        not_in_force=tuple(
            one.id for one in registry.values() if not one.in_force(implementation.implements)
        ),
        requirements={
            one.id: Requirement(one.level, one.sentence, one.source, one.capability, tuple(one.explains))
            for one in registry.values()
        },
        versions=versions(),
    )


def trouble(status: int) -> str:
    """Why pytest did not come to its end, if it did not."""
    if status in ENDED:
        return ""
    return "interrupted" if status == pytest.ExitCode.INTERRUPTED else f"pytest ended with {status}"


def tell(choices: Choices) -> int:
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
    show(verdict_table(results, outcome, paths))
    return outcome.exit_code
