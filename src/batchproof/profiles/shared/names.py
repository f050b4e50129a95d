"""What the objects of a scenario are called where its sentences name none."""

from __future__ import annotations

JOB = "a"
"""The name of a scenario's Job, of whichever API: ``the Job``."""

LONG_JOB = f"long-{'n' * 56}"
"""The name of ``the long-named Job``: with ``-9`` it has the 63 characters that a host name may have."""
