"""The rights that are needed in a cluster that is not ours, and which of them are missing.

``fixtures/rbac/existing.yaml`` has those of every run; those of gang schedulers follow from their dialect.
The manifests are the only list: they are what users apply, and what is asked for here.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import yaml

from batchproof import suite

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from batchproof.api.client import Api
    from batchproof.descriptor.dialect import Dialect, Spelling
    from batchproof.resources import Resource

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


def manifests(dialect: Dialect | None = None) -> str:
    """The manifests that give the rights, for gangs of a dialect too."""
    text = _file().read_text("utf-8")
    if dialect is None:
        return text
    more = "---\n".join(yaml.safe_dump(each, sort_keys=False) for each in _of_gangs(dialect))
    return f"{text}---\n# Gangs of the dialect {dialect.name}.\n{more}"


def _file() -> Path:
    return suite.fixtures() / "rbac" / "existing.yaml"


def _of_gangs(dialect: Dialect) -> Iterator[dict[str, Any]]:
    """A role beside that of every run, bound to the same user."""
    whole = ["create", "get", "list", "watch", "update", "patch", "delete"]

    def rules(spelling: Spelling) -> Iterator[dict[str, list[str]]]:
        resource = spelling.resource
        yield {"apiGroups": [resource.group], "resources": [resource.plural], "verbs": whole}
        yield {
            "apiGroups": [resource.group],
            "resources": [f"{resource.plural}/status"],
            "verbs": ["update", "patch"],
        }

    [binding] = (
        each
        for each in yaml.safe_load_all(_file().read_text("utf-8"))
        if each["kind"] == "ClusterRoleBinding"
    )
    name = f"{binding['metadata']['name']}-gangs"
    priorities = ["create", "get", "list", "watch", "patch", "delete"]
    storage = ["persistentvolumeclaims", "persistentvolumes"]
    yield {
        "apiVersion": binding["apiVersion"],
        "kind": "ClusterRole",
        "metadata": {"name": name},
        "rules": [
            {"apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "watch"]},
            # The owners of pods that several controllers have made.
            {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["create", "get", "patch", "delete"]},
            {"apiGroups": [""], "resources": storage, "verbs": priorities},
            {"apiGroups": [""], "resources": [f"{each}/status" for each in storage], "verbs": ["patch"]},
            {"apiGroups": ["scheduling.k8s.io"], "resources": ["priorityclasses"], "verbs": priorities},
            *(rules(dialect.group) if dialect.group else ()),
            *(rules(dialect.queue) if dialect.queue else ()),
            *(rules(dialect.tree.spelling) if dialect.tree else ()),
            *(rule for each in dialect.setting for rule in rules(each.spelling)),
            *(_swept(dialect.made) if dialect.made else ()),
        ],
    }
    yield {**binding, "metadata": {"name": name}, "roleRef": {**binding["roleRef"], "name": name}}


def _swept(resource: Resource) -> Iterator[dict[str, list[str]]]:
    """The rights on what the implementation makes: it is watched, and deleted after the scenario."""
    verbs = ["get", "list", "watch", "patch", "delete"]
    yield {"apiGroups": [resource.group], "resources": [resource.plural], "verbs": verbs}


def needed(dialect: Dialect | None) -> Iterator[Right]:
    """Every right that the manifests give."""
    for manifest in yaml.safe_load_all(manifests(dialect)):
        if manifest["kind"] not in {"ClusterRole", "Role"}:
            continue
        namespace = manifest["metadata"].get("namespace", "")
        for rule in manifest["rules"]:
            for group in rule["apiGroups"]:
                for resource in rule["resources"]:
                    yield from (Right(verb, group, resource, namespace) for verb in rule["verbs"])


async def missing(api: Api, dialect: Dialect | None) -> list[Right]:
    """The rights that this user does not have; the API server is asked for each."""
    gate = asyncio.Semaphore(_AT_ONCE)

    async def allowed(right: Right) -> bool:
        async with gate:
            review = await api.create(_REVIEWS, right.review)
        return bool(review["status"].get("allowed"))

    rights = list(needed(dialect))
    answers = await asyncio.gather(*map(allowed, rights))
    return [right for right, answer in zip(rights, answers, strict=True) if not answer]
