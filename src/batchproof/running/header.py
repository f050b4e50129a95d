"""The header of the results: what is judged, by what, on what; written before anything is played."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import requires, version
from typing import TYPE_CHECKING, Final, Literal

from batchproof import __version__
from batchproof.descriptor import implementation as described
from batchproof.descriptor.launch import ProcessSpec, given_files, program
from batchproof.evidence import demands
from batchproof.evidence.digests import code_digest, file_digest, lock_digest, suite_digest, text_digest
from batchproof.ground import stored, suite
from batchproof.ground.errors import UserError
from batchproof.judgement.forms import DEADLINES_S
from batchproof.report.records import (
    SCHEMA_VERSION,
    ClusterRecord,
    Header,
    ImplementationRecord,
    Started,
    Suite,
)
from batchproof.running.environment import RunEnvironment
from batchproof.running.session.record import now
from batchproof.specification.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_DISTRIBUTION: Final = "batchproof"


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What the user asked for, as far as the results say it.

    Attributes:
        profile: what the implementation is judged as.
        expression: what was selected, as after ``-k``.
        feature: the feature file that is played instead of the suite.
        strict: what could not be judged the first time, or not at all, fails the run.
        accept_known: the run does not fail with core requirements that deviations cover.
    """

    profile: str
    expression: str
    feature: Path | None
    strict: bool
    accept_known: bool


def results_header(asked: RunRequest, stage: RunEnvironment, registry: Registry, workers: int) -> Header:
    """The results header, but for what only the collection finds out.

    Raises:
        UserError: a program that is to be started cannot be read.
    """
    judged = stage.implementation
    return Header(
        schema=SCHEMA_VERSION,
        batchproof=__version__,
        run=stage.results,
        machine=f"{sys.platform}/{platform.machine()}, {os.cpu_count()} processors",
        suite=_suite(asked),
        implementation=_implementation(judged, stage.binaries),
        cluster=_cluster(stage),
        profile=asked.profile,
        workers=workers,
        started=now(),
        strict=asked.strict,
        accept_known=asked.accept_known,
        time_scale=judged.time_scale,
        deadlines={name: limit * judged.time_scale for name, limit in DEADLINES_S.items()},
        required=demands.required(registry, judged, stage.taken),
        planned=(),
        not_in_force=demands.not_in_force(registry, judged),
        requirements=demands.recorded(registry),
        versions=versions(),
    )


def _suite(asked: RunRequest) -> Suite:
    installed, commit = _installed()
    return Suite(
        digest=suite_digest(),
        code=code_digest(),
        lock=lock_digest(),
        installed=installed,
        commit=commit,
        feature=asked.feature.name if asked.feature else "",
        feature_digest=file_digest(asked.feature) if asked.feature else "",
        selection=asked.expression,
    )


def _installed() -> tuple[Literal["wheel", "checkout", "changed checkout"], str]:
    """How batchproof is installed, and of which commit; what git cannot vouch for counts as changed."""
    root = suite.checkout()
    if root is None:
        return "wheel", ""
    try:
        if _git(root, "status", "--porcelain", "--untracked-files=normal", "--", "."):
            return "changed checkout", ""
        return "checkout", _git(root, "rev-parse", "--verify", "HEAD")
    except (OSError, subprocess.SubprocessError):
        return "changed checkout", ""


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, timeout=60).stdout.decode().strip()


def _implementation(judged: described.Implementation, binaries: Mapping[str, Path]) -> ImplementationRecord:
    replica = [judged.election] if judged.election else []
    return stored.copied(
        ImplementationRecord,
        judged,
        capabilities=tuple(sorted(judged.capabilities)),
        descriptor=judged.descriptor.name,
        descriptor_text=judged.text,
        descriptor_digest=text_digest(judged.text),
        in_place=judged.installed,
        deviations=demands.waivers(judged, datetime.now(UTC).date()),
        started=tuple(
            _started(process, binaries.get(process.name), judged.descriptor)
            for process in (*judged.processes, *replica)
        ),
    )


def _started(process: ProcessSpec, binary: Path | None, descriptor: Path) -> Started:
    path = program(process, binary, descriptor)
    try:
        return Started(
            name=process.place,
            program=path.name,
            sha256=file_digest(path),
            argv=process.argv,
            env=tuple(sorted({*process.env, *process.pass_env})),
            files={one.name: file_digest(one) for one in given_files(process, descriptor)},
        )
    except OSError as error:
        raise UserError(f"{error.filename} cannot be read: {error.strerror}") from error


def _cluster(stage: RunEnvironment) -> ClusterRecord:
    plane = stage.own_plane or stage.apart
    return ClusterRecord(
        provider=stage.provider,
        kubernetes=stage.kubernetes_version,
        programs={name: file_digest(path) for name, path in plane.binaries.items()} if plane else {},
        flags=stage.implementation.control_plane.api_server_flags,
        taken=stage.taken,
        options=stage.options,
    )


@cache
def versions() -> dict[str, str]:
    """The version of Python and of each library that batchproof declares to need, by name.

    The results keep them, so that a verdict can be repeated.
    """
    needed = [one for one in requires(_DISTRIBUTION) or () if "extra ==" not in one]
    names = sorted(re.split(r"[^\w.-]", one, maxsplit=1)[0] for one in needed)
    return {"python": platform.python_version(), **{name: version(name) for name in names}}
