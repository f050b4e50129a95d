"""The groups of Volcano: Jobs and Commands."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from batchproof.ground.resources import CLAIMS, Resource
from batchproof.judgement.history import Json
from batchproof.judgement.objects.api_object import ApiObject, quantity
from batchproof.judgement.values import in_words

VOLCANO_JOBS = Resource("batch.volcano.sh", "v1alpha1", "jobs")
COMMANDS = Resource("bus.volcano.sh", "v1alpha1", "commands")
CONFIG_MAPS = Resource("", "v1", "configmaps")
SECRETS = Resource("", "v1", "secrets")
NETWORK_POLICIES = Resource("networking.k8s.io", "v1", "networkpolicies")
REPLICA_SETS = Resource("apps", "v1", "replicasets")
STATEFUL_SETS = Resource("apps", "v1", "statefulsets")
"""What a Volcano Job may need beside its pods."""
_NUMBERS = ("pending", "running", "succeeded", "failed", "terminating", "version", "retryCount")
"""The numbers of its status."""


def replicas(task: Json) -> int:
    """How many pods a task has; its API leaves out 0."""
    return int(task.get("replicas") or 0)


def needed(task: Json) -> int:
    """How many of its pods a task needs: all where it does not say."""
    minimum = task.get("minAvailable")
    return replicas(task) if minimum is None else int(minimum)


class VolcanoJob(ApiObject, of=VOLCANO_JOBS, noun="Volcano Job"):
    """A batch.volcano.sh/v1alpha1 Job."""

    @property
    def state(self) -> Json:
        """The phase with its time and reason."""
        found: Json = self.status.get("state") or {}
        return found

    @property
    def phase(self) -> str:
        """The phase of its life, such as Pending or Aborted; empty before the first status."""
        return str(self.state.get("phase", ""))

    @property
    def queue(self) -> str:
        """The queue that it is in."""
        return str(self.spec.get("queue") or "default")

    @property
    def min_available(self) -> int:
        """How many of its pods must run for the Job to run."""
        return int(self.spec.get("minAvailable") or 0)

    @cached_property
    def pod_names(self) -> frozenset[str]:
        """What its pods are called."""
        counts = {task["name"]: replicas(task) for task in self.spec.get("tasks") or []}
        return frozenset(f"{self.name}-{task}-{i}" for task, count in counts.items() for i in range(count))

    @property
    def cpus(self) -> Fraction:
        """How many CPUs all its pods request; a limit without a request counts."""
        each = (replicas(task) * _cpus(task) for task in self.spec.get("tasks") or [])
        return sum(each, Fraction(0))

    def number(self, name: str) -> int:
        """A number of its status; 0 where it has none."""
        return int(self.status.get(name) or 0)

    @property
    def words(self) -> list[str]:
        """Its phase and the counts of its pods."""
        return [self.phase, *(f"{name}={self.status[name]}" for name in _NUMBERS if self.status.get(name))]

    @property
    def values(self) -> Json:
        """The same by name, the counts of 0 too."""
        return {"phase": self.phase or None, **{name: self.number(name) for name in _NUMBERS}}


def _cpus(task: Json) -> Fraction:
    """How many CPUs a pod of a task requests."""
    containers = ((task.get("template") or {}).get("spec") or {}).get("containers") or []
    resources = [it.get("resources") or {} for it in containers]
    asked = [{**(it.get("limits") or {}), **(it.get("requests") or {})}.get("cpu", "0") for it in resources]
    return sum((quantity(str(it)) for it in asked), Fraction(0))


class VolumeClaim(ApiObject, of=CLAIMS, noun="PersistentVolumeClaim"):
    """A PersistentVolumeClaim that the pods of a Job mount."""


class ConfigMap(ApiObject, of=CONFIG_MAPS, noun="ConfigMap"):
    """A ConfigMap with the lists of hosts of a Job."""


class Secret(ApiObject, of=SECRETS, noun="Secret"):
    """A Secret with the keys of a Job."""


class NetworkPolicy(ApiObject, of=NETWORK_POLICIES, noun="NetworkPolicy"):
    """A NetworkPolicy that admits the pods of a Job alone."""


class ReplicaSet(ApiObject, of=REPLICA_SETS, noun="ReplicaSet"):
    """A ReplicaSet of Kubernetes, whose pods are of no Volcano Job."""


class StatefulSet(ApiObject, of=STATEFUL_SETS, noun="StatefulSet"):
    """A StatefulSet of Kubernetes, whose pods are of no Volcano Job."""


class Command(ApiObject, of=COMMANDS, noun="Command"):
    """A bus.volcano.sh/v1alpha1 Command."""

    @property
    def action(self) -> str:
        """What is asked for, such as AbortJob."""
        return str(self.raw.get("action", ""))

    @property
    def target(self) -> str:
        """The name of the Job that it is about."""
        return str((self.raw.get("target") or {}).get("name", ""))

    @property
    def words(self) -> list[str]:
        """What is asked of whom."""
        target = self.raw.get("target") or {}
        return [
            self.action,
            f"{in_words(target.get('kind'))} {in_words(target.get('name'))}",
        ]
