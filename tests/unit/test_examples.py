"""Each console example of the docs is a command that there is; a test runs it, or a reason is given."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

import click
import pytest
import yaml
from examples import ROOT, Block, blocks, known, pages, unlike

from batchproof.cli import command_line

if TYPE_CHECKING:
    from collections.abc import Iterator

KINDS = {"run", "by", "not"}
EXAMPLES = [block for page in pages() for block in blocks(page) if block.is_example]
_ENDS = set("|&;<>()")


def test_every_example_is_known_with_who_runs_it() -> None:
    there = {page: [block.commands[0] for block in blocks(page) if block.is_example] for page in pages()}
    said = {page: [one["starts"] for one in some] for page, some in known().items()}
    assert said == {page: starts for page, starts in there.items() if starts}, (
        "say in tests/unit/examples.yaml which test runs an example, or why none does"
    )


@pytest.mark.parametrize("page", known())
def test_an_example_is_run_in_one_way_or_has_a_reason(page: str) -> None:
    for one in known()[page]:
        [kind] = KINDS & one.keys()
        assert one[kind]
        assert kind != "not" or len(str(one["not"]).split()) > 3, "a reason is a sentence"


@pytest.mark.parametrize(
    ("block", "tests"),
    [
        pytest.param(block, one["by"], id=f"{page}-{number}")
        for page, said in known().items()
        for number, (block, one) in enumerate(
            zip([it for it in blocks(page) if it.is_example], said, strict=False)
        )
        if "by" in one
    ],
)
def test_the_tests_that_run_an_example_are_there_and_use_its_commands(block: Block, tests: str) -> None:
    text = "".join((ROOT / test).read_text("utf-8") for test in tests.split(", "))
    for arguments in (arguments for line in block.commands for arguments in used(line)):
        verb = next((one for one in arguments if not one.startswith("-")), "")
        assert verb.partition("-")[0] in text, f"{tests} have no {verb}"


def used(line: str) -> Iterator[list[str]]:
    """The arguments of each ``batchproof`` in a line."""
    lexer = shlex.shlex(line.replace("$(", "; "), posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words, begins = [*lexer, ";"], True
    arguments: list[str] | None = None
    for word in words:
        if set(word) <= _ENDS:
            if arguments is not None:
                yield arguments
            arguments, begins = None, True
            continue
        if arguments is not None:
            arguments.append(word)
        elif begins and word.rpartition("/")[2] == "batchproof":
            arguments = []
        elif begins and word == "./run":
            arguments = ["run"]
        begins = False


@pytest.mark.parametrize(
    "block", EXAMPLES, ids=[f"{block.page}-{block.commands[0][:40]}" for block in EXAMPLES]
)
def test_every_command_of_an_example_is_one_that_there_is(block: Block) -> None:
    for line in block.commands:
        for arguments in used(line):
            accept(arguments)


def accept(arguments: list[str]) -> None:
    """Parse arguments as the command line does, but look at no file."""
    command: click.Command = command_line
    ctx = click.Context(command, info_name="batchproof")
    while isinstance(command, click.Group) and arguments and not arguments[0].startswith("-"):
        below = command.get_command(ctx, arguments[0])
        assert below is not None, f"there is no command {arguments[0]!r}"
        command, arguments = below, arguments[1:]
        ctx = click.Context(command, info_name=command.name, parent=ctx)
    given, surplus, _ = command.make_parser(ctx).parse_args(list(arguments))
    assert not surplus
    for param in command.params:
        if isinstance(param.type, click.Choice) and given.get(param.name or ""):
            value = given[param.name or ""]
            for one in value if isinstance(value, list) else [value]:
                param.type.convert(one, param, ctx)


@pytest.mark.parametrize(
    "line", ["batchproof rnu", "batchproof run --no-such", "cd x && batchproof diff --color pink a b"]
)
def test_a_command_that_there_is_not_is_found(line: str) -> None:
    [arguments] = used(line)
    with pytest.raises((AssertionError, click.UsageError)):
        accept(arguments)


@pytest.mark.parametrize(
    ("shown", "printed", "missing"),
    [
        (["3 scenarios", "...", "1 failed"], "12 scenarios\nx\n7 failed", ""),
        (["a ... c"], "a b\n  c", ""),
        (["second", "first"], "first\nsecond", "first"),
        (["no problems found"], "1 error", "no problems found"),
    ],
)
def test_what_a_page_shows_is_compared_with_what_is_printed(
    shown: list[str], printed: str, missing: str
) -> None:
    assert unlike(shown, printed) == missing


def test_the_tutorial_breaks_the_reference_as_a_mutant_does_that_its_scenario_must_catch() -> None:
    page = "docs/tutorial/get-started.md"
    [line] = [line for block in blocks(page) for line in block.commands if line.startswith("sed ")]
    found = re.fullmatch(r"sed -i 's/(?P<old>.+)/(?P<new>.+)/' (?P<file>\S+)", line)
    assert found
    assert (ROOT / found["file"]).read_text("utf-8").count(found["old"]) == 1
    [edit] = [
        edit
        for defect in yaml.safe_load((ROOT / "tests/mutants/completion.yaml").read_text("utf-8"))
        for edit in defect["edits"]
        if defect["requirement"] == "BAS-013" and found["old"] in edit.get("replace", "")
    ]
    assert edit["in"].partition("::")[0] == found["file"]
    assert edit["replace"].replace(found["old"], found["new"]) == edit["with"]
