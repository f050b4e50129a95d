"""What a shard signs its frames with: those of another shard or another run are not accepted as its own."""

from __future__ import annotations

from batchproof.submitting.plan import Plan


def key_of(plan: Plan, shard: int) -> str:
    """The key of the frames of a shard: it is no secret from who may read the plan."""
    return f"{plan.digest} {shard}"
