"""Victims are deleted, without the Eviction API and without a condition; statuses are server-side applied."""

from tests.unusual.cluster import Client, Watched, key
from tests.unusual.gang.room import Pod
from tests.unusual.gang.scheduler import Applied, Ways, start


def delete(client: Client, pod: Pod) -> None:
    """The pod is deleted, if it still is that one."""
    namespace, name = key(pod.raw)
    client.remove(f"/api/v1/namespaces/{namespace}/pods/{name}", pod.uid)


if __name__ == "__main__":
    start(Ways(Watched(), Applied(), evict=delete))
