"""It asks for one binding, sees it, and plans again; of each gang the last pod comes first."""

from collections import Counter

from tests.unusual.cluster import Watched
from tests.unusual.gang.room import Pod
from tests.unusual.gang.scheduler import Ways, start


tries: Counter[str] = Counter()
"""How often the binding of each pod was asked for, by UID."""


def least_tried(bindings: list[tuple[Pod, str]]) -> list[tuple[Pod, str]]:
    """The last pod of the first gang, but never one again whose binding fails while there are others."""
    chosen = sorted(bindings[::-1], key=lambda it: (tries[it[0].uid], bindings.index(_first(bindings, it))))[
        :1
    ]
    tries.update(pod.uid for pod, _ in chosen)
    return chosen


def _first(bindings: list[tuple[Pod, str]], of: tuple[Pod, str]) -> tuple[Pod, str]:
    return next(it for it in bindings if _gang(it[0]) == _gang(of[0]))


def _gang(pod: Pod) -> str:
    labels = pod.raw["metadata"].get("labels") or {}
    return str(labels.get("gang.batchproof.dev/group", pod.uid))


if __name__ == "__main__":
    start(Ways(Watched(resync_s=0.3), chosen=least_tried))
