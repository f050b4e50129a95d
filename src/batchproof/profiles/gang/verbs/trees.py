"""The verbs about trees of gangs: groups whose parts are groups."""

from __future__ import annotations

from batchproof.descriptor.dialect import Tree
from batchproof.ground.errors import HarnessError
from batchproof.profiles.gang.verbs.setting import dialect_of
from batchproof.profiles.gang.verbs.unseen import UNSEEN, Seen, changing
from batchproof.specification.verbs import verb
from batchproof.world import World


class Trees:
    """The trees of one scenario."""

    def __init__(self, world: World) -> None:
        self._world, self._cell, self._namespace = world, world.cell, world.scene.namespace
        self._dialect = dialect_of(world)

    @verb("tree {name:tree}{parent:of_tree} needs {minimum:d} of its groups")
    def add_tree(self, name: str, minimum: int, *, parent: str | None = None) -> None:
        """Create a group that is bound only with the given number of the groups that name it.

        Args:
            name: its name.
            minimum: how many groups it needs.
            parent: the tree that it is itself a part of.
        """
        tree = self.spelled
        self._world.act(f"creates tree {name} that needs {minimum} of its groups")
        body = tree.spelling.object({"name": name}, minimum=minimum, parent=parent)
        self._world.do(self._cell.api.create(tree.spelling.resource.path(self._namespace), body))
        self._world.do(self._cell.catch_up())

    @verb("tree {name:tree} is replaced by one that needs {minimum:d} of its groups")
    @verb(
        "the implementation sees late that tree {name:tree} is replaced by one that needs {minimum:d}"
        " of its groups",
        not_in_place=UNSEEN,
        seen="late",
    )
    @verb(
        "the implementation misses that tree {name:tree} is replaced by one that needs {minimum:d}"
        " of its groups",
        not_in_place=UNSEEN,
        seen="missed",
    )
    def replace(self, name: str, minimum: int, seen: Seen = "") -> None:
        """A group of groups, no part of another, is deleted, and another of its name is created."""
        resource = self.spelled.spelling.resource
        path = resource.path(self._namespace, name)
        with changing(self._world, resource, seen):
            self._world.act(f"deletes tree {name}")
            self._world.do(self._cell.api.delete(path))
            self._world.release(path)
            self.add_tree(name, minimum)

    @property
    def spelled(self) -> Tree:
        """How trees are spelled.

        Raises:
            HarnessError: the dialect has none.
        """
        if self._dialect.tree is None:
            raise HarnessError("the dialect has no trees: the scenario needs the capability GangTrees")
        return self._dialect.tree
