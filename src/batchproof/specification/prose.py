"""How a scenario reads: the rules of plain Gherkin that a machine can hold.

A title is a fact, a scenario is one behaviour, and no step speaks of how it is done.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from batchproof.specification.gherkin import Background, Scenario

if TYPE_CHECKING:
    from collections.abc import Iterator

TITLE_LENGTH = 80
STEPS = 8
GIVENS_OF_A_BACKGROUND = 3

_TITLE_WORDS = re.compile(r"\b(should|shall|tests?|tested|testing)\b", re.IGNORECASE)
_MEANS = re.compile(r"\b(sleeps?|kubectl|json ?path|curl)\b", re.IGNORECASE)
_PATH = re.compile(r"(?<![\w.])[{$]?\.[a-z]\w*\.[a-z]|\$\.[a-z]|\{\.[a-z]|\[\*\]|\[\?\(")


def of_scenario(scenario: Scenario) -> Iterator[tuple[int, str, str]]:
    """What reads badly in a scenario: line, code, message."""
    title, line = scenario.name, scenario.line
    if not title.strip():
        yield line, "title-missing", "a scenario needs a title that states a fact"
    if len(title) >= TITLE_LENGTH:
        message = f"the title has {len(title)} characters; it must stay under {TITLE_LENGTH}"
        yield line, "title-too-long", message
    if found := _TITLE_WORDS.search(title):
        message = f"the title says {found[0]!r}; it must state a fact, as if it were true: {title!r}"
        yield line, "title-not-a-fact", message
    if title.rstrip().endswith("."):
        yield line, "title-with-full-stop", f"the title ends with a full stop: {title!r}"
    yield from _of_description(line, scenario.description)
    if not scenario.steps:
        yield line, "steps-missing", f"the scenario has no steps: {title!r}"
    if len(scenario.steps) > STEPS:
        message = f"the scenario has {len(scenario.steps)} steps; at most {STEPS}: {title!r}"
        yield line, "too-many-steps", message
    whens = [step for step in scenario.steps if step.kind == "when"]
    if len(whens) > 1:
        message = f"a second When: one behavior a scenario, or continue the first one with And: {title!r}"
        yield whens[1].line, "more-than-one-when", message
    for step in scenario.steps:
        yield from _of_text(step.line, step.text)
    yield from _of_text(line, title)


def of_background(background: Background) -> Iterator[tuple[int, str, str]]:
    """What reads badly in a background: line, code, message."""
    yield from _of_description(background.line, background.description)
    if len(background.steps) > GIVENS_OF_A_BACKGROUND:
        message = f"the background has {len(background.steps)} steps; at most {GIVENS_OF_A_BACKGROUND} Givens"
        yield background.line, "background-too-long", message
    for step in background.steps:
        if step.kind not in {"given", "and"}:
            yield (
                step.line,
                "background-not-given",
                f"a background has only Givens: {step.keyword} {step.text}",
            )
        yield from _of_text(step.line, step.text)


def _of_description(line: int, description: str) -> Iterator[tuple[int, str, str]]:
    """A mistyped first step (``Give ...``) is no error of Gherkin, but text that is never run."""
    if description:
        first = description.splitlines()[0]
        yield line, "text-not-run", f"this is no step and is never run; use Given, When, Then or #: {first!r}"


def _of_text(line: int, text: str) -> Iterator[tuple[int, str, str]]:
    if found := _MEANS.search(text) or _PATH.search(text):
        message = f"{found[0]!r} says how it is done; say what is seen: {text!r}"
        yield line, "means-instead-of-behaviour", message
