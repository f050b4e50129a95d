"""What was judged, where that is not what others run: configuration, deadlines, isolation, flags."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from batchproof.report.records import Header


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


def sentence(header: Header) -> str:
    """What was judged, in one sentence; empty where nothing about it is unusual."""
    found = "; ".join(unusual(header))
    return f"{header.implementation.name} was judged in this configuration: {found}" if found else ""
