"""It gathers changes for two seconds, waits three after what failed, and applies statuses server-side."""

from tests.unusual.cluster import Client, Json, Watched
from tests.unusual.volcano.controller import Ways, start


def applied(client: Client, path: str, it: Json, status: Json) -> None:
    """Only what this controller says, and only of the version that it has seen."""
    kept = ("name", "namespace", "resourceVersion")
    metadata = {name: it["metadata"][name] for name in kept if name in it["metadata"]}
    head = {name: it[name] for name in ("apiVersion", "kind")}
    client.patch(path, {**head, "metadata": metadata, "status": status}, "apply")


if __name__ == "__main__":
    start(Ways(Watched(gather_s=2.0), write=applied, pause_s=3.0, propagation="Foreground"))
