"""What happens to gangs at random: users, nodes, pods and faults; when it may, what it says and changes.

Every pod asks for one CPU. So what fits is counted, and no placement has to be found for it. While it is open
which gang gets the room, nothing is claimed of single ones; eventually all gangs have to run, one after
another.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from batchproof.exploration.program import ModelAction, Sentence
from batchproof.exploration.rules import ActionRule, Model, ModelState, Said, fault_rules
from batchproof.exploration.troubles import DEATH, HELD, KILLED, UNBLOCK, Block, FaultCatalog, frozen, views
from batchproof.profiles.gang import sentences
from batchproof.profiles.gang.facts.bindings import pod_bound
from batchproof.profiles.gang.facts.gangs import gang_bound
from batchproof.profiles.gang.model.counts import (
    GANGS,
    MOST_CPUS,
    MOST_PODS,
    MOST_SINGLES,
    GangCounts,
    GangModel,
)
from batchproof.profiles.gang.specs import GangSpec, NodeSpec, PodSpec

if TYPE_CHECKING:
    from collections.abc import Callable

_ALIVE, _RUNS = "GNG-082", "the implementation runs"
_MANY = 4
"""As many pods are many: they are bound in several requests at once."""


# -- what is waited for


def settle(counts: GangCounts) -> Said[GangCounts]:
    """What has to be bound, or has to wait, by now."""
    state = counts.rested()
    if counts.settled or state.open:
        return [], state
    said, waiting, gangs = list[Sentence](), list[Sentence](), list[GangModel]()
    for name, before, gang in zip(GANGS, counts.gangs, state.gangs, strict=False):
        waits = not gang.bound and not gang.told
        if gang.bound > before.bound:
            text = f"eventually {gang_bound(gang=name, count=gang.bound).text}"
            said.append(Sentence(text, counts.owes))
        elif waits and state.free and gang.pods:
            room = None if state.free >= gang.minimum else state.free
            by = "GNG-022" if not gang.made else "GNG-002" if gang.whole else "GNG-001"
            text = sentences.GANG_WAITS.write({"during": "window", "name": name, "room": room})
            waiting.append(Sentence(text, by))
        gangs.append(replace(gang, told=gang.told or waits))
    numbers = range(counts.singles - counts.lone, counts.singles)
    said += [Sentence(f"eventually {pod_bound(pod=_single(number)).text}", "GNG-014") for number in numbers]
    # The room is there only when the others are bound.
    return [*said, *waiting], replace(state, gangs=tuple(gangs), owes="GNG-007")


# -- nodes


def _has_nodes(counts: GangCounts, action: ModelAction) -> bool:
    return not counts.cpus and all(action.numbers)


def _nodes(counts: GangCounts, action: ModelAction) -> Said[GangCounts]:
    count, cpus = action.numbers
    text = sentences.NODES_ARE.write({"nodes": NodeSpec(count=count, cpus=cpus)})
    return [Sentence(text, given=True)], replace(counts, cpus=count * cpus)


def _can_join(counts: GangCounts, action: ModelAction) -> bool:
    return 0 < action.number <= MOST_CPUS - counts.cpus


def _joins(counts: GangCounts, action: ModelAction) -> Said[GangCounts]:
    text = sentences.NODES_JOIN.write({"nodes": NodeSpec(cpus=action.number)})
    joined = replace(counts, cpus=counts.cpus + action.number, settled=False, owes="GNG-016")
    return [Sentence(text)], joined


# -- gangs and their groups

_SIZES = tuple(
    (minimum, pods)
    for minimum in (1, 2, 3, 5)
    for pods in sorted({minimum - 1, minimum, minimum + 1, 2 * minimum})
    if 0 < pods <= MOST_PODS
)
"""Minima, each with one pod too few, just enough, one more, and twice as many."""


def _can_be_made(counts: GangCounts, action: ModelAction) -> bool:
    return all(action.numbers) and len(counts.gangs) < len(GANGS)


def _can_be_orphans(counts: GangCounts, action: ModelAction) -> bool:
    """The minimum of a group that does not exist is unknown: how many pods are missing cannot be said."""
    minimum, pods = action.numbers
    return counts.can("GroupObjects") and minimum <= pods and _can_be_made(counts, action)


def _made(counts: GangCounts, action: ModelAction) -> Said[GangCounts]:
    minimum, pods = action.numbers
    name, made = GANGS[len(counts.gangs)], action.kind == "gang"
    spec = GangSpec(name=name, minimum=minimum, pods=PodSpec(count=pods), made=made)
    gangs = (*counts.gangs, GangModel(minimum, pods, made=made))
    return [Sentence(sentences.GANG_IS.write({"gang": spec}))], replace(counts, gangs=gangs, settled=False)


def _size(counts: GangCounts, action: ModelAction) -> tuple[str, ...]:
    minimum, pods = action.numbers
    fits = "incomplete" if pods < minimum else _fits(minimum, counts.free)
    more = ("has more pods",) if pods > minimum else ()
    many = ("needs many pods",) if minimum >= _MANY else ()
    return (f"{action.kind} {fits}{_unseen(counts)}", *more, *many)


def _fits(minimum: int, free: int) -> str:
    """How much room there is: what is wrong by one shows at the edge."""
    if minimum == free:
        return "just fits"
    return "fits" if minimum < free else "is just too big" if minimum == free + 1 else "is too big"


def _of(
    may: Callable[[GangCounts, GangModel, int], bool],
) -> Callable[[GangCounts, ModelAction], bool]:
    """Whether something may happen to the gang that an action names, if there is one."""

    def possible(counts: GangCounts, action: ModelAction) -> bool:
        number = GANGS.index(action.words)
        return number < len(counts.gangs) and may(counts, counts.gangs[number], action.number)

    return possible


def _actions(kind: str, *numbers: int) -> tuple[ModelAction, ...]:
    return tuple(ModelAction(kind, (number,), gang) for gang in GANGS for number in numbers)


def _can_be_grouped(counts: GangCounts, gang: GangModel, _: int) -> bool:
    return counts.can("GroupObjects") and not gang.made


def _grouped(counts: GangCounts, action: ModelAction) -> Said[GangCounts]:
    text = sentences.GROUP_CREATED.write({"name": action.words})
    return [Sentence(text)], counts.changed(action.words, "GNG-022", made=True)


def _can_be_lowered(counts: GangCounts, gang: GangModel, minimum: int) -> bool:
    lower = 0 < minimum < gang.minimum and gang.made and not gang.bound
    return counts.can("ChangeableMinimum") and lower and not counts.open


def _lowered(counts: GangCounts, action: ModelAction) -> Said[GangCounts]:
    text = sentences.MINIMUM_LOWERED.write({"name": action.words, "minimum": action.number})
    return [Sentence(text)], counts.changed(action.words, "GNG-057", minimum=action.number)


# -- pods of gangs


def _can_be_added(_: GangCounts, gang: GangModel, number: int) -> bool:
    """What a gang is given after pods of it have ended is not played."""
    return number > 0 and not gang.ended and gang.pods < MOST_PODS


def _added(counts: GangCounts, action: ModelAction) -> Said[GangCounts]:
    gang = counts.gang(action.words)
    text = sentences.PODS_ADDED.write({"pods": PodSpec(count=action.number), "name": action.words})
    owes = "GNG-004" if gang.bound else ""
    return [Sentence(text)], counts.changed(action.words, owes, pods=gang.pods + action.number)


def _to_what(counts: GangCounts, action: ModelAction) -> tuple[str, ...]:
    bound = counts.gang(action.words).bound
    return (f"add to {'a bound' if bound else 'a waiting'} gang{_unseen(counts)}",)


def _can_end(counts: GangCounts, gang: GangModel, number: int) -> bool:
    """All pods of the gang were bound, and this many still run."""
    whole = gang.bound == gang.pods and gang.running > 0
    return whole and not counts.open and number <= gang.running


def _ended(counts: GangCounts, action: ModelAction) -> Said[GangCounts]:
    text = sentences.GANG_SUCCEEDS.write({"name": action.words})
    return [Sentence(text)], counts.changed(action.words, "GNG-008", ended=counts.gang(action.words).bound)


def _some_ended(counts: GangCounts, action: ModelAction) -> Said[GangCounts]:
    said = sentences.SOME_SUCCEED if action.kind == "succeed" else sentences.SOME_FAIL
    text = said.write({"count": action.number, "name": action.words})
    ended = counts.gang(action.words).ended + action.number
    return [Sentence(text)], counts.changed(action.words, "GNG-008", ended=ended)


# -- pods of no gang


def _single(number: int) -> str:
    return f"single{number + 1}"


def _can_be_single(counts: GangCounts, _: ModelAction) -> bool:
    return counts.singles < MOST_SINGLES and not counts.open


def _single_made(counts: GangCounts, _: ModelAction) -> Said[GangCounts]:
    made = replace(counts, singles=counts.singles + 1, lone=counts.lone + 1, settled=False)
    text = sentences.POD_CREATED.write({"pod": PodSpec(name=_single(counts.singles))})
    return [Sentence(text)], made


def _single_can_end(counts: GangCounts, _: ModelAction) -> bool:
    return counts.alone > 0 and not counts.block


def _single_ended(counts: GangCounts, _: ModelAction) -> Said[GangCounts]:
    ends = _single(counts.singles - counts.lone - counts.alone)
    ended = replace(counts, alone=counts.alone - 1, settled=False, owes="GNG-008")
    return [Sentence(sentences.POD_SUCCEEDS.write({"pod": ends}))], ended


# -- faults

_BINDING = "pod binding"
FAULTS = FaultCatalog(
    {
        "bindings fail": {
            **{f"the next {_BINDING} is answered with {code}": 1 for code in (409, 500, 504)},
            f"the next 2 {_BINDING}s are answered with 500": 2,
        },
        "later bindings fail": {
            f"the {nth} {_BINDING} is answered with {code}": 1
            for nth in ("2nd", "3rd")
            for code in (409, 500, 504)
        },
        "replies are lost": {
            f"the {which} {_BINDING} is applied but its reply is lost": 1 for which in ("next", "2nd")
        },
        "bindings are slow": {
            f"{_BINDING}s take 0.5 seconds each": 0,
            f"the next {_BINDING} takes 1 seconds": 0,
        },
        **views("pods"),
    },
    {
        KILLED: DEATH,
        "view of pods": frozen("pods"),
        f"{_BINDING}s answered with 500": Block(f"{_BINDING}s are answered with 500", errors=3),
        f"{_BINDING}s {HELD}": Block(f"{_BINDING}s are {HELD}", errors=1),
    },
    frozen="",
)


def _can_go_wrong(counts: GangCounts, action: ModelAction) -> bool:
    return counts.cpus > 0 and counts.bears(action, FAULTS.errors) and counts.can_come(action)


def _goes_wrong(counts: GangCounts, action: ModelAction) -> Said[GangCounts]:
    said = [Sentence(FAULTS.said(action))]
    match action.kind:
        case "fault":
            return said, replace(counts, owes="GNG-012" if "binding" in action.words else counts.owes)
        case "restart":
            return said, replace(counts, settled=False, owes="GNG-013")
        case "crash":
            return said, replace(counts.disturbed(action), owes="GNG-013")
        case _:
            return said, replace(counts.disturbed(action), settled=False)


def _blocked(counts: GangCounts, _: ModelAction) -> bool:
    return bool(counts.block)


def _unblocked(counts: GangCounts, _: ModelAction) -> Said[GangCounts]:
    ends = FAULTS.blocks[counts.block].ends
    said = Sentence(ends) if ends else Sentence(f"once the faults end {_RUNS}", _ALIVE)
    return [said], replace(counts, block="", settled=False)


# -- what may matter together


def _unseen(counts: GangCounts) -> str:
    return " unseen" if counts.block else ""


def _if_waiting(counts: GangCounts, action: ModelAction) -> tuple[str, ...]:
    return (f"{action.kind}{_unseen(counts)}{' while something waits' if counts.waits else ''}",)


# -- the end


def next_to_close(counts: GangCounts) -> ModelAction | None:
    """What is still to happen so that all gangs can run."""
    if counts.block:
        return UNBLOCK
    if not counts.cpus or not counts.gangs:
        return ModelAction("gang" if counts.cpus else "nodes", (1, 1))
    for name, gang in zip(GANGS, counts.gangs, strict=False):
        if not gang.made:
            return ModelAction("make", (0,), name)
        if gang.pods < gang.minimum:
            return ModelAction("add", (gang.minimum - gang.pods,), name)
    sizes = [one.pods for one in counts.gangs]
    more = any(one.pods > one.minimum for one in counts.gangs)  # which may keep each other from being bound
    lacking = (sum(sizes) if more else max(sizes)) + counts.alone + counts.lone - counts.cpus
    return ModelAction("join", (lacking,)) if lacking > 0 else None


def conclusion(counts: GangCounts) -> list[Sentence]:
    """The claim that each gang runs."""
    said, _ = settle(counts)
    return [*said, Sentence(sentences.ALL_RUN.write({}), "GNG-007")]


MODEL: Model[GangCounts] = Model(
    ActionRule(
        tuple(ModelAction("nodes", (count, cpus)) for count, cpus in product((1, 2, 3), (1, 2, 3, 4))),
        _has_nodes,
        _nodes,
        begins=True,
        traits=lambda _, action: ("many nodes" if action.number > 1 else "a node",),
    ),
    ActionRule(
        tuple(ModelAction("gang", size) for size in _SIZES), _can_be_made, _made, settle, traits=_size
    ),
    ActionRule(
        tuple(ModelAction("orphans", size) for size in _SIZES if size[1] >= size[0] > 1),
        _can_be_orphans,
        _made,
        settle,
        traits=_size,
    ),
    ActionRule(_actions("add", 1, 2, 3), _of(_can_be_added), _added, settle, traits=_to_what),
    ActionRule(_actions("end", 0), _of(_can_end), _ended, settle, traits=_if_waiting),
    ActionRule(_actions("succeed", 1, 2), _of(_can_end), _some_ended, settle, traits=_if_waiting),
    ActionRule(_actions("fail", 1), _of(_can_end), _some_ended, settle, traits=_if_waiting),
    ActionRule(_actions("make", 0), _of(_can_be_grouped), _grouped, settle),
    ActionRule(_actions("lower", 1, 2, 3), _of(_can_be_lowered), _lowered, settle),
    ActionRule((ModelAction("single"),), _can_be_single, _single_made, settle),
    ActionRule(
        (ModelAction("single ends"),),
        _single_can_end,
        _single_ended,
        settle,
        theme=lambda _: "single",  # it takes one that was created
        traits=_if_waiting,
    ),
    ActionRule(
        tuple(ModelAction("join", (cpus,)) for cpus in (1, 2, 4)),
        _can_join,
        _joins,
        settle,
        traits=_if_waiting,
    ),
    *fault_rules(
        FAULTS,
        writes=6,
        possible=_can_go_wrong,
        happens=_goes_wrong,
        waits={"restart": settle, "block": settle},
    ),
    ActionRule((UNBLOCK,), _blocked, _unblocked),
    suffix=_unseen,
    always=("nodes", "gang", "add", "end", "succeed", "make", "unblock"),
    errors=FAULTS.errors,
    there=lambda counts: counts.cpus > 0,
    acts=lambda counts: not counts.block,
    over=lambda _: False,
    next_to_close=next_to_close,
    conclusion=conclusion,
    known=lambda counts: counts.known,
)


def begin(capabilities: frozenset[str]) -> ModelState[GangCounts]:
    """The state before anything: there is no node."""
    return ModelState(MODEL, GangCounts(capabilities=capabilities))
