"""The status is written by server-side apply, and what is made is taken over by it too."""

from tests.unusual.cluster import Client, Json, Watched
from tests.unusual.tfjob.controller import KIND, VERSION, Ways, start


def applied(client: Client, path: str, job: Json, status: Json) -> None:
    """Only what this controller says, and only of the version that it has seen."""
    metadata = {key: job["metadata"][key] for key in ("name", "namespace", "resourceVersion")}
    body = {"apiVersion": VERSION, "kind": KIND, "metadata": metadata, "status": status}
    client.patch(f"{path}/status", body, "apply")


if __name__ == "__main__":
    start(Ways(Watched(), write=applied, limits_delete_all=True))
