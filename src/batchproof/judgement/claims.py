"""Claims over a history: ``eventually``, ``always``, ``never``, ``now``; and their judgement, which is pure.

A claim is data: a quantifier, a fact by name with its arguments, and a window. So a saved history carries
its own claims, and ``judge`` comes to the same finding with or without a cluster.

- ``eventually(fact)``: the fact becomes true before the deadline;
- ``always(fact)``: the fact is true when the claim is made and after every further record of the window;
- ``never(fact)``: the fact is false in the same sense;
- ``now(fact)``: the fact is true of all that was observed when the claim is made;
- ``stays(fact)``: the fact becomes true before the deadline, and is true after every further record until
  the claim is closed: by the next step that changes something, or by the proof at the end that the
  implementation is alive. It costs no time of its own. By the deadline of a recovery the fact may become
  untrue again before it settles: it has to be true when the claim is closed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from batchproof.ground import stored
from batchproof.ground.errors import BatchproofError, UserError
from batchproof.judgement import forms
from batchproof.judgement.delays import delayed_until_s
from batchproof.judgement.facts import Fact, FactCall
from batchproof.judgement.finding import FactBroke, Finding, Moment
from batchproof.judgement.forms import DEADLINES_S, STAYS, Quantifier
from batchproof.judgement.history import ClaimClosed, ClaimOpened, Json, Record
from batchproof.judgement.inputs import Input
from batchproof.judgement.observed import Observed
from batchproof.judgement.slowness import Waited, slowed
from batchproof.judgement.timeline import NOT_SO, WAITED, Wait, timeline

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


Outcome: TypeAlias = Literal["held", "broken", "undecided"]


class Role(StrEnum):
    """What a claim is for.

    - judged: it judges the requirement that it speaks of;
    - precondition: it is about what the scenario needs before it can show anything, such as pods that run or
      a fault that is triggered: it can be held or undecided, but not broken;
    - proof: it shows that the implementation was alive and able when nothing happened;
    - waited: it only says how long a step waits before it goes on; that it does not hold shows nothing.
    """

    JUDGED = "judged"
    PRECONDITION = "precondition"
    PROOF = "proof"
    WAITED = "waited"


PATIENCE = 4.0
"""How many times as long as the sound implementation a wrong copy of it may take."""
_OPEN = frozenset({"reaction", "recovery"})
"""The deadlines by which a scenario waits for what has no time of its own."""
LEAST_WAIT_S = 3.0
"""How long a wrong copy is waited for at least: a busy machine makes short times long."""


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fact, claimed of a window of the history.

    Attributes:
        limit: the name of the deadline (see ``DEADLINES_S``).
        limit_s: its length in seconds, scaled for the implementation; set when the claim is made.
        requirement: the id that the finding speaks of.
        made_in: the step that makes the claim, as it is written; empty where no step does.
    """

    quantifier: Quantifier
    fact: FactCall
    limit: str
    limit_s: float = 0.0
    requirement: str = ""
    role: Role = Role.JUDGED
    made_in: str = ""

    @property
    def text(self) -> str:
        """The claim as a sentence, and how long its deadline is for the implementation."""
        match self.quantifier:
            case Quantifier.EVENTUALLY | Quantifier.STAYS if self.limit_s:
                return f"{self.sentence} (within {self.limit_s:g} s)"
            case Quantifier.ALWAYS | Quantifier.NEVER if self.limit_s not in {0, DEADLINES_S[self.limit]}:
                return f"{self.sentence} ({self.limit_s:g} s)"
            case _:
                return self.sentence

    @property
    def waits(self) -> bool:
        """Whether it waits for something to come about."""
        return self.quantifier in {Quantifier.EVENTUALLY, Quantifier.STAYS}

    @property
    def settles(self) -> bool:
        """Whether it may be untrue again until all has settled: ``eventually ..., and stays so``."""
        return self.quantifier is Quantifier.STAYS and self.limit == "recovery"

    @property
    def sentence(self) -> str:
        """The claim as a scenario says it; ``read`` is the inverse."""
        return forms.write(self.quantifier, self.fact, self.limit)

    @property
    def step(self) -> str:
        """The claim as a step of a scenario."""
        return f"Then {self.sentence}"

    @classmethod
    def read(cls, sentence: str, fact: Fact) -> Claim | None:
        """The claim of a fact that a sentence makes; None if it makes none."""
        parts = forms.read(sentence, fact)
        return cls(*parts) if parts else None

    def to_json(self) -> Json:
        """The claim as a history keeps it."""
        kept: Json = msgspec.to_builtins(self)
        return kept

    def as_kept(self) -> Claim:
        """The claim as it is read from a history: a list where it was made with a tuple."""
        return msgspec.json.decode(msgspec.json.encode(self), type=Claim)

    @classmethod
    def from_json(cls, kept: Json) -> Claim:
        """The claim that a history kept.

        Raises:
            UserError: it kept something else.
        """
        try:
            claim = msgspec.convert(kept, cls)
        except msgspec.ValidationError as error:
            raise UserError(f"a claim cannot be read: {stored.explain(error)}") from error
        if claim.limit not in DEADLINES_S:
            raise UserError(f"a claim cannot be read: there is no deadline {claim.limit!r}")
        return claim

    def scaled(self, scale: float, requirement: str, longest_backoff_s: float = 0.0) -> Claim:
        """The claim with its limit in seconds for an implementation, and what it speaks of.

        Where it has to recover, the limit is at least its ``longest_backoff_s``, after which it retries, and
        the limit of a reaction.
        """
        limit_s = DEADLINES_S[self.limit] * scale
        if self.limit == "recovery":
            limit_s = max(limit_s, longest_backoff_s + DEADLINES_S["reaction"] * scale)
        return msgspec.structs.replace(self, limit_s=limit_s, requirement=self.requirement or requirement)

    def of_step(self, step: str, *, precondition: bool) -> Claim:
        """The claim as that step makes it; a Given and a When make preconditions of what they claim."""
        role = Role.PRECONDITION if precondition and self.role is Role.JUDGED else self.role
        return msgspec.structs.replace(self, made_in=step, role=role)

    def capped(self, needed_s: float | None) -> Claim:
        """The scaled claim, for a wrong copy of what needed so long for it (None: unknown)."""
        if needed_s is None:
            return self
        return self.at_most(max(LEAST_WAIT_S, PATIENCE * needed_s))

    def at_most(self, most_s: float | None) -> Claim:
        """The scaled claim, which waits at most that many seconds (None: as long as it says).

        Only waiting for something to come is cut short: what must not happen is watched as long as ever.
        """
        if most_s is None or not self.waits:
            return self
        return msgspec.structs.replace(self, limit_s=min(self.limit_s, most_s))


def eventually(fact: FactCall, *, within: str = "reaction", precondition: bool = False) -> Claim:
    """The fact becomes true before the named deadline."""
    return Claim(Quantifier.EVENTUALLY, fact, within, role=_role(precondition=precondition))


def always(fact: FactCall, *, during: str = "window") -> Claim:
    """The fact is true at every record from now through the named window."""
    return Claim(Quantifier.ALWAYS, fact, during)


def never(fact: FactCall, *, during: str = "window") -> Claim:
    """The fact is false at every record from now through the named window."""
    return Claim(Quantifier.NEVER, fact, during)


def stays(fact: FactCall, *, within: str = "reaction") -> Claim:
    """The fact becomes true before the named deadline, and is true at every record from then on."""
    return Claim(Quantifier.STAYS, fact, within)


def now(fact: FactCall, *, precondition: bool = False) -> Claim:
    """The fact is true of everything observed up to now."""
    return Claim(Quantifier.NOW, fact, "now", role=_role(precondition=precondition))


def proof(fact: FactCall) -> Claim:
    """The implementation is alive and able: it does before the deadline what it always has to do."""
    return Claim(Quantifier.EVENTUALLY, fact, "reaction", role=Role.PROOF)


def _role(*, precondition: bool) -> Role:
    return Role.PRECONDITION if precondition else Role.JUDGED


@dataclass(slots=True)
class Judgement:
    """A claim being judged, record by record; ``finding`` is set as soon as it is decided.

    Attributes:
        opened: the record with which the claim was made.
        observed: what the fact last found, in words.
        awaits_pods: all that it lacked then is pods that are still to be created.
        turned: the record that changed that last: where a wait is in vain, nothing after it mattered.
        read: the inputs that the fact read when it was asked last; None: it has to be asked.
        asked: the newest record when it was asked last.
        came_s: when what a ``stays`` claims came about; None before, and while it is untrue again.
        grounded: every fault had been triggered when it was decided; None before.
        came: the record with which it was decided, or came about; None before.
        starved_s: how long what it waited for had no processor (see ``ClaimClosed``).
    """

    claim: Claim
    opened: int
    finding: Finding | None = None
    observed: str | None = None
    awaits_pods: bool = False
    turned: int | None = None
    read: set[Input] | None = None
    asked: int = -1
    came_s: float | None = None
    grounded: bool | None = None
    came: int | None = None
    starved_s: float = 0.0

    @property
    def extended_s(self) -> float:
        """How much longer than its limit it is waited for: as long as there was no processor, up to twice."""
        return min(self.starved_s, self.claim.limit_s)

    @property
    def in_vain(self) -> bool:
        """Whether it still waits for something to come about."""
        return self.claim.waits and self.came_s is None

    def look(self, seen: Observed) -> Finding | None:
        """Take in what is observed after one more record; returns the finding once nothing can change it.

        Raises:
            FactBroke: the fact raised an exception.
        """
        if self.finding is None and self._concerned():
            found = self._found(seen)
            if self.observed not in (None, found.observed):
                self.turned = seen.last
            self.observed, self.awaits_pods = found.observed, found.awaits_pods
            self._decide(found, seen)
            if self.came is None and (self.finding is not None or self.came_s is not None):
                self.came = seen.last
            if self.finding is not None:
                self.grounded = not seen.unfired
        return self.finding

    def _concerned(self) -> bool:
        """Whether a record since the fact was asked has changed what it read then."""
        asked = self.asked
        return self.read is None or any(one.changed > asked for one in self.read)

    def _decide(self, found: Finding, seen: Observed) -> None:
        match self.claim.quantifier:
            case Quantifier.EVENTUALLY if found.holds:
                self.finding = found
            case Quantifier.NOW:
                self.finding = found
            case Quantifier.ALWAYS if not found.holds:
                self.finding = replace(found, decisive=found.decisive or (seen.last,))
            case Quantifier.NEVER if found.holds:
                decisive = found.decisive or (seen.last,)
                self.finding = replace(found, holds=False, expected=self.claim.fact.denial, decisive=decisive)
            case Quantifier.STAYS if found.holds and self.came_s is None:
                self.came_s = seen.now_s
            case Quantifier.STAYS if not found.holds and self.claim.settles:
                self.came_s = None
            case Quantifier.STAYS if not found.holds and self.came_s is not None:
                expected = f"{found.expected}{STAYS}"
                self.finding = replace(found, expected=expected, decisive=found.decisive or (seen.last,))
            case _:
                pass

    def due_s(self, seen: Observed) -> float:
        """Until when a claim that has come to its limit is waited for at least, in seconds of the history.

        What lacks only pods that replace failed ones is waited for until their delay is over, counted from
        what the implementation can have seen, and then once more for its limit (see ``delays``); 0 of any
        other.
        A limit that the scenario gives in seconds stays as it is.
        """
        if not (self.in_vain and self.claim.limit in _OPEN and self.awaits_pods):
            return 0.0
        until_s = delayed_until_s(seen)
        return until_s + self.claim.limit_s if until_s else 0.0

    def latest_s(self, seen: Observed, opened_s: float) -> float:
        """Until when what is claimed may come about: processes that start and delayed pods are waited for."""
        last = seen.last if self.came is None else self.came
        ready = (seen.at_s(n) for n, it in seen.processes if self.opened < n <= last and it.what == "ready")
        since_s = max(ready, default=opened_s)
        if self.claim.limit in _OPEN:
            since_s = max(since_s, delayed_until_s(seen))
        return since_s + self.claim.limit_s + self.extended_s

    def close(self, seen: Observed) -> Finding:
        """The finding when the window ends here, by what the fact finds now.

        Raises:
            FactBroke: the fact raised an exception.
        """
        if self.finding is None:
            found = self._found(seen)
            self._decide(found, seen)
            if self.finding is None:
                broken = self.in_vain
                turned = () if self.turned is None else (self.turned,)
                self.finding = replace(found, holds=not broken, decisive=found.decisive or turned)
        return self.finding

    def _found(self, seen: Observed) -> Finding:
        self.read, self.asked = None, seen.last
        try:
            with seen.noted() as read:
                found = self.claim.fact.of(seen)
        except BatchproofError:
            raise
        except Exception as error:
            raise FactBroke(f"fact {self.claim.fact.name}", seen.last, error) from error
        self.read = read
        return found


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim of a history with its finding, and when it was opened and closed.

    Attributes:
        closed_s: when it was closed; of a ``stays``, when what it claims came about.
        grounded: what the finding rests on has arisen: every fault until then was triggered at least once.
        slow: what took so long that the implementation cannot be blamed; empty if nothing did.
        at_once: nothing had to happen for it: it was so, or came to be so, with the record that opened it.
        opened: the record that opened it.
        due_s: until when what it waits for has to come about, in seconds of the history.
    """

    claim: Claim
    finding: Finding
    opened_s: float
    closed_s: float
    grounded: bool = True
    slow: str = ""
    at_once: bool = False
    opened: int = 0
    due_s: float = float("inf")

    @classmethod
    def of(
        cls, judgement: Judgement, finding: Finding, seen: Observed, *, opened_s: float, closed_s: float
    ) -> Judged:
        """The claim that was judged with its finding, at the end of what was observed."""
        claim = judgement.claim
        slow = ""
        if judgement.in_vain and not finding.holds:
            waited = Waited(opened_s, claim.limit_s, judgement.read or (), judgement.starved_s)
            slow = slowed(seen, waited)
        ended_s = closed_s if judgement.came_s is None else judgement.came_s
        grounded = not seen.unfired if judgement.grounded is None else judgement.grounded
        at_once = judgement.came == judgement.opened
        due_s = judgement.latest_s(seen, opened_s)
        return cls(claim, finding, opened_s, ended_s, grounded, slow, at_once, judgement.opened, due_s)

    @property
    def outcome(self) -> Outcome:
        """``held``, ``broken``, or ``undecided``: it does not hold, but is no failure."""
        if self.finding.holds:
            return "held"
        accuses = self.grounded and not self.slow and self.claim.role is Role.JUDGED
        return "broken" if accuses else "undecided"


def judge(
    records: Iterable[Record],
    sentences: Mapping[str, str] | None = None,
    seen: Observed | None = None,
    *,
    cut: bool = False,
) -> list[Judged]:
    """Judge every claim that a history carries, in order.

    Args:
        records: the whole history.
        sentences: those of the requirements.
        seen: what takes in the records, for callers that read more of them; empty.
        cut: the harness broke before the end: a claim that was never closed is not judged.

    Raises:
        UserError: a claim was never closed: the history was cut in the middle of a judgement.
        FactBroke: a fact raised an exception.
    """
    seen = Observed(records) if seen is None else seen
    open_: dict[int, tuple[Judgement, float]] = {}
    judged: list[Judged] = []
    for record in records:
        seen.apply(record)
        match record.entry:
            case ClaimOpened(claim_number=number, claim=kept):
                open_[number] = (Judgement(Claim.from_json(kept), record.number), record.at_s)
            case ClaimClosed(claim_number=number, starved_s=starved_s):
                judgement, opened_s = open_.pop(number)
                judgement.starved_s = starved_s
                sentence = (sentences or {}).get(judgement.claim.requirement, "")
                finding = explain(judgement, seen, sentence)
                judged.append(Judged.of(judgement, finding, seen, opened_s=opened_s, closed_s=record.at_s))
            case _:
                pass
        for judgement, _ in open_.values():
            if judgement.finding is None:
                judgement.look(seen)
    if open_ and not cut:
        raise UserError(f"the history ends while claim {min(open_)} is being judged: record it again")
    return judged


def explain(judgement: Judgement, seen: Observed, sentence: str = "") -> Finding:
    """The finding when the window ends here, with what it is about and, where it does not hold, the timeline.

    Raises:
        FactBroke: the fact raised an exception.
    """
    finding, claim = judgement.close(seen), judgement.claim
    named = replace(finding, fact=claim.fact.name, arguments=claim.fact.arguments)
    explained = named.about(claim.requirement, sentence or claim.text)
    if finding.holds:
        return explained
    passed_s = int(seen.now_s - seen.at_s(judgement.opened)) if judgement.awaits_pods else 0
    over = f"{NOT_SO}{max(claim.limit_s, passed_s):g} s"
    if judgement.extended_s:
        over += f" and {judgement.extended_s:.1f} s for the lack of a processor"
    in_vain = Wait(judgement.opened, Moment(seen.now_s, WAITED, over, here=True, record=seen.last))
    waited = in_vain if judgement.in_vain else None
    return replace(
        explained,
        timeline=timeline(
            seen.records, finding.decisive, until=seen.last, waited=waited, observed=finding.observed
        ),
    )
