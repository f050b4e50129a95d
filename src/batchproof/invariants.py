"""Invariants: what must hold of every history, whatever the scenario, without being asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.observed import observe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from batchproof.history import Record
    from batchproof.verdict import Finding


def broken(records: Sequence[Record]) -> Finding | None:
    """The first invariant that a history breaks, if it breaks one."""
    observe(records)
    return None
