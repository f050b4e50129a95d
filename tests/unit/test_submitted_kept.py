"""What shards write to a volume is read as their logs are: whole, or refused with the reason."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from test_submitted_plan import PLAN

from batchproof.commands import submit
from batchproof.ground.errors import UserError
from batchproof.submitting.frames import Writer
from batchproof.submitting.kept import keeping, name_of, read_kept
from batchproof.submitting.merge import MergeError
from batchproof.submitting.messages import ShardBegan
from batchproof.submitting.plan import key_of
from batchproof.submitting.sending import Sender

if TYPE_CHECKING:
    from pathlib import Path

RESULTS = "results.jsonl"


def kept(folder: Path, index: int, *, key: int | None = None) -> str:
    """Let a shard keep a file; returns what it printed."""
    out, mine = StringIO(), folder / f"results-{index}"
    mine.mkdir()
    (mine / RESULTS).write_bytes(b"what shard %d played" % index * 1000)
    with keeping(PLAN, index, folder / "kept") as file:
        sender = Sender(out, Writer(key_of(PLAN, index if key is None else key)), mine, file)
        sender.send(ShardBegan(PLAN.digest, index, ("FIN-001",)))
        sender.send_file(RESULTS)
        sender.end()
    return out.getvalue()


def test_what_is_kept_is_what_was_printed_and_is_read_whole(tmp_path: Path) -> None:
    printed = [kept(tmp_path, index) for index in (0, 1)]
    for index, one in enumerate(printed):
        assert (tmp_path / "kept" / name_of(index)).read_text() == one
    plan, parts = read_kept(tmp_path / "kept", tmp_path / "read")
    assert plan == PLAN
    assert [(one.shard, one.plan, one.required) for one in parts] == [
        (0, PLAN.digest, ("FIN-001",)),
        (1, PLAN.digest, ("FIN-001",)),
    ]
    for index, part in enumerate(parts):
        assert (part.folder / RESULTS).read_bytes() == (tmp_path / f"results-{index}" / RESULTS).read_bytes()


def test_nothing_is_kept_of_a_shard_that_breaks_off_and_its_retry_is_whole(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), keeping(PLAN, 0, tmp_path / "kept") as file:  # noqa: PT012 - the block
        assert file
        file.write(b"BP1 0 half")
        raise KeyboardInterrupt
    assert [one.name for one in (tmp_path / "kept").iterdir()] == ["plan.json"]
    kept(tmp_path, 0)
    kept(tmp_path, 1)
    assert len(read_kept(tmp_path / "kept", tmp_path / "read")[1]) == 2


def test_without_a_folder_nothing_is_kept() -> None:
    with keeping(PLAN, 0, None) as file:
        assert file is None


def test_a_missing_cut_or_foreign_shard_is_named(tmp_path: Path) -> None:
    kept(tmp_path, 0)
    with pytest.raises(MergeError, match=r"missing: shard 1: there is no .*shard-1\.log"):
        read_kept(tmp_path / "kept", tmp_path / "read")
    kept(tmp_path, 1)
    last = tmp_path / "kept" / name_of(1)
    whole = last.read_text()
    last.write_text("".join(whole.splitlines(keepends=True)[:-1]))
    with pytest.raises(MergeError, match=r"missing: shard 1: .* lacks those from 2 on"):
        read_kept(tmp_path / "kept", tmp_path / "read")
    last.write_text((tmp_path / "kept" / name_of(0)).read_text())
    with pytest.raises(MergeError, match=r"foreign: shard 1 .*damaged, or of another sender"):
        read_kept(tmp_path / "kept", tmp_path / "read")


def test_a_folder_without_a_plan_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="the plan of a submitted run"):
        read_kept(tmp_path, tmp_path / "read")


@pytest.mark.parametrize(
    "results", ["pvc:", "pvc:Upper", "pvc:a/../b", "pvc:a//b/..", "s3://bucket", "pvc:a/-x"]
)
def test_results_that_name_no_volume_are_refused(tmp_path: Path, results: str) -> None:
    words = ["--image", "x", "-k", "FIN-001", "-o", str(tmp_path / "out"), "--results", results]
    failed = CliRunner().invoke(submit.command, words, standalone_mode=False)
    assert isinstance(failed.exception, UserError)
    assert "write log, or pvc:NAME/PATH" in str(failed.exception)


@pytest.mark.parametrize("words", [["--attach", "x"], ["--image", "x"], ["-k", "FIN"], ["--mutants"]])
def test_merging_goes_with_nothing_that_is_submitted(tmp_path: Path, words: list[str]) -> None:
    given = ["--merge", str(tmp_path), *words]
    failed = CliRunner().invoke(submit.command, given, standalone_mode=False)
    assert isinstance(failed.exception, UserError)
    assert "--merge judges what is there" in str(failed.exception)
