"""Reviews: what the API server asks a webhook about a request, and what it is answered.

Source: k8s.io/api admission/v1 and admissionregistration/v1.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from reference_controller.objects.resources import Resource

if TYPE_CHECKING:
    from collections.abc import Sequence

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that the API server has reviewed.

    Attributes:
        uid: that of the review, which its answer carries.
        resource: the plural of what is asked for.
        operation: CREATE, UPDATE or DELETE.
        name: of the object; "" where the API server is to make one.
        new: the object as it is to be stored; empty of a deletion.
        old: the object as it is stored; empty of a creation.
    """

    uid: str
    resource: str
    operation: str
    name: str
    new: Json = field(default_factory=dict, repr=False)
    old: Json = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered: nothing that is wrong lets the request pass.

    Attributes:
        wrong: what is wrong, in words for the user.
        spec: the spec as it is to be stored, if it is another one than was asked for.
    """

    wrong: tuple[str, ...] = ()
    spec: Json | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Webhook:
    """Of which requests the API server asks: these operations on this resource."""

    of: Resource
    operations: tuple[str, ...]


def read_review(body: bytes) -> Asked:
    """Parse an AdmissionReview.

    Raises:
        KeyError, ValueError: no API server would send it.
    """
    request = orjson.loads(body)["request"]
    return Asked(
        uid=request["uid"],
        resource=request["resource"]["resource"],
        operation=request["operation"],
        name=request.get("name") or "",
        new=request.get("object") or {},
        old=request.get("oldObject") or {},
    )


def written(asked: Asked, answer: Answer) -> bytes:
    """The review with its answer; a new spec is a JSON patch."""
    response: Json = {"uid": asked.uid, "allowed": not answer.wrong}
    if answer.wrong:
        response["status"] = {"code": 403, "message": "; ".join(answer.wrong)}
    if answer.spec is not None:
        patch = [{"op": "add", "path": "/spec", "value": answer.spec}]
        response |= {"patchType": "JSONPatch", "patch": base64.b64encode(orjson.dumps(patch)).decode()}
    return orjson.dumps(
        {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response}
    )


def configuration(kind: str, name: str, webhooks: Sequence[Webhook], url: str, authority: str) -> Json:
    """What makes the API server ask us.

    Args:
        kind: MutatingWebhookConfiguration or ValidatingWebhookConfiguration.
        name: of the object.
        webhooks: of which requests it asks.
        url: where we listen.
        authority: the certificate, in PEM, that ours is signed with.
    """
    bundle = base64.b64encode(authority.encode()).decode()
    client = {"clientConfig": {"url": url, "caBundle": bundle}}
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": name},
        "webhooks": [_webhook(each) | client for each in webhooks],
    }


def _webhook(each: Webhook) -> Json:
    of = each.of
    rule = {
        "apiGroups": [of.group],
        "apiVersions": [of.version],
        "operations": list(each.operations),
        "resources": [of.plural],
    }
    return {
        "name": f"{of.plural}.{of.group}",
        "rules": [rule],
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
    }
