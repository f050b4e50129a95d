"""Facts about bindings: whether a pod was bound, and how often it was asked to be."""

from __future__ import annotations

from bisect import insort

from batchproof.ground.resources import PODS
from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.history import Request
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed, Write
from batchproof.judgement.values import said

_SHOWN_S = 1.0  # by then a scheduler has seen the node of a pod


@fact("pod {pod:name} is <|not >bound", witness=True, judged_by=("GNG-014",))
def pod_bound(seen: Observed, *, pod: str) -> Finding:
    """The pod of that name has, or had, a node."""
    shown = seen.versions(PODS).fold(_Bound, pod).first
    return found(
        shown is not None,
        observed="not bound" if shown is None else "bound",
        decisive=[] if shown is None else [shown],
    )


class _Bound:
    """The record that first shows a pod of some name bound."""

    def __init__(self, name: str) -> None:
        self.first: int | None = None
        self._name = name

    def take(self, _: str, pod: Pod) -> None:
        if self.first is None and pod.name == self._name and pod.node:
            self.first = pod.record


@fact("each pod is bound once", in_place=False)
def bound_once(seen: Observed) -> Finding:
    """Each pod has kept its node, and no other was asked for after that node had been seen for a second."""
    bindings = seen.arrivals.fold(_Bindings)
    shown_s = _SHOWN_S * seen.time_scale
    for write, node, target, since_s in bindings.moves:
        if since_s >= seen.known_since_s(PODS, write.at_s, shown_s):
            continue  # its node was not to be seen yet
        return found(
            holds=False,
            expected=f"{write.request.name} bound to {node} alone",
            observed=said("asked to be bound to {node}", node=target),
            decisive=[write.number],
        )
    again = min(bindings.again.values(), default=None, key=_number)
    return found(
        again is None,
        expected="each pod bound once",
        observed=said("{pod} bound again", pod=again.request.name) if again else "so it was",
        decisive=[again.number] if again else [],
    )


def _number(write: Write) -> int:
    return write.number


class _Bindings:
    """The bindings that were asked for.

    Attributes:
        moves: those to another node than the one that a pod is shown on, with both and since when it was.
        again: of each pod that was bound twice the second binding.
    """

    def __init__(self) -> None:
        self.moves: list[tuple[Write, str, str, float]] = []
        self.again: dict[str, Write] = {}
        self._nodes: dict[str, tuple[str, float]] = {}
        self._accepted: dict[str, list[Write]] = {}

    def take(self, kind: str, item: ApiObject | Write) -> None:
        match item:
            case Pod() if item.node:
                self._nodes.setdefault(item.name, (item.node, item.at_s))
            case Write(request=request) if _is_binding(request):
                if kind == "asked":
                    self._asked(item)
                elif item.applied:
                    accepted = self._accepted.setdefault(request.name, [])
                    insort(accepted, item, key=_number)
                    if len(accepted) > 1:
                        self.again[request.name] = accepted[1]

    def _asked(self, write: Write) -> None:
        if (shown := self._nodes.get(write.request.name)) is None:
            return
        node, since_s = shown
        target = ((write.request.body or {}).get("target") or {}).get("name", node)
        if target != node:
            self.moves.append((write, node, target, since_s))


def _is_binding(request: Request) -> bool:
    return (request.resource, request.verb, request.subresource) == (PODS, "create", "binding")
