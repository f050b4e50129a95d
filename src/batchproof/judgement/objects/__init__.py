"""Objects of the API, typed and read only: the only places in the judgement that read their JSON by key.

A class says of which resource it is; ``thing_of`` finds it by that. Those of the core and of batch are here,
one module a group; a profile has its own in ``profiles/NAME/objects``::

    class TFJob(Thing, of=TFJOBS): ...
"""

from __future__ import annotations

from batchproof.ground.resources import Resource
from batchproof.judgement.history import Json
from batchproof.judgement.objects.api_object import KINDS, ApiObject
from batchproof.judgement.parts import load

__all__ = ["ApiObject", "thing_of"]


def thing_of(resource: Resource, raw: Json, record: int = -1) -> ApiObject:
    """The object of a resource; ``record`` is the number of the record that showed it."""
    load("objects")
    return KINDS.get(resource, ApiObject)(raw, record)
