"""The forms of issues and pull requests: GitHub can show them, and the commands in them exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from batchproof.cli import command_line

_FOLDER = Path(__file__).parents[2] / ".github"
_FORMS = {path.name: path for path in (_FOLDER / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml"}
_NEEDS = {
    "markdown": {"value"},
    "input": {"label"},
    "textarea": {"label"},
    "dropdown": {"label", "options"},
    "checkboxes": {"label", "options"},
}
"""What GitHub demands of each element: https://docs.github.com/en/communities (syntax of its form schema)."""


@pytest.mark.parametrize("name", sorted(_FORMS))
def test_a_form_can_be_shown(name: str) -> None:
    form: dict[str, Any] = yaml.safe_load(_FORMS[name].read_text("utf-8"))
    assert form.keys() <= {"name", "description", "labels", "body"}
    assert form["name"]
    assert form["description"]
    asked = [one for one in form["body"] if one["type"] != "markdown"]
    assert (
        len({one["id"] for one in asked}) == len({one["attributes"]["label"] for one in asked}) == len(asked)
    )
    for one in form["body"]:
        assert one["attributes"].keys() >= _NEEDS[one["type"]]
        assert one["attributes"].keys() <= {*_NEEDS[one["type"]], "description", "placeholder", "render"}


@pytest.mark.parametrize("path", sorted(_FOLDER.rglob("*.*")), ids=lambda it: it.name)
def test_the_commands_in_a_form_exist(path: Path) -> None:
    named = set(re.findall(r"`batchproof ([a-z][a-z-]*)", path.read_text("utf-8")))
    assert named <= set(command_line.list_commands(click.Context(command_line)))
