"""What every scenario has in a dialect beside its nodes and gangs: a quota of what these nodes have, say."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from batchproof.descriptor import dialect as dialects
from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import CELL_LABEL
from batchproof.judgement.history import Json
from batchproof.judgement.objects.api_object import quantity
from batchproof.profiles.gang.resources import DEVICE
from batchproof.world import World

if TYPE_CHECKING:
    from collections.abc import Mapping

_SAID = {"cpus": "cpu", "memory": "memory", "pods": "pods", "devices": DEVICE}
"""The resource that each placeholder of a setting stands for."""


def sums(nodes: Mapping[str, Fraction]) -> dict[str, str]:
    """What templates of a setting may say of all nodes together, as quantities of the API."""
    return {name: _text(nodes.get(resource, Fraction(0))) for name, resource in _SAID.items()}


def _text(amount: Fraction) -> str:
    """A number as a quantity of the API."""
    return str(amount) if amount.denominator == 1 else f"{int(amount * 1000)}m"


def dialect_of(world: World) -> dialects.Dialect:
    """How the implementation of a scenario expresses gangs.

    Raises:
        HarnessError: its descriptor does not say.
    """
    if world.cell.dialect is None:
        raise HarnessError("the descriptor has no dialect, which says how a gang is expressed")
    return world.cell.dialect


class Setting:
    """The setting of one scenario, as the administrator of a cluster would keep it."""

    def __init__(self, world: World) -> None:
        self._world, self._cell, self._namespace = world, world.cell, world.scene.namespace
        self._dialect = dialect_of(world)
        self._there: dict[str, Fraction] = {}
        self._set: dict[str, Json] = {}

    def there_is(self, resources: Mapping[str, str]) -> None:
        """Add what a node that joins has, in whatever state it is, to the setting."""
        for resource, amount in resources.items():
            self._there[resource] = self._there.get(resource, Fraction(0)) + quantity(amount)
        self.see_set()

    def there_is_less(self, resources: Mapping[str, str]) -> None:
        """Subtract from the setting what a node that has left had."""
        for resource, amount in resources.items():
            self._there[resource] -= quantity(amount)
        self.see_set()

    def see_set(self) -> None:
        """Make what is not there yet, and change what says something else by now."""
        for each in self._dialect.setting:
            self._see(each, self._namespace)

    def set_in(self, namespace: str) -> None:
        """Make in a further namespace what the scenario's own has."""
        for each in self._dialect.setting:
            if each.spelling.namespaced:
                self._see(each, namespace)

    def _see(self, each: dialects.SettingSpec, namespace: str) -> None:
        body = each.object({CELL_LABEL: self._cell.name}, namespace=self._namespace, **sums(self._there))
        resource, place = each.spelling.resource, namespace if each.spelling.namespaced else ""
        path = resource.path(place, body["metadata"]["name"])
        if path not in self._set:
            self._world.do(self._cell.belongings.make(resource.path(place), body))
        elif self._set[path] != body:
            self._world.do(self._cell.api.patch(path, body))
        self._set[path] = body
