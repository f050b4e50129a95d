"""The pages of requirements are made of the specification, and the docs have the links that lead to them."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from batchproof.commands.requirements import command
from batchproof.profiles import profiles
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "site_pages.py"))
made: Callable[[], frozenset[str]] = SCRIPT["made"]
stand_ins: Callable[[], dict[str, str]] = SCRIPT["stand_ins"]


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


def test_what_is_made_for_the_site_is_not_in_the_checkout() -> None:
    assert [path for path in made() if (ROOT / path).exists()] == [], "it is made when the site is built"


def test_what_stands_for_a_made_page_is_there_and_has_the_heading_or_the_id() -> None:
    files = {place.partition("#")[0] for place in stand_ins()}
    texts = {path: (ROOT / path).read_text("utf-8") for path in files}
    for place, leads in stand_ins().items():
        path, _, name = place.partition("#")
        wanted = rf"^#+ {name}$" if path.endswith(".md") else rf"^- id: {name}$"
        assert re.search(wanted, texts[path], re.MULTILINE), place
        assert leads.partition("#")[0] in made()
