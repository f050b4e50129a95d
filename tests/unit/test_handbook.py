"""The page of a profile is made of the specification, and the site has what the command prints."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from click.testing import CliRunner

from batchproof.commands.requirements import command
from batchproof.profiles import profiles
from batchproof.specification.registry import load_registry

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "site_pages.py"))


@pytest.mark.parametrize("profile", profiles())
def test_the_page_of_a_profile_has_a_section_for_each_requirement(profile: str) -> None:
    printed = CliRunner().invoke(command, ["--markdown", "--profile", profile])
    assert printed.exit_code == 0, printed.output
    assert printed.output == SCRIPT["text_of"](f"docs/requirements/{profile}.md")
    sections = re.findall(r"^## ([A-Z]+-\d+) \(\w+\)\n\n> (.*)$", printed.output, re.MULTILINE)
    assert sections == [(one.id, one.sentence) for one in load_registry().of_profile(profile).values()]


@pytest.mark.parametrize("arguments", [["--markdown"], ["--markdown", "--json", "--profile", "job"]])
def test_a_page_is_of_one_profile(arguments: list[str]) -> None:
    refused = CliRunner().invoke(command, arguments)
    assert refused.exit_code != 0
    assert "add --profile" in str(refused.exception)
