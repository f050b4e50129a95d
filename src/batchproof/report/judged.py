"""What was judged, where that is not what others run: configuration, deadlines, isolation, flags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.report.records import Header

if TYPE_CHECKING:
    from collections.abc import Iterable


def unusual(header: Header) -> tuple[str, ...]:
    """In what a run differs from one of a release in its default configuration; empty: in nothing.

    Args:
        header: that of the run.
    """
    judged = header.implementation
    parts = (
        judged.configuration.removesuffix("."),
        f"all deadlines are multiplied by {header.time_scale:g}" if header.time_scale != 1 else "",
        "each instance has its own control plane" if judged.isolation == "control-plane" else "",
        f"kube-apiserver has {' '.join(header.cluster.flags)}" if header.cluster.flags else "",
        "it was installed in the cluster already" if judged.in_place else "",
    )
    return tuple(filter(None, parts))


def sentence(judged: str, found: Iterable[str]) -> str:
    """What was judged, in one sentence; empty where nothing about it is unusual.

    Args:
        judged: the name of the implementation.
        found: what is unusual about it.
    """
    configured = "; ".join(found)
    return f"{judged} was judged in this configuration: {configured}" if configured else ""
