"""What holds for all tests."""

from __future__ import annotations

import gc
import signal
from importlib.util import find_spec

# A script that starts the tests in the background lets them, and all that they start, ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

if find_spec("hypothesis"):  # the wheel is tried where there is none
    from hypothesis import HealthCheck, settings

    # No test is about time: on a busy machine an example may take as long as it will, and so may making it.
    settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("untimed")


def pytest_collection_finish() -> None:
    """Look for circles less often from now on: what was collected stays, and is a lot to look at again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
