"""What a history shows: objects as they are, in the order of etcd, and writes with their replies."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction

import pytest
from histories import NOON, Story, condition, story

from batchproof.ground.errors import UserError
from batchproof.ground.resources import JOBS, NODES, PODS, ZONE_LABEL
from batchproof.judgement.history import Json
from batchproof.judgement.objects.api_object import quantity
from batchproof.judgement.objects.core import Node, Pod
from batchproof.judgement.observed import Observed, observe
from batchproof.profiles.gang.amounts import taken
from batchproof.profiles.shared.objects.batch import Job
from batchproof.profiles.shared.objects.pods import completion_index, gang_of


def names(pods: list[Pod]) -> list[str]:
    return [pod.name for pod in pods]


def test_of_the_records_of_a_source_those_are_seen_that_were_applied() -> None:
    records = story().job("a").pods("a-1", "a-2").records
    seen = Observed(records)
    told = [[*seen.records]]
    for record in records:
        seen.apply(record)
        told.append([*seen.records])

    assert told == [records[:count] for count in range(len(records) + 1)]


# -- objects


def test_objects_are_as_their_newest_change_shows_them() -> None:
    seen = story().job("a").pods("a-1", "a-2", "a-3").succeeds("a-2").gone("pods", "a-1").seen

    assert names(seen.pods) == ["a-2", "a-3"]
    assert [pod.phase for pod in seen.pods] == ["Succeeded", "Pending"]


def test_a_job_has_the_pods_that_it_controls_by_uid() -> None:
    seen = story().job("a").job("b").pod("a-1").pod("b-1", of="b").pod("orphan", of=None).seen

    assert names(seen.pods_of(seen.find(Job, "a"))) == ["a-1"]
    assert names(seen.pods_of(None)) == []


def test_there_is_no_job_of_that_name_once_it_is_gone() -> None:
    assert story().job("a").seen.find(Job, "a") is not None
    assert story().job("a").gone("jobs", "a").seen.find(Job, "a") is None


def test_versions_are_in_the_order_of_etcd_though_watches_told_otherwise() -> None:
    told = story().job("a").pod("a-1").complete("a", succeeded=0).swapped().records

    order = [(thing.resource, kind) for kind, thing in observe(told).in_order(JOBS, PODS)]

    assert order == [(JOBS, "ADDED"), (PODS, "ADDED"), (JOBS, "MODIFIED")]


@pytest.mark.parametrize(
    ("told", "finished", "active", "terminating", "tracked", "ready"),
    [
        pytest.param(story().pod("p"), False, True, False, True, False, id="pending"),
        pytest.param(story().pod("p").runs("p"), False, True, False, True, False, id="running"),
        pytest.param(story().pod("p").runs("p", ready=True), False, True, False, True, True, id="ready"),
        pytest.param(
            story().pod("p").deleting("pods", "p"), False, False, True, True, False, id="being deleted"
        ),
        pytest.param(
            story().pod("p").succeeds("p").deleting("pods", "p"),
            *(True, False, False, True, False),
            id="finished and being deleted",
        ),
        pytest.param(story().pod("p").fails("p"), True, False, False, True, False, id="failed"),
        pytest.param(
            story().pod("p").fails("p").released("p"), True, False, False, False, False, id="released"
        ),
    ],
)
def test_a_pod_tells_its_state(
    told: Story,
    *,
    finished: bool,
    active: bool,
    terminating: bool,
    tracked: bool,
    ready: bool,
) -> None:
    (pod,) = told.seen.pods

    state = (pod.finished, pod.active, pod.terminating, pod.tracked, pod.ready)

    assert state == (finished, active, terminating, tracked, ready)


def job_of(told: Story) -> Job:
    job = told.seen.find(Job, "a")
    assert job is not None
    return job


def test_an_unset_status_counts_nothing_and_says_so() -> None:
    job = job_of(story().job("a"))

    assert (job.count("failed"), job.uncounted, job.conditions) == (0, {"succeeded": [], "failed": []}, [])
    assert (job.summary, job.finished, job.parallelism, job.completions) == ("empty status", False, 1, None)


def test_a_condition_counts_only_while_it_is_true() -> None:
    job = job_of(story().job("a").status("a", condition("Suspended", status="False"), "FailureTarget"))

    assert job.condition("Suspended") is None
    assert job.condition("FailureTarget") is not None
    assert not job.finished


def test_a_status_is_told_in_one_line() -> None:
    told = story().job("a").status("a", "SuccessCriteriaMet", succeeded=2, active=1, recorded=("x", "y"))

    assert job_of(told).summary == "active=1 succeeded=2 uncounted succeeded=2 SuccessCriteriaMet=True"


# -- writes


def test_a_write_knows_its_reply_and_a_reply_without_a_write_is_of_a_read() -> None:
    told = story().asks("list", "pods").answered().asks("create", "pods", body={"kind": "Pod"})
    told.answered(201, body={"metadata": {"name": "a-1"}})

    (write,) = told.seen.writes

    assert (write.number, write.reply_number, write.applied, write.unheard) == (2, 3, True, False)
    assert len(told.seen.reads) == 1


@pytest.mark.parametrize("status", [400, 422, 500])
def test_of_what_was_written_no_more_is_kept_than_facts_ask_for(status: int) -> None:
    made, refused = {"metadata": {"name": "a-1"}}, {"message": "no"}
    told = story().asks("create", "pods", body={"kind": "Pod"}).answered(201, body=made)
    told.asks("update", "jobs", "a", subresource="status", body={"status": {}}).answered(status, body=refused)

    created, updated = told.seen.writes

    assert (created.request.body, created.reply and created.reply.body) == (None, None)
    assert (updated.request.body, updated.reply and updated.reply.body) == ({"status": {}}, refused)


@pytest.mark.parametrize(
    ("told", "applied", "unheard"),
    [
        pytest.param(story().asks("create", "pods"), False, False, id="still under way"),
        pytest.param(story().asks("create", "pods").answered(409), False, False, id="refused"),
        pytest.param(story().asks("create", "pods").answered(0), False, False, id="cut before its effect"),
        pytest.param(story().lost("create", "pods"), True, True, id="carried out and lost"),
    ],
)
def test_a_write_is_applied_when_the_api_server_accepted_it(
    told: Story, *, applied: bool, unheard: bool
) -> None:
    (write,) = told.seen.writes

    assert (write.applied, write.unheard) == (applied, unheard)


def test_writes_are_found_by_resource_verb_and_subresource() -> None:
    told = story().write("create", "pods").write("delete", "pods", "a-1")
    seen = told.write("update", "jobs", "a", subresource="status").write("update", "jobs", "a").seen

    assert [write.request.verb for write in seen.writes_to(PODS)] == ["create", "delete"]
    assert [write.request.verb for write in seen.writes_to(PODS, "delete")] == ["delete"]
    assert len(seen.writes_to(JOBS, subresource="status")) == 1
    assert len(seen.writes_to(JOBS)) == 1


def test_faults_are_counted_and_an_armed_one_is_there_with_none() -> None:
    seen = (
        story()
        .fault(1, "armed")
        .fault(2, "armed")
        .fault(1, "fired")
        .fault(1, "fired")
        .fault(1, "lifted")
        .seen
    )

    assert seen.faults == {1: 2, 2: 0}


# -- time


def test_the_time_of_day_at_a_record_is_told_by_the_newest_action_before_it() -> None:
    seen = story().act("first").at(10).act("second").at(12.5).pod("p").seen

    assert seen.clock(2) == NOON + timedelta(seconds=12.5)
    assert seen.now_s == 12.5


def test_nobody_knows_the_time_of_day_before_the_first_action() -> None:
    with pytest.raises(UserError, match="no action before record 0"):
        story().pod("p").act("late").seen.clock(0)


# -- catching up with a list


@pytest.mark.parametrize(
    ("told", "stands", "caught_up"),
    [
        pytest.param(story().pod("p"), {"uid-p": 101}, True, id="what is listed was seen"),
        pytest.param(story().pod("p"), {"uid-p": 102}, False, id="a change is still to come"),
        pytest.param(story(), {"uid-p": 101}, False, id="a creation is still to come"),
        pytest.param(story().pod("p"), {}, False, id="a deletion is still to come"),
        pytest.param(story().pod("p").gone("pods", "p"), {}, True, id="the deletion was seen"),
        pytest.param(
            story().pod("p").gone("pods", "p"), {"uid-p": 101}, True, id="deleted just after the list"
        ),
        pytest.param(
            story().pods(*"pqrstuvwxyz"), {f"uid-{it}": 101 for it in "pq"}, False, id="some are not listed"
        ),
    ],
)
def test_the_recorder_has_caught_up_when_it_shows_what_a_list_at_110_shows(
    told: Story, stands: dict[str, int], *, caught_up: bool
) -> None:
    assert told.seen.caught_up(PODS, 110, stands)() == caught_up


@pytest.mark.parametrize(
    ("told", "written", "caught_up"),
    [
        pytest.param(story(), {"uid-p": 101}, False, id="created and deleted since, and both to come"),
        pytest.param(story().pod("p"), {"uid-p": 101}, False, id="the deletion is still to come"),
        pytest.param(story().pod("p").gone("pods", "p"), {"uid-p": 101}, True, id="both were seen"),
    ],
)
def test_the_recorder_has_caught_up_when_it_shows_what_the_implementation_has_written(
    told: Story, written: dict[str, int], *, caught_up: bool
) -> None:
    assert told.seen.caught_up(PODS, 110, {}, written)() == caught_up


def test_what_was_created_after_the_list_does_not_have_to_be_in_it() -> None:
    seen = story().pods("p", "q").seen

    assert seen.caught_up(PODS, 101, {"uid-p": 101})()


# -- nodes and what they have


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("4", 4),
        ("1.5", Fraction(3, 2)),
        ("500m", Fraction(1, 2)),
        ("250u", Fraction(1, 4000)),
        ("100n", Fraction(1, 10**7)),
        ("2k", 2000),
        ("3M", 3 * 10**6),
        ("1G", 10**9),
        ("1T", 10**12),
        ("1P", 10**15),
        ("1E", 10**18),
        ("1Ki", 1024),
        ("1.5Gi", 3 << 29),
        ("1Mi", 1 << 20),
        ("1Ti", 1 << 40),
        ("1Pi", 1 << 50),
        ("1Ei", 1 << 60),
        ("1e3", 1000),
        ("12E2", 1200),
        ("-1", -1),
    ],
)
def test_a_quantity_is_an_exact_number(text: str, number: Fraction | int) -> None:
    assert quantity(text) == number


def test_a_tenth_ten_times_is_one() -> None:
    assert sum((quantity("100m") for _ in range(10)), Fraction(0)) == 1


def test_a_node_tells_what_it_has() -> None:
    seen = story().node("n", "1500m", memory="2Gi").seen

    (node,) = seen.objects(NODES).values()

    assert isinstance(node, Node)
    assert node.allocatable == {"cpu": Fraction(3, 2), "memory": 2 << 30, "pods": 110}


MEMBER = story().member("a-1").seen.pods[0]
ADMITTED = {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute"}
"""What admission adds to every pod."""


@pytest.mark.parametrize(
    ("told", "suits"),
    [
        pytest.param(story().node("n"), True, id="as it should be"),
        pytest.param(story().node("n", ready=False), False, id="not ready"),
        pytest.param(story().node("n", cordoned=True), False, id="cordoned"),
        pytest.param(story().node("n", taint="example.com/no"), False, id="tainted"),
        pytest.param(
            story().node("n", taint="node.kubernetes.io/not-ready"), False, id="a taint of another effect"
        ),
        pytest.param(story().node("n", elsewhere=True), False, id="other labels"),
        pytest.param(story().node("n", cordoned=True).node("n"), True, id="no longer cordoned"),
    ],
)
def test_a_node_suits_a_pod(told: Story, *, suits: bool) -> None:
    (node,) = told.seen.objects(NODES).values()
    pod = Pod({**MEMBER.raw, "spec": {**MEMBER.spec, "tolerations": [*MEMBER.spec["tolerations"], ADMITTED]}})

    assert isinstance(node, Node)
    assert node.suits(pod) is suits


@pytest.mark.parametrize(("zone", "suits"), [("west", True), ("east", False), ("", False)])
def test_a_node_suits_a_pod_whose_node_affinity_names_its_zone(zone: str, *, suits: bool) -> None:
    (node,) = story().node("n", zone=zone).seen.objects(NODES).values()
    term = {"matchExpressions": [{"key": ZONE_LABEL, "operator": "In", "values": ["west"]}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    pod = Pod({**MEMBER.raw, "spec": {**MEMBER.spec, "affinity": {"nodeAffinity": required}}})

    assert isinstance(node, Node)
    assert node.suits(pod) is suits


@pytest.mark.parametrize(("zone", "suits"), [("west", True), ("east", False), ("south", True), ("", True)])
def test_a_node_suits_a_pod_by_the_second_term_of_its_node_affinity(zone: str, *, suits: bool) -> None:
    (node,) = story().node("n", zone=zone).seen.objects(NODES).values()
    terms = [
        {"matchExpressions": [{"key": ZONE_LABEL, "operator": operator, "values": [value]}]}
        for operator, value in (("In", "west"), ("NotIn", "east"))
    ]
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    pod = Pod({**MEMBER.raw, "spec": {**MEMBER.spec, "affinity": {"nodeAffinity": required}}})

    assert isinstance(node, Node)
    assert node.suits(pod) is suits


@pytest.mark.parametrize(
    ("toleration", "suits"),
    [
        pytest.param({"operator": "Exists"}, True, id="every taint"),
        pytest.param({"key": "example.com/no", "operator": "Exists"}, True, id="this taint"),
        pytest.param({"key": "example.com/no", "value": "other"}, False, id="another value"),
        pytest.param({"key": "example.com/other", "operator": "Exists"}, False, id="another taint"),
        pytest.param(
            {"key": "example.com/no", "operator": "Exists", "effect": "NoExecute"}, False, id="another effect"
        ),
    ],
)
def test_a_tainted_node_suits_a_pod_by_its_tolerations(toleration: Json, *, suits: bool) -> None:
    (node,) = story().node("n", taint="example.com/no").seen.objects(NODES).values()
    pod = Pod(
        {**MEMBER.raw, "spec": {**MEMBER.spec, "tolerations": [*MEMBER.spec["tolerations"], toleration]}}
    )

    assert isinstance(node, Node)
    assert node.suits(pod) is suits


def test_a_node_that_pods_rather_avoid_suits_them() -> None:
    (node,) = story().node("n").seen.objects(NODES).values()
    taints = [*node.spec["taints"], {"key": "example.com/avoided", "effect": "PreferNoSchedule"}]

    assert Node({**node.raw, "spec": {**node.spec, "taints": taints}}).suits(MEMBER)


@pytest.mark.parametrize(
    ("has", "cpus"),
    [
        pytest.param({}, 2, id="the kubelet reports nothing"),
        pytest.param({"allocatedResources": {"cpu": "3"}}, 3, id="it has more for now"),
        pytest.param({"resources": {"requests": {"cpu": "1"}}}, 2, id="it is to have more"),
    ],
)
def test_a_pod_that_is_resized_takes_the_most_of_what_it_requests_and_has(has: Json, cpus: int) -> None:
    spec = {"containers": [{"name": "main", "resources": {"requests": {"cpu": "2"}}}]}
    statuses = [{"name": "other", "allocatedResources": {"cpu": "9"}}, {"name": "main", **has}]
    pod = Pod({"metadata": {"name": "p"}, "spec": spec, "status": {"containerStatuses": statuses}})

    assert taken(pod)["cpu"] == cpus


def test_a_node_without_conditions_suits_nobody() -> None:
    assert not Node({"metadata": {"name": "n"}}).suits(MEMBER)


def test_a_pod_without_tolerations_or_selector_suits_a_bare_node_only() -> None:
    bare = Pod({"metadata": {"name": "p"}, "spec": {}})
    (node,) = story().node("n").seen.objects(NODES).values()
    assert isinstance(node, Node)
    without_taint = Node({**node.raw, "spec": {}})

    assert (node.suits(bare), without_taint.suits(bare)) == (False, True)


@pytest.mark.parametrize(("text", "index"), [("12", 12), ("0", 0), ("", None), ("-1", None), ("²", None)])
def test_only_digits_are_an_index(text: str, index: int | None) -> None:
    assert completion_index(story().pod("p").marked("p", text).seen.pods[0]) == index


def test_a_pod_tells_its_gang_and_its_node() -> None:
    told = story().node("n").member("a-1").member("x", of="").bound("n", "a-1")

    first, second = told.seen.pods

    assert (gang_of(first), first.node, gang_of(second), second.node) == ("a", "n", "", "")
