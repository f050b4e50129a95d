"""Invariants of Volcano's controllers."""

from __future__ import annotations

from batchproof.judgement.invariants.processes import goes_on_until_killed
from batchproof.judgement.invariants.rule import about_histories

about_histories("VOL-063")(goes_on_until_killed)
