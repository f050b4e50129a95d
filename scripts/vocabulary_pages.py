"""What scenarios can say: docs/reference/steps.md and facts.md of the site."""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from batchproof.ground import suite
from batchproof.judgement.facts import Fact, every
from batchproof.judgement.forms import DEADLINES_S
from batchproof.judgement.invariants.rule import rules
from batchproof.report.markdown import plain, table
from batchproof.specification.gherkin import parse_features
from batchproof.specification.phrasebook import SayableStep, phrases, steps_of
from batchproof.specification.registry import load_registry
from batchproof.specification.vocabulary import load_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import ModuleType

_ROOT = Path(__file__).parents[1]
_FOLDER = _ROOT / "docs" / "reference"
_MADE = "<!-- Made by `python scripts/site_pages.py`. -->"
_STEPS = f"""\
# Steps

{_MADE}

What a scenario can say, apart from the [facts](facts.md) that it claims. A Given sets up a state, a When
makes one thing happen. `{{name}}` stands for an argument and `<name>` for a [phrase](#phrases). Of a step
without such signs there are sentences of the suite that it reads: every name, number and word that differs
between two of them is an argument. `batchproof steps WORD` prints what is about a word.
[Write a scenario](../how-to/write-a-scenario.md) shows how they are used."""
_PHRASES = """\
A phrase describes one thing. After its beginning come parts in any number and order, joined by a space, a
comma or `and`: `gang a in queue small with minimum 3 that needs 6 CPUs in all, of priority high, has 3 pods
of 2 CPUs each, no two on one node`. It is an error if two parts contradict each other, or if a part is
unknown; the message names the nearest one. A part that could belong to a phrase and to one within it belongs
to the nearest one before it."""
_FACTS = f"""\
# Facts

{_MADE}

What a Then can claim, and what a Given or a When can wait for. A fact has one sentence, and its denial below;
`{{name}}` stands for an argument, and a part in brackets may be left out. The name is what reports print
after `fact`, and what a [deviation](../how-to/deviations.md) names.

A sentence says for how long the fact is claimed:

| sentence | the fact must be true |
|---|---|
| `the Job finishes` | once, within the deadline of the fact |
| `within 1 second the Job finishes` | once, within the deadline of that length |
| `eventually the Job finishes` | once, within the deadline `recovery` |
| `once the faults end the Job finishes` | the same, after the faults have ended |
| `now the Job finishes` | at that moment |
| `for 2 seconds the Job finishes` | at every moment of that window |
| `for 2 seconds the Job does not finish` | at no moment of that window |
| `the Job finishes, and stays so` | once, and from then on until the next Given or When, or until the end |
| `the Job finishes, as BAS-013 requires` | any of these, under BAS-013 instead of the scenario's own |

At the end of a scenario, "until the end" means until the implementation has proved that it is alive. The
lengths are those of the deadlines, which a descriptor's `time_scale` multiplies:"""
_OPTIONAL = {
    "at_most": "[ and at most {}]",
    "gang_or_one": "{}",
    "job": "the Job",
    "most": "no more than {}",
    "of_job": "[ of Job b]",
}
_FORMS = re.compile(r"\[[^][|]*\|(?P<many>[^][|]*)\]")
_ARGUMENT = re.compile(r"\{(?P<name>\w+):(?P<kind>\w+)\}")
_DENIED = re.compile(r"<(?P<so>[^<>|]*)\|(?P<not_so>[^<>|]*)>")


def pages() -> dict[Path, str]:
    """The text of both pages."""
    return {
        _FOLDER / "steps.md": "\n\n".join([_STEPS, *_steps()]) + "\n",
        _FOLDER / "facts.md": "\n\n".join([_FACTS, *_facts()]) + "\n",
    }


def _steps() -> Iterator[str]:
    """The phrases, and a section for each subject of steps."""
    yield "## Phrases"
    yield _PHRASES
    yield table(
        ("phrase", "begins", "parts"),
        ((f"`<{one.name}>`", _code([one.begins]), _code(one.parts)) for one in phrases()),
        str,
    )
    by_subject: defaultdict[str, list[SayableStep]] = defaultdict(list)
    for one in steps_of(load_steps(suite.steps()), parse_features()):
        by_subject[one.subject].append(one)
    for subject, steps in by_subject.items():
        paths = sorted({one.path.relative_to(_ROOT).as_posix() for one in steps})
        where = ", ".join(f"[{path}](../../{path})" for path in paths)
        yield f"## {subject}\n\n{_plain(steps[0].about)} ({where})"
        yield table(("sentences", "step"), ((_code(one.sentences), f"`{one.name}`") for one in steps), str)


def _facts() -> Iterator[str]:
    """The deadlines, a section for each module of facts, and the invariants."""
    yield table(
        ("deadline", "seconds"), ((f"`{name}`", f"{length:g}") for name, length in DEADLINES_S.items()), str
    )
    by_module: defaultdict[ModuleType, list[Fact]] = defaultdict(list)
    for fact in every():
        if module := inspect.getmodule(fact.rule):
            by_module[module].append(fact)
    for module, facts in sorted(by_module.items(), key=lambda it: it[0].__name__):
        path = Path(inspect.getfile(module))
        yield _heading(module, f"{path.parents[1].name}: {path.stem}")  # the profile that owns it
        yield table(("sentence", "true if", "fact", "deadline"), map(_fact, facts), str)
    yield "## Invariants"
    yield "Judged over the history of every scenario, each for its own requirement."
    registry = load_registry()
    yield table(
        ("requirement", "sentence", "invariant"),
        ((id_, registry[id_].sentence, rule.__name__) for id_, rule in sorted(rules().items())),
    )


def _fact(fact: Fact) -> tuple[str, ...]:
    text = _FORMS.sub(r"\g<many>", fact.wording.text)
    said = [
        _DENIED.sub(r"\g<so>", text),
        *([_DENIED.sub(r"\g<not_so>", text)] if fact.wording.deniable else []),
    ]
    return (
        _code(_ARGUMENT.sub(_argument, it) for it in said),
        _meaning(fact.rule),
        f"`{fact.name}`",
        f"`{fact.within}`",
    )


def _argument(found: re.Match[str]) -> str:
    return _OPTIONAL.get(found["kind"], "{}").replace("{}", f"{{{found['name']}}}")


def _heading(module: ModuleType, title: str) -> str:
    path = Path(inspect.getfile(module)).relative_to(_ROOT).as_posix()
    return f"## {title}\n\n{_meaning(module)} ([{path}](../../{path}))"


def _meaning(described: ModuleType | Callable[..., object]) -> str:
    """The first paragraph of a docstring."""
    return _plain((inspect.getdoc(described) or "").partition("\n\n")[0])


def _plain(text: str) -> str:
    """A docstring's text as Markdown: what stands in two backticks is code."""
    return "`".join(
        part if number % 2 else plain(f"{part}.")[:-1] for number, part in enumerate(text.split("``"))
    )


def _code(texts: Iterable[str]) -> str:
    return "<br>".join(f"`{text}`".replace("|", "\\|") for text in texts)
