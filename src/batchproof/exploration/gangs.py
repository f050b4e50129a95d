"""The model of a scheduler of gangs: what is said of what happens, and what has to be bound in the end.

While it is open which gang gets the room, nothing is claimed of single ones; in the end all gangs have to
run, one after another.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from batchproof.exploration.gang_actions import BLOCKS, ERRORS, GANGS, MANY, THEMES, theme
from batchproof.exploration.gang_counts import Gang, GangCounts
from batchproof.exploration.program import Action, Sentence, brought_to_end
from batchproof.exploration.troubles import FAULTY, UNBLOCK, said_of
from batchproof.exploration.wording import be, some_pods

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class GangState(GangCounts):
    """The model after some actions: what an action says, and what is so after it."""

    @property
    def themes(self) -> tuple[str, ...]:
        """What not every program is about."""
        return THEMES

    def traits(self, action: Action) -> tuple[str, ...]:
        """What about this action, where it stands, may matter together with something else."""
        known, unseen = self.known, " unseen" if self.block else ""
        match action.kind:
            case "gang" | "orphans":
                minimum, pods = action.numbers
                fits = "incomplete" if pods < minimum else _fits(minimum, known.free)
                more = ("has more pods",) if pods > minimum else ()
                many = ("needs many pods",) if minimum >= MANY else ()
                return (f"{action.kind} {fits}{unseen}", *more, *many)
            case "nodes":
                return ("many nodes" if action.numbers[0] > 1 else "a node",)
            case "crash":
                return (f"killed {action.words} a write",)
            case "add":
                bound = known.gangs[GANGS.index(action.words)].bound
                return (f"add to {'a bound' if bound else 'a waiting'} gang{unseen}",)
            case "single ends" | "succeed" | "fail" | "end" | "join":
                return (f"{action.kind}{unseen}{' while something waits' if known.waits else ''}",)
            case _:
                return (theme(action) + unseen,)

    def after(self, action: Action) -> tuple[list[Sentence], GangState]:
        """What an action says, with what has to be waited for first, and the state after it."""
        waits = not self.block and action.kind not in {"fault", "crash", "nodes"}
        said, state = self.settle() if waits else ([], self)
        if action.kind in FAULTY:
            state = state.struck(action, ERRORS)
        text, state = _HAPPENINGS[action.kind](state, action)
        judges = _ALIVE if text.endswith(_RUNS) else ""
        return [*said, Sentence(text, judges, given=action.kind == "nodes")], state

    def settle(self) -> tuple[list[Sentence], GangState]:
        """What has to be bound, or has to wait, by now."""
        state = self.rested()
        if self.settled or state.open:
            return [], state
        said, waiting, gangs = list[Sentence](), list[Sentence](), list[Gang]()
        for name, before, gang in zip(GANGS, self.gangs, state.gangs, strict=False):
            waits = not gang.bound and not gang.told
            if gang.bound > before.bound:
                text = f"in the end {some_pods(gang.bound)} of gang {name} {be(gang.bound)} bound"
                said.append(Sentence(text, self.owes))
            elif waits and state.free and gang.pods:
                room = "all" if state.free >= gang.minimum else str(state.free)
                by = "GNG-022" if not gang.made else "GNG-002" if gang.whole else "GNG-001"
                text = f"for 2 seconds no pod of gang {name} is bound, with room for {room} of them"
                waiting.append(Sentence(text, by))
            gangs.append(replace(gang, told=gang.told or waits))
        numbers = range(self.singles - self.lone, self.singles)
        said += [Sentence(f"in the end pod {_single(number)} is bound", "GNG-014") for number in numbers]
        # There is so much room only when the others are bound.
        return [*said, *waiting], replace(state, gangs=tuple(gangs), owes="GNG-007")

    def with_gang(self, name: str, change: Callable[[Gang], Gang], owes: str = "") -> GangState:
        """The state after something has happened to a gang."""
        number = GANGS.index(name)
        gangs = (*self.gangs[:number], change(self.gangs[number]), *self.gangs[number + 1 :])
        return replace(self, gangs=gangs, settled=False, owes=owes or self.owes)

    # -- the end

    def closing(self) -> list[Sentence]:
        """What lets each gang run, and claims that each does."""
        said, state = brought_to_end(self)
        last, _ = state.settle()
        return [*said, *last, Sentence("all gangs run, one after another", "GNG-007")]

    @property
    def next_to_close(self) -> Action | None:
        """What is still to happen so that all gangs can run."""
        if self.block:
            return UNBLOCK
        if not self.cpus or not self.gangs:
            return Action("gang" if self.cpus else "nodes", (1, 1))
        for name, gang in zip(GANGS, self.gangs, strict=False):
            if not gang.made:
                return Action("make", (0,), name)
            if gang.pods < gang.minimum:
                return Action("add", (gang.minimum - gang.pods,), name)
        sizes = [one.pods for one in self.gangs]
        more = any(
            one.pods > one.minimum for one in self.gangs
        )  # which may keep each other from being all bound
        lacking = (sum(sizes) if more else max(sizes)) + self.alone + self.lone - self.cpus
        return Action("join", (lacking,)) if lacking > 0 else None


_ALIVE, _RUNS = "GNG-082", "the implementation runs"


# -- what each action says, and the state after it


def _nodes(state: GangState, action: Action) -> tuple[str, GangState]:
    count, cpus = action.numbers
    size = f"{cpus} CPU{'' if cpus == 1 else 's'}"
    text = f"a node with {size}" if count == 1 else f"{count} nodes with {size} each"
    return text, replace(state, cpus=count * cpus)


def _joins(state: GangState, action: Action) -> tuple[str, GangState]:
    [cpus] = action.numbers
    text = f"another node with {cpus} CPU{'' if cpus == 1 else 's'} joins"
    return text, replace(state, cpus=state.cpus + cpus, settled=False, owes="GNG-016")


def _made(state: GangState, action: Action) -> tuple[str, GangState]:
    minimum, pods = action.numbers
    name, made = GANGS[len(state.gangs)], action.kind == "gang"
    text = f"gang {name} with minimum {minimum} has {some_pods(pods)}"
    if not made:
        text = f"{some_pods(pods)} name the group of gang {name} with minimum {minimum}, which does not exist"
    gangs = (*state.gangs, Gang(minimum, pods, made=made))
    return text, replace(state, gangs=gangs, settled=False)


def _make(state: GangState, action: Action) -> tuple[str, GangState]:
    changed = state.with_gang(action.words, lambda gang: replace(gang, made=True), "GNG-022")
    return f"the group of gang {action.words} is created", changed


def _add(state: GangState, action: Action) -> tuple[str, GangState]:
    [number] = action.numbers
    text = f"{number} more pod{' is' if number == 1 else 's are'} added to gang {action.words}"
    owes = "GNG-004" if state.gangs[GANGS.index(action.words)].bound else ""
    return text, state.with_gang(action.words, lambda gang: replace(gang, pods=gang.pods + number), owes)


def _lower(state: GangState, action: Action) -> tuple[str, GangState]:
    [minimum] = action.numbers
    changed = state.with_gang(action.words, lambda gang: replace(gang, minimum=minimum), "GNG-057")
    return f"the minimum of gang {action.words} is lowered to {minimum}", changed


def _end(state: GangState, action: Action) -> tuple[str, GangState]:
    changed = state.with_gang(action.words, lambda gang: replace(gang, ended=gang.bound), "GNG-008")
    return f"the pods of gang {action.words} succeed", changed


def _end_some(state: GangState, action: Action) -> tuple[str, GangState]:
    [number] = action.numbers
    one = number == 1
    text = (
        f"{number} running pod{'' if one else 's'} of gang {action.words} {action.kind}{'s' if one else ''}"
    )
    ended = state.with_gang(action.words, lambda gang: replace(gang, ended=gang.ended + number), "GNG-008")
    return text, ended


def _single_made(state: GangState, _: Action) -> tuple[str, GangState]:
    made = replace(state, singles=state.singles + 1, lone=state.lone + 1, settled=False)
    return f"pod {_single(state.singles)} without a gang is created", made


def _single_ends(state: GangState, _: Action) -> tuple[str, GangState]:
    ended = replace(state, alone=state.alone - 1, settled=False, owes="GNG-008")
    return f"pod {_single(state.singles - state.lone - state.alone)} succeeds", ended


def _fault(state: GangState, action: Action) -> tuple[str, GangState]:
    text = said_of(action, BLOCKS)
    return text, replace(state, owes="GNG-012" if "binding" in action.words else state.owes)


def _restart(state: GangState, action: Action) -> tuple[str, GangState]:
    return said_of(action, BLOCKS), replace(state, settled=False, owes="GNG-013")


def _crash(state: GangState, action: Action) -> tuple[str, GangState]:
    return said_of(action, BLOCKS), replace(state.disturbed(action), owes="GNG-013")


def _block(state: GangState, action: Action) -> tuple[str, GangState]:
    return said_of(action, BLOCKS), replace(state.disturbed(action), settled=False)


def _unblock(state: GangState, _: Action) -> tuple[str, GangState]:
    text = BLOCKS[state.block].ends or f"once the faults end {_RUNS}"
    return text, replace(state, block="", settled=False)


_HAPPENINGS: Mapping[str, Callable[[GangState, Action], tuple[str, GangState]]] = {
    "nodes": _nodes,
    "join": _joins,
    "gang": _made,
    "orphans": _made,
    "make": _make,
    "add": _add,
    "lower": _lower,
    "end": _end,
    "succeed": _end_some,
    "fail": _end_some,
    "single": _single_made,
    "single ends": _single_ends,
    "fault": _fault,
    "restart": _restart,
    "crash": _crash,
    "block": _block,
    "unblock": _unblock,
}


def _fits(minimum: int, free: int) -> str:
    """How much room there is: what is wrong by one shows at the edge."""
    if minimum == free:
        return "just fits"
    return "fits" if minimum < free else "is just too big" if minimum == free + 1 else "is too big"


def _single(number: int) -> str:
    return f"single{number + 1}"


def begin(capabilities: frozenset[str]) -> GangState:
    """The state before anything: there is no node."""
    return GangState(capabilities=capabilities)
