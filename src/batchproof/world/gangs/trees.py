"""The verbs about trees of gangs: groups whose parts are groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.errors import HarnessError
from batchproof.world.gangs.members import Members

if TYPE_CHECKING:
    from batchproof.descriptor.dialect import Tree


class Trees(Members):
    """The trees of one scenario."""

    def add_tree(self, name: str, minimum: int, *, parent: str | None = None) -> None:
        """Create a group that is bound only with so many of the groups that name it.

        Args:
            name: its name.
            minimum: how many groups it needs.
            parent: the tree that it is itself a part of.
        """
        tree = self._tree
        self._world.act(f"creates tree {name} that needs {minimum} of its groups")
        body = tree.spelling.object({"name": name}, minimum=minimum, parent=parent)
        self._world.do(self._cell.api.create(tree.spelling.resource.path(self._namespace), body))
        self._world.do(self._cell.catch_up())

    @property
    def _tree(self) -> Tree:
        """How trees are spelled.

        Raises:
            HarnessError: the dialect has none.
        """
        if self.dialect.tree is None:
            raise HarnessError("the dialect has no trees: the scenario needs the capability GangTrees")
        return self.dialect.tree
