"""What holds for all tests."""

from __future__ import annotations

import signal

# A script that starts the tests in the background lets them, and all that they start, ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
