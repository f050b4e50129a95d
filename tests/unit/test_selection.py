"""What ``-k`` selects: ids exactly, other words as pytest matches them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import forked
import msgspec
import pytest

from batchproof.evidence.plan import catalogue
from batchproof.ground import suite
from batchproof.ground.errors import UserError
from batchproof.running.selection import check_known, elsewhere, files, for_pytest, keywords

if TYPE_CHECKING:
    from pathlib import Path


def selects(*arguments: str) -> list[str]:
    """The ids that a dry run lists."""
    listed = forked.asked("run", "--dry-run", *arguments)
    assert listed.returncode == 0, listed.stderr
    *rows, _ = listed.stdout.splitlines()
    return [row.split()[0] for row in rows]


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("FIN-004", ["FIN-004.1a", "FIN-004.1b"]),
        ("FIN-004.1", ["FIN-004.1a", "FIN-004.1b"]),
        ("FIN-004.1b", ["FIN-004.1b"]),
        ("fin-004.1B", ["FIN-004.1b"]),
        ("FIN-004.1a or FAIL-066.1b", ["FAIL-066.1b", "FIN-004.1a"]),
        ("FIN-004 and not FIN-004.1a", ["FIN-004.1b"]),
        ("(FIN-004.1a) or (FIN-004.1b and status)", ["FIN-004.1a", "FIN-004.1b"]),
    ],
)
def test_an_id_selects_just_what_has_it(expression: str, found: list[str]) -> None:
    assert sorted(selects("-k", expression)) == found


def test_the_id_of_a_scenario_is_not_the_beginning_of_another() -> None:
    another = msgspec.structs.replace(catalogue()["FIN-004.1b"], id="FIN-004.12")
    assert for_pytest("FIN-004.1") not in "".join(keywords(another))


def test_another_word_is_matched_as_before() -> None:
    assert {"BAS-031.1", "BAS-028.1"} <= {*selects("-k", "suspend")}
    assert {id_.partition("-")[0] for id_ in selects("-k", "TTL")} == {"BAS"}


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("FIN-004", ":FIN-004:"),
        ("not fin-004.1B", "not :FIN-004.1b:"),
        ("a-mutant-004 or FIN-004x", "a-mutant-004 or FIN-004x"),
        ("FIN or suspend", "FIN or suspend"),
    ],
)
def test_pytest_gets_ids_between_colons(expression: str, told: str) -> None:
    assert for_pytest(expression) == told


def test_a_scenario_is_found_by_three_ids_and_by_its_file() -> None:
    found = keywords(catalogue()["FIN-004.1b"])
    assert found == {":FIN-004:", ":FIN-004.1:", ":FIN-004.1b:", "job/finalizers.feature"}


@pytest.mark.parametrize(
    ("expression", "read"),
    [
        ("FIN-004", ["finalizers"]),
        ("fin-004.1B or FAIL-066", ["finalizers", "success-policy"]),
        ("(FIN-004.1a) or (FIN-004.1b and FAIL-066)", ["finalizers", "success-policy"]),
        ("FIN-004 and not FIN-004.1a", []),
        ("FIN-004 or suspend", []),
        ("FIN-004 or notFIN", []),
        ("GNG-001", []),
        ("", []),
    ],
)
def test_only_the_files_are_read_that_hold_what_ids_alone_select(expression: str, read: list[str]) -> None:
    job = suite.features() / "job"
    assert files(expression, job) == tuple(job / f"{name}.feature" for name in read)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("FIN-004.1z", "has the id FIN-004.1z; did you mean 'FIN-004.1"),
        ("suspend or BAS-0131", "has the id BAS-0131; did you mean 'BAS-013"),
        ("XYZ-999", "has the id XYZ-999"),
    ],
)
def test_an_id_that_does_not_exist_is_an_error(expression: str, message: str) -> None:
    with pytest.raises(UserError, match=message.replace(".", r"\.")):
        check_known(expression, suite.features() / "job")


def test_an_id_of_whichever_profile_is_known_and_the_profile_is_named_where_nothing_is_selected() -> None:
    check_known("TFJ-001 or FIN-004.1b or suspend", suite.features() / "job")
    assert elsewhere("TFJ-001 or FIN-004.1b or suspend", "job") == "; TFJ-001 is of --profile tfjob"


@pytest.mark.parametrize("command", ["run", "watch", "mutants"])
def test_every_command_refuses_an_unknown_id(command: str, tmp_path: Path) -> None:
    more = ["-i", "reference"] if command == "watch" else []
    told = forked.asked(command, "-k", "FIN-004.9", "-o", str(tmp_path), *more)
    assert "-k: no requirement, scenario or example has the id FIN-004.9" in told.stderr
    assert told.returncode in {1, 2}
