"""What happened in some order, and folds over it: each item is taken in once, however often one asks.

A fold is a class with a method ``take``; facts ask a log for it, and read its attributes::

    seen.versions(PODS).fold(_Endings).first

It is a function of the log's items alone. So it does not matter when a fact asks for the first time, and a
fold that has grown with the history is equal to one that is made from all of it at once.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from batchproof.judgement.objects import ApiObject

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator


class Fold(Protocol):
    """What is known of a log up to some item."""

    def take(self, kind: str, item: Any) -> None:
        """Take in one more item; ``kind`` says what became of it, such as ADDED."""
        ...


T = TypeVar("T")
F = TypeVar("F", bound=Fold)


class _Progress(Generic[F]):
    __slots__ = ("fold", "taken", "turn")

    def __init__(self, fold: F, turn: int) -> None:
        self.fold = fold
        self.turn = turn
        self.taken = 0


class Log(Generic[T]):
    """Items in the order of their arrival.

    Attributes:
        items: each with what became of it.
        turn: changes when an item is put in before the end, or the log is made again: folds begin again.
    """

    def __init__(self) -> None:
        self.items: list[tuple[str, T]] = []
        self.turn = 0
        self._folds: dict[Hashable, _Progress[Any]] = {}

    def __iter__(self) -> Iterator[tuple[str, T]]:
        self.catch_up()
        return iter(self.items)

    def catch_up(self) -> None:
        """Take over what is new where this log is drawn from."""

    def fold(self, of: Callable[..., F], *arguments: Hashable) -> F:
        """The fold of all items up to now that is made with these arguments."""
        self.catch_up()
        key = (of, arguments)
        progress: _Progress[F] | None = self._folds.get(key)
        if progress is None or progress.turn != self.turn:
            progress = self._folds[key] = _Progress(of(*arguments), self.turn)
        if progress.taken < len(self.items):
            take = progress.fold.take
            for kind, item in self.items[progress.taken :]:
                take(kind, item)
            progress.taken = len(self.items)
        return progress.fold


class Ordered(Log["ApiObject"]):
    """Some of the changes of another log in the order of revisions, in which they truly happened.

    One watch shows them in that order; of two watches the one may be ahead.
    """

    def __init__(self, arrivals: Log[Any], wanted: Callable[[Any], bool]) -> None:
        super().__init__()
        self._arrivals = arrivals
        self._wanted = wanted
        self._seen = 0
        self._revisions: list[int] = []

    def catch_up(self) -> None:
        """Take over what has arrived, each where it belongs."""
        if self._seen < len(self._arrivals.items):
            for kind, item in self._arrivals.items[self._seen :]:
                if self._wanted(item):
                    self._put(kind, item)
            self._seen = len(self._arrivals.items)

    def _put(self, kind: str, thing: ApiObject) -> None:
        revision = thing.revision
        place = bisect_right(self._revisions, revision)
        self.turn += place < len(self._revisions)
        self._revisions.insert(place, revision)
        self.items.insert(place, (kind, thing))


class SelectedLog(Log[T]):
    """The items of another log that a function chooses; made again when the choice would be another.

    Attributes:
        chooser: makes what takes an item and says whether it is chosen.
        version: changes when all that was chosen has to be chosen again.
    """

    def __init__(
        self, source: Log[T], chooser: Callable[[], Callable[[T], bool]], version: Callable[[], Hashable]
    ) -> None:
        super().__init__()
        self._source = source
        self._chooser = chooser
        self._version = version
        self._made_of: Hashable = None
        self._taken = 0
        self._chooses = chooser()

    def catch_up(self) -> None:
        """Choose from what is new."""
        self._source.catch_up()
        made_of = (self._version(), self._source.turn)
        if made_of != self._made_of:
            self._made_of, self._taken, self._chooses = made_of, 0, self._chooser()
            self.items.clear()
            self.turn += 1
        if self._taken < len(self._source.items):
            for kind, item in self._source.items[self._taken :]:
                if self._chooses(item):
                    self.items.append((kind, item))
            self._taken = len(self._source.items)
