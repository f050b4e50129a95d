"""A number stands before a noun of its number: ``1 pod is running``, ``2 pods are running``."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import batchproof
from batchproof.judgement.values import as_of_several, counted, subject_and_verb

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(batchproof.__file__).parent
_SEVERAL = re.compile(
    r" (?:(?:active|running|terminating|finished|succeeded|status|planned|more) )*"
    r"(?:pod|request|creation|service|task|Job|write|event|scenario|completion|gang)s\b| times\b"
)
_SENTENCES = {"exploration", "model"}
"""Where sentences of scenarios are written, which have more than one in what they name."""
_KNOWN_TO_BE_MORE = re.compile(r"_?[A-Z][A-Z_]*( \+ 1)?|every\..*|.*workers|before|.*again|phase")
"""Numbers that a program writes, or that are never one."""


def plurals_after_numbers(tree: ast.AST) -> Iterator[str]:
    """The texts in which a value that may be 1 stands before a noun of several."""
    for text in ast.walk(tree):
        if not isinstance(text, ast.JoinedStr):
            continue
        for value, after in zip(text.values, text.values[1:], strict=False):
            if not isinstance(value, ast.FormattedValue) or not isinstance(after, ast.Constant):
                continue
            number, words = ast.unparse(value.value), str(after.value)
            if _SEVERAL.match(words) and not _KNOWN_TO_BE_MORE.fullmatch(number):
                yield f"line {text.lineno}: {{{number}}}{words}"


@pytest.mark.parametrize(
    "file",
    [path for path in sorted(SOURCE.rglob("*.py")) if _SENTENCES.isdisjoint(path.parts)],
    ids=lambda path: path.relative_to(SOURCE).as_posix(),
)
def test_no_text_puts_a_number_that_may_be_1_before_a_noun_of_several(file: Path) -> None:
    assert [*plurals_after_numbers(ast.parse(file.read_text("utf-8")))] == []


def test_such_a_text_is_found() -> None:
    assert [*plurals_after_numbers(ast.parse('f"{len(pods)} active pods, {n} times"'))]
    assert not [*plurals_after_numbers(ast.parse("f\"{counted(len(pods), 'pod')} seen\""))]


@pytest.mark.parametrize(
    ("number", "rest", "text"),
    [
        (1, "are running", "1 pod is running"),
        (2, "are running", "2 pods are running"),
        (0, "succeed", "0 pods succeed"),
        (1, "succeed", "1 pod succeeds"),
        (1, "go on without container side", "1 pod goes on without container side"),
        (1, "become Unknown", "1 pod becomes Unknown"),
    ],
)
def test_a_verb_has_the_number_of_its_noun(number: int, rest: str, text: str) -> None:
    assert subject_and_verb(number, "pod", rest) == text


@pytest.mark.parametrize("rest", ["are running, and not ready", "fail", "go on without it", "restart"])
def test_what_one_does_is_what_several_do(rest: str) -> None:
    told = (re.sub(r"^\d+", "*", subject_and_verb(number, "pod", rest)) for number in (1, 3))
    assert {as_of_several(text) for text in told} == {f"* pods {rest}"}


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("creates * pod of gang a", "creates * pods of gang a"),
        ("* pod restarts a container * time", "* pods restart a container * times"),
        ("the next * pod deletions are answered", "the next * pod deletions are answered"),
        ("changes pod *", "changes pod *"),
    ],
)
def test_an_action_is_the_same_whichever_number_it_has(text: str, several: str) -> None:
    assert as_of_several(text) == several


def test_a_noun_may_have_a_plural_of_its_own() -> None:
    assert [counted(n, "history", "histories") for n in (1, 2)] == ["1 history", "2 histories"]
