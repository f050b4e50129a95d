"""What users ask for where it may be refused: each request is made, and its answer kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.api.client import ApiError
from batchproof.judgement.facts.actions import ACCEPTED, ANSWER, NAME, REFUSED
from batchproof.world import World

if TYPE_CHECKING:
    from collections.abc import Callable

_REFUSALS = {400, 403, 422}
"""How webhooks, policies and validation refuse. Anything else says that something is broken."""


class Requests:
    """One request after the other, whether or not it is refused.

    Attributes:
        asked: how many there were.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self.asked = 0

    def ask(self, what: str, send: Callable[[], object]) -> None:
        """Make a request, and keep how it was answered.

        Args:
            what: what is asked for, in words.
            send: makes the request; returns the object or its name where one is created.

        Raises:
            ApiError: the answer is no refusal, but says that something is broken.
        """
        self.asked += 1
        try:
            made = send()
        except ApiError as error:
            if error.status not in _REFUSALS:
                raise
            self._world.act(f"asks for {what}, which is refused: {error}", **{ANSWER: REFUSED})
        else:
            name = made.get("metadata", {}).get("name", "") if isinstance(made, dict) else made
            self._world.act(f"asks for {what}, which is accepted", **{ANSWER: ACCEPTED, NAME: name or ""})
