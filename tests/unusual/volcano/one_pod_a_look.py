"""It asks for one pod of a Job, the highest index first, and looks again; statuses are merge patches."""

from tests.unusual.cluster import Client, Json, Watched
from tests.unusual.volcano.controller import Ways, start
from tests.unusual.volcano.jobs import Slot


def last_one(slots: list[Slot]) -> list[Slot]:
    """The last of them."""
    return slots[-1:]


def merged(client: Client, path: str, it: Json, status: Json) -> None:
    """What has gone is said to be gone, and so are counts of one task that are not in the new ones."""
    old = it.get("status") or {}
    tasks, told = old.get("taskStatusCount") or {}, dict(status.get("taskStatusCount") or {})
    for task, counts in tasks.items():
        gone = dict.fromkeys(counts.get("phase") or {})
        told[task] = {"phase": {**gone, **(told.get(task) or {}).get("phase", {})}}
    said = {**dict.fromkeys(old), **status, **({"taskStatusCount": told} if told else {})}
    client.patch(path, {"metadata": {"resourceVersion": it["metadata"]["resourceVersion"]}, "status": said})


if __name__ == "__main__":
    start(Ways(Watched(resync_s=0.5), order=last_one, write=merged))
