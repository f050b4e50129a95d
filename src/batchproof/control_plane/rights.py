"""The rights that are needed in a cluster that is not ours, and which of them are missing.

``fixtures/rbac/existing.yaml`` has those of every run; the others follow from the collections of a profile
and, for gang schedulers, from their dialect. The manifests are the only list: they are what users apply, and
what is asked for here.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import yaml

from batchproof.api.client import Api
from batchproof.descriptor.dialect import Dialect
from batchproof.ground import suite
from batchproof.ground.resources import Resource
from batchproof.judgement.history import Json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_REVIEWS: Final = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
_AT_ONCE: Final = 10
_WHOLE: Final = ("create", "get", "list", "watch", "update", "patch", "delete")
_MADE: Final = ("create", "get", "list", "watch", "patch", "delete")
_PRIORITIES: Final = ("scheduling.k8s.io", "priorityclasses")
_WITHOUT_STATUS: Final = frozenset({"configmaps", "networkpolicies", "secrets"})


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


@dataclass(frozen=True, slots=True)
class Needs:
    """What an implementation is judged with in a cluster that is not ours.

    Attributes:
        kept: the collections of its profiles: what is recorded of a scenario, and deleted after it.
        dialect: how it spells gangs; None if it is no gang scheduler.
    """

    kept: tuple[Kept, ...] = ()
    dialect: Dialect | None = None


class Kept(Protocol):
    """The objects of a resource that belong to scenarios."""

    @property
    def resource(self) -> Resource:
        """Their resource."""
        ...

    @property
    def makes_pods(self) -> bool:
        """They own pods."""
        ...

    @property
    def at_once(self) -> bool:
        """They are deleted by one request."""
        ...


EVERY_RUN: Final = Needs()
"""The needs of Jobs, which are those of every run."""


def manifests(needs: Needs = EVERY_RUN) -> str:
    """The manifests that give the rights, also for what a profile or a dialect has of its own."""
    text = _file().read_text("utf-8")
    more = "---\n".join(yaml.safe_dump(each, sort_keys=False) for each in _more(needs))
    return f"{text}---\n{more}" if more else text


def _file() -> Path:
    return suite.fixtures() / "rbac" / "existing.yaml"


def _more(needs: Needs) -> Iterator[Json]:
    """Roles beside that of every run, bound to the same user."""
    every = list(yaml.safe_load_all(_file().read_text("utf-8")))
    [role] = (each for each in every if each["kind"] == "ClusterRole")
    [binding] = (each for each in every if each["kind"] == "ClusterRoleBinding")
    gangs = list(_of_gangs(needs.dialect)) if needs.dialect else []
    known = {resource for rule in [*role["rules"], *gangs] for resource in _named(rule)}
    objects = [
        rule
        for kept in needs.kept
        if (kept.resource.group, kept.resource.plural) not in known
        for rule in _of_kept(kept)
    ]
    if objects and _PRIORITIES not in known:  # the priorities of the pods that are made for them
        objects.append(_rule(*_PRIORITIES, "get", "list", "watch"))
    for suffix, rules in (("gangs", gangs), ("objects", objects)):
        if rules:
            name = f"{binding['metadata']['name']}-{suffix}"
            metadata = {"name": name}
            yield {
                "apiVersion": binding["apiVersion"],
                "kind": "ClusterRole",
                "metadata": metadata,
                "rules": rules,
            }
            yield {**binding, "metadata": metadata, "roleRef": {**binding["roleRef"], "name": name}}


def _named(rule: Json) -> Iterator[tuple[str, str]]:
    return ((group, resource) for group in rule["apiGroups"] for resource in rule["resources"])


def _of_kept(kept: Kept) -> Iterator[Json]:
    """The rights on what a profile records: it is made, worked on, and deleted after the scenario."""
    resource, all_at_once = kept.resource, ["deletecollection"] if kept.at_once else []
    yield _rule(resource.group, resource.plural, *_WHOLE, *all_at_once)
    if resource.plural not in _WITHOUT_STATUS:
        yield _rule(resource.group, f"{resource.plural}/status", "update", "patch")
    if kept.makes_pods:  # asked for where owners that block deletion are guarded
        yield _rule(resource.group, f"{resource.plural}/finalizers", "update")


def _of_gangs(dialect: Dialect) -> Iterator[Json]:
    yield _rule("", "nodes", "get", "watch")
    yield _rule(
        "", "configmaps", "create", "get", "patch", "delete"
    )  # owners of pods, of several controllers
    for storage in ("persistentvolumeclaims", "persistentvolumes"):
        yield _rule("", storage, *_MADE)
        yield _rule("", f"{storage}/status", "patch")
    yield _rule("policy", "poddisruptionbudgets", *_MADE)
    yield _rule("policy", "poddisruptionbudgets/status", "patch")
    yield _rule(*_PRIORITIES, *_MADE)
    yield _rule("node.k8s.io", "runtimeclasses", *_MADE)  # pods may take more than their containers request
    yield _rule("", "pods/resize", "patch")
    spelled = [dialect.group, dialect.queue, dialect.tree.spelling if dialect.tree else None]
    for spelling in (*spelled, *(each.spelling for each in dialect.setting)):
        if spelling:
            yield _rule(spelling.resource.group, spelling.resource.plural, *_WHOLE)
            yield _rule(spelling.resource.group, f"{spelling.resource.plural}/status", "update", "patch")
    if made := dialect.made:  # it is watched, and deleted after the scenario
        yield _rule(made.group, made.plural, "get", "list", "watch", "patch", "delete")


def _rule(group: str, resource: str, *verbs: str) -> Json:
    return {"apiGroups": [group], "resources": [resource], "verbs": list(verbs)}


def needed(needs: Needs = EVERY_RUN) -> Iterator[Right]:
    """Every right that the manifests give."""
    for manifest in yaml.safe_load_all(manifests(needs)):
        if manifest["kind"] in {"ClusterRole", "Role"}:
            namespace = manifest["metadata"].get("namespace", "")
            for rule in manifest["rules"]:
                yield from each_of(rule, namespace)


def each_of(rule: Json, namespace: str) -> Iterator[Right]:
    """The rights that a rule of a role gives in a namespace."""
    for group, resource in _named(rule):
        yield from (Right(verb, group, resource, namespace) for verb in rule["verbs"])


async def missing(api: Api, needs: Needs) -> list[Right]:
    """The rights that this user does not have; the API server is asked for each."""
    rights = list(needed(needs))
    answers = await allowed_of(api, rights)
    return [right for right, allowed in zip(rights, answers, strict=True) if not allowed]


async def allowed_of(api: Api, rights: Sequence[Right]) -> list[bool]:
    """Which of these rights the user has, in their order; the API server is asked for each."""
    gate = asyncio.Semaphore(_AT_ONCE)

    async def allowed(right: Right) -> bool:
        async with gate:
            review = await api.create(_REVIEWS, right.review)
        return bool(review["status"].get("allowed"))

    return await asyncio.gather(*map(allowed, rights))
