"""Steps about Volcano Jobs: what their users do, and what the scheduler and the kubelet do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pytest_bdd import parsers, step

from batchproof.world.volcano import Volcano
from batchproof.world.volcano_words import SETTINGS, TASKS, settings_in, tasks_in

if TYPE_CHECKING:
    from batchproof.world import World

_PODS = r"(?P<count>\d+) pods? of (?:the Volcano Job|its task (?P<task>\w+))"


@pytest.fixture
def volcano(world: World) -> Volcano:
    """The Volcano Job of the scenario and its queue."""
    return Volcano(world)


# -- what users do


@step("a queue")
def a_queue(volcano: Volcano) -> None:
    volcano.add_queue()


@step(parsers.re(rf"a Volcano Job of (?P<tasks>{TASKS})(?: with (?P<settings>{SETTINGS}))?"))
def a_volcano_job(volcano: Volcano, tasks: str, settings: str | None) -> None:
    volcano.create_job(tasks_in(tasks), **settings_in(settings or ""))


@step(parsers.parse("{count:d} other Volcano Jobs of 1 pod are created"))
def other_jobs(volcano: Volcano, count: int) -> None:
    volcano.create_others(count)


@step(
    parsers.re(
        r"the user changes task (?P<task>\w+) to (?P<count>\d+) pods?"
        r"(?: and minAvailable to (?P<minimum>\d+))?"
    )
)
def task_is_scaled(volcano: Volcano, task: str, count: str, minimum: str | None) -> None:
    volcano.scale(task, int(count), int(minimum) if minimum else None)


@step(parsers.parse("the user changes minAvailable to {minimum:d}"))
def minimum_is_changed(volcano: Volcano, minimum: int) -> None:
    volcano.set_minimum(minimum)


@step(parsers.re(r"the user deletes the Volcano Job(?P<waits> and waits for its pods)?"))
def job_is_deleted(volcano: Volcano, waits: str | None) -> None:
    volcano.delete_job("Foreground" if waits else "")


@step(parsers.re(rf"the user deletes {_PODS}"))
def pods_are_deleted(volcano: Volcano, count: str, task: str | None) -> None:
    volcano.delete_pods(int(count), task or "")


@step(parsers.re(r"the user makes a pod of the Volcano Job vanish that has (?P<outcome>succeeded|failed)"))
def ended_pod_vanishes(volcano: Volcano, outcome: str) -> None:
    volcano.wipe_ended(outcome)


@step("another pod has the name of the first pod of the Volcano Job")
def name_is_taken(volcano: Volcano) -> None:
    volcano.take_name()


@step(parsers.parse("the user creates the PersistentVolumeClaim {name}"))
def claim_is_created(volcano: Volcano, name: str) -> None:
    volcano.add_claim(name)


@step(parsers.re(r"the user commands (?P<action>\w+)"))
def user_commands(volcano: Volcano, action: str) -> None:
    volcano.command(action)


# -- what the scheduler and the kubelet do


@step("the scheduler lets its PodGroup in")
def group_is_let_in(volcano: Volcano) -> None:
    volcano.schedule("Inqueue")


@step("the scheduler lets every PodGroup in")
def groups_are_let_in(volcano: Volcano) -> None:
    volcano.let_all_in()


@step("the scheduler lets its PodGroup wait")
def group_waits(volcano: Volcano) -> None:
    volcano.schedule("Pending")


@step("the scheduler sees its PodGroup running")
def group_runs(volcano: Volcano) -> None:
    volcano.schedule("Running")


@step("the scheduler cannot place all pods of its PodGroup any more")
def group_is_unknown(volcano: Volcano) -> None:
    volcano.schedule("Unknown")


@step(parsers.re(rf"{_PODS} (?:runs?)(?P<unready> and (?:is|are) not ready)?"))
def volcano_pods_run(volcano: Volcano, count: str, task: str | None, unready: str | None) -> None:
    volcano.run(int(count), task or "", ready=not unready)


@step(parsers.re(rf"{_PODS} (?P<how>succeed|fail)s?(?: with exit code (?P<code>\d+))?"))
def volcano_pods_end(volcano: Volcano, count: str, task: str | None, how: str, code: str | None) -> None:
    volcano.end(int(count), exit_code=int(code or how == "fail"), task=task or "")


@step(parsers.re(r"(?P<count>\d+) terminating pods? of the Volcano Job ends?"))
def terminating_pods_end(volcano: Volcano, count: str) -> None:
    volcano.end_terminating(int(count))


@step(parsers.re(r"(?P<count>\d+) terminating pods? of the Volcano Job fails?, and stays? for now"))
def terminating_pods_fail(volcano: Volcano, count: str) -> None:
    volcano.fail_terminating(int(count))


@step(parsers.parse("the containers of 1 pod of the Volcano Job have been restarted {times:d} times"))
def containers_restart(volcano: Volcano, times: int) -> None:
    volcano.restart_containers(times)
