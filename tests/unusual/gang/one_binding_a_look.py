"""It asks for one binding, sees it, and plans again; of each gang the last pod comes first."""

from tests.unusual.cluster import Watched
from tests.unusual.gang.room import Pod
from tests.unusual.gang.scheduler import Ways, start


def last_one(bindings: list[tuple[Pod, str]]) -> list[tuple[Pod, str]]:
    """The last of the first unit that is planned for."""
    first = [it for it in bindings if _gang(it[0]) == _gang(bindings[0][0])]
    return first[-1:]


def _gang(pod: Pod) -> str:
    labels = pod.raw["metadata"].get("labels") or {}
    return str(labels.get("gang.batchproof.dev/group", pod.uid))


if __name__ == "__main__":
    start(Ways(Watched(resync_s=0.3), chosen=last_one))
