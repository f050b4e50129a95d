"""What a cluster that is not ours has to allow for a run."""

from __future__ import annotations

from batchproof.control_plane.rights import Needs
from batchproof.descriptor.implementation import Implementation
from batchproof.profiles import profile


def needs_of(implementation: Implementation) -> Needs:
    """What an implementation is judged with, in all its profiles, in a cluster that is not ours."""
    kept = (each for name in implementation.profiles for each in profile(name).collections(implementation))
    return Needs(tuple(dict.fromkeys(kept)), implementation.dialect)
