"""The rights that are needed in a cluster that is not ours, and which of them are missing.

``fixtures/rbac/existing.yaml`` is the only list of them: it is what users apply, and what is asked for here.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import yaml

from batchproof import suite

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from batchproof.api import Api

_REVIEWS: Final = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
_AT_ONCE: Final = 10


@dataclass(frozen=True, slots=True)
class Right:
    """What a user may do.

    Attributes:
        verb: such as ``create``.
        group: the API group; empty for the core group.
        resource: the resource, with its subresource after a slash.
        namespace: where; empty for everywhere.
    """

    verb: str
    group: str
    resource: str
    namespace: str

    @property
    def review(self) -> dict[str, object]:
        """The SelfSubjectAccessReview that asks for it."""
        resource, _, subresource = self.resource.partition("/")
        asked = {"verb": self.verb, "group": self.group, "resource": resource, "namespace": self.namespace}
        attributes = {**asked, "subresource": subresource}
        return {
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SelfSubjectAccessReview",
            "spec": {"resourceAttributes": attributes},
        }

    def __str__(self) -> str:
        """In words: ``create pods``, ``patch leases.coordination.k8s.io in kube-node-lease``."""
        of = f"{self.resource}.{self.group}" if self.group else self.resource
        return f"{self.verb} {of}" + (f" in {self.namespace}" if self.namespace else "")


def rbac_file() -> Path:
    """The manifests that give the rights."""
    return suite.fixtures() / "rbac" / "existing.yaml"


def needed() -> Iterator[Right]:
    """Every right that the manifests give."""
    for manifest in yaml.safe_load_all(rbac_file().read_text("utf-8")):
        if manifest["kind"] not in {"ClusterRole", "Role"}:
            continue
        namespace = manifest["metadata"].get("namespace", "")
        for rule in manifest["rules"]:
            for group in rule["apiGroups"]:
                for resource in rule["resources"]:
                    yield from (Right(verb, group, resource, namespace) for verb in rule["verbs"])


async def missing(api: Api) -> list[Right]:
    """The rights that this user does not have; the API server is asked for each."""
    gate = asyncio.Semaphore(_AT_ONCE)

    async def allowed(right: Right) -> bool:
        async with gate:
            review = await api.create(_REVIEWS, right.review)
        return bool(review["status"].get("allowed"))

    rights = list(needed())
    answers = await asyncio.gather(*map(allowed, rights))
    return [right for right, answer in zip(rights, answers, strict=True) if not answer]
