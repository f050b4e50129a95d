"""The pages of requirements in the docs say what the specification says now."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from batchproof.commands.requirements import command
from batchproof.profiles import profiles

PAGES = Path(__file__).parents[2] / "docs/requirements"


@pytest.mark.parametrize("profile", profiles())
def test_each_profile_has_its_page_in_the_docs(profile: str) -> None:
    made = CliRunner().invoke(command, ["--markdown", "--profile", profile])
    page = PAGES / f"{profile}.md"
    renew = f"run: batchproof requirements --markdown --profile {profile} > docs/requirements/{profile}.md"
    assert made.exit_code == 0, made.output
    assert page.read_text() == made.output, renew


@pytest.mark.parametrize("arguments", [["--markdown"], ["--markdown", "--json", "--profile", "job"]])
def test_a_page_is_of_one_profile(arguments: list[str]) -> None:
    made = CliRunner().invoke(command, arguments)
    assert made.exit_code != 0
    assert "add --profile" in str(made.exception)


def test_no_page_is_of_a_profile_that_there_is_not() -> None:
    assert {page.stem for page in PAGES.glob("*.md")} == {"README", *profiles()}
