"""It lists everything once a second and watches nothing; services come before pods."""

from tests.unusual.cluster import Polled
from tests.unusual.tfjob.controller import Step, Ways, start


def services_first(steps: list[Step]) -> list[Step]:
    """All services of a TFJob, then its pods."""
    return sorted(steps, key=lambda it: it.of == "pods" and it.what == "create")


if __name__ == "__main__":
    start(Ways(Polled(every_s=1.0), order=services_first))
