"""A program of the cache is started only if it is what was built there."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from batchproof.control_plane.seals import seal, see_sealed
from batchproof.ground.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def built(tmp_path: Path) -> Path:
    folder = tmp_path / "built"
    folder.mkdir(mode=0o755)
    unfinished = tmp_path / "kube-apiserver"
    unfinished.write_bytes(b"a program")
    unfinished.chmod(0o755)
    seal(unfinished, folder)
    return unfinished.rename(folder / "kube-apiserver")


def test_what_was_built_is_started(built: Path) -> None:
    see_sealed(built)


def test_what_was_exchanged_is_not(built: Path) -> None:
    built.write_bytes(b"another program")
    with pytest.raises(UserError, match="is not what batchproof has built there: remove it"):
        see_sealed(built)


def test_what_an_earlier_version_has_built_is_sealed_when_it_is_first_used(built: Path) -> None:
    [written] = built.parent.glob(".*.sha256")
    written.unlink()
    see_sealed(built)
    built.write_bytes(b"another program")
    with pytest.raises(UserError, match="is not what batchproof has built there"):
        see_sealed(built)


@pytest.mark.parametrize("mode", [0o775, 0o757, 0o777])
@pytest.mark.parametrize("of", ["binary", "folder"])
def test_others_lose_the_right_to_write_it(built: Path, of: str, mode: int) -> None:
    place = built if of == "binary" else built.parent
    place.chmod(mode)
    see_sealed(built)
    assert stat.S_IMODE(place.stat().st_mode) == 0o755


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make a file of another user")
@pytest.mark.parametrize("of", ["binary", "folder"])
def test_what_another_user_owns_is_not_started(built: Path, of: str) -> None:
    os.chown(built if of == "binary" else built.parent, 65534, -1)
    with pytest.raises(
        UserError, match="belongs to another user, so it is not started: set BATCHPROOF_CACHE"
    ):
        see_sealed(built)


def test_a_damaged_seal_is_no_seal(built: Path) -> None:
    [written] = built.parent.glob(".*.sha256")
    written.write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="is not what batchproof has built there"):
        see_sealed(built)
