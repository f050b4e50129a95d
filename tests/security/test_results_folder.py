"""A folder of results comes from somebody else: what stands in it leads to no file elsewhere."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from batchproof.evidence.plan import HISTORIES
from batchproof.ground import files
from batchproof.ground.errors import HarnessError, UserError
from batchproof.running.runner import emptied_folder
from batchproof.running.session.record import LOGS

if TYPE_CHECKING:
    from pathlib import Path

    from attacks import CommandLine

pytestmark = pytest.mark.quick

PRECIOUS = "the user's own\n"
REPORTS = ("index.html", "report.json", "junit.xml")


@pytest.fixture
def precious(tmp_path: Path) -> Path:
    """A file of the user, in a folder of his."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "file").write_text(PRECIOUS)
    return folder / "file"


def untouched(precious: Path) -> bool:
    return precious.read_text() == PRECIOUS and [*precious.parent.iterdir()] == [precious]


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("kind", ["link", "dangling", "pipe", "device"])
def test_a_report_is_not_written_to_what_is_no_plain_file(
    batchproof: CommandLine, results: Path, precious: Path, name: str, kind: str
) -> None:
    place = results / name
    match kind:
        case "link":
            place.symlink_to(precious)
        case "dangling":
            place.symlink_to(precious.with_name("new"))
        case "pipe":
            os.mkfifo(place)
        case _:
            place.symlink_to("/dev/full")
    ended = batchproof("report", results)
    assert (ended.code, ended.sound) == (2, True), ended.err
    assert f"{place} cannot be written: {name} is " in ended.err
    assert untouched(precious)


def test_the_folder_of_allure_is_no_link(batchproof: CommandLine, results: Path, precious: Path) -> None:
    (results / "allure").symlink_to(precious.parent)
    ended = batchproof("report", results)
    assert (ended.code, ended.sound) == (2, True), ended.err
    assert "allure is a link, which is not followed" in ended.err
    assert untouched(precious)


def test_a_link_in_the_folder_of_allure_is_removed_and_not_followed(
    batchproof: CommandLine, results: Path, precious: Path
) -> None:
    (results / "allure" / "inner").mkdir(parents=True)
    (results / "allure" / "inner" / "x").symlink_to(precious)
    (results / "allure" / "home").symlink_to(precious.parent)
    assert batchproof("report", results).code == 0
    assert untouched(precious)
    assert not (results / "allure" / "home").is_symlink()
    assert list((results / "allure").glob("*-result.json"))
    assert not list(results.glob(".*"))


def test_a_hard_link_to_a_file_of_the_user_is_replaced_and_not_written_to(
    batchproof: CommandLine, results: Path, precious: Path
) -> None:
    for name in REPORTS:
        os.link(precious, results / name)
    assert batchproof("report", results).code == 0
    assert untouched(precious)
    assert precious.stat().st_nlink == 1


@pytest.mark.parametrize("name", ["results.jsonl", "histories", "logs"])
def test_a_run_does_not_begin_in_a_folder_with_links(results: Path, precious: Path, name: str) -> None:
    (results / name).unlink(missing_ok=True)
    (results / name).symlink_to(precious if name == "results.jsonl" else precious.parent)
    with pytest.raises(UserError, match="is a link, which is not followed"):
        emptied_folder(results, HISTORIES, LOGS)
    with pytest.raises(UserError, match="is a link, which is not followed"):
        files.stream(results, name)
    assert untouched(precious)


@pytest.mark.parametrize("option", ["--junit", "-o"])
def test_a_file_that_the_user_names_is_not_written_through_a_link(
    batchproof: CommandLine, results: Path, precious: Path, tmp_path: Path, option: str
) -> None:
    named = tmp_path / "named"
    named.symlink_to(precious)
    command = ("report", results) if option == "--junit" else ("compare", "--json", results)
    ended = batchproof(*command, option, named)
    assert (ended.code, ended.sound) == (2, True), ended.err
    assert untouched(precious)


def test_nothing_is_exported_through_a_link(precious: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "inner").symlink_to(precious.parent)
    for name in ("inner/file", "inner/new", "../home/file", str(precious), ".."):
        with pytest.raises(UserError, match="cannot be written"):
            files.write(tmp_path / "out", name, b"x")
    assert untouched(precious)


def test_a_race_for_a_name_is_lost(results: Path, precious: Path) -> None:
    """Another program puts links in the place of a file and of a folder all the time."""
    over = threading.Event()
    (results / "inner").mkdir()

    def exchange() -> None:
        while not over.is_set():
            for name, target in (
                ("index.html", precious),
                ("allure", precious.parent),
                ("timelines", precious.parent),
            ):
                try:
                    (results / name).symlink_to(target)
                    (results / name).unlink()
                except OSError:
                    continue

    attacker = threading.Thread(target=exchange)
    attacker.start()
    written = 0
    try:
        for _ in range(500):
            try:
                files.write(results, "index.html", b"report")
                files.write(results, "allure/file", b"report")
                written += 1
            except (UserError, HarnessError):
                continue
    finally:
        over.set()
        attacker.join()
    assert untouched(precious)
