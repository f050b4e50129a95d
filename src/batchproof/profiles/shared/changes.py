"""How an invariant is written: a rule about the changes of one kind of object, by the requirement it judges.

A rule is asked at each change of such an object, in the order of etcd's revisions::

    @about("TFJ-032", TFJob)
    def conditions_sound(past: Past, change: Change[TFJob]) -> Finding | None:
        ...

It returns what the change breaks, or None. ``Past`` knows what there was before the change. It knows all that
ever was, because a controller may act on an old view: a rule that compares with everything that was true at
some time accuses no controller that had not seen the newest of it yet. A removal shows the last state of an
object once more; no rule is asked about it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from batchproof.ground.resources import JOBS, NODES, PODS, Resource
from batchproof.judgement.finding import Finding
from batchproof.judgement.invariants.rule import blamed, chosen, judges, walks
from batchproof.judgement.objects.api_object import ApiObject
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed, Write
from batchproof.profiles.shared.tally import ANYWHERE, Tally, namespace_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

T = TypeVar("T", bound=ApiObject)


@dataclass(frozen=True, slots=True)
class ObjectChange(Generic[T]):
    """A change of an object.

    Attributes:
        kind: ``ADDED``, ``MODIFIED`` or ``DELETED``.
        now: what is stored from then on; of what is gone, its last state.
        before: what was stored until then; None: nothing.
    """

    kind: str
    now: T
    before: T | None

    @property
    def created(self) -> bool:
        """It was not there before."""
        return self.kind == "ADDED"

    @property
    def gone(self) -> bool:
        """It is removed from storage."""
        return self.kind == "DELETED"

    @property
    def at_s(self) -> float:
        """When, in seconds since the history began."""
        return self.now.at_s


class Authored:
    """What the implementation stored, by the replies to its writes.

    Attributes:
        made: the UID of each object that it created.
        written: the record of the first write that was answered with a state, by its UID and revision. A
            write that changes nothing is answered with what another client may have stored before.
        unheard: the resources of which it created something, and never received the reply.
    """

    def __init__(self) -> None:
        self.made: set[str] = set()
        self.written: dict[tuple[str, int], int] = {}
        self.unheard: set[Resource] = set()

    def take(self, _: str, write: Write) -> None:
        """Take in a write that is asked for or answered."""
        request = write.request
        if request.subresource:
            return
        if request.verb == "create" and write.unheard:
            self.unheard.add(request.resource)
        if write.stored is None:
            return
        self.written.setdefault(write.stored, write.number)
        if request.verb == "create":
            self.made.add(write.stored[0])


class Past:
    """What there was before a change.

    Attributes:
        seen: what the whole history shows.
    """

    def __init__(self, seen: Observed) -> None:
        self.seen = seen
        self._authored = seen.calls.fold(Authored)
        self._things: dict[Resource, dict[str, ApiObject]] = {}
        self._specs: dict[str, list[ApiObject]] = {}
        self._owned: dict[Resource, dict[str, dict[str, ApiObject]]] = {}
        self._admitted: set[tuple[type[ApiObject], str]] = set()
        self._names: dict[Resource, set[str]] = {}
        self._pods = Tally()

    # -- the client

    def made(self, thing: ApiObject) -> bool:
        """The implementation created the object."""
        return thing.uid in self._authored.made

    def wrote(self, thing: ApiObject) -> bool:
        """The implementation wrote this state of the object, other than by its status."""
        number = self._authored.written.get((thing.uid, thing.revision))
        return number is not None and number < thing.record

    def unheard(self, kind: type[ApiObject]) -> bool:
        """The reply to a creation of such an object was lost at some time: it may be created once more."""
        return kind.served_as in self._authored.unheard

    # -- what

    def all(self, kind: type[T]) -> list[T]:
        """The objects of a kind that there are."""
        return [it for it in self._of(kind).values() if isinstance(it, kind)]

    def standing(self, kind: type[T], uid: str) -> T | None:
        """The object of a kind with a UID, if there is one."""
        found = self._of(kind).get(uid)
        return found if isinstance(found, kind) else None

    def known(self, thing: T) -> T | None:
        """What is stored of an object; None: nothing."""
        found = self._things.get(thing.resource or PODS, {}).get(thing.uid)
        return found if isinstance(found, type(thing)) else None

    def owner(self, kind: type[T], thing: ApiObject) -> T | None:
        """The newest state of the object of a kind that controls another, gone or not."""
        specs = self._specs.get(thing.controller_uid)
        found = specs[-1] if specs else None
        return found if isinstance(found, kind) else None

    def specs(self, thing: T) -> list[T]:
        """A state of the object with each spec that it had so far, the newest as it is."""
        return [it for it in self._specs.get(thing.uid, ()) if isinstance(it, type(thing))]

    def ever(self, kind: type[T], owner: ApiObject) -> list[T]:
        """The last state of each object of a kind that another ever controlled."""
        owned = self._owned.get(kind.served_as, {}).get(owner.uid, {})
        return [it for it in owned.values() if isinstance(it, kind)]

    def had(self, kind: type[ApiObject]) -> set[str]:
        """The names of the objects of a kind that there ever were."""
        return self._names.get(kind.served_as, set())

    def admitted(self, kind: type[ApiObject], owner: ApiObject) -> bool:
        """An object of a kind that another controls had a phase other than Pending at some time."""
        return (kind, owner.uid) in self._admitted

    def count(self, owner: ApiObject, state: str, value: str = "") -> int:
        """How many pods of a controller were ever in a state; see ``Tally``."""
        return self._pods.count(owner.uid, value, state)

    def count_naming(self, group: ApiObject, state: str, *, anywhere: bool = False) -> int:
        """How many pods that name a group, in its namespace or anywhere, were ever in a state."""
        return self._pods.count(ANYWHERE if anywhere else namespace_of(group), group.name, state)

    def take(self, thing: ApiObject, *, gone: bool) -> None:
        """Take in a change."""
        resource = thing.resource or PODS
        things = self._things.setdefault(resource, {})
        if gone:
            things.pop(thing.uid, None)
        else:
            things[thing.uid] = thing
        if isinstance(thing, Pod):
            self._pods.take(thing)
        else:
            specs = self._specs.setdefault(thing.uid, [])
            if specs and specs[-1].spec == thing.spec:
                specs.pop()
            specs.append(thing)
            self._names.setdefault(resource, set()).add(thing.name)
        if owner := thing.controller_uid:
            self._owned.setdefault(resource, {}).setdefault(owner, {})[thing.uid] = thing
            if thing.status.get("phase", "Pending") != "Pending":
                self._admitted.add((type(thing), owner))

    def _of(self, kind: type[ApiObject]) -> dict[str, ApiObject]:
        return self._things.get(kind.served_as, {})


Rule: TypeAlias = Callable[[Past, ObjectChange[Any]], Finding | None]
R = TypeVar("R", bound=Rule)

_RULES: dict[str, Rule] = {}
_ABOUT: dict[str, tuple[type[ApiObject], ...]] = {}
"""The kinds of objects whose changes a rule is asked about, by the requirement that it judges."""


def about(requirement: str, *kinds: type[ApiObject]) -> Callable[[R], R]:
    """A rule that is asked at each change of an object of these kinds but its removal."""
    _ABOUT[requirement] = kinds
    return lambda rule: judges(_RULES, requirement, rule)


def _found(seen: Observed, in_force: Mapping[str, str] | None) -> Iterator[tuple[str, Finding]]:
    """Whatever the rules find, one change after the other; nothing is walked where none is in force."""
    rules: dict[type[ApiObject], list[tuple[str, Rule]]] = {}
    for id_, rule in chosen(_RULES, in_force):
        for kind in _ABOUT[id_]:
            rules.setdefault(kind, []).append((id_, rule))
    if not rules:
        return
    past = Past(seen)
    for type_, thing in seen.in_order(*_walked()):
        change = ObjectChange(type_, thing, past.known(thing))
        for id_, rule in () if change.gone else rules.get(type(thing), ()):
            if finding := blamed(id_, thing.record, rule, past, change):
                yield id_, finding
        past.take(thing, gone=change.gone)


def _walked() -> Iterable[Resource]:
    """What rules are about, and the Jobs, pods and nodes that they ask for."""
    about_it = (kind.served_as for kinds in _ABOUT.values() for kind in kinds)
    return dict.fromkeys((*about_it, JOBS, PODS, NODES))


walks(lambda: _RULES, _found)
