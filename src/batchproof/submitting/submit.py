"""``batchproof submit``: what is planned here is played in a cluster, and judged here."""

from __future__ import annotations

import secrets
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, TypeVar

import click

from batchproof.api.client import Api, ApiError
from batchproof.api.credentials import locate, read
from batchproof.control_plane.choice import ClusterOptions
from batchproof.control_plane.existing import call
from batchproof.descriptor import implementation as descriptors
from batchproof.ground import stored
from batchproof.ground.errors import BatchproofError, HarnessError, UserError
from batchproof.ground.screen import note, say
from batchproof.processes.programs import run_directory
from batchproof.report import wording
from batchproof.running.runner import RunOptions, check_reportable
from batchproof.submitting.cluster import Submitted, rights_hint, version
from batchproof.submitting.commands import COMMANDS
from batchproof.submitting.following import Following
from batchproof.submitting.given import files_of, programs_of
from batchproof.submitting.kept import read_kept
from batchproof.submitting.manifests import PLAN_ANNOTATION, Wanted, config_map, job, plan_in
from batchproof.submitting.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from pathlib import Path

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Where:
    """The cluster that a run is submitted to.

    Attributes:
        kubeconfig: how to reach it; None as for kubectl.
        context: in the kubeconfig; None for the current one.
        namespace: where the Job is.
    """

    kubeconfig: Path | None
    context: str | None
    namespace: str


def submit(plan: Plan, choices: RunOptions, where: Where, wanted: Wanted, *, detach: bool) -> int:
    """Submit what is planned, and judge it when its shards have played; returns the exit code: the verdict.

    Args:
        plan: what is played.
        choices: what the user chose.
        where: the cluster.
        wanted: what the user wants of the Job; its name is made here.
        detach: only submit it.
    """
    given: Mapping[str, bytes] = {}
    if plan.implementation:
        implementation = descriptors.load(descriptors.find(choices.implementation))
        given = files_of(choices.implementation, implementation)
        wanted = replace(wanted, programs=programs_of(implementation))
    wanted = replace(wanted, name=f"batchproof-{secrets.token_hex(4)}")
    run = _Run(choices, where, wanted.name, plan)
    try:
        run.call(lambda it, api: _create(it, api, plan, wanted, given))
    except KeyboardInterrupt:
        run.remove()
        raise
    except BatchproofError:
        with suppress(BatchproofError):  # the first error says why
            run.remove()
        raise
    size = wording.count(sum(map(len, plan.shards)), COMMANDS[plan.command].unit)
    shards = wording.count(len(plan.shards), "shard")
    note(f"submitted {size} in {shards} as the Job {wanted.name} in {where.namespace}", err=True)
    if detach:
        say(wanted.name)
        return 0
    return run.end()


def attach(name: str, where: Where, output: Path | None, junit: Path | None) -> int:
    """Follow a run that was submitted before to its end; returns the exit code, which is the verdict.

    Args:
        name: that of its Job.
        where: the cluster.
        output: where the results go; None: where those of its command go by default.
        junit: where a run is written as JUnit XML too.
    """
    plan = _call(where, name, _known_plan)
    choices = _as_planned(plan, output, junit)
    check_reportable(choices)
    return _Run(choices, where, name, plan).end()


def merge(folder: Path, output: Path | None, junit: Path | None) -> int:
    """Judge what the shards of a run have written to a volume; returns the exit code, which is the verdict.

    Args:
        folder: that of the run in the volume, wherever it is mounted or was copied to.
        output: where the results go; None: where those of its command go by default.
        junit: where a run is written as JUnit XML too.

    Raises:
        UserError: the shards cannot be merged.
    """
    with run_directory() as run:
        plan, parts = read_kept(folder, run.path / "shards")
        choices = _as_planned(plan, output, junit)
        check_reportable(choices)
        return COMMANDS[plan.command].conclude(plan, parts, choices)


def _as_planned(plan: Plan, output: Path | None, junit: Path | None) -> RunOptions:
    """What was chosen where the plan was made."""
    return RunOptions(
        implementation=plan.implementation,
        profile=plan.profile,
        expression=plan.expression,
        workers=None,
        output=output or COMMANDS[plan.command].output,
        junit=junit,
        choice=ClusterOptions(),
        strict=plan.strict,
        accept_known=plan.accept_known,
    )


async def _known_plan(submitted: Submitted, _: Api) -> Plan:
    job_, given = await submitted.job(), await submitted.given()
    try:
        plan: Plan = stored.decode(plan_in(given), Plan)
    except stored.Mismatch as error:
        raise UserError(
            f"the ConfigMap {submitted.name} holds no plan: {error}; delete the Job, and submit again"
        ) from error
    if plan.digest != job_["metadata"]["annotations"][PLAN_ANNOTATION]:
        raise UserError(
            f"the plan in the ConfigMap {submitted.name} is not that of the Job: another client "
            "has changed one of them; delete the Job, and submit again"
        )
    return plan


async def _create(
    submitted: Submitted, api: Api, plan: Plan, wanted: Wanted, given: Mapping[str, bytes]
) -> None:
    """Make the Job first: what comes after it goes with it, also if this process is killed in between."""
    wanted = replace(wanted, version=await version(api))
    made = await submitted.create(job(plan, wanted, list(given)))
    await submitted.give(config_map(plan, wanted, given, made))


@dataclass(frozen=True, slots=True)
class _Run:
    """A submitted run, seen from here."""

    choices: RunOptions
    where: Where
    name: str
    plan: Plan

    def call(self, use: Callable[[Submitted, Api], Awaitable[T]]) -> T:
        """Make requests about it."""
        return _call(self.where, self.name, use)

    def end(self) -> int:
        """Follow it to its end, merge what its shards have played, and judge that.

        Raises:
            UserError: the shards cannot be merged.
            HarnessError: the Job has failed, or the cluster does not answer any more.
        """
        try:
            with run_directory() as run:
                shards = run.path / "shards"
                shards.mkdir()
                progress, plays = COMMANDS[self.plan.command].shown(self.plan)
                parts = self.call(lambda it, _: Following(it, self.plan, shards, progress, plays=plays).all())
                code = COMMANDS[self.plan.command].conclude(self.plan, parts, self.choices)
        except KeyboardInterrupt:
            if _answered_yes(f"remove the Job {self.name} with all its pods?"):
                self.remove()
            else:
                note(f"it keeps running: batchproof submit --attach {self.name} follows it", err=True)
            raise
        except BatchproofError as error:
            stays = (
                f"the Job {self.name} stays: `batchproof submit --attach {self.name}` follows it again, and "
                f"`kubectl delete job {self.name} --namespace {self.where.namespace}` removes it"
            )
            kind = UserError if isinstance(error, UserError) else HarnessError
            raise kind(f"{error}\n{stays}") from error
        self.remove()
        return code

    def remove(self) -> None:
        """Remove all that belongs to it.

        Raises:
            HarnessError: something is left.
        """
        self.call(lambda it, _: it.remove())


def _answered_yes(question: str) -> bool:
    """What the user answers; yes where no terminal asks."""
    return not sys.stdin.isatty() or click.confirm(question, default=True, err=True)


def _call(where: Where, name: str, use: Callable[[Submitted, Api], Awaitable[T]]) -> T:
    """Make requests about a submitted run."""
    with run_directory() as run:
        access = read(locate(where.kubeconfig, where.context, run.path))
        try:
            return call(access, lambda api: use(Submitted(api, where.namespace, name), api))
        except ApiError as error:
            if error.status == HTTPStatus.FORBIDDEN:
                raise UserError(f"{error}; {rights_hint(where.namespace)}") from error
            raise
