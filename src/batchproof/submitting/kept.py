"""What shards have written to a volume: the lines of their logs, in a file for each, beside the plan."""

from __future__ import annotations

from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from batchproof.ground import files, stored
from batchproof.submitting import plan
from batchproof.submitting.frames import FrameError, Reader
from batchproof.submitting.merge import MergeError, ShardFiles
from batchproof.submitting.messages import ResultFile, ShardBegan, decode
from batchproof.submitting.plan import Plan, key_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def keeping(planned: Plan, index: int, folder: Path | None) -> Iterator[IO[bytes] | None]:
    """A file for the lines of a shard, which is in the folder once the block has ended without an error.

    Args:
        planned: the plan, which is written there too.
        index: which shard.
        folder: that of all shards of the run, in the volume; None: nothing is kept.

    Raises:
        UserError: the folder cannot be written.
        HarnessError: the disk fails.
    """
    if folder is None:
        yield None
        return
    files.write(folder, plan.FILE_NAME, planned.text)
    with files.new_file(folder, name_of(index)) as file:
        yield file


def name_of(index: int) -> str:
    """The name of the file of a shard."""
    return f"shard-{index}.log"


def read_kept(folder: Path, into: Path) -> tuple[Plan, list[ShardFiles]]:
    """The plan in a folder, and what its shards have written there.

    Args:
        folder: that of the shards of one run.
        into: an empty folder, for the files of each.

    Raises:
        UserError: there is no plan, or a shard is missing, not whole or foreign.
    """
    planned: Plan = stored.read(folder / plan.FILE_NAME, plan.Plan, "the plan of a submitted run")
    return planned, [_read(planned, index, folder, into) for index in range(len(planned.shards))]


def _read(planned: Plan, index: int, folder: Path, into: Path) -> ShardFiles:
    source, own = folder / name_of(index), files.empty_folder(into, str(index))
    reader, began = Reader(key_of(planned, index)), None
    try:
        with source.open(encoding="ascii", errors="replace", newline="\n") as lines:
            for message in (decode(one) for line in lines for one in reader.read(line.rstrip("\n"))):
                if isinstance(message, ResultFile):
                    files.write(own, message.path, message.content)
                elif isinstance(message, ShardBegan):
                    began = message
    except FileNotFoundError as error:
        raise MergeError(f"missing: shard {index}: there is no {source}") from error
    except FrameError as error:
        raise MergeError(f"foreign: shard {index} ({source}): {error}") from error
    if not reader.complete or began is None:
        raise MergeError(f"missing: shard {index}: {source} lacks {reader.missing or 'its beginning'}")
    return ShardFiles(began.shard, began.plan, began.required, source.name, own)
