"""Facts about what an implementation asks of the API server: how many writes, in which order, how often."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from batchproof.ground.resources import EVENTS, LEASES, PODS
from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.history import EXITED, WORKED_ON
from batchproof.judgement.observed import Observed, Write
from batchproof.judgement.values import counted, in_words, said, stated

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHOWN = 12  # batches that a finding shows
_PAUSE_S = 0.5  # creations with a shorter time between them belong to one attempt
_EARLY, _LATE, _LATE_S = 0.8, 1.5, 1.0  # how far a delay may be from its due length: factors, and seconds


def _creations(seen: Observed) -> Sequence[Write]:
    return seen.writes_to(PODS, "create")


class _Calls:
    """A fold of the writes of one kind: what is asked, and how it is answered."""

    def __init__(self, *kind: object) -> None:
        self._kind = kind

    def take(self, kind: str, write: Write) -> None:
        it = write.request
        if (it.resource, it.verb, it.subresource) == self._kind:
            (self.asked if kind == "asked" else self.answered)(write)

    def asked(self, write: Write) -> None:
        """A request has arrived; how it will be answered is not known."""

    def answered(self, write: Write) -> None:
        """It is answered."""


_CREATION = (PODS, "create", "")


class _Batches(_Calls):
    """Creations by batch: one begins when every creation before it has been answered.

    Attributes:
        sizes: how many creations each batch has.
        first: the records of the first creation of each.
    """

    def __init__(self) -> None:
        super().__init__(*_CREATION)
        self.sizes: list[int] = []
        self.first: list[int] = []
        self._open: set[int] = set()

    def asked(self, write: Write) -> None:
        if self._open:
            self.sizes[-1] += 1
        else:
            self.sizes.append(1)
            self.first.append(write.number)
        self._open.add(write.number)

    def answered(self, write: Write) -> None:
        self._open.discard(write.number)


@fact("pods are created in batches of {sizes:numbers}, one after another", in_place=False, within="settle")
def creation_batches(seen: Observed, *, sizes: list[int]) -> Finding:
    """The given number of creations were under way at once, batch after batch, since the scenario began."""
    batches = seen.calls_to(PODS).fold(_Batches)
    observed = map(str, [*batches.sizes[:_SHOWN], *(["..."] if len(batches.sizes) > _SHOWN else [])])
    return found(
        batches.sizes == sizes,
        observed=stated(f"batches of {in_words([*observed])}", {"batches": [*batches.sizes[:_SHOWN]]}),
        decisive=batches.first[:_SHOWN],
    )


@fact(
    "no more than {most:d} [pod was|pods were] requested until {seconds:seconds} [second|seconds] "
    "after the first failure",
    in_place=False,
    within="now",
)
def creations_pause(seen: Observed, *, most: int, seconds: float) -> Finding:
    """At most ``most`` creations were begun since the scenario began, until so long after the first failed.

    Those that were begun before the failure count as well.
    """
    creations = _creations(seen)
    failed = seen.calls_to(PODS).fold(_Failed).first
    if failed is None:
        return found(
            holds=False, expected="a pod creation that fails", observed=counted(len(creations), "creation")
        )
    tried = bisect_left(creations, failed.replied_at_s + seconds, key=_asked_at_s)
    return found(
        tried <= most,
        expected=f"at most {counted(most, 'creation')} by then",
        observed=counted(tried, "creation"),
        decisive=[failed.number, *(write.number for write in creations[most : most + 1] if tried > most)],
    )


def _asked_at_s(write: Write) -> float:
    return write.at_s


class _Failed(_Calls):
    """The first creation that failed."""

    def __init__(self) -> None:
        super().__init__(*_CREATION)
        self.first: Write | None = None

    def answered(self, write: Write) -> None:
        if not write.applied and (self.first is None or write.number < self.first.number):
            self.first = write


class _Attempts(_Calls):
    """The first creation of each attempt."""

    def __init__(self) -> None:
        super().__init__(*_CREATION)
        self.first: list[Write] = []
        self._last_s = float("-inf")

    def asked(self, write: Write) -> None:
        if write.at_s - self._last_s > _PAUSE_S:
            self.first.append(write)
        self._last_s = write.at_s


def _gaps(attempts: list[Write]) -> list[float]:
    return [b.at_s - a.at_s for a, b in pairwise(attempts)]


def _rounded(seconds: list[float]) -> str:
    """For words: a finding decides by what was measured."""
    return ", ".join(f"{each:.2f}" for each in seconds)


@fact(
    "pod creation is tried {attempts:d} times with delays that double from 1 second",
    in_place=False,
    within="settle",
)
def creation_delays_double(seen: Observed, *, attempts: int) -> Finding:
    """The delays between attempts are 1 s, 2 s, 4 s, 8 s and so on, with some tolerance to both sides."""
    tried = seen.calls_to(PODS).fold(_Attempts).first
    gaps = _gaps(tried)
    late_s = _LATE_S * seen.time_scale
    due = all(_EARLY * 2**n <= gap <= _LATE * 2**n + late_s for n, gap in enumerate(gaps))
    return found(
        len(tried) >= attempts and due,
        expected=f"delays of {in_words([2**n for n in range(attempts - 1)])} s",
        observed=said("delays of {delays_s} s", delays_s=_rounded(gaps)),
        decisive=[write.number for write in tried],
    )


@fact(
    "pod creation is retried after failure {failure:d} no later than after those before",
    in_place=False,
    within="settle",
)
def creation_delay_anew(seen: Observed, *, failure: int) -> Finding:
    """That failed creation was followed by another as soon as one of those before, or a little later."""
    tried = seen.calls_to(PODS).fold(_Retries).tried[:failure]
    waits_s = [following.at_s - failed_at_s for failed_at_s, following in tried]
    most_s = max(waits_s[: failure - 1], default=0.0) + _LATE_S * seen.time_scale
    return found(
        len(waits_s) == failure and waits_s[-1] <= most_s,
        expected=f"another creation at most {most_s:g} s after failure {failure}",
        observed=said("creations {delays_s} s after failures", delays_s=_rounded(waits_s)),
        decisive=[following.number for _, following in tried],
    )


class _Retries(_Calls):
    """When each creation that failed was answered, and the creation that was asked for next."""

    def __init__(self) -> None:
        super().__init__(*_CREATION)
        self.tried: list[tuple[float, Write]] = []
        self._failed_at_s: float | None = None

    def asked(self, write: Write) -> None:
        if self._failed_at_s is not None:
            self.tried.append((self._failed_at_s, write))
            self._failed_at_s = None

    def answered(self, write: Write) -> None:
        if not write.applied:
            self._failed_at_s = write.replied_at_s


@fact("the fault has been triggered", in_place=False, beside=("times",))
def faults_struck(seen: Observed, *, times: int = 1) -> Finding:
    """The faults in force have been triggered this many times, taken together."""
    triggers = sum(seen.faults.values())
    return found(
        triggers >= times,
        observed=stated(f"triggered by {counted(triggers, 'request')}", {"requests": triggers}),
    )


@fact("the implementation runs", in_place=False, within="settle")
def implementation_runs(seen: Observed) -> Finding:
    """What was killed last was started again, and is ready; nothing has ended by itself since."""
    changes = [change for _, change in seen.processes]
    told = ("ready", "killed", EXITED)
    last = next((change.what for change in reversed(changes) if change.what.startswith(told)), "")
    return found(
        last == "ready",
        observed=changes[-1].what if changes else "no process",
    )


@fact("the implementation works on {witness:name}")
def works_on(seen: Observed, *, witness: str) -> Finding:
    """It has done for this witness what it always has to do: so it was alive and able."""
    worked = [number for number, change in seen.processes if change.what == f"{WORKED_ON} {witness}"]
    return found(
        worked,
        expected=f"the implementation works on {witness}, which was given to it to see that it is alive",
        observed="it did" if worked else "it did not",
        decisive=worked[:1],
    )


@fact("<something|nothing> is written", in_place=False, beside=["since"])
def written(seen: Observed, *, since: int = -1) -> Finding:
    """The implementation has begun a write after that record, of anything but an event or a lease."""
    later = islice(seen.writes, bisect_right(seen.writes, since, key=_number), None)
    write = next((one for one in later if one.request.resource not in {EVENTS, LEASES}), None)
    return found(
        write,
        observed=said(
            "{verb} {resource} {name}",
            verb=write.request.verb,
            resource=write.request.resource.singular,
            name=write.request.name,
        )
        if write
        else "nothing",
        decisive=[write.number] if write else [],
    )


@fact("no pod is made or changed by the implementation", in_place=False, within="now")
def pods_untouched(seen: Observed) -> Finding:
    """The implementation has begun no write to any pod: none was to be created, changed, bound or deleted."""
    write = next((one for one in seen.writes if one.request.resource == PODS), None)
    return found(
        write is None,
        observed=said("{verb} {pod}", verb=write.request.verb, pod=write.request.name or "a pod")
        if write
        else "none",
        decisive=[write.number] if write else [],
    )


def _number(write: Write) -> int:
    return write.number
