"""Steps about gangs: their groups, their pods, and what is bound of them.

``gang a`` is one of the scenario; its object and its pods are spelled by the implementation's dialect. Its
pods ask for 1 CPU each where nothing else is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_bdd import parsers, step, then

from batchproof.world.gangs.nodes import RESOURCE, resource_of

if TYPE_CHECKING:
    from batchproof.world import World
    from batchproof.world.gangs.members import Placed

GANG = r"gang (?P<gang>[a-z])"
COUNT = r"(?P<count>\d+) pods?"
TREE = r"tree (?P<tree>[t-z])"
MINIMUM = r"with minimum (?P<minimum>\d+)"
PLACED: dict[str, Placed] = {
    "no two on one node": "apart",
    "all in one zone": "in one zone",
    "spread evenly over the zones": "spread",
}
OF = r"(?: of (?P<cpus>\d+) CPUs?(?: each)?)?"

# -- what is there


@step(parsers.re(f"{GANG} {MINIMUM} has {COUNT}{OF}"))
def gang_has_pods(world: World, gang: str, minimum: str, count: str, cpus: str | None) -> None:
    world.gangs.add(gang, int(minimum))
    world.gangs.add_pods(gang, int(count), cpus=cpus or "1")


@step(parsers.re(rf"{TREE}(?: of tree (?P<parent>[t-z]))? needs (?P<count>\d+) of its groups"))
def tree_of_gangs(world: World, tree: str, parent: str | None, count: str) -> None:
    world.gangs.add_tree(tree, int(count), parent=parent)


@step(parsers.re(f"{GANG} of {TREE} {MINIMUM} has {COUNT}"))
def gang_of_a_tree(world: World, gang: str, tree: str, minimum: str, count: str) -> None:
    world.gangs.add(gang, int(minimum), tree=tree)
    world.gangs.add_pods(gang, int(count))


@step(parsers.re(f"{GANG} of {TREE} has {COUNT}, all needed and too big"))
def hopeless_gang_of_a_tree(world: World, gang: str, tree: str, count: str) -> None:
    world.gangs.add(gang, int(count), tree=tree)
    world.gangs.add_pods(gang, int(count), cpus="100")


@step(parsers.re(f"{GANG} without a minimum has {COUNT}"))
def loose_gang(world: World, gang: str, count: str) -> None:
    world.gangs.add(gang, 1, loose=True)
    world.gangs.add_pods(gang, int(count))


@step(parsers.re(f"{GANG} {MINIMUM} has {COUNT}, by its group all in one zone"))
def gang_in_a_zone(world: World, gang: str, minimum: str, count: str) -> None:
    world.gangs.add(gang, int(minimum), one_zone=True)
    world.gangs.add_pods(gang, int(count))


@step(parsers.re(f"{COUNT} of priority (?P<priority>high|low) (?:is|are) added to {GANG}"))
def pods_of_a_priority(world: World, count: str, priority: str, gang: str) -> None:
    world.gangs.add_pods(gang, int(count), priority=priority)


@step(parsers.re(f"{GANG} {MINIMUM} has {COUNT}, (?P<how>{'|'.join(PLACED)})"))
def gang_placed(world: World, gang: str, minimum: str, count: str, how: str) -> None:
    world.gangs.add(gang, int(minimum))
    world.gangs.add_pods(gang, int(count), placed=PLACED[how])


@step(parsers.re(f"{GANG} {MINIMUM} has {COUNT} that also ask for 1 {RESOURCE} each"))
def gang_asking(world: World, gang: str, minimum: str, count: str, resource: str) -> None:
    world.gangs.add(gang, int(minimum))
    asking = resource_of(resource, "1")
    asking.pop("pods", None)  # each pod takes a place without asking for it
    world.gangs.add_pods(gang, int(count), asking=asking)


@step(parsers.re(f"{COUNT} of {GANG} (?:is|are) added that (?:has|have) a scheduling gate"))
def gated_members(world: World, count: str, gang: str) -> None:
    world.gangs.add_pods(gang, int(count), kept="gated")


@step(parsers.re(f"the scheduling gates of {GANG} are lifted"))
def gates_are_lifted(world: World, gang: str) -> None:
    world.gangs.lift_gates(gang)


@step(parsers.re(f"{COUNT} of {GANG} (?:is|are) added that (?:is|are) being deleted"))
def deleted_members(world: World, count: str, gang: str) -> None:
    world.gangs.add_pods(gang, int(count), kept="deleted")


@step(parsers.re(f"a pod of another scheduler names the group of {GANG}"))
def foreign_member(world: World, gang: str) -> None:
    world.gangs.add_foreign(gang)


@step(parsers.re(f"a gang of the same name has {COUNT} in another namespace"))
def twin(world: World, count: str) -> None:
    world.gangs.add_twin("a", int(count))


@step(parsers.re(f"a gang of the same name has {COUNT} that run in another namespace"))
def running_twin(world: World, count: str) -> None:
    world.gangs.add_twin("a", int(count), running=True)


@step(parsers.re(rf"pod (?P<pod>\w+){OF} of another scheduler runs on the node"))
def foreign_pod_runs(world: World, pod: str, cpus: str | None) -> None:
    world.gangs.run_foreign(pod, cpus=cpus or "1")


@step(parsers.re(r"pod (?P<pod>\w+) is deleted, but stays terminating"))
def single_pod_is_deleted(world: World, pod: str) -> None:
    world.hold_terminations()
    world.gangs.delete_single(pod)


@step(parsers.re(f"{GANG} of priority (?P<priority>urgent|high|low) {MINIMUM} has {COUNT}{OF}"))
def gang_of_priority(
    world: World, *, gang: str, priority: str, minimum: str, count: str, cpus: str | None
) -> None:
    world.gangs.add(gang, int(minimum), priority=priority)
    world.gangs.add_pods(gang, int(count), cpus=cpus or "1")


@step(parsers.re(f"{GANG} of priority low {MINIMUM} has {COUNT}, which give way only together"))
def gang_that_gives_way_whole(world: World, gang: str, minimum: str, count: str) -> None:
    world.gangs.add(gang, int(minimum), priority="low", whole=True)
    world.gangs.add_pods(gang, int(count))


@step(parsers.re(rf"queue (?P<queue>\w+) has {GANG} of priority urgent {MINIMUM}"))
def urgent_gang_in_queue(world: World, queue: str, gang: str, minimum: str) -> None:
    world.gangs.add(gang, int(minimum), queue=queue, priority="urgent")
    world.gangs.add_pods(gang, int(minimum))


@step(parsers.re(rf"{GANG} {MINIMUM} that needs (?P<cpus>\d+) CPUs in all has {COUNT}"))
def gang_with_least(world: World, gang: str, minimum: str, cpus: str, count: str) -> None:
    world.gangs.add(gang, int(minimum), least_cpus=int(cpus))
    world.gangs.add_pods(gang, int(count))


@step(parsers.re(rf"{GANG} {MINIMUM} needs (?P<servers>\d+) servers? and (?P<workers>\d+) workers?"))
def gang_of_tasks(world: World, gang: str, minimum: str, servers: str, workers: str) -> None:
    world.gangs.add(gang, int(minimum), tasks={"server": int(servers), "worker": int(workers)})


@step(parsers.re(rf"(?P<count>\d+) (?P<task>server|worker)s?{OF} (?:is|are) added to {GANG}"))
def pods_of_a_task(world: World, count: str, task: str, cpus: str | None, gang: str) -> None:
    world.gangs.add_pods(gang, int(count), cpus=cpus or "1", task=task)


@step(parsers.re(rf"gang Job (?P<gang>[a-z]) {MINIMUM} and (?P<completions>\d+) completions is created"))
def gang_job(world: World, gang: str, minimum: str, completions: str) -> None:
    world.gangs.add_job(gang, int(minimum), int(completions))


@step(parsers.re(f"{GANG}, created a second later, {MINIMUM} has {COUNT}"))
def later_gang(world: World, gang: str, minimum: str, count: str) -> None:
    world.let_pass(1.2)  # creationTimestamp knows whole seconds only
    world.gangs.add(gang, int(minimum))
    world.gangs.add_pods(gang, int(count))


@step(parsers.re(rf"{GANG} in queue (?P<queue>\w+) {MINIMUM} has {COUNT}"))
def gang_in_queue(world: World, gang: str, queue: str, minimum: str, count: str) -> None:
    world.gangs.add(gang, int(minimum), queue=queue)
    world.gangs.add_pods(gang, int(count))


@step(parsers.re(f"{COUNT} name the group of {GANG} without a minimum, which does not exist"))
def pods_without_loose_group(world: World, count: str, gang: str) -> None:
    world.gangs.add(gang, 1, made=False, loose=True)
    world.gangs.add_pods(gang, int(count))


@step(parsers.re(f"{COUNT} name the group of {GANG} {MINIMUM}, which does not exist"))
def pods_without_group(world: World, count: str, gang: str, minimum: str) -> None:
    world.gangs.add(gang, int(minimum), made=False)
    world.gangs.add_pods(gang, int(count))


@step(parsers.re(rf"the minimum of {GANG} is (?:lowered|raised) to (?P<minimum>\d+)"))
def minimum_is_changed(world: World, gang: str, minimum: str) -> None:
    world.gangs.change_minimum(gang, int(minimum))


@step(parsers.re(f"the group of {GANG} is deleted"))
def group_is_deleted(world: World, gang: str) -> None:
    world.gangs.delete(gang)


@step(parsers.re(r"claim (?P<claim>\w+) of storage for one pod at a time"))
def claim_of_storage(world: World, claim: str) -> None:
    world.gangs.add_claim(claim)


@step(parsers.re(rf"{COUNT} that uses? claim (?P<claim>\w+) (?:is|are) added to {GANG}"))
def pods_with_a_claim(world: World, count: str, claim: str, gang: str) -> None:
    world.gangs.add_pods(gang, int(count), claim=claim)


@step(parsers.re(f"a user deletes the group of {GANG}"))
def user_deletes_group(world: World, gang: str) -> None:
    world.gangs.ask_to_delete(gang)


@step(parsers.re(f"the group of {GANG} is created"))
def group_is_created(world: World, gang: str) -> None:
    world.gangs.make(gang)


@step(parsers.re(rf"(?P<count>\d+)(?: more)? pods?{OF} (?:is|are) added to {GANG}"))
def more_pods(world: World, count: str, cpus: str | None, gang: str) -> None:
    world.gangs.add_pods(gang, int(count), cpus=cpus or "1")


@step(parsers.re(f"{COUNT} of owner (?P<owner>[a-z]+) (?:is|are) added to {GANG}"))
def pods_of_an_owner(world: World, count: str, owner: str, gang: str) -> None:
    world.gangs.add_pods(gang, int(count), owner=owner)


@step(parsers.re(f"{COUNT} that asks? for nothing (?:is|are) added to {GANG}"))
def best_effort_members(world: World, count: str, gang: str) -> None:
    world.gangs.add_pods(gang, int(count), cpus="")


@step(parsers.re(rf"pod (?P<pod>\w+) without a gang{OF} is created"))
def single_pod(world: World, pod: str, cpus: str | None) -> None:
    world.gangs.add_single(pod, cpus=cpus or "1")


@step(parsers.re(r"pod (?P<pod>\w+) of priority urgent without a gang is created"))
def urgent_single_pod(world: World, pod: str) -> None:
    world.gangs.add_single(pod, priority="urgent")


@step(parsers.re(rf"pod (?P<pod>\w+) without a gang{OF} that has a scheduling gate is created"))
def gated_single_pod(world: World, pod: str, cpus: str | None) -> None:
    world.gangs.add_single(pod, cpus=cpus or "1", gated=True)


@step(parsers.re(rf"pod (?P<pod>\w+) of owner (?P<owner>[a-z]+) without a gang{OF} is created"))
def single_pod_of_an_owner(world: World, pod: str, owner: str, cpus: str | None) -> None:
    world.gangs.add_single(pod, cpus=cpus or "1", owner=owner)


@step(parsers.re(r"pod (?P<pod>\w+) without a gang that asks for nothing is created"))
def single_best_effort_pod(world: World, pod: str) -> None:
    world.gangs.add_single(pod, cpus="")


@step(parsers.re(r"pod (?P<pod>\w+) for another scheduler is created"))
def pod_of_another_scheduler(world: World, pod: str) -> None:
    world.gangs.add_single(pod, scheduler="somebody-else")


@step(parsers.re(r"a user labels pod (?P<pod>\w+)"))
def pod_is_labelled(world: World, pod: str) -> None:
    world.patch_pod(world.pod(pod), {"labels": {"batchproof.dev/colour": "red"}})


# -- what becomes of those that run


@step(parsers.re(f"the pods of {GANG} succeed"))
def gang_ends(world: World, gang: str) -> None:
    world.gangs.end(gang)


@step(parsers.re(rf"(?P<count>\d+) running pods? of {GANG} succeeds?"))
def pods_end(world: World, count: str, gang: str) -> None:
    world.gangs.end(gang, int(count))


@step(parsers.re(rf"(?P<count>\d+) running pods? of {GANG} fails?"))
def pods_fail(world: World, count: str, gang: str) -> None:
    world.gangs.end(gang, int(count), exit_code=1)


@step(parsers.re(rf"a user deletes (?P<count>\d+) running pods? of {GANG}"))
def pods_are_deleted(world: World, count: str, gang: str) -> None:
    world.gangs.delete_running(gang, int(count))


@step(parsers.re(rf"(?P<count>\d+) running pods? of {GANG} vanish(?:es)?"))
def pods_vanish(world: World, count: str, gang: str) -> None:
    world.gangs.wipe_running(gang, int(count))


@step(parsers.re(r"pod (?P<pod>\w+) succeeds"))
def single_pod_ends(world: World, pod: str) -> None:
    world.gangs.end_single(pod)


@step(
    parsers.re(
        rf"room for {GANG} appears (?P<times>\d+) times,"
        r" each time just after a gang of priority low came that wants it too"
    )
)
def room_appears(world: World, gang: str, times: str) -> None:
    world.gangs.let_room_appear(gang, int(times))


@step("all pods that run succeed")
def all_end(world: World) -> None:
    world.gangs.end_all()


@step("the pods of the gang that was bound succeed")
def bound_gang_ends(world: World) -> None:
    world.gangs.end_bound()


# -- what is claimed


@step(
    parsers.re(
        rf"for (?P<seconds>2|15|30) seconds no pod of {GANG} is bound,"
        r" with room for (?P<room>\d+|all) of them"
    )
)
def gang_waits(world: World, seconds: str, gang: str, room: str) -> None:
    during = {"2": "window", "15": "patience", "30": "long patience"}[seconds]
    world.gangs.claim_waits(gang, room=None if room == "all" else int(room), during=during)


@then(parsers.re(r"for 2 seconds pod (?P<pod>\w+) is not bound"))
def pod_waits(world: World, pod: str) -> None:
    world.gangs.claim_pod_waits(pod)


@then("all gangs run, one after another")
def all_run(world: World) -> None:
    world.gangs.claim_all_run()
