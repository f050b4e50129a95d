"""Rights that no run needs: the implementation would work with them, for the proxy adds the credentials."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from batchproof.api.client import Api
from batchproof.control_plane.rights import Needs, Right, allowed_of, each_of, needed
from batchproof.judgement.faults import READS

_RULES: Final = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews"
_RULES_REVIEW: Final = {"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectRulesReview"}
_LOOKED_AT: Final = ("kube-system", "default")
"""The namespaces whose rules are looked at: none of them is a run's."""
_REVEALING: Final = frozenset({"*", "secrets", "serviceaccounts/token"})
_LEADS_ON: Final = frozenset({"attach", "exec", "portforward", "proxy"})
_OF_OTHER_PROFILES: Final = frozenset(
    {
        ("", "configmaps"),
        ("", "persistentvolumeclaims"),
        ("", "persistentvolumeclaims/status"),
        ("", "persistentvolumes"),
        ("", "persistentvolumes/status"),
        ("", "pods/resize"),
        ("", "services"),
        ("", "services/status"),
        ("apps", "replicasets"),
        ("apps", "replicasets/status"),
        ("apps", "statefulsets"),
        ("apps", "statefulsets/status"),
        ("networking.k8s.io", "networkpolicies"),
        ("node.k8s.io", "runtimeclasses"),
        ("policy", "poddisruptionbudgets"),
        ("policy", "poddisruptionbudgets/status"),
        ("scheduling.k8s.io", "podgroups"),
        ("scheduling.k8s.io", "podgroups/status"),
        ("scheduling.k8s.io", "priorityclasses"),
        ("scheduling.k8s.io", "workloads"),
        ("scheduling.k8s.io", "workloads/status"),
    }
)
"""What `batchproof rbac -i` may have given the user of this cluster for another implementation."""

_WORST: Final = (
    Right("*", "*", "*", ""),
    Right("get", "", "secrets", ""),
    Right("list", "", "secrets", ""),
    Right("get", "", "nodes/proxy", ""),
    Right("create", "", "pods/exec", ""),
    Right("create", "", "serviceaccounts/token", ""),
    Right("impersonate", "", "users", ""),
    Right("impersonate", "", "groups", ""),
    Right("create", "apps", "daemonsets", ""),
    Right("bind", "rbac.authorization.k8s.io", "clusterroles", ""),
    Right("escalate", "rbac.authorization.k8s.io", "clusterroles", ""),
    Right("create", "rbac.authorization.k8s.io", "clusterrolebindings", ""),
)


async def unneeded_rights(api: Api, needs: Needs) -> list[Right]:
    """The rights of this user that no run needs and that a hostile implementation could do harm with.

    Those are writes of what Kubernetes itself has, and whatever reveals secrets or leads into containers.
    Rights on resources of other API groups, and on objects by their names, are left to the administrator
    that gave them. Not all authorizers list their rules: where one does not, each of the worst rights is
    checked by a request of its own.
    """
    found: dict[Right, None] = {}
    listed_whole = True
    for namespace in _LOOKED_AT:
        review = await api.create(_RULES, {**_RULES_REVIEW, "spec": {"namespace": namespace}})
        listed_whole = listed_whole and not review["status"].get("incomplete")
        for rule in review["status"].get("resourceRules") or ():
            if not rule.get("resourceNames"):
                whole = {"apiGroups": [], "resources": [], **rule}
                found |= dict.fromkeys(right for right in each_of(whole, namespace) if _harmful(right))
    if not listed_whole:
        answers = await allowed_of(api, _WORST)
        found |= dict.fromkeys(right for right, may in zip(_WORST, answers, strict=True) if may)
    given = set(needed(needs))
    everywhere = {replace(right, namespace="") for right in found}
    return [right for right in sorted(everywhere, key=str) if right not in given and not _usual(right)]


def _harmful(right: Right) -> bool:
    own = "." in right.group and not right.group.endswith(".k8s.io")
    revealing = right.resource in _REVEALING or right.resource.partition("/")[2] in _LEADS_ON
    return not own and (revealing or right.verb not in READS)


def _usual(right: Right) -> bool:
    """Every user has it, or it was given for another profile that batchproof judges."""
    reviews = right.group in {"authentication.k8s.io", "authorization.k8s.io"}
    if reviews and right.resource.startswith("selfsubject"):
        return True
    return (right.group, right.resource) in _OF_OTHER_PROFILES
