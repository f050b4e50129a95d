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
from histories import headed_story
from markdown_it import MarkdownIt

import batchproof
from batchproof.ground import screen
from batchproof.judgement.history import CONTINUES, ClaimOpened, StepBegan, encode, paused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attacks import CommandLine

pytestmark = pytest.mark.quick

ANSI = "\x1b[2J\x1b]0;owned\x07\x9b31m\x08\r"
TURNED = "\u202e\u2066\u200f\u200e\u061c\u2028\u2029\u202a"
MARKUP = "</title></script><script>alert(1)</script><img src=x onerror=alert(1)>"
HOSTILE = f"[red]x[/red]{MARKUP}{ANSI}{TURNED}\x7f"
HISTORY = "histories/FIN-004.1.jsonl"
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


def hostile_history() -> bytes:
    """A history whose names and texts are all hostile, of everything that a picture draws."""
    told = headed_story().add(StepBegan(HOSTILE)).process(1, "started", "ready", HOSTILE)
    told = told.job(f"a{HOSTILE}").pod(HOSTILE, phase=HOSTILE).pods(*(f"{n}{HOSTILE}" for n in range(30)))
    told = told.node(HOSTILE, "2").act(HOSTILE).act(paused(1)).fault(1, "armed", HOSTILE).fault(1, "fired")
    told = told.write("patch", "pods", HOSTILE).asks("update", "jobs", HOSTILE).answered(500, fault=HOSTILE)
    told = told.lost("patch", "pods", HOSTILE).asks("get", "pods", HOSTILE).at(60.0).act(CONTINUES)
    claim = {"claim": HOSTILE, "fact": {"name": HOSTILE, "arguments": {HOSTILE: HOSTILE}}}
    return encode(told.add(ClaimOpened(1, claim)).closes(1).fault(1, "lifted").records)


def hostile_stream(scenarios: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The records of a run whose free texts are all hostile."""
    records: list[dict[str, Any]] = hostile(sample.stream(scenarios), BOUND)
    records[0]["implementation"] |= {"name": f"acme{HOSTILE}", "version": f"1{HOSTILE}"}
    return records


@pytest.fixture
def hostile_results(tmp_path: Path) -> Path:
    """Results whose free texts are all hostile, and those of the history that is drawn."""
    folder = tmp_path / "hostile"
    (folder / "histories").mkdir(parents=True)
    (folder / HISTORY).write_bytes(hostile_history())
    scenarios = sample.scenarios()
    broken = next(one for one in scenarios if one["requirement"] == "FIN-004" and one["unmet"])
    broken["history"] = HISTORY
    sample.write_stream(folder, hostile_stream(scenarios))
    return folder


@pytest.fixture
def hostile_baseline(tmp_path: Path) -> Path:
    """An earlier run of the same, which passed."""
    folder = tmp_path / "baseline"
    folder.mkdir()
    sample.write_stream(folder, hostile_stream(sample.passing_scenarios()))
    return folder


def harmless(text: str) -> bool:
    return not FORBIDDEN & set(text)


def as_text(page: str) -> bool:
    """A page has nothing of the hostile markup but its text."""
    return "alert(1)" in page and not re.search("<script>alert|<img", page)


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


@pytest.mark.parametrize("options", [[], ["--markdown"], ["--json"]], ids=" ".join)
def test_hostile_results_are_told_apart_harmlessly(
    batchproof: CommandLine, hostile_results: Path, hostile_baseline: Path, options: list[str]
) -> None:
    for runs in ((hostile_baseline, hostile_results), (hostile_results, hostile_baseline)):
        ended = batchproof("diff", *runs, *options)
        assert ended.sound, ended.err
        assert harmless(ended.out), [one for one in ended.out if one in FORBIDDEN]
        assert harmless(ended.err)
        assert "FIN-004" in ended.out
        if options == ["--markdown"]:
            assert r"\[red\]x\[/red\]" in ended.out
            assert not re.search(r"\[red\]|<img|<script", ended.out)
        if options == ["--json"]:
            assert json.loads(ended.out)["old"]["implementation"] == f"acme{HOSTILE}"


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
    given = {hostile_results / "results.jsonl", hostile_results / HISTORY}
    written = [path for path in hostile_results.rglob("*") if path.is_file() and path not in given]
    assert len(written) > 10
    for path in written:
        text = path.read_text()
        # In the JSON of Allure, which its own package writes, they are escaped.
        assert harmless(text), (path, [hex(ord(one)) for one in set(text) & FORBIDDEN])
    report = json.loads((hostile_results / "report.json").read_text())
    assert report["implementation"]["name"] == f"acme{HOSTILE}"


def test_a_hostile_history_is_drawn_as_text(batchproof: CommandLine, hostile_results: Path) -> None:
    assert batchproof("report", hostile_results).code == 0
    for name in ("index.html", "timelines/FIN-004.1.html"):
        page = (hostile_results / name).read_text()
        drawn = page[page.index('<svg class="tl"') : page.index("</svg>")]
        for kind in ("paused", "lost", "torn", "here", "decides", "break", "fault bar", "refused"):
            assert re.search(rf'class="{kind}[ "]', drawn), kind
        assert harmless(page)
        assert as_text(drawn)
        assert as_text(page)


def test_hostile_results_make_harmless_pages_beside_others(
    batchproof: CommandLine, hostile_results: Path, hostile_baseline: Path
) -> None:
    compared = hostile_results.parent / "x.html"
    assert batchproof("compare", hostile_results, hostile_baseline, "-o", compared).sound
    assert batchproof("report", hostile_results, "--baseline", hostile_baseline).code == 0
    changed = (hostile_results / "changes.html").read_text()
    assert "What has changed since acme" in changed
    for page in (compared.read_text(), changed):
        assert harmless(page), [one for one in page if one in FORBIDDEN]
        assert as_text(page)


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
