"""A program: actions of users, nodes and faults, played under a model, and written as a scenario.

A program is a list of actions, not of sentences. What each of them says, and what may be claimed after
it, is decided by a model of the profile (``State``) that only counts: it says which actions are possible,
and how all has to end. So a program of which an action is left out is a program again, with other claims
where these change, and nothing in it waits for what cannot come.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, Self, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

DONE, CLAIMED = "when", "then"


@dataclass(frozen=True, slots=True)
class ModelAction:
    """Something that is made to happen.

    Attributes:
        kind: what it is, by the name that the model of the profile has for it: ``succeed``.
        numbers: how many, as the kind needs it; a smaller one is a simpler action.
        words: which of several, as the kind needs it.
    """

    kind: str
    numbers: tuple[int, ...] = ()
    words: str = ""

    @property
    def number(self) -> int:
        """The first of its numbers; 1 if it has none."""
        return self.numbers[0] if self.numbers else 1

    @classmethod
    def each(cls, kind: str, words: Iterable[str]) -> tuple[Self, ...]:
        """One of a kind for each of these words."""
        return tuple(cls(kind, words=one) for one in words)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A step of a scenario.

    Attributes:
        text: as a step of the vocabulary says it.
        judges: the requirement that it claims; empty: it makes something happen, or only waits for it.
        action: the place of the action that says it; None: the model says it at the end.
        given: it is how all begins.
    """

    text: str
    judges: str = ""
    action: int | None = None
    given: bool = False

    @property
    def kind(self) -> str:
        """``when`` or ``then``, as the step definitions know it."""
        return CLAIMED if self.judges else DONE


class State(Protocol):
    """What a model knows after some actions: it counts, and never looks at a cluster."""

    @property
    def themes(self) -> Sequence[str]:
        """What not every program is about; the themes of other actions are in each."""

    def offers(self) -> Mapping[str, Sequence[ModelAction]]:
        """The actions that are possible now, by theme; none: the program is at its end."""

    def allows(self, action: ModelAction) -> bool:
        """Whether this action is possible now."""

    def traits(self, action: ModelAction) -> Sequence[str]:
        """What about this action, where it stands, may matter together with something else."""

    def after(self, action: ModelAction) -> tuple[Sequence[Sentence], State]:
        """What an action says, with what has to be waited for first, and the state after it."""

    def closing(self) -> Sequence[Sentence]:
        """What lets everything come to its end, and claims that end."""


Rules: TypeAlias = Callable[[frozenset[str]], State]
"""What a profile may play: the state before anything, for an implementation with these capabilities."""


@dataclass(frozen=True, slots=True)
class Program:
    """Actions in their order, and how they are played.

    Attributes:
        closed: the model lets everything come to its end; else all ends with the last action.
    """

    actions: tuple[ModelAction, ...]
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Script:
    """A program in sentences.

    Attributes:
        program: the program, without the actions that were not possible where they stood.
    """

    program: Program
    sentences: tuple[Sentence, ...]

    def about(self, requirement: str) -> Script:
        """The same, as a scenario of one requirement: other claims are only waited for."""
        one = tuple(it if it.judges in {"", requirement} else replace(it, judges="") for it in self.sentences)
        return replace(self, sentences=one)


SETTLES_S = 2
"""How long a program that is not closed goes on after its last action."""


def script(begin: State, program: Program) -> Script:
    """A program in sentences; actions that are not possible where they stand are left out."""
    state, kept = begin, list[ModelAction]()
    sentences: list[Sentence] = []
    for action in program.actions:
        if not state.allows(action):
            continue
        said, state = state.after(action)
        sentences += [replace(it, action=len(kept)) for it in said]
        kept.append(action)
    sentences += state.closing() if program.closed else [Sentence(f"{SETTLES_S} seconds pass")]
    return Script(replace(program, actions=tuple(kept)), tuple(sentences))


def gherkin(one: Script, *, requirement: str, title: str, feature: str, description: Iterable[str]) -> str:
    """A script as a feature file with one scenario, tagged with the requirement that it is about."""
    lines = [f"Feature: {feature}", *(f"  {line}".rstrip() for line in description), "", f"  @{requirement}"]
    lines.append(f"  Scenario: {title}")
    before = ""
    for sentence in one.about(requirement).sentences:
        keyword = "Given" if sentence.given else sentence.kind.capitalize()
        lines.append(f"    {'And' if keyword == before else keyword} {sentence.text}")
        before = keyword
    return "\n".join(lines) + "\n"
