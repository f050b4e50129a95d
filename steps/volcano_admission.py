"""Steps about what users ask of Volcano's admission."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pytest_bdd import parsers, step

from batchproof.world.volcano_requests import VolcanoRequests
from batchproof.world.volcano_words import SETTINGS, TASKS, settings_in, tasks_in

if TYPE_CHECKING:
    from batchproof.world import World
    from batchproof.world.volcano import Volcano

_JOB = rf"(?P<tasks>{TASKS})(?: with (?P<settings>{SETTINGS}))?"


@pytest.fixture
def requests(world: World, volcano: Volcano) -> VolcanoRequests:
    """What the users of the scenario ask for."""
    return VolcanoRequests(world, volcano)


@step(parsers.re(rf"the user asks for a Volcano Job of {_JOB}"))
def job_is_asked_for(requests: VolcanoRequests, tasks: str, settings: str | None) -> None:
    requests.ask_for_job(tasks_in(tasks), **settings_in(settings or ""))


@step(parsers.re(rf"the user asks for a Volcano Job that says no more than (?P<tasks>{TASKS})"))
def bare_job_is_asked_for(requests: VolcanoRequests, tasks: str) -> None:
    requests.ask_for_bare_job(tasks_in(tasks))


@step("the user asks for another Volcano Job in the queue")
def another_job_is_asked_for(requests: VolcanoRequests) -> None:
    requests.ask_for_another_job()


@step("the user asks for another Volcano Job in the queue that is always there")
def another_job_in_default_is_asked_for(requests: VolcanoRequests) -> None:
    requests.ask_for_another_job(queue="default")


@step("the user asks for a Volcano Job in a queue that does not exist")
def job_without_queue(requests: VolcanoRequests) -> None:
    requests.ask_for_job(tasks_in("1 pod"), queue="nowhere", minAvailable=1)


@step(parsers.re(rf"the user asks to change the Volcano Job to {_JOB}"))
def change_is_asked_for(requests: VolcanoRequests, tasks: str, settings: str | None) -> None:
    requests.ask_to_change_job(tasks_in(tasks), **settings_in(settings or ""))


@step("the queue that is always there is Open")
def default_is_open(requests: VolcanoRequests) -> None:
    requests.see_default_open()


@step(parsers.re(r"the user asks for a queue of weight (?P<weight>-?\d+)"))
def queue_is_asked_for(requests: VolcanoRequests, weight: str) -> None:
    requests.ask_for_queue(int(weight))


@step("the user asks for a queue that says nothing")
def bare_queue_is_asked_for(requests: VolcanoRequests) -> None:
    requests.ask_for_queue(None)


@step(parsers.re(r"the user asks to change the weight of the queue to (?P<weight>-?\d+)"))
def weight_is_asked_for(requests: VolcanoRequests, weight: str) -> None:
    requests.ask_to_weigh_queue(int(weight))


@step("the user asks to delete the queue")
def deletion_is_asked_for(requests: VolcanoRequests) -> None:
    requests.ask_to_delete_queue()


@step("the user asks to delete the queue that is always there")
def deletion_of_default_is_asked_for(requests: VolcanoRequests) -> None:
    requests.ask_to_delete_default()
