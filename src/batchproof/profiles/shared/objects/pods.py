"""What the labels and annotations of a pod say of whose it is."""

from __future__ import annotations

from batchproof.ground.resources import COMPLETION_INDEX, GANG_LABEL
from batchproof.judgement.objects.core import Pod


def completion_index(pod: Pod) -> int | None:
    """The index of an Indexed Job that the pod was created for; None if there is none.

    What its annotation names later, by any client, is no index that the pod has run.
    """
    born = pod.born["metadata"].get("annotations") or {}
    text = born.get(COMPLETION_INDEX) or pod.annotations.get(COMPLETION_INDEX, "")
    return int(text) if text.isascii() and text.isdigit() else None


def gang_of(pod: Pod) -> str:
    """The name of the pod's gang in the scenario; empty outside of gangs."""
    return pod.labels.get(GANG_LABEL, "")
