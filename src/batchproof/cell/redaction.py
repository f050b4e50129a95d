"""What no history keeps: data of Secrets, tokens that the API server gives out, tokens in what is printed.

A history is published with the results. The facts ask which keys a Secret has and whether they are empty, so
the keys stay and each value that is not empty becomes ``REDACTED``. All of this is pure.
"""

from __future__ import annotations

import re
from typing import Any, Final

from batchproof.ground.resources import Resource
from batchproof.judgement.history import Json

REDACTED: Final = "(redacted)"
_DATA: Final = ("data", "stringData")
_LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"
_CREDENTIALS: Final = re.compile(
    r"eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*"  # a JSON Web Token
    r"|(?<=[Bb]earer )[\w.~+/=-]{8,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    re.DOTALL,
)


def redacted(resource: Resource, subresource: str, body: Any) -> Any:
    """A body or an object without credentials; the very same where there is nothing of that."""
    match (resource.group, resource.plural, subresource):
        case ("", "secrets", _):
            return _secret(body)
        case ("", "serviceaccounts", "token"):
            return _without(body, "status", "token")
        case ("authentication.k8s.io", "tokenreviews", _):
            return _without(body, "spec", "token")
        case ("certificates.k8s.io", "certificatesigningrequests", _):
            return _without(body, "status", "certificate")
        case _:
            return body


def scrubbed(text: str) -> str:
    """A text that a program has printed, without tokens and private keys."""
    return _CREDENTIALS.sub(REDACTED, text)


def _secret(body: Any) -> Any:
    match body:
        case {"items": list(items)}:
            return {**body, "items": [_secret(item) for item in items]}
        case list():  # of a JSON patch
            return [{**step, "value": REDACTED} if isinstance(step, dict) else REDACTED for step in body]
        case dict():
            return {**body, **{key: _values(body[key]) for key in _DATA if key in body}, **_annotated(body)}
        case _:
            return body


def _values(data: Any) -> Any:
    if not isinstance(data, dict):
        return data and REDACTED
    return {key: value and REDACTED for key, value in data.items()}


def _annotated(secret: Json) -> Json:
    """The metadata without what kubectl keeps there of the data."""
    match secret.get("metadata"):
        case {"annotations": {"kubectl.kubernetes.io/last-applied-configuration": _, **others}, **metadata}:
            return {"metadata": {**metadata, "annotations": {**others, _LAST_APPLIED: REDACTED}}}
        case _:
            return {}


def _without(body: Any, section: str, key: str) -> Any:
    within = body.get(section) if isinstance(body, dict) else None
    if not isinstance(within, dict) or not within.get(key):
        return body
    return {**body, section: {**within, key: REDACTED}}
