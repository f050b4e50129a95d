"""A cluster in which somebody else works already: an embedded control plane plays it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import yaml
from waiting import eventually

from batchproof.api.client import Api
from batchproof.control_plane.embedded import CONTROLLERS
from batchproof.control_plane.existing import call
from batchproof.control_plane.plane import Plane
from batchproof.control_plane.rights import manifests
from batchproof.ground.resources import CELL_LABEL
from batchproof.processes.environment import bare
from batchproof.processes.programs import Process, spawn

if TYPE_CHECKING:
    from pathlib import Path

COLLECTIONS = {
    "Namespace": "/api/v1/namespaces",
    "Node": "/api/v1/nodes",
    "ServiceAccount": "/api/v1/namespaces/{namespace}/serviceaccounts",
    "PersistentVolume": "/api/v1/persistentvolumes",
    "PersistentVolumeClaim": "/api/v1/namespaces/{namespace}/persistentvolumeclaims",
    "ClusterRole": "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    "ClusterRoleBinding": "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    "Role": "/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/roles",
    "RoleBinding": "/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/rolebindings",
}
OWN_NAMESPACES = ("default", "kube-node-lease", "kube-public", "kube-system")
LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"
PRIORITIES = "/apis/scheduling.k8s.io/v1/priorityclasses"
QUEUES = ("/apis/gang.batchproof.dev/v1/queues", "/apis/scheduling.volcano.sh/v1beta1/queues")


def create(plane: Plane, manifest: dict[str, Any]) -> Any:
    namespace = manifest["metadata"].get("namespace", "")
    return call(
        plane, lambda api: api.create(COLLECTIONS[manifest["kind"]].format(namespace=namespace), manifest)
    )


def there(plane: Plane) -> set[str]:
    """The namespaces, nodes, Leases of nodes, priorities and queues that are there."""
    places = (COLLECTIONS["Namespace"], COLLECTIONS["Node"], LEASES, PRIORITIES, *QUEUES)

    async def listed(api: Api) -> set[str]:
        found = {place: await api.get(place, missing_ok=True) for place in places}
        return {
            f"{place}/{item['metadata']['name']}"
            for place, items in found.items()
            for item in items.get("items", [])
        }

    return call(plane, listed)


class Cluster:
    """A cluster in which somebody else works already, and a user that ``batchproof rbac`` has made."""

    def __init__(self, plane: Plane, folder: Path, controllers: Path) -> None:
        self.plane = plane
        self._folder = folder
        self._controllers = controllers
        for manifest in yaml.safe_load_all(manifests()):
            create(plane, manifest)
        create(plane, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "theirs"}})
        create(plane, {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "their-node"}})
        theirs = {"name": "bp-theirs", "labels": {CELL_LABEL: "their-cell"}}  # a label like ours
        create(plane, {"apiVersion": "v1", "kind": "Namespace", "metadata": theirs})
        accounts = COLLECTIONS["ServiceAccount"].format(namespace="batchproof")
        request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
        token = call(plane, lambda api: api.create(f"{accounts}/batchproof/token", request))["status"][
            "token"
        ]
        self.user = replace(plane, token=token)
        self.kubeconfig = folder / "user.kubeconfig"
        self.kubeconfig.write_text(self.user.kubeconfig())
        own = {f"{COLLECTIONS['Namespace']}/{name}" for name in OWN_NAMESPACES}
        # kube-apiserver makes them by itself, and may be ready earlier.
        eventually("the cluster has its own namespaces", lambda: own <= there(self.plane))
        self.before = there(self.plane)

    def made(self) -> set[str]:
        """What is there beyond what was there before."""
        return there(self.plane) - self.before

    def leaving(self) -> list[str]:
        """The namespaces that are being deleted."""
        listed = call(self.plane, lambda api: api.get(COLLECTIONS["Namespace"]))["items"]
        return [item["metadata"]["name"] for item in listed if "deletionTimestamp" in item["metadata"]]

    def nothing_is_left(self) -> None:
        """See that all that was made is gone, and nothing else."""
        assert there(self.plane) == self.before

    def runs(self, flags: list[str]) -> Process:
        """Start controllers of the cluster's own."""
        config = self._folder / "admin.kubeconfig"
        config.write_text(self.plane.kubeconfig())
        own = [f"--kubeconfig={config}", "--leader-elect=false", "--secure-port=0"]
        return spawn(
            [self._controllers, *own, *flags],
            run_dir=self.plane.run_dir,
            name=CONTROLLERS,
            log=self._folder / "controllers.log",
            env=bare(self._folder),
        )
