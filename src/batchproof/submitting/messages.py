"""What a shard says while it plays, and what it leaves: the messages of its log."""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from batchproof.report.exploration import ExplorationCounts
from batchproof.submitting.frames import FrameError


class ShardBegan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="began"):
    """The first: which process speaks.

    Attributes:
        plan: the digest of its plan.
        shard: its index.
        required: the requirements that need a verdict if everything is selected.
    """

    plan: str
    shard: int
    required: tuple[str, ...]


class ScenarioStarted(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="started"):
    """A scenario has begun, by what pytest calls it."""

    node: str


class ScenarioLeft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="left"):
    """A worker has done with a scenario, by what pytest calls it."""

    node: str


class ScenarioRetried(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="again"):
    """A scenario with this verdict will be played a second time."""

    verdict: str


class ScenarioFinished(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="finished"):
    """A scenario has its verdict; see ``RunProgress.finished``."""

    id: str
    verdict: str
    title: str
    broken: tuple[str, ...]


class ShardExplores(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="explores"):
    """How far the exploration of a shard is."""

    counts: ExplorationCounts


class ShardSaid(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="said"):
    """What a shard has to say at once, such as that something is broken."""

    text: str


class ResultFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="kept"):
    """A file of the folder of results, by its path below it."""

    path: str
    content: bytes


Message: TypeAlias = (
    ShardBegan
    | ScenarioStarted
    | ScenarioLeft
    | ScenarioRetried
    | ScenarioFinished
    | ShardExplores
    | ShardSaid
    | ResultFile
)
_DECODER: Final = msgspec.msgpack.Decoder(Message)


def encode(message: Message) -> bytes:
    """The message as bytes; ``decode`` is the inverse."""
    return msgspec.msgpack.encode(message)


def decode(content: bytes) -> Message:
    """The message that bytes hold.

    Raises:
        FrameError: they hold none.
    """
    try:
        message: Message = _DECODER.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FrameError(f"a message of the shard cannot be read: {error}") from error
    return message
