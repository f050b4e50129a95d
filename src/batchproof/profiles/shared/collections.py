"""What several profiles record of a scenario."""

from __future__ import annotations

from batchproof.cell.scope import BASICS, Collection
from batchproof.ground.resources import JOBS

WITH_JOBS = (*BASICS, Collection(JOBS, makes_pods=True))
"""Pods, events, and the batch Jobs that users create."""
