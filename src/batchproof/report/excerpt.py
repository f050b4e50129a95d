"""What is printed of a long text: its first lines, how many more there are, and always its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.segment import Segment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rich.console import Console, ConsoleOptions, RenderableType  # noqa: TID251 - as types alone


class Excerpt:
    """A body and its end, in at most that many lines as they are printed: a body that is longer is cut."""

    def __init__(
        self,
        body: Sequence[RenderableType],
        end: Sequence[RenderableType],
        most: int,
        left_out: Callable[[int], RenderableType],
    ) -> None:
        """Put them together.

        Args:
            body: what is cut.
            end: what is always printed.
            most: how many lines there may be in all.
            left_out: what is said in place of that many lines.
        """
        self._body = body
        self._end = end
        self._most = most
        self._left_out = left_out

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        """Render it for the width of a console, which folds long lines."""

        def lines(things: Iterable[RenderableType]) -> list[list[Segment]]:
            return console.render_lines(Group(*things), options, pad=False)

        body, end = lines(self._body), lines(self._end)
        if len(body) + len(end) > self._most:
            longest = lines([self._left_out(len(body))])
            shown = max(0, self._most - len(end) - len(longest))
            body = [*body[:shown], *lines([self._left_out(len(body) - shown)])]
        for line in (*body, *end):
            yield from line
            yield Segment.line()
