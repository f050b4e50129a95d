"""The event loop of a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import uvloop

if TYPE_CHECKING:
    import asyncio

_CLOSED: Final = "the handler is closed"


def new_loop() -> asyncio.AbstractEventLoop:
    """An event loop that reports errors that no task receives."""
    loop = uvloop.new_event_loop()
    loop.set_exception_handler(_say)
    return loop


def _say(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Say what went wrong in the loop, except what the user of the connection receives as well.

    When an API server suddenly goes away, uvloop's TLS may still read from a connection that is closed, want
    to answer, and take its own refusal for an error of the program (MagicStack/uvloop, issues 506 and 685).
    """
    error = context.get("exception")
    if not (isinstance(error, RuntimeError) and _CLOSED in str(error) and "transport" in context):
        loop.default_exception_handler(context)
