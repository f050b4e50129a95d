"""It gathers changes for two seconds, writes merge patches and deletes a TFJob in the foreground.

It reports neither Restarting nor when a TFJob failed, and goes by cleanPodPolicy after a deadline too.
"""

from tests.unusual.cluster import Client, Json, Watched
from tests.unusual.tfjob.controller import Ways, only_true, start


def merged(client: Client, path: str, job: Json, status: Json) -> None:
    """What has gone is said to be gone."""
    gone = dict.fromkeys((job.get("status") or {}).keys() - status.keys())
    body = {"metadata": {"resourceVersion": job["metadata"]["resourceVersion"]}, "status": {**gone, **status}}
    client.patch(f"{path}/status", body)


if __name__ == "__main__":
    start(
        Ways(
            Watched(gather_s=2.0),
            conditions=only_true,
            write=merged,
            restarting=False,
            ends_failed=False,
            propagation="Foreground",
        )
    )
