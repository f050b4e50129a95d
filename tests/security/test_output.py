"""Names from outside stand in what is printed and written: none of them commands or deceives a terminal."""

from __future__ import annotations

import ast
import json
import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import report_sample as sample
from markdown_it import MarkdownIt

import batchproof
from batchproof import screen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attacks import CommandLine

pytestmark = pytest.mark.quick

ANSI = "\x1b[2J\x1b]0;owned\x07\x9b31m\x08\r"
TURNED = "\u202e\u2066\u200f\u200e\u061c\u2028\u2029\u202a"
HOSTILE = f"[red]x[/red]{ANSI}{TURNED}\x7f"
FORBIDDEN = {*"\x1b\x07\x9b\x08\r\x7f", *TURNED}


def hostile(value: Any, keep: frozenset[str]) -> Any:
    """The records with HOSTILE at the end of each text that is free."""
    if isinstance(value, dict):
        return {key: inner if key in keep else hostile(inner, keep) for key, inner in value.items()}
    if isinstance(value, list):
        return [hostile(inner, keep) for inner in value]
    return value + HOSTILE if isinstance(value, str) else value


BOUND = frozenset(
    {
        "record",
        "role",
        "id",
        "verdict",
        "level",
        "outcome",
        "started",
        "finished",
        "at",
        "history",
        "requirement",
    }
    | {"requirements", "required", "planned", "name", "feature", "title", "example", "profile", "profiles"}
    | {
        "reason",
        "expires",
        "explains",
        "speaks_of",
        "counts",
        "kind",
        "quantifier",
        "digest",
        "tags",
        "first",
    }
    | {"implements", "deadlines", "not_in_force", "waived", "deviations"}
)


@pytest.fixture
def hostile_results(tmp_path: Path) -> Path:
    """Results whose free texts are all hostile."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    records = hostile(sample.stream(sample.scenarios()), BOUND)
    records[0]["implementation"] |= {"name": f"acme{HOSTILE}", "version": f"1{HOSTILE}"}
    sample.write_stream(folder, records)
    return folder


def harmless(text: str) -> bool:
    return not FORBIDDEN & set(text)


@pytest.mark.parametrize(
    "command",
    [["report"], ["compare"], ["compare", "--markdown"], ["compare", "--json"], ["replay"]],
    ids=" ".join,
)
def test_hostile_results_are_printed_harmlessly(
    batchproof: CommandLine, hostile_results: Path, command: list[str]
) -> None:
    ended = batchproof(*command, hostile_results)
    assert ended.sound, ended.err
    assert harmless(ended.out), [one for one in ended.out if one in FORBIDDEN]
    assert harmless(ended.err)
    if command[0] == "compare":
        # It is no markup; Markdown needs a backslash for that.
        assert (r"\[red\]x\[/red\]" if "--markdown" in command else "[red]x[/red]") in ended.out
    if command[-1] == "--json":
        assert list(json.loads(ended.out)["implementations"]) == [f"acme{HOSTILE} 1{HOSTILE}"]


def test_a_name_is_no_markdown(batchproof: CommandLine, tmp_path: Path) -> None:
    name = "a\\|**passed**|![x](http://127.0.0.1/x)&#8238;~~b~~`c`_d_"
    records = sample.stream(sample.scenarios())
    records[0]["implementation"] |= {"name": name, "version": "1"}
    sample.write_stream(tmp_path, records)
    page = batchproof("compare", "--markdown", tmp_path).out
    told = r"a\\\|\*\*passed\*\*\|!\[x\](http://127.0.0.1/x)&amp;#8238;\~\~b\~\~\`c\`\_d\_ 1"
    assert f"| requirement | {told} | sentence |" in page
    shown = MarkdownIt("js-default").render(page)  # as GitHub does
    assert f"<th>{escape(name)} 1</th>" in shown.replace("&quot;", '"')
    assert not re.search('<img|<a href="http|<s>|\u202e', shown)


@pytest.mark.parametrize("field", ["name", "version"])
def test_a_name_begins_no_line_of_its_own(batchproof: CommandLine, tmp_path: Path, field: str) -> None:
    records = sample.stream(sample.scenarios())
    records[0]["implementation"][field] = "1\n::error::of others"
    sample.write_stream(tmp_path, records)
    for command in ("compare", "report", "replay"):
        ended = batchproof(command, tmp_path)
        assert (ended.code, ended.sound) == (2, True)
        assert f"implementation.{field}: " in ended.err
        assert "\n::error" not in ended.out + ended.err


@pytest.mark.parametrize("field", ["name", "version", "organisation"])
def test_a_descriptor_begins_no_line_of_the_output(
    batchproof: CommandLine, tmp_path: Path, field: str
) -> None:
    names = {"name": "a", "version": "1", "organisation": "nobody"} | {field: "1\n::error::of others\n"}
    path = tmp_path / "it.yaml"
    path.write_text(json.dumps({**names, "profiles": ["job"], "start": {"argv": ["x"]}}))
    ended = batchproof("rbac", "-i", path)
    assert (ended.code, ended.sound) == (2, True)
    assert f"{field}: " in ended.err
    assert "\n::error" not in ended.out + ended.err


def test_hostile_results_make_harmless_reports(batchproof: CommandLine, hostile_results: Path) -> None:
    assert batchproof("report", hostile_results).code == 0
    written = [path for path in hostile_results.rglob("*") if path.is_file() and path.name != "results.jsonl"]
    assert len(written) > 10
    for path in written:
        text = path.read_text()
        # In the JSON of Allure, which its own package writes, they are escaped.
        assert harmless(text), (path, [hex(ord(one)) for one in set(text) & FORBIDDEN])
    report = json.loads((hostile_results / "report.json").read_text())
    assert report["implementation"]["name"] == f"acme{HOSTILE}"


@pytest.mark.parametrize(
    "words",
    [
        ["run", "-i", f"./no{HOSTILE}.yaml"],
        ["run", "-i", f"no{HOSTILE}"],
        ["run", "-k", f"FIN-004 and {HOSTILE}", "--dry-run"],
        ["run", f"--{HOSTILE}"],
        [f"{HOSTILE}"],
        ["compare", f"no{HOSTILE}"],
        ["report", f"no{HOSTILE}"],
        ["mutants", "--profile", HOSTILE],
        ["requirements", "--profile", HOSTILE],
        ["control-plane", "build", HOSTILE],
    ],
    ids=lambda words: f"{words[0]} {words[1] if len(words) > 1 else ''}".encode("ascii", "ignore").decode(),
)
def test_wrong_use_is_told_harmlessly(batchproof: CommandLine, words: list[str]) -> None:
    ended = batchproof(*words)
    assert (ended.code, ended.sound) == (2, True), ended.err
    assert harmless(ended.out)
    assert harmless(ended.err)


def test_a_hostile_descriptor_is_blamed_harmlessly(batchproof: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        json.dumps({"name": HOSTILE, HOSTILE: 1, "version": HOSTILE, "profiles": [HOSTILE], "start": HOSTILE})
    )
    for command in (["lint"], ["rbac", "-i"], ["smoke"]):
        ended = batchproof(*command, path)
        assert ended.code in {1, 2}
        assert ended.sound, ended.err
        assert harmless(ended.out + ended.err)
        assert "mine.yaml:" in ended.out + ended.err


# -- nothing is printed elsewhere

PRINTS = {"print", "echo", "secho", "Console", "pprint"}


def calls(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Name(id=name):
                    yield node.lineno, name
                case ast.Attribute(attr="write", value=ast.Attribute(attr=of)):
                    yield node.lineno, f"{of}.write"
                case ast.Attribute(attr=name):
                    yield node.lineno, name


def test_everything_is_printed_in_one_place() -> None:
    source = Path(batchproof.__file__).parent
    own = {Path(screen.__file__), source / "processes" / "janitor.py"}
    wrong = [
        f"{path.relative_to(source)}:{line}: {name}"
        for path in source.rglob("*.py")
        if path not in own and "suite" not in path.relative_to(source).parts[:1]
        for line, name in calls(ast.parse(path.read_text()))
        if name in PRINTS or name in {"stdout.write", "stderr.write", "buffer.write", "_out.write"}
    ]
    assert wrong == []
