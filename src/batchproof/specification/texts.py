"""Whether texts use the words of the glossary: the suite, the documents, what is printed, remarks in code.

Each kind of text has a severity. Of errors each place is a finding; of warnings there is one for each file,
with a count, so that they do not hide what has to be done now.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from batchproof.descriptor import implementation
from batchproof.specification.findings import LintFinding, Severity
from batchproof.specification.mutants import Mutant
from batchproof.specification.prose import TITLE_LENGTH
from batchproof.specification.registry import Requirement
from batchproof.specification.words import ill_formed, unwanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

REQUIREMENTS: Severity = "error"
"""Of the sentences and notes of requirements."""
TITLES: Severity = "error"
"""Of the titles of features, rules and scenarios, and the texts below them."""
DOCUMENTS: Severity = "error"
"""Of README, the pages of docs/, the files beside them, forms, and what other folders say of themselves."""
MUTANTS: Severity = "error"
"""Of what the mutants of a suite do wrong: the pages of requirements print it."""
DESCRIPTORS: Severity = "error"
"""Of the reasons that the descriptors of a suite give for deviations: reports print them."""
SENTENCES: Severity = "error"
"""Of the steps of scenarios, and what steps/ prints."""
PRINTED: Severity = "error"
"""Of help texts, messages and the templates of reports."""

REMARKS: Severity = "error"
"""Of docstrings and comments."""

_GLOSSARY = "docs/glossary.md"
_DOCUMENTS = (
    "*.md",
    "docs/**/*.md",
    ".github/**/*.md",
    ".github/**/*.yml",
    "benchmarks/*.md",
    "reference_controller/*.md",
    "tests/*/README.md",
)
_CODE = ("src/batchproof", "reference_controller", "steps", "scripts", "benchmarks")
_COMMENT = re.compile(r"^\s*# .*|(?<=  )# .*")
_ATTRIBUTE = re.compile(r"^ *\w+:", re.MULTILINE)
_NO_PAGES = ("docs/adr/",)
"""The decisions are kept in the words of their day."""
_HEADING = re.compile(r"\s*(?:Feature|Rule): *(.*)")
_TITLE = re.compile(r"\s*(?:Feature|Rule|Scenario|Scenario Outline): *(.*)")
_STEP = re.compile(r"\s*(?:Given|When|Then|And|But) (.*)")
_NO_TEXT = re.compile(r"\s*(?:[#@|]|\"\"\"|Examples:|Background:|$)")
_SENTENCES_OF_STEPS = (
    "judgement/facts",
    "judgement/fault",
    "judgement/forms.py",
    "judgement/history.py",
    "judgement/invariants",
    "specification/vocabulary.py",
    "exploration",
    "profiles",
    "world",
)
"""Where the package has the sentences of steps, faults and facts, and what histories say of them."""
_THE_TABLE = "specification/words.py"
_PROSE = re.compile(r"[^\W\d_]{2,}[\s:,;]+(?:\{\}[\s:,;]+)*[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class _Text:
    """A text that people read, from a line of a file on."""

    path: Path
    line: int
    words: str


def of_suite(
    requirements: Iterable[Requirement], features: Path, suites: Path, steps: Path
) -> Iterator[LintFinding]:
    """The words of a suite that the glossary does not have, and requirements that are not well formed."""
    requirements = list(requirements)
    registry = (
        _Text(it.path, it.line, f"{it.id}: {text}") for it in requirements for text in (it.sentence, it.notes)
    )
    yield from _graded(_in_words(registry, suite=True), REQUIREMENTS)
    yield from _graded(
        (
            LintFinding(it.path, it.line, "sentence-form", f"{it.id}: {wrong}")
            for it in requirements
            for wrong in ill_formed(it.sentence)
        ),
        REQUIREMENTS,
    )
    files = [path for folder in (features, suites) for path in sorted(folder.rglob("*.feature"))]
    titles = [text for path in files for text in _lines(path, _title)]
    yield from _graded(_in_words(titles, suite=True), TITLES)
    yield from (
        LintFinding(it.path, it.line, "title-too-long", f"{len(it.words)} characters; at most {TITLE_LENGTH}")
        for path in files
        for it in _lines(path, _heading)
        if len(it.words) > TITLE_LENGTH
    )
    sentences = [text for path in files for text in _lines(path, _step)]
    sentences += [text for path in sorted(steps.glob("*.py")) for text in _strings(path)]
    yield from _graded(_in_words(sentences), SENTENCES)


def of_mutants(planted: Iterable[Mutant]) -> Iterator[LintFinding]:
    """The words in what mutants do wrong that the glossary does not have."""
    yield from _graded(_in_words(_Text(it.path, it.line, it.what) for it in planted), MUTANTS)


def of_descriptors(implementations: Path) -> Iterator[LintFinding]:
    """The words in the reasons of deviations, in a folder of descriptors, that the glossary does not have."""
    read = (implementation.read(path)[0] for path in sorted(implementations.glob("*.yaml")))
    reasons = (
        _Text(one.descriptor, 1, f"deviations: {it.requirement}: {it.reason}")
        for one in read
        if one
        for it in one.deviations
    )
    yield from _graded(_in_words(reasons), DESCRIPTORS)


def of_checkout(root: Path | None) -> Iterator[LintFinding]:
    """The words in the documents and in what the package prints that the glossary does not have."""
    if root is None:
        return
    pages = {
        path
        for pattern in _DOCUMENTS
        for path in root.glob(pattern)
        if path != root / _GLOSSARY and not _holds(path, root, *_NO_PAGES)
    }
    documents = (_Text(path, 1, path.read_text("utf-8")) for path in sorted(pages))
    yield from _graded(_in_words(documents), DOCUMENTS)
    package = root / "src" / "batchproof"
    modules = [path for path in sorted(package.rglob("*.py")) if not _holds(path, package, _THE_TABLE)]
    printed = [
        *(it for path in modules if not _holds(path, package, *_SENTENCES_OF_STEPS) for it in _strings(path)),
        *(_Text(path, 1, path.read_text("utf-8")) for path in sorted(package.rglob("*.jinja"))),
    ]
    yield from _graded(_in_words(printed), PRINTED)
    code = (path for folder in _CODE for path in sorted((root / folder).rglob("*.py")))
    remarks = (_remarks(path) for path in code if path != package / _THE_TABLE)
    yield from _graded(_in_words(remarks, code=True), REMARKS)


def _holds(path: Path, package: Path, *places: str) -> bool:
    """Whether a module is one of these, or lies below one of them."""
    return path.relative_to(package).as_posix().startswith(places)


def _in_words(texts: Iterable[_Text], *, suite: bool = False, code: bool = False) -> Iterator[LintFinding]:
    for text in texts:
        for offset, word, say in unwanted(text.words, suite=suite, code=code):
            line = text.line + text.words.count("\n", 0, offset)
            yield LintFinding(text.path, line, "unwanted-word", f"{word!r}: say {say} ({_GLOSSARY})")


def _graded(findings: Iterable[LintFinding], severity: Severity) -> Iterator[LintFinding]:
    """Each error; of warnings one for each file and code, with their number and the first of them."""
    if severity == "error":
        yield from findings
        return
    for (path, code), group in groupby(sorted(findings), key=lambda it: (it.path, it.code)):
        first, *others = group
        places = "1 place" if not others else f"{len(others) + 1} places, the first"
        yield LintFinding(path, first.line, code, f"{places}: {first.message}", "warning")


def _lines(path: Path, read: Callable[[str], str]) -> Iterator[_Text]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if words := read(line).strip():
            yield _Text(path, number, words)


def _title(line: str) -> str:
    """The title, or the free text, in a line of a feature file; empty where there is none."""
    if _NO_TEXT.match(line) or _STEP.match(line):
        return ""
    found = _TITLE.match(line)
    return found[1] if found else line.strip()


def _step(line: str) -> str:
    found = _STEP.match(line)
    return found[1] if found else ""


def _heading(line: str) -> str:
    """The title of a feature or rule; the linter of scenarios knows theirs."""
    found = _HEADING.match(line)
    return found[1] if found else ""


def _strings(path: Path) -> list[_Text]:
    """What a module says to people: its strings of several words, and the help texts of its commands."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    silent = {id(it.value) for it in nodes if isinstance(it, ast.Expr)} - set(map(id, _helps(nodes)))
    silent |= {id(part) for it in nodes if isinstance(it, ast.JoinedStr) for part in it.values}
    texts = (
        _Text(path, getattr(node, "lineno", 1), words)
        for node in nodes
        if id(node) not in silent and _PROSE.search(words := _said(node))
    )
    return sorted(texts, key=lambda it: it.line)


def _remarks(path: Path) -> _Text:
    """The docstrings of a module, also those of its constants, and its comments; all else is blank."""
    lines = path.read_text("utf-8").splitlines()
    shown = [found[0] if (found := _COMMENT.search(line)) else "" for line in lines]
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.end_lineno:
            shown[node.lineno - 1 : node.end_lineno] = lines[node.lineno - 1 : node.end_lineno]
    return _Text(path, 1, _ATTRIBUTE.sub("", "\n".join(shown)))


def _helps(nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
    """The docstrings that click prints as help."""
    for node in nodes:
        if (
            isinstance(node, ast.FunctionDef)
            and any("command" in ast.unparse(it) for it in node.decorator_list)
            and isinstance(first := node.body[0], ast.Expr)
        ):
            yield first.value


def _said(node: ast.AST) -> str:
    """The text of a string, with ``{}`` for what is filled in."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_said(part) or "{}" for part in parts)
        case _:
            return ""
