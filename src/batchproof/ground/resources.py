"""Resources of the API, and the names on objects by which the harness knows its own and judges others.

A plural name alone is no resource, for ``jobs`` exist in more than one group.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache


@dataclass(frozen=True, order=True, slots=True)
class Resource:
    """A kind of objects that the API server serves.

    The version says how its objects are spelled and where they are found; it makes no other resource of it.

    Attributes:
        group: the API group; empty for the core group.
        version: the version of the group.
        plural: the name in URL paths, such as ``pods``.
    """

    group: str
    version: str = field(compare=False)
    plural: str

    @classmethod
    def of(cls, api_version: str, plural: str) -> Resource:
        """The resource of an ``apiVersion`` as objects carry it: ``v1`` or ``batch/v1``."""
        group, _, version = api_version.rpartition("/")
        return cls(group, version, plural)

    @property
    def api_version(self) -> str:
        """What its objects carry as ``apiVersion``."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def singular(self) -> str:
        """The plural without its ending, for timelines: ``pod``."""
        return self.plural.removesuffix("s")

    def path(self, namespace: str = "", name: str = "", subresource: str = "") -> str:
        """The URL path of the collection in a namespace (empty: of the cluster), of an object, of a part."""
        base = f"/apis/{self.group}/{self.version}" if self.group else f"/api/{self.version}"
        place = f"/namespaces/{namespace}" if namespace else ""
        return base + place + "".join(f"/{part}" for part in (self.plural, name, subresource) if part)

    def named(self, name: str) -> bool:
        """Whether a person means it: by the plural, or by plural and group (``jobs.batch``)."""
        return name in {self.plural, f"{self.plural}.{self.group}"}

    def __str__(self) -> str:
        """As the claims of a history name it: ``batch/v1/jobs``, ``v1/pods``."""
        return f"{self.api_version}/{self.plural}"


@cache
def parse_resource(text: str) -> Resource:
    """The resource that ``str`` wrote.

    Raises:
        ValueError: the text names no version: ``pods`` instead of ``v1/pods``.
    """
    api_version, _, plural = text.rpartition("/")
    if not api_version:
        raise ValueError(f"{text!r} is no resource: it must be like v1/pods or batch/v1/jobs")
    return Resource.of(api_version, plural)


PODS = Resource("", "v1", "pods")
NODES = Resource("", "v1", "nodes")
CLAIMS = Resource("", "v1", "persistentvolumeclaims")
VOLUMES = Resource("", "v1", "persistentvolumes")
BUDGETS = Resource("policy", "v1", "poddisruptionbudgets")
RUNTIME_CLASSES = Resource("node.k8s.io", "v1", "runtimeclasses")
EVENTS = Resource("", "v1", "events")
NAMESPACES = Resource("", "v1", "namespaces")
LEASES = Resource("coordination.k8s.io", "v1", "leases")
JOBS = Resource("batch", "v1", "jobs")
CRON_JOBS = Resource("batch", "v1", "cronjobs")
WORKLOADS = Resource("scheduling.k8s.io", "v1beta1", "workloads")

TRACKING_FINALIZER = "batch.kubernetes.io/job-tracking"
"""The finalizer of the built-in Job controller; one that ``spec.managedBy`` selects has another."""
BUILT_IN_MANAGER = "kubernetes.io/job-controller"
"""What ``spec.managedBy`` calls the built-in Job controller; a Job that names none is its too."""
COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index"
"""The annotation of a pod of an Indexed Job that says its index, and the label that repeats it."""
INDEX_FAILURES = "batch.kubernetes.io/job-index-failure-count"
INDEX_IGNORED_FAILURES = "batch.kubernetes.io/job-index-ignored-failure-count"
"""The annotations of a pod that say how often its index had failed before: so that it counts, or does not."""
GANG_LABEL = "batchproof.dev/gang"
"""On every member of a gang, whatever the dialect: how the judgement knows it."""
QUEUE_LABEL = "batchproof.dev/queue"
"""On every member of a gang that is in a queue: the queue's name in the scenario."""
CELL_LABEL = "batchproof.dev/cell"
"""The label of all that the harness makes; its value is the name of a cell."""

SIMULATED_SCHEDULER = "batchproof.dev/simulated"
"""The schedulerName of pods that only the harness binds; no scheduler has it."""

SCENE_LABEL = "batchproof.dev/scene"
"""On the nodes of a scenario: its namespace."""
SIMULATED_TAINT = "batchproof.dev/simulated"
"""On every node of the harness: nothing else lands there."""
HOST_LABEL = "kubernetes.io/hostname"
"""The name of the host that a node runs on; the API lets it be another than the name of the node."""
ZONE_LABEL = "topology.kubernetes.io/zone"
"""The zone of a node, as the API names it."""
