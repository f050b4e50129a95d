"""Facts about what is made for a Volcano Job: each true in one history, and untrue in another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fact_examples import examples
from histories import Story, story, time_of_day

from batchproof.profiles.shared.objects.services import SERVICES
from batchproof.profiles.shared.objects.volcano import PODGROUPS
from batchproof.profiles.volcano_job.facts.life import (
    volcano_active_task_pods,
    volcano_conditions_apart,
    volcano_job_expired,
    volcano_restarts_at_most,
    volcano_task_indexes,
    volcano_task_pods,
)
from batchproof.profiles.volcano_job.facts.made import (
    volcano_claim_listed,
    volcano_claim_mounted,
    volcano_claims_made,
    volcano_extra_kept,
    volcano_group_kept,
    volcano_group_labelled,
    volcano_group_ranked,
    volcano_group_resources,
    volcano_group_task,
    volcano_name_taken,
    volcano_others_go_on,
)
from batchproof.profiles.volcano_job.facts.plugins import (
    SSH_FOLDER,
    volcano_all_gone,
    volcano_all_made,
    volcano_extras_first,
    volcano_extras_gone,
    volcano_hosts_given,
    volcano_hosts_listed,
    volcano_indexes_told,
    volcano_keys_given,
    volcano_network_policy,
    volcano_service,
)
from batchproof.profiles.volcano_job.objects import CONFIG_MAPS, NETWORK_POLICIES, SECRETS, VOLCANO_JOBS
from batchproof.resources import CLAIMS, PODS, Resource

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall
    from batchproof.judgement.history import Json

OWNER = {"kind": "Job", "uid": "uid-a", "controller": True}
SPEC = {
    "tasks": [{"name": "work", "replicas": 2, "template": {}}],
    "volumes": [{"mountPath": "/data"}, {"mountPath": "/given", "volumeClaimName": "given"}],
}
SOMEBODY = {"kind": "ReplicaSet", "uid": "uid-x", "controller": True}
LABELS = {"volcano.sh/job-name": "a"}
HOSTS = {
    "work.host": "a-work-0.a\na-work-1.a",
    "VC_WORK_HOSTS": "a-work-0.a,a-work-1.a",
    "VC_WORK_NUM": "2",
}
VARIABLES = {name: value for name, value in HOSTS.items() if name.startswith("VC_")}
AMONG = {"podSelector": {"matchLabels": LABELS}}
POLICY = {**AMONG, "ingress": [{"from": [AMONG]}]}
KEYS = {"id_rsa": "x", "id_rsa.pub": "x", "authorized_keys": "x"}


def job(**status: Any) -> Story:
    """A Volcano Job, and more of a status."""
    body: Json = {"metadata": {"labels": {"colour": "yes"}}, "spec": SPEC, "status": status}
    return story().stores(VOLCANO_JOBS, "a", body)


def with_(history: Story, resource: Resource, name: str, *, of: Json = OWNER, **body: Any) -> Story:
    """An object of the Job."""
    metadata = {"ownerReferences": [of], **body.pop("metadata", {})}
    return history.stores(resource, name, {"metadata": metadata, **body})


def pod(
    history: Story, name: str = "a-work-0", *, volume: Json | None = None, path: str = "", **env: str
) -> Story:
    """A pod of the Job with one container."""
    variables = [{"name": key, "value": value} for key, value in env.items()]
    container: Json = {"name": "main", "env": variables}
    spec: Json = {"containers": [container], "hostname": name, "subdomain": "a"}
    if volume:
        container["volumeMounts"] = [{"name": "v", "mountPath": path}]
        spec["volumes"] = [{"name": "v", **volume}]
    return with_(history, PODS, name, metadata={"labels": LABELS}, spec=spec)


def looked_up(index: str) -> Story:
    """A pod whose containers look their index up in an annotation."""
    field = {"fieldRef": {"fieldPath": "metadata.annotations['volcano.sh/task-index']"}}
    env = [{"name": name, "valueFrom": field} for name in ("VC_TASK_INDEX", "VK_TASK_INDEX")]
    spec: Json = {"containers": [{"name": "main", "env": env}]}
    return with_(
        job(), PODS, "a-work-0", metadata={"annotations": {"volcano.sh/task-index": index}}, spec=spec
    )


def referring(history: Story, prefix: str = "") -> Story:
    """A pod that has all variables of a ConfigMap, and its files from a projected volume."""
    container: Json = {"name": "main", "envFrom": [{"configMapRef": {"name": "a-svc"}}]}
    container["envFrom"][0] |= {"prefix": prefix} if prefix else {}
    container["volumeMounts"] = [{"name": "v", "mountPath": "/etc/volcano/"}]
    projected = {"projected": {"sources": [{"configMap": {"name": "a-svc"}}]}}
    return with_(
        history, PODS, "a-work-0", spec={"containers": [container], "volumes": [{"name": "v", **projected}]}
    )


def group(**spec: Any) -> Story:
    """A PodGroup of the Job."""
    return with_(job(), PODGROUPS, "g", metadata={"labels": {"colour": "yes"}}, spec=spec)


def users_group() -> Story:
    """A Job, and a PodGroup of a user that has its name."""
    return job().stores(PODGROUPS, "a", {"spec": {"minMember": 1}})


def users_hosts(resource: Resource = CONFIG_MAPS, name: str = "a-svc", **body: Any) -> Story:
    """A Job, and an object of a user that has the name of one that a plugin would create."""
    return job().stores(resource, name, {"data": {"kept": "yes"}, **body})


def with_conditions(*statuses: str) -> Story:
    """A Job with these conditions."""
    return job(conditions=[{"status": status} for status in statuses])


def service(**spec: Any) -> Story:
    """A service of the Job and a pod."""
    return pod(with_(job(), SERVICES, "a", spec={"clusterIP": "None", "selector": LABELS, **spec}))


def listed() -> Story:
    """A Job with the lists of its hosts."""
    return with_(job(), CONFIG_MAPS, "a-svc", data=HOSTS)


CLAIM = {"persistentVolumeClaim": {"claimName": "c"}}

MAP = {"configMap": {"name": "a-svc"}}
SECRET = {"secret": {"secretName": "a-ssh"}}


def claimed() -> Story:
    """A Job with a claim of its own, which it lists."""
    return with_(job(controlledResources={"volume-pvc-c": "c"}), CLAIMS, "c")


def ended() -> Story:
    """A Job that has ended."""
    state = {"phase": "Completed", "lastTransitionTime": time_of_day(4)}
    return (
        job()
        .act("a pod succeeds")
        .at(5)
        .stores(VOLCANO_JOBS, "a", {"spec": SPEC, "status": {"state": state}})
    )


def whole() -> Story:
    """A Job with one of all that can be made for it."""
    history = pod(job())
    for resource in (CONFIG_MAPS, SERVICES, SECRETS, NETWORK_POLICIES, CLAIMS, PODGROUPS):
        history = with_(history, resource, "x")
    return history


def emptied() -> Story:
    """All of it is gone."""
    history = whole().removes(PODS, "a-work-0")
    for resource in (CONFIG_MAPS, SERVICES, SECRETS, NETWORK_POLICIES, CLAIMS, PODGROUPS):
        history = history.removes(resource, "x")
    return history


@examples(
    [
        pytest.param(
            volcano_group_task(task="work", count=2), group(minTaskMember={"work": 2}), True, id="two needed"
        ),
        pytest.param(
            volcano_group_task(task="work", count=2), group(minTaskMember={"work": 1}), False, id="one needed"
        ),
        pytest.param(volcano_group_labelled(label="colour"), group(), True, id="its label"),
        pytest.param(
            volcano_group_labelled(label="colour"), with_(job(), PODGROUPS, "g"), False, id="no label"
        ),
        pytest.param(
            volcano_group_ranked(name="high"), group(priorityClassName="high"), True, id="its priority"
        ),
        pytest.param(
            volcano_group_ranked(name="high"), group(priorityClassName="low"), False, id="another priority"
        ),
        pytest.param(volcano_group_ranked(name="high"), job(), False, id="nothing that has a priority"),
        pytest.param(
            volcano_group_resources(amount=4), group(minResources={"cpu": "4000m"}), True, id="4 CPUs"
        ),
        pytest.param(volcano_group_resources(amount=4), group(minResources={"cpu": "2"}), False, id="2 CPUs"),
        pytest.param(
            volcano_claim_mounted(),
            *(pod(claimed(), volume=CLAIM, path="/data"), True),
            id="a claim that is mounted",
        ),
        pytest.param(
            volcano_claim_mounted(), pod(claimed(), volume=CLAIM, path="/x"), False, id="mounted elsewhere"
        ),
        pytest.param(volcano_claim_listed(), claimed(), True, id="a claim that is listed"),
        pytest.param(volcano_claim_listed(), with_(job(), CLAIMS, "c"), False, id="one that is not"),
        pytest.param(volcano_claims_made(count=1), claimed(), True, id="one claim was made"),
        pytest.param(
            volcano_claims_made(count=1), with_(claimed(), CLAIMS, "d"), False, id="two claims were made"
        ),
        pytest.param(
            volcano_claims_made(count=1),
            with_(claimed().removes(CLAIMS, "c"), CLAIMS, "d"),
            False,
            id="another claim was made later",
        ),
        pytest.param(
            volcano_claims_made(count=1),
            claimed().stores(CLAIMS, "mine", {"spec": {}}),
            True,
            id="a claim of the user",
        ),
        pytest.param(volcano_claims_made(count=0), story(), True, id="no Job"),
        pytest.param(volcano_group_kept(), users_group(), True, id="the user's PodGroup"),
        pytest.param(volcano_group_kept(), job(), False, id="no PodGroup of the user"),
        pytest.param(
            volcano_group_kept(),
            users_group().stores(PODGROUPS, "a", {"spec": {"minMember": 2}}),
            False,
            id="another minimum",
        ),
        pytest.param(
            volcano_group_kept(),
            with_(users_group(), PODGROUPS, "a", spec={"minMember": 1}),
            False,
            id="adopted",
        ),
        pytest.param(
            volcano_group_kept(),
            users_group().stores(PODGROUPS, "a", {"spec": {"minMember": 1}, "status": {"phase": "Inqueue"}}),
            True,
            id="another phase",
        ),
        pytest.param(volcano_extra_kept(kind="ConfigMap"), users_hosts(), True, id="the user's ConfigMap"),
        pytest.param(volcano_extra_kept(kind="ConfigMap"), job(), False, id="no ConfigMap"),
        pytest.param(
            volcano_extra_kept(kind="ConfigMap"),
            users_hosts().stores(CONFIG_MAPS, "a-svc", {"data": HOSTS}),
            False,
            id="the lists of hosts in it",
        ),
        pytest.param(
            volcano_extra_kept(kind="ConfigMap"),
            with_(users_hosts(), CONFIG_MAPS, "a-svc", data={"kept": "yes"}),
            False,
            id="the ConfigMap of the user is adopted",
        ),
        pytest.param(
            volcano_extra_kept(kind="ConfigMap"),
            users_hosts().removes(CONFIG_MAPS, "a-svc"),
            False,
            id="the ConfigMap of the user is gone",
        ),
        pytest.param(
            volcano_extra_kept(kind="ConfigMap"),
            *(users_hosts(CONFIG_MAPS, "b-svc").removes(CONFIG_MAPS, "b-svc"), False),
            id="a ConfigMap of another name",
        ),
        pytest.param(
            volcano_extra_kept(kind="ConfigMap"),
            users_hosts().stores(
                CONFIG_MAPS,
                "a-svc",
                {"data": {"kept": "yes"}, "metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"}},
            ),
            False,
            id="the ConfigMap of the user is being deleted",
        ),
        pytest.param(
            volcano_extra_kept(kind="ConfigMap"),
            with_(job(), CONFIG_MAPS, "a-svc", data=HOSTS).stores(CONFIG_MAPS, "a-svc", {"data": HOSTS}),
            True,
            id="a ConfigMap of the Job that is disowned",
        ),
        pytest.param(
            volcano_extra_kept(kind="Secret"), users_hosts(SECRETS, "a-ssh"), True, id="the user's Secret"
        ),
        pytest.param(
            volcano_extra_kept(kind="NetworkPolicy"),
            users_hosts(NETWORK_POLICIES, "a", spec={}).stores(NETWORK_POLICIES, "a", {"spec": {"x": "y"}}),
            False,
            id="the NetworkPolicy of the user is changed",
        ),
        pytest.param(
            volcano_extra_kept(kind="service"),
            users_hosts(SERVICES, "a", spec={"selector": LABELS}),
            True,
            id="the user's service",
        ),
        pytest.param(
            volcano_conditions_apart(), with_conditions("Pending", "Running"), True, id="two conditions"
        ),
        pytest.param(
            volcano_conditions_apart(), with_conditions("Pending", "Pending"), False, id="one repeated"
        ),
        pytest.param(volcano_conditions_apart(), with_conditions(), False, id="no condition"),
        pytest.param(volcano_conditions_apart(), story(), False, id="no Job"),
        pytest.param(
            volcano_name_taken(), story().stores(PODS, "a-work-0", {"spec": {}}), True, id="nobody's"
        ),
        pytest.param(volcano_name_taken(), pod(job()), False, id="the Job's"),
        pytest.param(
            volcano_others_go_on(),
            with_(
                job().stores(VOLCANO_JOBS, "other-1", {"spec": SPEC}),
                *(PODS, "p"),
                of={"uid": "uid-other-1", "controller": True},
            ),
            True,
            id="another has a pod",
        ),
        pytest.param(volcano_others_go_on(), pod(job()), False, id="the Job itself has one"),
        pytest.param(
            volcano_indexes_told(), pod(job(), VC_TASK_INDEX="0", VK_TASK_INDEX="0"), True, id="both told"
        ),
        pytest.param(volcano_indexes_told(), pod(job(), VC_TASK_INDEX="0"), False, id="one told"),
        pytest.param(volcano_indexes_told(), looked_up("0"), True, id="both looked up"),
        pytest.param(volcano_indexes_told(), looked_up("1"), False, id="another index looked up"),
        pytest.param(
            volcano_hosts_given(),
            *(referring(with_(job(), CONFIG_MAPS, "a-svc", data=HOSTS)), True),
            id="all variables at once, and a projected volume",
        ),
        pytest.param(
            volcano_hosts_given(),
            *(referring(with_(job(), CONFIG_MAPS, "a-svc", data={"work.host": ""})), False),
            id="all variables of a ConfigMap that has none",
        ),
        pytest.param(
            volcano_hosts_given(),
            *(referring(with_(job(), CONFIG_MAPS, "a-svc", data=HOSTS), prefix="X_"), False),
            id="variables of other names",
        ),
        pytest.param(
            volcano_hosts_listed(), with_(job(), CONFIG_MAPS, "a-svc", data=HOSTS), True, id="all hosts"
        ),
        pytest.param(
            volcano_hosts_listed(),
            with_(job(), CONFIG_MAPS, "a-svc", data={**HOSTS, "VC_WORK_NUM": "1"}),
            False,
            id="one host",
        ),
        pytest.param(volcano_service(), service(), True, id="a headless service"),
        pytest.param(volcano_service(), service(clusterIP="10.0.0.1"), False, id="one with an address"),
        pytest.param(
            volcano_hosts_given(),
            pod(listed(), volume=MAP, path="/etc/volcano", **VARIABLES),
            True,
            id="lists given",
        ),
        pytest.param(volcano_hosts_given(), pod(listed(), volume=None, **VARIABLES), False, id="no files"),
        pytest.param(
            volcano_network_policy(), with_(job(), NETWORK_POLICIES, "a", spec=POLICY), True, id="a policy"
        ),
        pytest.param(
            volcano_network_policy(),
            with_(job(), NETWORK_POLICIES, "a", spec={**POLICY, "ingress": [{"from": [AMONG]}, {}]}),
            False,
            id="a policy with a rule for all",
        ),
        pytest.param(
            volcano_network_policy(),
            with_(job(), NETWORK_POLICIES, "a", spec={**AMONG, "ingress": []}),
            False,
            id="a policy that lets nobody in",
        ),
        pytest.param(
            volcano_keys_given(),
            pod(with_(job(), SECRETS, "a-ssh", data=KEYS), volume=SECRET, path=SSH_FOLDER),
            True,
            id="keys",
        ),
        pytest.param(
            volcano_keys_given(),
            pod(with_(job(), SECRETS, "a-ssh", data={}), volume=SECRET, path=SSH_FOLDER),
            False,
            id="no keys",
        ),
        pytest.param(
            volcano_keys_given(),
            pod(with_(job(), SECRETS, "a-ssh", data={**KEYS, "id_rsa": ""}), volume=SECRET, path=SSH_FOLDER),
            False,
            id="an empty key",
        ),
        pytest.param(volcano_extras_first(), story().stores(PODS, "p", {"spec": {}}), False, id="no Job"),
        pytest.param(
            volcano_extras_first(),
            with_(pod(with_(job(), CONFIG_MAPS, "a-svc")), SECRETS, "a-ssh"),
            False,
            id="one made before the pod and one after it",
        ),
        pytest.param(
            volcano_extras_first(), pod(with_(job(), CONFIG_MAPS, "a-svc")), True, id="made before the pod"
        ),
        pytest.param(
            volcano_extras_first(), with_(pod(job()), CONFIG_MAPS, "a-svc"), False, id="made after it"
        ),
        pytest.param(
            volcano_extras_gone(),
            with_(job(), CONFIG_MAPS, "a-svc").removes(CONFIG_MAPS, "a-svc"),
            True,
            id="nothing is left",
        ),
        pytest.param(
            volcano_extras_gone(), with_(job(), CONFIG_MAPS, "a-svc"), False, id="something is left"
        ),
        pytest.param(volcano_all_made(), emptied(), True, id="all made, and gone"),
        pytest.param(volcano_all_made(), pod(job()), False, id="a pod alone"),
        pytest.param(volcano_all_gone(), pod(job()).removes(PODS, "a-work-0"), True, id="all that was made"),
        pytest.param(volcano_all_gone(), job(), False, id="nothing was made"),
        pytest.param(
            volcano_extras_gone(),
            with_(job(), CONFIG_MAPS, "a-svc", metadata={"deletionTimestamp": time_of_day(1)}),
            True,
            id="what is left is being deleted",
        ),
        pytest.param(
            volcano_extras_gone(),
            with_(
                with_(job(), CONFIG_MAPS, "a-svc").removes(CONFIG_MAPS, "a-svc"),
                CONFIG_MAPS,
                "own",
                of=SOMEBODY,
            ),
            True,
            id="what is left is nobody's",
        ),
        pytest.param(
            volcano_service(),
            pod(with_(job(), SERVICES, "a", of=SOMEBODY, spec={"clusterIP": "None", "selector": LABELS})),
            False,
            id="a service of another",
        ),
        pytest.param(
            volcano_hosts_listed(),
            with_(job(), CONFIG_MAPS, "a-svc", data=HOSTS, metadata={"deletionTimestamp": time_of_day(1)}),
            False,
            id="all hosts, but it is being deleted",
        ),
        pytest.param(volcano_all_gone(), emptied(), True, id="all gone"),
        pytest.param(
            volcano_all_gone(),
            with_(emptied(), CLAIMS, "y", metadata={"deletionTimestamp": time_of_day(1)}),
            True,
            id="all gone, but for a claim that is being deleted",
        ),
        pytest.param(
            volcano_all_gone(),
            with_(emptied(), SECRETS, "y", metadata={"deletionTimestamp": time_of_day(1)}),
            False,
            id="a Secret is there that is being deleted",
        ),
        pytest.param(volcano_all_gone(), whole(), False, id="all there"),
        pytest.param(volcano_task_pods(task="work", count=1), pod(job()), True, id="a pod of the task"),
        pytest.param(
            volcano_active_task_pods(task="work", at_least=1),
            *(pod(pod(job()), "a-work-1"), True),
            id="more pods of the task",
        ),
        pytest.param(
            volcano_active_task_pods(task="ps", at_least=1),
            pod(job()),
            False,
            id="no pod of another task",
        ),
        pytest.param(volcano_task_pods(task="ps", count=1), pod(job()), False, id="none of another"),
        pytest.param(
            volcano_task_indexes(task="work", indexes=[0, 1]),
            pod(pod(job()), "a-work-1"),
            True,
            id="two indexes",
        ),
        pytest.param(
            volcano_task_indexes(task="work", indexes=[0, 1]), pod(job()), False, id="one index only"
        ),
        pytest.param(
            volcano_job_expired(seconds=2), ended().at(9).removes(VOLCANO_JOBS, "a"), True, id="in time"
        ),
        pytest.param(
            volcano_job_expired(seconds=2),
            ended().at(6).removes(VOLCANO_JOBS, "a"),
            True,
            id="in time, but its end was told late",
        ),
        pytest.param(
            volcano_job_expired(seconds=2), ended().at(5.5).removes(VOLCANO_JOBS, "a"), False, id="too soon"
        ),
        pytest.param(volcano_job_expired(seconds=2), ended(), False, id="not deleted"),
        pytest.param(volcano_restarts_at_most(count=1), job(retryCount=1), True, id="one restart"),
        pytest.param(volcano_restarts_at_most(count=1), job(retryCount=2), False, id="two restarts"),
    ]
)
def test_a_fact_about_what_is_made(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
