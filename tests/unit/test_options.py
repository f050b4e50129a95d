"""Options that several commands share."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from batchproof.ground.screen import say
from batchproof.options import selection


@click.command()
@selection("Which.")
def chosen(expression: str) -> None:
    """Say what was selected."""
    say(expression)


@pytest.mark.parametrize(
    ("given", "expression"),
    [
        ([], ""),
        (["-k", "FIN-004 or suspend"], "FIN-004 or suspend"),
        (["-k", "FIN-004", "-k", "ttl and not BAS-046"], "(FIN-004) or (ttl and not BAS-046)"),
    ],
)
def test_each_selection_counts(given: list[str], expression: str) -> None:
    assert CliRunner().invoke(chosen, given).output == f"{expression}\n"
