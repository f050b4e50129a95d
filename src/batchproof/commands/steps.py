"""``batchproof steps``: what can a scenario say?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import msgspec

from batchproof.ground import suite
from batchproof.ground.screen import say, say_json
from batchproof.judgement.facts import every
from batchproof.options import json_option
from batchproof.specification.gherkin import parse_features
from batchproof.specification.phrasebook import Described, SayableStep, phrases, steps_of
from batchproof.specification.vocabulary import load_steps

if TYPE_CHECKING:
    from collections.abc import Iterable


@click.command("steps", short_help="List the sentences that scenarios can say.")
@click.argument("word", required=False, default="")
@json_option("Print them as JSON.")
def command(word: str, *, as_json: bool) -> None:
    """List what scenarios can say: steps, the phrases in them with their parts, and facts to claim.

    WORD: only sentences that contain it. A phrase such as <a_gang> stands for its beginning and any number of
    its parts, in any order: "gang a with minimum 3 has 2 pods of 2 CPUs each".
    """
    described = phrases()
    of_word = {one.name for one in described if _holds(word, one.begins, *one.parts)}
    modules = load_steps(suite.steps())
    steps = [
        one
        for one in steps_of(modules, parse_features())
        if _holds(word, *one.sentences) or of_word & {*one.phrases}
    ]
    used = of_word.union(*(one.phrases for one in steps))
    facts = [one for one in every() if _holds(word, one.wording.text)]
    shown = [one for one in described if one.name in used]
    if as_json:
        said = [{"fact": one.name, "sentence": one.wording.shown} for one in facts]
        say_json({"steps": _rows(steps), "phrases": msgspec.to_builtins(shown), "facts": said})
        return
    _print(steps, shown)
    _section("claims", (one.wording.shown for one in facts))


def _holds(word: str, *texts: str) -> bool:
    return any(word.lower() in text.lower() for text in texts)


def _rows(steps: Iterable[SayableStep]) -> list[dict[str, Any]]:
    return [
        {
            "subject": one.subject,
            "step": one.name,
            "meaning": one.meaning,
            "sentences": one.sentences,
            "phrases": one.phrases,
        }
        for one in steps
    ]


def _print(steps: Iterable[SayableStep], described: Iterable[Described]) -> None:
    by_subject: dict[str, list[str]] = {}
    for one in steps:
        by_subject.setdefault(one.subject, []).extend(one.sentences)
    for subject, sentences in by_subject.items():
        _section(subject, sentences)
    for phrase in described:
        _section(f"<{phrase.name}>: {phrase.begins} ...", phrase.parts)


def _section(title: str, lines: Iterable[str]) -> None:
    if texts := list(lines):
        say(f"\n{title}")
        say("\n".join(f"  {text}" for text in texts))
