"""Which nodes suit a pod, whatever else runs there: GNG-009."""

from __future__ import annotations

from reference_controller.scheduler.objects import Node, NodeTerm, Shape


def suits(node: Node, shape: Shape) -> bool:
    """Whether pods of this shape may be on the node, if there is room."""
    return (
        node.schedulable
        and not shape.unsupported
        and tolerated(node, shape)
        and selected(node, shape)
        and affine(node, shape)
    )


def tolerated(node: Node, shape: Shape) -> bool:
    """GNG-009: every taint that repels must be tolerated; a cordoned node has one."""
    return all(any(t.covers(taint) for t in shape.tolerations) for taint in node.taints)


def selected(node: Node, shape: Shape) -> bool:
    """GNG-009: the node must have every label of the nodeSelector."""
    return all(node.labels.get(key) == value for key, value in shape.selector)


def affine(node: Node, shape: Shape) -> bool:
    """GNG-009: one term of a required node affinity must hold."""
    return any_holds(shape.node_terms, node)


def any_holds(terms: tuple[NodeTerm, ...] | None, node: Node) -> bool:
    """Whether one of some alternatives holds for the node; None asks for nothing."""
    return terms is None or any(_holds(term, node) for term in terms)


def _holds(term: NodeTerm, node: Node) -> bool:
    """A term that asks for nothing holds nowhere: k8s.io/api core/v1, NodeSelectorTerm."""
    if not term.labels and not term.fields:
        return False
    return all(part.matches(node.labels) for part in term.labels) and all(
        part.matches({"metadata.name": node.name}) for part in term.fields
    )
