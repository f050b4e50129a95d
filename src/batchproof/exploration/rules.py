"""Rules of random programs: what may happen, when it may, what it says, and what is so after it.

As in stateful testing, a rule is one object with its arguments, its precondition and its effect. A model is
the rules of a profile with what they have in common; a ``ModelState`` drives any model from state to state.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar

from batchproof.exploration.program import ModelAction, Sentence
from batchproof.exploration.troubles import FAULTY, RESTART, FaultBudget, FaultCatalog, crashes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

C = TypeVar("C", bound=FaultBudget)
Said: TypeAlias = "tuple[list[Sentence], C]"
"""What is said, and the counts after it."""


def nothing(counts: C) -> Said[C]:
    """Nothing is waited for."""
    return [], counts


class Happens(Protocol[C]):
    """What an action says, and the counts after it."""

    def __call__(self, counts: C, action: ModelAction, /) -> Said[C]:
        """See ``ActionRule``."""


@dataclass(frozen=True, slots=True)
class ActionRule(Generic[C]):
    """One kind of actions.

    Attributes:
        actions: those that are tried at random, all of one kind.
        possible: whether an action is possible now. Those of a smaller program may have lower numbers.
        happens: what it says, and the counts after it.
        waits: what has to be waited for before it, while the implementation can act.
        begins: it may happen before there is what the profile is about.
        theme: what a program is about in which this happens; None: its kind.
        traits: what about an action, where it stands, may matter together with another; None: see ``Model``.
    """

    actions: Sequence[ModelAction]
    possible: Callable[[C, ModelAction], bool]
    happens: Happens[C]
    waits: Callable[[C], Said[C]] = nothing
    begins: bool = False
    theme: Callable[[ModelAction], str] | None = None
    traits: Callable[[C, ModelAction], Sequence[str]] | None = None

    @property
    def kind(self) -> str:
        """The kind of its actions."""
        return self.actions[0].kind


def killed(_: object, action: ModelAction) -> tuple[str]:
    """What matters of a process that dies at a write."""
    return (f"killed {action.words} a write",)


def fault_rules(
    faults: FaultCatalog,
    *,
    writes: int,
    possible: Callable[[C, ModelAction], bool],
    happens: Happens[C],
    traits: Callable[[C, ModelAction], Sequence[str]] | None = None,
    waits: Mapping[str, Callable[[C], Said[C]]],
) -> tuple[ActionRule[C], ...]:
    """The rules of what goes wrong: faults of requests and views, restarts, crashes, and blocks.

    Args:
        faults: those that a profile has.
        writes: at how many of its first writes the implementation is killed.
        possible: see ``ActionRule``, for all of them.
        happens: see ``ActionRule``, for all of them.
        traits: see ``ActionRule``, for all but crashes.
        waits: see ``ActionRule``, by the kind.
    """
    actions = ModelAction.each("fault", faults.words), (RESTART,), crashes(writes)
    return tuple(
        ActionRule(
            them,
            possible,
            happens,
            waits.get(them[0].kind, nothing),
            begins=them[0].kind == "fault",
            theme=faults.theme,
            traits=killed if them[0].kind == "crash" else traits,
        )
        for them in (*actions, ModelAction.each("block", faults.blocks))
    )


def epilogue(
    *texts: str,
    possible: Callable[[C, ModelAction], bool],
    traits: Callable[[C, ModelAction], Sequence[str]] | None = None,
) -> ActionRule[C]:
    """The rule of what happens after the end, and must not change it: it is said once all has ended.

    Args:
        texts: the sentences.
        possible: see ``ActionRule``.
        traits: see ``ActionRule``.
    """
    return ActionRule(
        ModelAction.each("epilogue", texts),
        possible,
        lambda counts, action: ([], replace(counts, epilogue=action.words)),
        traits=traits,
    )


class Model(Generic[C]):
    """What may happen in the programs of a profile, and how they have to end."""

    def __init__(
        self,
        *rules: ActionRule[C],
        always: Sequence[str],
        errors: Mapping[str, int],
        there: Callable[[C], bool],
        acts: Callable[[C], bool],
        over: Callable[[C], bool],
        next_to_close: Callable[[C], ModelAction | None],
        conclusion: Callable[[C], list[Sentence]],
        known: Callable[[C], C] = lambda counts: counts,
        suffix: Callable[[C], str] = lambda _: "",
        afterwards: Callable[[C], Said[C]] = nothing,
    ) -> None:
        """Put rules together.

        Args:
            rules: one for each kind of actions.
            always: the themes that each program may have, whatever else it is about.
            errors: how many errors each fault means for the implementation, by its words.
            there: whether there is what the profile is about.
            acts: whether the implementation can act, so that what it does can be waited for.
            over: whether nothing more is begun.
            next_to_close: what is still to happen so that all comes to its end; None: nothing.
            conclusion: the claims about the end.
            known: the counts once the implementation has done what it is about to do, by which an action is
                possible or not.
            afterwards: what has to be waited for right after an action.
            suffix: what about the counts may matter together with an action whose rule says nothing else; its
                theme does anyway.
        """
        self.rules = {rule.kind: rule for rule in rules}
        self.errors = errors
        self.there = there
        self.acts = acts
        self.over = over
        self.next_to_close = next_to_close
        self.conclusion = conclusion
        self.known = known
        self.afterwards = afterwards
        self.suffix = suffix
        self._always = always

    def theme(self, action: ModelAction) -> str:
        """What a program is about in which this happens."""
        theme = self.rules[action.kind].theme
        return theme(action) if theme else action.kind

    @cached_property
    def themes(self) -> tuple[str, ...]:
        """What not every program is about."""
        every = {self.theme(action) for rule in self.rules.values() for action in rule.actions}
        return tuple(sorted(every.difference(self._always)))


@dataclass(frozen=True, slots=True)
class ModelState(Generic[C]):
    """A model after some actions: see ``program.State``."""

    model: Model[C]
    counts: C

    @property
    def themes(self) -> Sequence[str]:
        """What not every program is about."""
        return self.model.themes

    def offers(self) -> Mapping[str, Sequence[ModelAction]]:
        """The actions that are possible now, by theme."""
        found: defaultdict[str, list[ModelAction]] = defaultdict(list)
        if self.model.over(self.counts):
            return found
        there, known = self.model.there(self.counts), self.model.known(self.counts)
        for rule in self.model.rules.values():
            if there or rule.begins:
                for action in rule.actions:
                    if rule.possible(known, action):
                        found[self.model.theme(action)].append(action)
        return found

    def allows(self, action: ModelAction) -> bool:
        """Whether this action is possible now."""
        rule = self.model.rules[action.kind]
        can_be = rule.begins or self.model.there(self.counts)
        return can_be and rule.possible(self.model.known(self.counts), action)

    def traits(self, action: ModelAction) -> Sequence[str]:
        """What about this action, where it stands, may matter together with something else."""
        traits, known = self.model.rules[action.kind].traits, self.model.known(self.counts)
        return traits(known, action) if traits else (self.model.theme(action) + self.model.suffix(known),)

    def after(self, action: ModelAction) -> tuple[list[Sentence], ModelState[C]]:
        """What an action says, with what has to be waited for first, and the state after it."""
        rule = self.model.rules[action.kind]
        said, counts = rule.waits(self.counts) if self.model.acts(self.counts) else nothing(self.counts)
        if action.kind in FAULTY:
            counts = counts.triggered(action, self.model.errors)
        more, counts = rule.happens(counts, action)
        last, counts = self.model.afterwards(counts)
        return [*said, *more, *last], replace(self, counts=counts)

    def closing(self) -> list[Sentence]:
        """What lets everything come to its end, and claims that end."""
        said: list[Sentence] = []
        state = self
        while action := self.model.next_to_close(state.counts):
            more, state = state.after(action)
            said += more
        return [*said, *self.model.conclusion(state.counts)]
