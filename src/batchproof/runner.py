"""A run from end to end: what is judged, on which control plane, and what is told in the end."""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import click
import pytest
from rich.console import Console

from batchproof import __version__, suite
from batchproof import implementation as descriptors
from batchproof.claims import DEADLINES_S
from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.embedded import EmbeddedControlPlane
from batchproof.control_plane.progress import shown
from batchproof.errors import UserError
from batchproof.plugin import OPTION
from batchproof.processes import run_directory
from batchproof.progress import RunProgress
from batchproof.registry import load_registry
from batchproof.report import write_all
from batchproof.report.outcome import judge_run
from batchproof.report.results import FILE_NAME, ResultsStream, read_results
from batchproof.report.table import verdict_table
from batchproof.session.collect import FeatureCollector, Planned, planned
from batchproof.session.record import now
from batchproof.session.stream import Stream
from batchproof.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from batchproof.control_plane.plane import Plane
    from batchproof.implementation import Implementation
    from batchproof.registry import Registry

_SELECTION_HELP = 'write it as pytest does: -k "FIN-004 or suspend"'


@dataclass(frozen=True, slots=True)
class Choices:
    """What the user chose on the command line; see ``batchproof run --help``."""

    implementation: str
    profile: str
    expression: str
    workers: int | None
    output: Path
    junit: Path | None
    assets: Path | None


def default_workers() -> int:
    """Scenarios at once: they mostly wait. Measured on 2 processors: see benchmarks/README.md."""
    return max(2, 4 * (os.cpu_count() or 1))


def suite_digest() -> str:
    """What was judged with: the digest of all features, requirements and steps."""
    digest = sha256()
    for folder in (suite.features(), suite.steps()):
        for path in sorted(folder.rglob("*")):
            if path.suffix in {".feature", ".yaml", ".py"}:
                digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return f"sha256:{digest.hexdigest()}"


def dry_run(choices: Choices) -> int:
    """List what ``run`` would judge, one scenario a line: requirement and id."""
    implementation = descriptors.load(descriptors.find(choices.implementation))
    registry = load_registry().of_profile(choices.profile)
    shown = 0
    for one in selected(choices):
        requirement = registry[one.requirement]
        note = "" if implementation.declares(requirement.capability) else "  (skipped: not-declared)"
        click.echo(f"{one.requirement}  {one.id}{note}")
        shown += 1
    click.echo(f"{shown} scenarios for {implementation.name} {implementation.version}")
    return 0


def selected(choices: Choices) -> list[Planned]:
    """The scenarios that ``-k`` selects, found as pytest finds them, without running any."""
    chosen = _Chosen()
    arguments = ["--collect-only", "-p", "no:xdist", *_pytest_arguments(choices)]
    status = pytest.main(arguments, plugins=[FeatureCollector(()), chosen])
    if status not in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
        raise UserError(f"the selection {choices.expression!r} cannot be used: {_SELECTION_HELP}")
    return chosen.planned


class _Chosen:
    """Keeps what pytest has selected."""

    def __init__(self) -> None:
        self.planned: list[Planned] = []

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.planned = [planned(item) for item in session.items]


def _pytest_arguments(choices: Choices) -> list[str]:
    """What every pytest of a run is told: our features, our selection, nobody's configuration files."""
    features = suite.features()
    arguments = [str(features / choices.profile), f"--rootdir={features}", "-c", os.devnull]
    for unused in ("cacheprovider", "terminalreporter", "warnings", "logging"):
        arguments += ["-p", f"no:{unused}"]
    return [*arguments, "-k", choices.expression] if choices.expression else arguments


def run(choices: Choices) -> int:
    """Judge an implementation; returns the exit code, which is the verdict."""
    implementation = descriptors.load(descriptors.find(choices.implementation))
    registry = load_registry().of_profile(choices.profile)
    if not registry:
        raise UserError(f"there is no profile {choices.profile!r}")
    progress = RunProgress()
    choices.output.mkdir(parents=True, exist_ok=True)
    with ready_plane(implementation, choices.assets, progress.say) as stage:
        workers = choices.workers or default_workers()
        header = _header(choices, implementation, registry, stage.plane, workers)
        with ResultsStream(choices.output / FILE_NAME) as results:
            stream = Stream(results, header, progress, selected_all=not choices.expression)
            status = stage.pytest(
                choices,
                [f"--alluredir={choices.output / 'allure'}", "--clean-alluredir"],
                stream,
                workers=workers,
            )
            progress.end()
            stream.finish(_trouble(status))
    return tell(choices)


@dataclass(frozen=True, slots=True)
class Stage:
    """A control plane that runs, with an implementation to be judged on it."""

    implementation: Implementation
    plane: Plane
    binary: Path | None

    def pytest(
        self,
        choices: Choices,
        arguments: list[str],
        plugin: object,
        *,
        workers: int,
        defects: tuple[str, ...] = (),
    ) -> int:
        """Run the selected scenarios in pytest, in so many workers; returns pytest's exit code."""
        settings = Settings(
            run=secrets.token_hex(3),
            descriptor=self.implementation.descriptor.resolve(),
            binary=self.binary,
            plane=self.plane.to_json(),
            output=choices.output.resolve(),
            defects=defects,
        )
        file = self.plane.run_dir / f"settings-{settings.run}.json"
        settings.write(file)
        many = ["-n", str(workers), "--dist=load", "--maxschedchunk=1"]
        spread = many if workers > 1 else ["-p", "no:xdist"]
        told = [*_pytest_arguments(choices), f"{OPTION}={file}", *arguments, *spread]
        return pytest.main(told, plugins=[plugin])


@contextmanager
def ready_plane(
    implementation: Implementation, assets: Path | None, say: Callable[[str], None]
) -> Iterator[Stage]:
    """A control plane for an implementation, with everything built that is needed; all is gone afterwards."""
    with shown() as progress:
        binaries = Binaries(assets, progress)
        parts = binaries.control_plane()
        binary = binaries.of(implementation.binary)
    version = binaries.kubernetes_version
    with run_directory() as run:
        provider = EmbeddedControlPlane(
            run.path, parts, kubernetes_version=version, api_server_flags=implementation.api_server_flags
        )
        say(f"judging {implementation.name} {implementation.version} on Kubernetes {version}")
        with provider as plane:
            yield Stage(implementation, plane, binary)


def _header(
    choices: Choices, implementation: Implementation, registry: Registry, plane: Plane, workers: int
) -> dict[str, Any]:
    """The results header, but for what only the collection tells."""
    applies = [one for one in registry.values() if implementation.declares(one.capability)]
    told = ("level", "sentence", "source", "capability")
    return {
        "record": "header",
        "schema": 1,
        "batchproof": __version__,
        "suite": {"digest": suite_digest()},
        "implementation": {
            "name": implementation.name,
            "version": implementation.version,
            "organisation": implementation.organisation,
            "profiles": list(implementation.profiles),
            "capabilities": sorted(implementation.capabilities),
            "descriptor": implementation.descriptor.name,
        },
        "cluster": {"provider": plane.provider, "kubernetes": plane.kubernetes_version},
        "profile": choices.profile,
        "workers": workers,
        "started": now(),
        "time_scale": implementation.time_scale,
        "deadlines": {name: limit * implementation.time_scale for name, limit in DEADLINES_S.items()},
        "required": [one.id for one in applies if one.level == "MUST"],
        "requirements": {one.id: {name: getattr(one, name) for name in told} for one in registry.values()},
    }


def _trouble(status: int) -> str:
    """Why pytest did not come to its end, if it did not."""
    match status:
        case pytest.ExitCode.OK | pytest.ExitCode.TESTS_FAILED | pytest.ExitCode.NO_TESTS_COLLECTED:
            return ""
        case pytest.ExitCode.INTERRUPTED:
            return "interrupted"
        case _:
            return f"pytest ended with {status}"


def tell(choices: Choices) -> int:
    """Write all reports of a run, print the verdict, and return the exit code."""
    results = read_results(choices.output)
    paths = write_all(results, choices.output, choices.junit)
    outcome = judge_run(results)
    Console().print(verdict_table(results, outcome, paths))
    return outcome.exit_code
