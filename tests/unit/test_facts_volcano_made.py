"""Facts about what is made for a Volcano Job: each true in one history, and untrue in another."""

from __future__ import annotations

from typing import Any

from fact_examples import examples, no, yes
from histories import Story, story, time_of_day

from batchproof.ground.resources import CLAIMS, PODS, Resource
from batchproof.judgement.facts import FactCall
from batchproof.judgement.history import Json
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
    volcano_group_task(task="work", count=2),
    yes("two needed", group(minTaskMember={"work": 2})),
    no("one needed", group(minTaskMember={"work": 1})),
    volcano_group_labelled(label="colour"),
    yes("its label", group()),
    no("no label", with_(job(), PODGROUPS, "g")),
    volcano_group_ranked(name="high"),
    yes("its priority", group(priorityClassName="high")),
    no("another priority", group(priorityClassName="low")),
    no("nothing that has a priority", job()),
    volcano_group_resources(amount=4),
    yes("4 CPUs", group(minResources={"cpu": "4000m"})),
    no("2 CPUs", group(minResources={"cpu": "2"})),
    volcano_claim_mounted(),
    yes("a claim that is mounted", pod(claimed(), volume=CLAIM, path="/data")),
    no("mounted elsewhere", pod(claimed(), volume=CLAIM, path="/x")),
    volcano_claim_listed(),
    yes("a claim that is listed", claimed()),
    no("one that is not", with_(job(), CLAIMS, "c")),
    volcano_claims_made(count=1),
    yes("one claim was made", claimed()),
    no("two claims were made", with_(claimed(), CLAIMS, "d")),
    no("another claim was made later", with_(claimed().removes(CLAIMS, "c"), CLAIMS, "d")),
    yes("a claim of the user", claimed().stores(CLAIMS, "mine", {"spec": {}})),
    volcano_claims_made(count=0),
    yes("no Job", story()),
    volcano_group_kept(),
    yes("the user's PodGroup", users_group()),
    no("no PodGroup of the user", job()),
    no("another minimum", users_group().stores(PODGROUPS, "a", {"spec": {"minMember": 2}})),
    no("adopted", with_(users_group(), PODGROUPS, "a", spec={"minMember": 1})),
    yes("another phase"),
    users_group().stores(PODGROUPS, "a", {"spec": {"minMember": 1}, "status": {"phase": "Inqueue"}}),
    volcano_extra_kept(kind="ConfigMap"),
    yes("the user's ConfigMap", users_hosts()),
    no("no ConfigMap", job()),
    no("the lists of hosts in it", users_hosts().stores(CONFIG_MAPS, "a-svc", {"data": HOSTS})),
    no("the ConfigMap of the user is adopted"),
    with_(users_hosts(), CONFIG_MAPS, "a-svc", data={"kept": "yes"}),
    no("the ConfigMap of the user is gone", users_hosts().removes(CONFIG_MAPS, "a-svc")),
    no("a ConfigMap of another name", users_hosts(CONFIG_MAPS, "b-svc").removes(CONFIG_MAPS, "b-svc")),
    no("the ConfigMap of the user is being deleted"),
    users_hosts().stores(
        CONFIG_MAPS,
        "a-svc",
        {"data": {"kept": "yes"}, "metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"}},
    ),
    yes("a ConfigMap of the Job that is disowned"),
    with_(job(), CONFIG_MAPS, "a-svc", data=HOSTS).stores(CONFIG_MAPS, "a-svc", {"data": HOSTS}),
    volcano_extra_kept(kind="Secret"),
    yes("the user's Secret", users_hosts(SECRETS, "a-ssh")),
    volcano_extra_kept(kind="NetworkPolicy"),
    no("the NetworkPolicy of the user is changed"),
    users_hosts(NETWORK_POLICIES, "a", spec={}).stores(NETWORK_POLICIES, "a", {"spec": {"x": "y"}}),
    volcano_extra_kept(kind="service"),
    yes("the user's service", users_hosts(SERVICES, "a", spec={"selector": LABELS})),
    volcano_conditions_apart(),
    yes("two conditions", with_conditions("Pending", "Running")),
    no("one repeated", with_conditions("Pending", "Pending")),
    no("no condition", with_conditions()),
    no("no Job", story()),
    volcano_name_taken(),
    yes("without an owner", story().stores(PODS, "a-work-0", {"spec": {}})),
    no("the Job's", pod(job())),
    volcano_others_go_on(),
    yes("another has a pod"),
    with_(
        job().stores(VOLCANO_JOBS, "other-1", {"spec": SPEC}),
        *(PODS, "p"),
        of={"uid": "uid-other-1", "controller": True},
    ),
    no("the Job itself has one", pod(job())),
    volcano_indexes_told(),
    yes("both told", pod(job(), VC_TASK_INDEX="0", VK_TASK_INDEX="0")),
    no("one told", pod(job(), VC_TASK_INDEX="0")),
    yes("both looked up", looked_up("0")),
    no("another index looked up", looked_up("1")),
    volcano_hosts_given(),
    yes("all variables at once, and a projected volume"),
    referring(with_(job(), CONFIG_MAPS, "a-svc", data=HOSTS)),
    no("all variables of a ConfigMap that has none"),
    referring(with_(job(), CONFIG_MAPS, "a-svc", data={"work.host": ""})),
    no("variables of other names", referring(with_(job(), CONFIG_MAPS, "a-svc", data=HOSTS), prefix="X_")),
    volcano_hosts_listed(),
    yes("all hosts", with_(job(), CONFIG_MAPS, "a-svc", data=HOSTS)),
    no("one host", with_(job(), CONFIG_MAPS, "a-svc", data={**HOSTS, "VC_WORK_NUM": "1"})),
    volcano_service(),
    yes("a headless service", service()),
    no("one with an address", service(clusterIP="10.0.0.1")),
    volcano_hosts_given(),
    yes("lists given", pod(listed(), volume=MAP, path="/etc/volcano", **VARIABLES)),
    no("no files", pod(listed(), volume=None, **VARIABLES)),
    volcano_network_policy(),
    yes("a policy", with_(job(), NETWORK_POLICIES, "a", spec=POLICY)),
    no("a policy with a rule for all"),
    with_(job(), NETWORK_POLICIES, "a", spec={**POLICY, "ingress": [{"from": [AMONG]}, {}]}),
    no("a policy that admits no peer", with_(job(), NETWORK_POLICIES, "a", spec={**AMONG, "ingress": []})),
    volcano_keys_given(),
    yes("keys", pod(with_(job(), SECRETS, "a-ssh", data=KEYS), volume=SECRET, path=SSH_FOLDER)),
    no("no keys", pod(with_(job(), SECRETS, "a-ssh", data={}), volume=SECRET, path=SSH_FOLDER)),
    no("an empty key"),
    pod(with_(job(), SECRETS, "a-ssh", data={**KEYS, "id_rsa": ""}), volume=SECRET, path=SSH_FOLDER),
    volcano_extras_first(),
    no("no Job", story().stores(PODS, "p", {"spec": {}})),
    no("one made before the pod and one after it"),
    with_(pod(with_(job(), CONFIG_MAPS, "a-svc")), SECRETS, "a-ssh"),
    yes("made before the pod", pod(with_(job(), CONFIG_MAPS, "a-svc"))),
    no("made after it", with_(pod(job()), CONFIG_MAPS, "a-svc")),
    volcano_extras_gone(),
    yes("nothing is left", with_(job(), CONFIG_MAPS, "a-svc").removes(CONFIG_MAPS, "a-svc")),
    no("something is left", with_(job(), CONFIG_MAPS, "a-svc")),
    volcano_all_made(),
    yes("all made, and gone", emptied()),
    no("a pod alone", pod(job())),
    volcano_all_gone(),
    yes("all that was made", pod(job()).removes(PODS, "a-work-0")),
    no("nothing was made", job()),
    volcano_extras_gone(),
    yes("what is left is being deleted"),
    with_(job(), CONFIG_MAPS, "a-svc", metadata={"deletionTimestamp": time_of_day(1)}),
    yes("what is left has no owner"),
    with_(with_(job(), CONFIG_MAPS, "a-svc").removes(CONFIG_MAPS, "a-svc"), CONFIG_MAPS, "own", of=SOMEBODY),
    volcano_service(),
    no("a service of another"),
    pod(with_(job(), SERVICES, "a", of=SOMEBODY, spec={"clusterIP": "None", "selector": LABELS})),
    volcano_hosts_listed(),
    no("all hosts, but it is being deleted"),
    with_(job(), CONFIG_MAPS, "a-svc", data=HOSTS, metadata={"deletionTimestamp": time_of_day(1)}),
    volcano_all_gone(),
    yes("all gone", emptied()),
    yes("all gone, but for a claim that is being deleted"),
    with_(emptied(), CLAIMS, "y", metadata={"deletionTimestamp": time_of_day(1)}),
    no("a Secret is there that is being deleted"),
    with_(emptied(), SECRETS, "y", metadata={"deletionTimestamp": time_of_day(1)}),
    no("all there", whole()),
    volcano_task_pods(task="work", count=1),
    yes("a pod of the task", pod(job())),
    volcano_active_task_pods(task="work", at_least=1),
    yes("more pods of the task", pod(pod(job()), "a-work-1")),
    volcano_active_task_pods(task="ps", at_least=1),
    no("no pod of another task", pod(job())),
    volcano_task_pods(task="ps", count=1),
    no("none of another", pod(job())),
    volcano_task_indexes(task="work", indexes=[0, 1]),
    yes("two indexes", pod(pod(job()), "a-work-1")),
    no("one index only", pod(job())),
    volcano_job_expired(seconds=2),
    yes("in time", ended().at(9).removes(VOLCANO_JOBS, "a")),
    yes("in time, but its end was told late", ended().at(6).removes(VOLCANO_JOBS, "a")),
    no("too soon", ended().at(5.5).removes(VOLCANO_JOBS, "a")),
    no("not deleted", ended()),
    volcano_restarts_at_most(count=1),
    yes("one restart", job(retryCount=1)),
    no("two restarts", job(retryCount=2)),
)
def test_a_fact_about_what_is_made(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
