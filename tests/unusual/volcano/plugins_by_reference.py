"""Plugins leave to the kubelet what it can look up; a PodGroup is named by its Job and the Job's version."""

from tests.unusual.cluster import Json, Watched
from tests.unusual.volcano.controller import Ways, start
from tests.unusual.volcano.jobs import version
from tests.unusual.volcano.plugins import by_reference


def by_version(job: Json) -> str:
    """Another name after each restart."""
    return f"{job['metadata']['name']}-v{version(job)}"


if __name__ == "__main__":
    start(Ways(Watched(resync_s=0.5), equip=by_reference, group_name=by_version))
