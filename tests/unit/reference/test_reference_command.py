"""The command line: each controller by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from reference_controller.__main__ import arguments
from reference_controller.controllers import commands

NAMES = [command.name for command in commands()]


def test_each_controller_has_a_name_of_its_own_and_help_tells_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(set(NAMES)) == len(NAMES)
    with pytest.raises(SystemExit):
        arguments(["--help"])
    text = capsys.readouterr().out
    assert all(command.name in text and command.help in text for command in commands())


@pytest.mark.parametrize("name", NAMES)
def test_a_controller_is_chosen_by_its_name(name: str) -> None:
    assert [command.name for command in commands(name)] == [name]
    options = arguments([name, "--kubeconfig", "k"])
    assert (options.command.name, options.kubeconfig) == (name, Path("k"))


@pytest.mark.parametrize("argv", [[], ["none", "--kubeconfig=k"], [NAMES[0]]])
def test_a_command_line_that_names_no_controller_or_server_is_refused(argv: list[str]) -> None:
    with pytest.raises(SystemExit):
        arguments(argv)
