"""What scenarios can say: the sentences of steps, and the phrases in them with their parts."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_bdd.steps import step_function_context_registry

from batchproof.judgement.parts import load
from batchproof.judgement.phrase import PHRASES, Phrase
from batchproof.specification.gherkin import Scenario, sentences
from batchproof.specification.vocabulary import ClaimSentence, VerbSentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import ModuleType

_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class SayableStep:
    """A step, other than those that claim a fact.

    Attributes:
        subject: what it is about, and before that the profile that owns it: ``gang: nodes``.
        about: the first paragraph of what its module says of itself.
        path: the module, as it lies on disk.
        name: of the function or verb.
        meaning: the first paragraph of what that says of itself; empty: its sentences say it.
        sentences: its templates; of a step without one some sentences of the suite.
        phrases: the phrases in its templates, by name.
    """

    subject: str
    about: str
    path: Path
    name: str
    meaning: str
    sentences: tuple[str, ...]
    phrases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Described:
    """A phrase.

    Attributes:
        name: the name of the argument that is described by it.
        begins: how it begins.
        parts: what it may say after that, in any number and order.
    """

    name: str
    begins: str
    parts: tuple[str, ...]


def steps_of(modules: Iterable[ModuleType], scenarios: Iterable[Scenario]) -> list[SayableStep]:
    """The steps of a suite, those of one verb together, in the order of their subjects.

    Args:
        modules: what ``load_steps`` has loaded.
        scenarios: where examples are taken from.
    """
    names = {module.__name__ for module in modules}
    said = sorted({(kind, text) for one in scenarios for _, kind, text in sentences(one)})
    found: dict[Callable[..., Any], list[Any]] = {}
    for one in step_function_context_registry.values():
        if one.step_func.__module__ in names and not isinstance(one.parser, ClaimSentence):
            found.setdefault(getattr(one.step_func, "__wrapped__", one.step_func), []).append(one)
    steps = [_step(function, contexts, said) for function, contexts in found.items()]
    return sorted((it for it in steps if it.sentences), key=lambda it: (it.subject.lower(), it.path.name))


def phrases() -> list[Described]:
    """All phrases."""
    load("phrases")
    return [Described(name, _begins(one), tuple(_parts(one))) for name, one in PHRASES.items()]


def _begins(phrase: Phrase[Any]) -> str:
    return phrase.opening_clause.template.shown


def _parts(phrase: Phrase[Any]) -> Iterator[str]:
    """Its parts; what another phrase describes has the name of that one."""
    for clause in phrase.clauses:
        yield _named(clause.template.shown, clause.template.kinds)


def _named(shown: str, kinds: Mapping[str, str]) -> str:
    """A template as it is shown, with the names of phrases where phrases stand."""
    for name, kind in kinds.items():
        shown = shown.replace(f"{{{name}}}", f"<{kind}>") if kind in PHRASES else shown
    return shown


def _step(
    function: Callable[..., Any], contexts: Sequence[Any], said: Iterable[tuple[str, str]]
) -> SayableStep:
    module = inspect.getmodule(function)
    path = Path(inspect.getfile(function))
    parsers = [one.parser for one in contexts]
    templates = [one.template for one in parsers if isinstance(one, VerbSentence)]
    texts = [_named(one.shown, one.kinds) for one in templates]
    if not templates:
        known = {text for kind, text in said for one in contexts if _reads(one, kind, text)}
        texts = sorted(known, key=lambda it: (len(it), it))[:_EXAMPLES]
    return SayableStep(
        subject=_subject(path),
        about=_first(inspect.getdoc(module)),
        path=path,
        name=function.__name__,
        meaning=_first(inspect.getdoc(function)),
        sentences=tuple(texts),
        phrases=tuple(sorted({*(kind for one in templates for kind in one.kinds.values())} & PHRASES.keys())),
    )


def _reads(context: Any, kind: str, text: str) -> bool:
    return context.type in (None, kind) and context.parser.is_matching(text)


def _subject(path: Path) -> str:
    """The subject of a module of steps or verbs, and before it the profile that owns it."""
    parents = [parent.name for parent in path.parents]
    if "profiles" not in parents:
        return path.stem
    owner = parents[parents.index("profiles") - 1].replace("_", "-")
    return owner if path.stem in {"verbs", "steps", "__init__"} else f"{owner}: {path.stem}"


def _first(text: str | None) -> str:
    return " ".join((text or "").partition("\n\n")[0].split())
