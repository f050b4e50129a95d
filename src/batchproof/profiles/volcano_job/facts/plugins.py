"""Facts about what the plugins of a Volcano Job make: for its pods, and in them."""

from __future__ import annotations

from pathlib import PurePosixPath

from batchproof.ground.resources import CLAIMS, PODS, Resource
from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.history import Json
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted, in_words
from batchproof.profiles.shared.objects.services import SERVICES
from batchproof.profiles.shared.objects.volcano import PODGROUPS
from batchproof.profiles.volcano_job.containers import containers_of, environment, files
from batchproof.profiles.volcano_job.facts.jobs import pods_of, volcano_job
from batchproof.profiles.volcano_job.objects import (
    CONFIG_MAPS,
    NETWORK_POLICIES,
    SECRETS,
    VolcanoJob,
    replicas,
)

SSH_FOLDER = str(PurePosixPath("/", "root", ".ssh"))
"""Where the plugin ssh puts the keys, in every container (VOL-044)."""

HOSTS_FOLDER = str(PurePosixPath("/", "etc", "volcano"))
"""Where the plugin svc puts the lists of hosts, in every container (VOL-043)."""

EXTRAS = (CONFIG_MAPS, SERVICES, SECRETS, NETWORK_POLICIES)
MADE = (*EXTRAS, CLAIMS, PODGROUPS)
"""What is made for a Volcano Job beside its pods."""

_INDEX_NAMES = ("VC_TASK_INDEX", "VK_TASK_INDEX")
_JOB_NAME = "volcano.sh/job-name"
_KEYS = {"id_rsa", "id_rsa.pub", "authorized_keys"}


def _extra(seen: Observed, resource: Resource, suffix: str = "") -> tuple[VolcanoJob, ApiObject] | None:
    """The Volcano Job, and what it controls of its name and a suffix, if that is not being deleted."""
    if (job := volcano_job(seen)) is None:
        return None
    named = seen.named(resource, f"{job.name}{suffix}")
    return next(((job, it) for it in named if it.controlled_by(job) and not it.deleting), None)


def _hosts(job: VolcanoJob, task: Json) -> list[str]:
    """The hosts of a task, as the service of the Job knows them."""
    return [f"{job.name}-{task['name']}-{index}.{job.name}" for index in range(replicas(task))]


@fact("each container of the Volcano Job gets its index")
def volcano_indexes_told(seen: Observed) -> Finding:
    """Both variables have the index in the pod's name, in every container of every pod, init ones too."""
    pods = pods_of(seen)
    wrong = [_place(pod, it) for pod in pods for it in containers_of(pod) if not knows_index(pod, it)]
    return found(pods and not wrong, observed=f"{counted(len(pods), 'pod')}, wrong: {in_words(wrong)}")


def knows_index(pod: Pod, container: Json) -> bool:
    """A container has both variables with the index in the name of its pod."""
    variables, index = environment(pod, container, {}), pod.name.rpartition("-")[2]
    return all(variables.get(name) == index for name in _INDEX_NAMES)


def _place(pod: Pod, container: Json) -> str:
    """Which container of which pod."""
    return f"{container['name']} of {pod.name}"


@fact("a ConfigMap lists the hosts of the Volcano Job by task")
def volcano_hosts_listed(seen: Observed) -> Finding:
    """``<job>-svc`` says which hosts each task has, a line each and with commas, and how many they are."""
    if (its := _extra(seen, CONFIG_MAPS, "-svc")) is None:
        return found(holds=False, observed="no ConfigMap")
    job, listed = its
    data = listed.raw.get("data") or {}
    wanted = _host_files(job) | _host_variables(job)
    return found(wanted.items() <= data.items(), observed=data, decisive=[listed.record])


def _host_files(job: VolcanoJob) -> dict[str, str]:
    """The file of each task, which has its hosts in a line each."""
    return {f"{_word(task)}.host": "\n".join(_hosts(job, task)) for task in job.spec["tasks"]}


def _host_variables(job: VolcanoJob) -> dict[str, str]:
    """The variables of each task: its hosts, with commas, and how many they are."""
    hosts = {_word(task).upper(): _hosts(job, task) for task in job.spec["tasks"]}
    lists = {f"VC_{word}_HOSTS": ",".join(its) for word, its in hosts.items()}
    return lists | {f"VC_{word}_NUM": str(len(its)) for word, its in hosts.items()}


def _word(task: Json) -> str:
    """The name of a task where it is part of another name."""
    return str(task["name"]).replace("-", "_")


@fact("a headless service leads to the pods of the Volcano Job by name")
def volcano_service(seen: Observed) -> Finding:
    """It has the name of the Job and selects its pods, which have their names as hosts in it."""
    its, pods = _extra(seen, SERVICES), pods_of(seen)
    if its is None or not pods:
        return found(holds=False, observed=f"{counted(len(pods), 'pod')}, {'a' if its else 'no'} service")
    job, service = its
    selector = service.spec.get("selector") or {}
    headless = service.spec.get("clusterIP") == "None"
    where = "headless" if headless else in_words(service.spec.get("clusterIP"))
    right = headless and selector.get(_JOB_NAME) == job.name
    apart = [
        pod.name
        for pod in pods
        if not selector.items() <= pod.labels.items()
        or (pod.spec.get("hostname"), pod.spec.get("subdomain")) != (pod.name, job.name)
    ]
    return found(
        right and not apart,
        observed=f"{where} {in_words(selector)}, not: {in_words(apart)}",
    )


@fact("each container of the Volcano Job has the lists of hosts")
def volcano_hosts_given(seen: Observed) -> Finding:
    """As variables, and as files of the ConfigMap in /etc/volcano: in every container, init ones too."""
    pods, its = pods_of(seen), _extra(seen, CONFIG_MAPS, "-svc")
    if its is None:
        return found(holds=False, observed="no ConfigMap" if volcano_job(seen) else "no such Job")
    job, lists = its
    data = lists.raw.get("data") or {}
    wanted = {f"{HOSTS_FOLDER}/{name}": name for name in _host_files(job)}
    bare = [
        _place(pod, it)
        for pod in pods
        for it in containers_of(pod)
        if not _host_variables(job).items() <= environment(pod, it, {lists.name: data}).items()
        or not wanted.items() <= files(pod, it, "configMap", lists.name, data).items()
    ]
    return found(pods and not bare, observed=f"{counted(len(pods), 'pod')}, not: {in_words(bare)}")


@fact("the Volcano Job <has a|has no> NetworkPolicy")
def volcano_network_policy(seen: Observed) -> Finding:
    """One of its name selects its pods and admits only them: each rule has peers, and all are these pods."""
    if (its := _extra(seen, NETWORK_POLICIES)) is None:
        return found(holds=False, observed="none")
    job, policy = its
    rules = [rule.get("from") or [{}] for rule in policy.spec.get("ingress") or []]
    peers = [peer for rule in rules for peer in rule]
    chosen = [policy.spec.get("podSelector"), *(peer.get("podSelector") for peer in peers)]
    its_pods = all(((it or {}).get("matchLabels") or {}).get(_JOB_NAME) == job.name for it in chosen)
    return found(peers and its_pods, observed=policy.spec, decisive=[policy.record])


@fact("each container of the Volcano Job has the keys of its Secret")
def volcano_keys_given(seen: Observed) -> Finding:
    """``<job>-ssh`` has a private key, a public one and who may log in, as files of every container.

    Init containers have them too. Histories keep no values of Secrets, so no pair of keys is judged.
    """
    its, pods = _extra(seen, SECRETS, "-ssh"), pods_of(seen)
    if its is None or not pods:
        return found(holds=False, observed=f"{counted(len(pods), 'pod')}, {'a' if its else 'no'} Secret")
    _, secret = its
    keys = {name: value for name, value in (secret.raw.get("data") or {}).items() if value}
    wanted = {f"{SSH_FOLDER}/{name}": name for name in _KEYS}
    bare = [
        _place(pod, it)
        for pod in pods
        for it in containers_of(pod)
        if not wanted.items() <= files(pod, it, "secret", secret.name, keys).items()
    ]
    return found(
        keys.keys() >= _KEYS and not bare,
        observed=f"{in_words(sorted(keys))}, not mounted by {in_words(bare)}",
    )


@fact("what the plugins of the Volcano Job need was there before its pods")
def volcano_extras_first(seen: Observed) -> Finding:
    """By the order of revisions, all that there is of it was made before the first pod."""
    job = volcano_job(seen)
    extras = {it.uid for kind in EXTRAS for it in seen.objects(kind).values() if it.controlled_by(job)}
    before = seen.in_order(PODS, *EXTRAS).fold(_BeforePods, job.uid if job else "")
    made = extras & before.made
    if not before.pod:
        return found(holds=False, observed=f"{len(made)} made, no pod")
    late = len(extras) - len(made)
    return found(made and not late, observed=f"{len(made)} before, {late} after")


class _BeforePods:
    """The UID of what was there before the first pod of a controller, and whether there was such a pod."""

    def __init__(self, owner: str) -> None:
        self.made: set[str] = set()
        self.pod = False
        self._owner = owner

    def take(self, _: str, thing: ApiObject) -> None:
        if self.pod:
            return
        self.pod = bool(thing.resource == PODS and self._owner and thing.controller_uid == self._owner)
        self.made.add(thing.uid)


@fact("nothing is left of the plugins of the Volcano Job")
def volcano_extras_gone(seen: Observed) -> Finding:
    """There was something of theirs, and all of it is gone or being deleted."""
    had = sum(seen.versions(kind).fold(_OfJobs).versions for kind in EXTRAS)
    left = [
        it.name for kind in EXTRAS for it in seen.objects(kind).values() if _of_a_job(it) and not it.deleting
    ]
    return found(had and not left, observed=f"left: {in_words(left)}, of {counted(had, 'version')}")


@fact("all that the Volcano Job needs has been made for it")
def volcano_all_made(seen: Observed) -> Finding:
    """There has been something of each kind that a Job with a volume and the plugins svc and ssh needs."""
    missing = [kind.plural for kind in (PODS, *MADE) if not seen.versions(kind).fold(_OfJobs).versions]
    return found(not missing, observed=f"never made: {', '.join(missing) or 'none'}")


@fact("nothing is left of what was made for the Volcano Job", within="recovery")
def volcano_all_gone(seen: Observed) -> Finding:
    """Something was made for it, and all that a Job controls is gone, or a claim being deleted.

    The finalizer of a claim in use is removed by a controller of a cluster that has nodes.
    """
    had = any(seen.versions(kind).fold(_OfJobs).versions for kind in (PODS, *MADE))
    left = [
        it.name
        for kind in (PODS, *MADE)
        for it in seen.objects(kind).values()
        if _of_a_job(it) and not (kind == CLAIMS and it.deleting)
    ]
    return found(had and not left, observed=f"left: {in_words(left)}" if had else "nothing was made")


class _OfJobs:
    """How many versions there were of what a Job controlled."""

    def __init__(self) -> None:
        self.versions = 0

    def take(self, _: str, thing: ApiObject) -> None:
        self.versions += _of_a_job(thing)


def _of_a_job(thing: ApiObject) -> bool:
    return thing.controller is not None and thing.controller.get("kind") == "Job"
