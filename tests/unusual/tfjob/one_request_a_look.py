"""One request for a TFJob at a time, the highest index first; a condition is there only while it is True."""

from tests.unusual.cluster import Watched
from tests.unusual.tfjob.controller import Step, Ways, only_true, start


def one_from_behind(steps: list[Step]) -> list[Step]:
    """A status at once, else the last thing first."""
    return [it for it in steps if it.what == "status"][:1] or steps[::-1][:1]


if __name__ == "__main__":
    start(Ways(Watched(resync_s=0.5), order=one_from_behind, conditions=only_true, restarting=False))
