"""One shard, as its pod runs it: it plays what the plan gives it, and prints what comes of it in frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.evidence.digests import code_digest, suite_digest
from batchproof.ground import stored
from batchproof.ground.errors import UserError
from batchproof.submitting import frames, plan
from batchproof.submitting.commands import COMMANDS
from batchproof.submitting.kept import keeping
from batchproof.submitting.plan import Plan, key_of
from batchproof.submitting.sending import Sender

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TextIO


def run(given: Path, index: int, output: Path, out: TextIO, keep: Path | None = None) -> None:
    """Play a shard.

    Args:
        given: the folder with the plan and the files of the implementation.
        index: which shard.
        output: the folder of its results.
        out: where its frames are printed.
        keep: the folder of a volume where they are written too.

    Raises:
        UserError: the plan is of another batchproof, or has no such shard; nothing is played.
        HarnessError: the shard could not be played.
    """
    planned = read_plan(given / plan.FILE_NAME)
    if not 0 <= index < len(planned.shards):
        raise UserError(
            f"the plan has no shard {index}: --index is 0 to {len(planned.shards) - 1}, the index of the pod"
        )
    with keeping(planned, index, keep) as file:
        sender = Sender(out, frames.Writer(key_of(planned, index)), output, file)
        COMMANDS[planned.command].play(planned, index, given, output, sender)
        sender.end()


def read_plan(path: Path) -> Plan:
    """The plan of a file, if this batchproof is the one that it was made with.

    Raises:
        UserError: it is not, or the file holds no plan.
    """
    found = stored.read(path, plan.Plan, "the plan of a submitted run")
    check_own(found)
    return found


def check_own(planned: Plan) -> None:
    """See that this batchproof is the one that the plan was made with.

    Raises:
        UserError: it is not: it would judge by something else.
    """
    if (planned.suite, planned.code) != (suite_digest(), code_digest()):
        raise UserError(
            f"the plan is of the suite {planned.suite} with the code {planned.code}; this batchproof has "
            f"{suite_digest()} with {code_digest()}: submit with the batchproof that is in the image"
        )
