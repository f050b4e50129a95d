"""``batchproof steps``: what can a scenario say?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import msgspec

from batchproof.ground import suite
from batchproof.ground.errors import UserError
from batchproof.ground.screen import note, say, say_json
from batchproof.judgement.facts import every
from batchproof.options import json_option
from batchproof.specification.gherkin import parse_features
from batchproof.specification.phrasebook import Described, SayableStep, phrases, steps_of
from batchproof.specification.vocabulary import load_steps

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHORTEST = 3
"""Letters: shorter words, as names and numbers of a scenario are, count only where no longer one is given."""


@click.command("steps", short_help="List the sentences that scenarios can say.")
@click.argument("words", nargs=-1)
@json_option("Print them as JSON.")
def command(words: tuple[str, ...], *, as_json: bool) -> None:
    """List what scenarios can say: steps, the phrases in them with their parts, and facts to claim.

    WORDS: only sentences that contain them, in any order; where none contains all, those that contain most. A
    whole sentence can be given. A phrase such as <a_gang> stands for its beginning and any number of its
    parts, in any order: "gang a with minimum 3 has 2 pods of 2 CPUs each".
    """
    described = phrases()
    steps = steps_of(load_steps(suite.steps()), parse_features())
    given = " ".join(words).lower().split() or [""]
    wanted = {word for word in given if len(word) >= _SHORTEST} or {*given}

    def shared(*texts: str) -> int:
        said = " ".join(texts).lower()
        return sum(word in said for word in wanted)

    most = max(
        *(shared(one.begins, *one.parts) for one in described),
        *(shared(sentence) for one in steps for sentence in one.sentences),
        *(shared(one.wording.text) for one in every()),
    )
    if not most:
        raise UserError("no sentence has any of these words; `batchproof steps` lists all sentences")
    if most < len(wanted):
        note(f"no sentence has all of these words; those below have {most} of {len(wanted)}", err=True)
    of_words = {one.name for one in described if shared(one.begins, *one.parts) == most}
    steps = [one for one in steps if most in map(shared, one.sentences) or of_words & {*one.phrases}]
    used = of_words.union(*(one.phrases for one in steps))
    facts = [one for one in every() if shared(one.wording.text) == most]
    shown = [one for one in described if one.name in used]
    if as_json:
        said = [{"fact": one.name, "sentence": one.wording.shown} for one in facts]
        say_json({"steps": _rows(steps), "phrases": msgspec.to_builtins(shown), "facts": said})
        return
    _print(steps, shown)
    _section("claims", (one.wording.shown for one in facts))


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
