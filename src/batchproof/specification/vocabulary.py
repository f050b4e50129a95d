"""The sentences that a suite understands: what its step definitions match."""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
import traceback
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from pytest_bdd.parsers import StepParser
from pytest_bdd.steps import StepFunctionContext, step_function_context_registry

from batchproof.ground.errors import HarnessError, UserError
from batchproof.judgement.claims import Claim
from batchproof.judgement.facts import Fact
from batchproof.judgement.forms import Quantifier
from batchproof.judgement.parts import load
from batchproof.judgement.phrase import PHRASES, PhraseError
from batchproof.judgement.template import Template
from batchproof.specification.registry import REQUIREMENT_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from types import ModuleType

_FAULTS_END = "the faults end"
_STAYS = ", and stays so for "
_EVENTUALLY = "eventually "
_OF_WINDOWS = {Quantifier.ALWAYS, Quantifier.NEVER}
_REQUIRES = re.compile(rf", as ({REQUIREMENT_ID.pattern}) requires")


class ClaimSentence(StepParser):
    """The sentences that claim one fact, in every form: ``once the faults end 2 pods are active``.

    ``2 pods are active, and stays so for 2 seconds`` makes two claims, the first of them ``eventually`` if it
    says so; ``2 pods are active, and stays so`` is one. What is claimed once the faults end has the time of a
    recovery. A fact that needs a witness is not claimed of a window here: a verb of the World does that, and
    brings the witness.

    ``2 pods are active, as BAS-015 requires`` is judged under that requirement, not under the scenario's own.
    """

    def __init__(self, fact: Fact, once: Collection[str]) -> None:
        """The sentences of a fact.

        Args:
            fact: what is claimed.
            once: what may happen first.
        """
        super().__init__(fact.name)
        self._fact = fact
        self._once = once

    def parse_arguments(self, name: str) -> dict[str, object] | None:
        """``claims``, and in ``once`` what is to happen first."""
        once, claims = self.claims_in(name)
        return {"once": once, "claims": claims} if claims else None

    def claims_in(self, name: str) -> tuple[str, list[Claim]]:
        """What is to happen first, and what a sentence claims then; nothing if it is not about the fact."""
        said, duty = duty_in(name)
        once = next((it for it in self._once if said.startswith(f"once {it} ")), "")
        sentence, stays, length = said.removeprefix(f"once {once} ").partition(_STAYS)
        sentences = [sentence, f"for {length} {sentence.removeprefix(_EVENTUALLY)}"] if stays else [sentence]
        claims = [claim for it in sentences if (claim := self._claim(it, once))]
        if len(claims) != len(sentences):
            return once, []
        return once, [msgspec.structs.replace(claim, requirement=duty) for claim in claims]

    def _claim(self, sentence: str, once: str) -> Claim | None:
        claim = None if self._fact.problem else Claim.read(sentence, self._fact)
        if claim is None or (claim.quantifier in _OF_WINDOWS and self._fact.witness):
            return None
        if once == _FAULTS_END and claim.waits:
            return msgspec.structs.replace(claim, limit="recovery")
        return claim

    @property
    def landmark(self) -> str:
        """Words that each of these sentences has."""
        return self._fact.template.landmark if self._fact.template else ""

    def is_matching(self, name: str) -> bool:
        """The sentence claims this fact."""
        return self.parse_arguments(name) is not None


def duty_in(sentence: str) -> tuple[str, str]:
    """A sentence without the requirement that it is judged under, and that; empty: the scenario's own."""
    found = _REQUIRES.search(sentence)
    if found is None or found.end() != len(sentence):
        return sentence, ""
    return sentence[: found.start()], found[1]


class VerbSentence(StepParser):
    """The sentences of a template: ``{pods:pods} [is|are] added to gang {name:gang}``."""

    def __init__(self, template: Template) -> None:
        """The sentences of a template."""
        super().__init__(template.text)
        self.template = template

    def parse_arguments(self, name: str) -> dict[str, Any] | None:
        """The arguments of a sentence; None if it is another one."""
        try:
            return self.template.read(name)
        except PhraseError:
            return None

    @property
    def landmark(self) -> str:
        """Words that each of these sentences has."""
        return self.template.landmark

    def is_matching(self, name: str) -> bool:
        """It is one of these sentences."""
        return self.parse_arguments(name) is not None


def why_not(text: str) -> str:
    """What is wrong with a sentence that no step understands, where it begins as a phrase; else nothing."""
    load("phrases")
    parsers = (one.parser for one in step_function_context_registry.values())
    first = {one.template.begins_with for one in parsers if isinstance(one, VerbSentence)}
    found = [it for name, phrase in PHRASES.items() if name in first and (it := phrase.problem(text))]
    return max(found)[1] if found else ""


def load_steps(folder: Path) -> list[ModuleType]:
    """The modules that define the steps, loaded once; those too that one of them names in ``LOADED``.

    Raises:
        UserError: one cannot be loaded; the message begins with the file and line to be mended.
    """
    mark = sha256(str(folder.resolve()).encode()).hexdigest()[:8]  # each suite has steps of the same names
    own = [_module(f"batchproof_steps_{mark}_{path.stem}", path) for path in sorted(folder.glob("*.py"))]
    return [*own, *(module for one in own for module in getattr(one, "LOADED", ()))]


def _module(name: str, path: Path) -> ModuleType:
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise HarnessError(f"the steps in {path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise UserError(f"{_culprit(error, path)}: {type(error).__name__}: {error}") from error
    return module


def _culprit(error: Exception, path: Path) -> str:
    """The file and line that keep steps from being loaded: in the steps themselves, or in what they use."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}"
    frames = [one for one in traceback.extract_tb(error.__traceback__) if not one.filename.startswith("<")]
    ours = [
        one
        for one in frames
        if Path(one.filename).parent == path.parent or Path(one.filename).parent.name in {"facts", "steps"}
    ]
    named = [one for one in ours if Path(one.filename).name != "__init__.py"] or ours
    return f"{named[-1].filename}:{named[-1].lineno}" if named else str(path)


def definitions(modules: Iterable[ModuleType], kind: str, text: str) -> list[str]:
    """The names of the step definitions that a sentence matches; right is exactly one.

    Args:
        modules: what ``load_steps`` has loaded.
        kind: ``given``, ``when`` or ``then``.
        text: the sentence with its examples filled in.
    """
    return [one.step_func.__name__ for one in _matching(modules, kind, text)]


def made_of(modules: Iterable[ModuleType], kind: str, text: str) -> list[str]:
    """The names of the definitions that a sentence matches: a verb has that of its class before its own.

    What is to happen ``once`` before a claim is among them. The arguments are those of ``definitions``.
    """
    modules = [*modules]
    found = []
    for one in _matching(modules, kind, text):
        said = inspect.unwrap(one.step_func)
        whole = said.__qualname__
        found += [one.step_func.__name__] if "<locals>" in whole else [whole]
        if isinstance(one.parser, ClaimSentence) and (once := one.parser.claims_in(text)[0]):
            found += [name for each in ("given", "when", "then") for name in made_of(modules, each, once)]
    return found


def claims_of(modules: Iterable[ModuleType], kind: str, text: str) -> list[Claim]:
    """The claims that a sentence makes; none where a step of its own says what is claimed."""
    return [
        claim
        for context in _matching(modules, kind, text)
        if isinstance(context.parser, ClaimSentence)
        for claim in context.parser.claims_in(text)[1]
    ]


def defined_in(modules: Iterable[ModuleType], kind: str, text: str) -> set[str]:
    """The names of the files, without ending, whose step definitions a sentence matches."""
    return {Path(inspect.getfile(one.step_func)).stem for one in _matching(modules, kind, text)}


def meaning(modules: Iterable[ModuleType], kind: str, text: str) -> tuple[Callable[..., Any], dict[str, Any]]:
    """What a sentence makes happen: the step's function, and its arguments but for the World.

    Raises:
        UserError: no step definition matches it, or several do.
    """
    found = _matching(modules, kind, text)
    if len(found) != 1:
        why = why_not(text) if not found else ""
        raise UserError(f"{len(found) or 'no'} step definitions match {text!r}{why and f': {why}'}")
    [one] = found
    wanted = inspect.signature(one.step_func).parameters
    parsed = (one.parser.parse_arguments(text) or {}).items()
    change: dict[str, Callable[[str], Any]] = one.converters
    said = {name: change[name](value) if name in change else value for name, value in parsed}
    return one.step_func, {name: value for name, value in said.items() if name in wanted}


def _matching(modules: Iterable[ModuleType], kind: str, text: str) -> tuple[StepFunctionContext, ...]:
    """The step definitions that a sentence matches."""
    names = frozenset(module.__name__ for module in modules)
    return _matched(names, len(step_function_context_registry), kind, text)


@lru_cache(maxsize=10_000)
def _matched(names: frozenset[str], known: int, kind: str, text: str) -> tuple[StepFunctionContext, ...]:
    """Many scenarios have the same sentence; most definitions are passed over for a word that it lacks."""
    return tuple(
        one
        for landmark, one in _definitions(names, known)
        if landmark in text and one.type in (None, kind) and one.parser.is_matching(text)
    )


@lru_cache(maxsize=10)
def _definitions(names: frozenset[str], _: int) -> list[tuple[str, StepFunctionContext]]:
    """The step definitions of some modules, each with words that a sentence of it has.

    Args:
        names: of the modules.
        _: how many definitions there are in all: where there are more, they are looked up again.
    """
    return [
        (getattr(one.parser, "landmark", ""), one)
        for one in step_function_context_registry.values()
        if one.step_func.__module__ in names
    ]
