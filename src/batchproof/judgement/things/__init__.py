"""Objects of the API, typed and read only: the only place in the judgement that reads their JSON by key.

One module a group of the API. A class says of which resource it is; ``thing_of`` finds it by that, so that a
module that is added here is known everywhere::

    class Job(Thing, of=JOBS): ...
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from batchproof.judgement.things.thing import KINDS, Thing

if TYPE_CHECKING:
    from batchproof.judgement.history import Json
    from batchproof.resources import Resource

__all__ = ["Thing", "thing_of"]


@cache
def _load() -> None:
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")


def thing_of(resource: Resource, raw: Json, record: int = -1) -> Thing:
    """The object of a resource; ``record`` is the number of the record that showed it."""
    _load()
    return KINDS.get(resource, Thing)(raw, record)
