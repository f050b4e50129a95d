"""A running scenario: what its history says at once, and how it ends."""

from __future__ import annotations

import asyncio
import gc
import warnings

from waiting import others_go_on

from batchproof.api.access import Access
from batchproof.api.client import Api
from batchproof.cell.kubelet import Kubelet
from batchproof.cell.scenario_run import ScenarioRun
from batchproof.ground.resources import PODS, SIMULATED_SCHEDULER
from batchproof.judgement.faults import Call
from batchproof.judgement.history import HistoryHeader
from batchproof.judgement.observed import Observed


async def seen_by_a_scene_with(header: HistoryHeader) -> Observed:
    return ScenarioRun("here", kill=lambda: None, header=header).seen


def test_what_is_judged_while_it_runs_knows_the_header() -> None:
    header = HistoryHeader(time_scale=2.0, manager="example.com/mine", finalizer="example.com/tracking")

    seen = asyncio.run(seen_by_a_scene_with(header))

    assert (seen.last, seen.time_scale) == (0, 2.0)
    assert (seen.manager, seen.finalizer) == ("example.com/mine", "example.com/tracking")


async def kubelet_that_is_stopped_at_once() -> None:
    """A pod is deleted, and the scenario ends before the loop comes to what the kubelet does about it."""
    scene = ScenarioRun("here", kill=lambda: None)
    async with Api(Access("http://127.0.0.1:1", token="", ca_file=None)) as api:
        kubelet = Kubelet(api, scene, "node", ensure_node=others_go_on)
        metadata = {
            "name": "a",
            "namespace": "here",
            "uid": "u",
            "resourceVersion": "1",
            "deletionTimestamp": "2026-11-26T12:00:00Z",
        }
        spec = {"schedulerName": SIMULATED_SCHEDULER}
        scene.changed("MODIFIED", PODS, {"metadata": metadata, "spec": spec})
        await kubelet.stop()


def test_a_kubelet_that_is_stopped_before_it_began_leaves_no_warning() -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        asyncio.run(kubelet_that_is_stopped_at_once())
        gc.collect()
    assert [str(one.message) for one in told] == []


async def a_write() -> tuple[tuple[bool, int], ...]:
    """Whether a write is open, and the newest revision written: before, while and after it is answered."""
    scene = ScenarioRun("here", kill=lambda: None)

    def state() -> tuple[bool, int]:
        return scene.writing, scene.newest_written(PODS)

    watch = scene.asked(Call("watch", PODS, namespace="here"), None, "", instance=1)
    states = [state()]
    number = scene.asked(Call("create", PODS, namespace="here"), {}, "", instance=1)
    states.append(state())
    scene.answered(number, 201, effect=True, fault="", body={"metadata": {"resourceVersion": "7"}})
    states.append(state())
    refused = scene.asked(Call("update", PODS, namespace="here", name="a"), {}, "", instance=1)
    scene.answered(refused, 409, effect=False, fault="", body={"metadata": {"resourceVersion": "9"}})
    scene.answered(watch, 200, effect=True, fault="", body={"metadata": {"resourceVersion": "9"}})
    states.append(state())
    return tuple(states)


def test_a_scenario_knows_what_was_written_and_what_is_being_written() -> None:
    """Its history ends where both the answer and the change of every write are in."""
    assert asyncio.run(a_write()) == ((False, 0), (True, 0), (False, 7), (False, 7))


async def views() -> tuple[bool, ...]:
    """Whether a view is stale: without any fault, frozen, once something is withheld, once it is thawed."""
    scene = ScenarioRun("here", kill=lambda: None)
    states = [scene.withheld(PODS)()]
    number = scene.withhold("the view of pods is stale", PODS, {})
    withheld = scene.withheld(PODS)
    states.append(withheld())
    scene.fired(number)
    states.append(withheld())
    scene.thaw(PODS)
    return *states, scene.withheld(PODS)()


def test_a_frozen_view_is_stale_once_something_is_withheld() -> None:
    assert asyncio.run(views()) == (True, False, True, True)


def test_what_the_implementation_has_written_is_waited_for_until_it_is_shown_in_its_namespace_alone() -> None:
    async def unshown() -> list[dict[str, int]]:
        scene = ScenarioRun("here", kill=lambda: None)

        def write(revision: str, uid: str, namespace: str = "here") -> None:
            number = scene.asked(Call("update", PODS, namespace=namespace, name="a"), {}, "", instance=1)
            body = {"metadata": {"uid": uid, "resourceVersion": revision}}
            scene.answered(number, 200, effect=True, fault="", body=body)

        write("7", "u")
        write("6", "u")
        write("8", "v", namespace="elsewhere")
        states = [scene.unshown(PODS)]
        write("9", "u")
        scene.shown(PODS, states[0])
        states.append(scene.unshown(PODS))
        scene.shown(PODS, states[1])
        return [*states, scene.unshown(PODS)]

    assert asyncio.run(unshown()) == [{"u": 7}, {"u": 9}, {}]
