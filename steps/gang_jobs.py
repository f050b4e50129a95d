"""Steps about Jobs for which Kubernetes makes a Workload and a PodGroup (KEP-5547)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_bdd import parsers, step

if TYPE_CHECKING:
    from collections.abc import Callable

    from batchproof.judgement.history import Json
    from batchproof.world import World

WITH = r" is created with (?P<completions>\d+) completions and parallelism (?P<parallelism>\d+)"
NUMBERS: dict[str, Callable[[str], object]] = {"completions": int, "parallelism": int}
GANG: Json = {"schedulingPolicy": {"gang": {}}}


@step(parsers.re(r"a Job whose pods are a gang" + WITH), converters=NUMBERS)
def gang_job_by_parallelism(world: World, completions: int, parallelism: int) -> None:
    world.create_job(scheduling=GANG, completions=completions, parallelism=parallelism)


@step(parsers.re(r"a Job whose pods are a gang of (?P<minimum>\d+)" + WITH), converters=NUMBERS)
def gang_job_with_minimum(world: World, minimum: str, completions: int, parallelism: int) -> None:
    scheduling = {"schedulingPolicy": {"gang": {"minCount": int(minimum)}}}
    world.create_job(scheduling=scheduling, completions=completions, parallelism=parallelism)


@step(parsers.parse("the user changes the minimum of the Job to {minimum:d}"))
def job_minimum_is_changed(world: World, minimum: int) -> None:
    world.patch_job(scheduling={"schedulingPolicy": {"gang": {"minCount": minimum}}})


@step(parsers.re(r"a Job whose pod template names a group" + WITH), converters=NUMBERS)
def job_with_a_group(world: World, completions: int, parallelism: int) -> None:
    pod = {"schedulingGroup": {"podGroupName": "other"}}
    world.create_job(pod=pod, completions=completions, parallelism=parallelism)


@step(parsers.re(r"a Job of a parent" + WITH), converters=NUMBERS)
def child_job(world: World, completions: int, parallelism: int) -> None:
    world.create_child_job(completions=completions, parallelism=parallelism)


@step(parsers.re(r"a Job of a parent, with a template in its Workload," + WITH), converters=NUMBERS)
def delegated_job(world: World, completions: int, parallelism: int) -> None:
    world.create_child_job(template="workers", completions=completions, parallelism=parallelism)
