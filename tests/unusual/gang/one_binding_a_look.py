"""It asks for one binding, sees it, and plans again; of each gang the last pod comes first."""

from collections import Counter

from tests.unusual.cluster import Watched
from tests.unusual.gang.room import Pod
from tests.unusual.gang.scheduler import Ways, start

tries: Counter[str] = Counter()
"""How often the binding of each pod was asked for, by UID."""


def least_tried(bindings: list[tuple[Pod, str]]) -> list[tuple[Pod, str]]:
    """The last pod of the first gang, but never one again whose binding fails while there are others."""
    gangs = [_gang(pod) for pod, _ in bindings]
    if not bindings:
        return []
    one = min(reversed(bindings), key=lambda it: (tries[it[0].uid], gangs.index(_gang(it[0]))))
    tries[one[0].uid] += 1
    return [one]


def _gang(pod: Pod) -> str:
    labels = pod.raw["metadata"].get("labels") or {}
    return str(labels.get("gang.batchproof.dev/group", pod.uid))


if __name__ == "__main__":
    start(Ways(Watched(resync_s=0.3), chosen=least_tried))
