"""What the implementation may ask of a cluster that is not ours: its own part of it, and nothing else.

The proxy adds the credentials of the run to each request. So what the view does not show must not be asked
for with them, in whatever form of a request. All of this is pure.
"""

from __future__ import annotations

import re
from typing import Final

from batchproof.judgement.faults import Call, FaultAnswer
from batchproof.proxy.view import View

_ABOUT_THE_API: Final = re.compile(
    r"/(version|(healthz|livez|readyz)(/[a-z0-9/-]+)?|api(/v1)?|apis(/[a-z0-9.-]+){0,2}"
    r"|openapi/v2|openapi/v3(/[a-z0-9./-]+)?)/?"
)
"""The paths that are no resources and say nothing of any object: discovery, version, health."""
_READING: Final = frozenset({"GET", "HEAD"})
_CONNECTS: Final = frozenset({"attach", "exec", "portforward", "proxy"})
"""The subresources that lead on to a kubelet, a container or a service, whatever the verb."""
_SELF_REVIEWS: Final = frozenset(
    {
        ("authentication.k8s.io", "selfsubjectreviews"),
        ("authorization.k8s.io", "selfsubjectaccessreviews"),
        ("authorization.k8s.io", "selfsubjectrulesreviews"),
    }
)
_IN_A_CLUSTER: Final = "in an existing cluster"


def refusal_of_path(method: str, path: str) -> FaultAnswer | None:
    """How a request for no resource is refused: all are but reads of discovery, version and health."""
    if method in _READING and _ABOUT_THE_API.fullmatch(path):
        return None
    return _forbidden(f"{method} {path}")


def refusal(view: View, call: Call) -> FaultAnswer | None:
    """How a request is refused before it reaches the API server; None where it may go there.

    What a list or a watch brings is filtered by the view. A single object that the view does not show does
    not exist for the implementation: it gets 404, as in a cluster that has only the scenario.
    """
    if call.subresource in _CONNECTS:
        return _forbidden(f"use {call.resource.plural}/{call.subresource}")
    if (call.resource.group, call.resource.plural) in _SELF_REVIEWS:
        return None
    if call.verb in {"list", "watch"}:
        return None
    if call.verb == "get":
        return None if view.may_read(call) else _missing(call)
    if not view.owns(call):
        return _forbidden("write outside the namespaces of the suite")
    return None


def _forbidden(what: str) -> FaultAnswer:
    return FaultAnswer(403, "Forbidden", f"batchproof does not allow to {what} {_IN_A_CLUSTER}")


def _missing(call: Call) -> FaultAnswer:
    group = f".{call.resource.group}" if call.resource.group else ""
    return FaultAnswer(404, "NotFound", f'{call.resource.plural}{group} "{call.name}" not found')
