"""The records of a results stream: one header, one record a scenario, one footer.

``results.schema.json`` says the same in JSON Schema. All times of day are RFC 3339 in UTC, all durations
seconds; ``at_s`` counts from the start of the scenario.
"""

from __future__ import annotations

import re
from collections.abc import Mapping  # noqa: TC003 - decode reads the annotations at run time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from batchproof.judgement.finding import Moment, finding_text, unmet_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from batchproof.judgement.finding import Finding

SCHEMA_VERSION = 2
READ_BY = {1: "0.1.0"}
"""The version of batchproof that reads the results of an older schema."""

Verdict = Literal["passed", "failed", "inconclusive", "errored", "skipped"]
Level = Literal["MUST", "SHOULD", "MAY"]

VERDICTS: tuple[Verdict, ...] = ("passed", "failed", "inconclusive", "errored", "skipped")
WAIVED = "waived"
IN_PLACE = "not-applicable in place"
"""Why a scenario is skipped that takes the requests, the process or the cluster of who is judged in place."""
LEFT_OUT = "left out of the grid: "
"""How the reason of a scenario begins that cannot be played under faults."""
FACT_BROKE = "a fact broke"
"""The reason of a verdict that is errored because a fact or an invariant raised an exception."""


@dataclass(frozen=True, slots=True)
class Suite:
    """What the implementation was judged by.

    Attributes:
        digest: of all features, steps and requirements.
        code: of these, the harness and the references; empty in results of before.
    """

    digest: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Waiver:
    """A deviation that the implementation's descriptor admits, with the issue and the day it ends.

    Attributes:
        scenario: the title of the scenario that it covers, with the values of the example.
        finding: what that scenario expects and does not find; ``*`` stands for anything.
        sometimes: it comes and goes: that the scenario passes is no reason to remove it.
    """

    requirement: str
    scenario: str
    finding: str
    reason: str
    issue: str = ""
    expires: str = ""
    sometimes: bool = False

    def covers(self, requirement: str, scenario: str, finding: str) -> bool:
        """Whether it is this requirement that is broken, in that scenario and against that expectation."""
        pattern = ".*".join(map(re.escape, self.finding.split("*")))
        same = (requirement, scenario) == (self.requirement, self.scenario)
        return same and re.fullmatch(pattern, finding, re.DOTALL) is not None

    @property
    def text(self) -> str:
        """Why, where it is known, and until when it counts."""
        known = (self.reason.strip(), self.issue, f"until {self.expires}" if self.expires else "")
        return ", ".join(filter(None, known))


def covering(waivers: Iterable[Waiver], scenario: str, finding: Finding) -> Waiver | None:
    """The deviation that covers what was found in the scenario of that title, if one does."""
    return next((one for one in waivers if one.covers(finding.requirement, scenario, finding.expected)), None)


@dataclass(frozen=True, slots=True)
class Implementation:
    """Who was judged, as its descriptor says.

    Attributes:
        implements: the version of the Kubernetes API that it follows; only what holds in it is judged.
        in_place: it was installed already, and judged by what the API server shows alone.
        deviations: what it is known to do otherwise; those that were in force when the run began.
    """

    name: str
    version: str
    organisation: str = ""
    profiles: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()
    descriptor: str = ""
    implements: str = ""
    in_place: bool = False
    deviations: tuple[Waiver, ...] = ()


@dataclass(frozen=True, slots=True)
class Cluster:
    """The control plane that the run had: its provider and its Kubernetes version."""

    provider: str
    kubernetes: str


@dataclass(frozen=True, slots=True)
class Requirement:
    """One normative sentence of the registry, as it stood when the run began.

    Attributes:
        explains: the requirements whose breach is how a breach of this one shows.
    """

    level: Level
    sentence: str
    source: str = ""
    capability: str | None = None
    explains: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Planned:
    """A scenario, or one example of an outline, that the run set out to judge.

    Attributes:
        title: the name with the values of the example filled in.
        fault: the fault profile that it is played under; empty: as it is written.
    """

    id: str
    name: str
    title: str
    feature: str
    requirement: str
    example: str | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Header:
    """The first record: who is judged, by what, on what, and which scenarios must follow.

    Attributes:
        required: the MUST requirements that need a verdict.
        requirements: the registry by id: all that a report says about a requirement comes from here.
        deadlines: the named deadlines in seconds, already scaled by ``time_scale``.
        not_in_force: the requirements that do not hold in the version that the implementation follows.
    """

    schema: int
    batchproof: str
    suite: Suite
    implementation: Implementation
    cluster: Cluster
    profile: str
    workers: int
    started: str
    time_scale: float
    deadlines: Mapping[str, float]
    required: tuple[str, ...]
    planned: tuple[Planned, ...]
    requirements: Mapping[str, Requirement] = field(default_factory=dict)
    not_in_force: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A Gherkin step as it ran; ``at_s`` and ``duration_s`` are null where it never began."""

    keyword: str
    text: str
    outcome: Literal["passed", "failed", "not-run"]
    at_s: float | None = None
    duration_s: float | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim with its named deadline: it was allowed ``limit_s`` and took ``took_s``.

    Attributes:
        role: what a claim of a Given or a When says is a ``precondition``; a ``judged`` one is of a Then.
    """

    text: str
    requirement: str
    outcome: Literal["held", "broken", "undecided"]
    role: Literal["precondition", "judged"] = "judged"
    deadline: str | None = None
    limit_s: float | None = None
    took_s: float | None = None


@dataclass(frozen=True, slots=True)
class UnmetClaim:
    """Why a requirement is not met: the sentence, what it wanted, what was seen, and when.

    Attributes:
        speaks_of: the requirements whose own scenarios judge what was wanted here.
    """

    requirement: str
    sentence: str
    expected: str
    observed: str
    speaks_of: tuple[str, ...] = ()
    timeline: tuple[Moment, ...] = ()

    def text(self) -> str:
        """The failure as it is printed everywhere: requirement, expected, observed, timeline."""
        return unmet_text(self.requirement, self.sentence, self.expected, self.observed, self.timeline)


@dataclass(frozen=True, slots=True)
class Breach(UnmetClaim):
    """A requirement that the history of a scenario breaks besides: the scenario is its evidence.

    Attributes:
        waived: the deviation that covers it.
    """

    waived: Waiver | None = None


@dataclass(frozen=True, slots=True)
class Precondition:
    """What a scenario needs before it can show anything, and what did not come about.

    Attributes:
        step: the step that claimed it, with its keyword.
        speaks_of: the requirements whose scenarios judge that.
    """

    step: str
    expected: str
    observed: str
    speaks_of: tuple[str, ...] = ()
    timeline: tuple[Moment, ...] = ()

    def text(self) -> str:
        """What did not come about, as it is printed everywhere: the step, expected, observed, timeline."""
        return finding_text(f"not come about: {self.step}", self.expected, self.observed, self.timeline)


@dataclass(frozen=True, slots=True)
class FiredFault:
    """A fault that a step asked for, and how often it really fired."""

    text: str
    fired: int


@dataclass(frozen=True, slots=True)
class FirstPlay:
    """How a scenario that was played twice ended the first time: it could not be judged.

    Attributes:
        why: why not, in words.
        history: the path of its history, relative to the folder of the results.
    """

    verdict: Verdict
    why: str
    history: str | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """The verdict of one scenario, with everything that it rests on.

    Attributes:
        title: the name with the values of the example filled in.
        verdict: that of the scenario's own requirement, and of no other.
        reason: why it was skipped (``not-declared``, ``not-applicable``, ``IN_PLACE``, ``waived``) or is
            inconclusive (``precondition``, ``fault never struck``, ``no proof of life``, ...).
        waived: the deviation that covers ``unmet``.
        unmet: how the scenario's own requirement is broken.
        precondition: what did not come about that the scenario needs, so that it is inconclusive.
        breaches: the requirements that the history breaks besides.
        history: the path of the history, relative to the folder of the results.
        fault: the fault profile that it was played under; empty: as it is written.
        end: how its Jobs ended, where that is to be compared with plays under faults.
        left_out: why it cannot be played under faults.
        first: how it ended the first time, where this is its second play.
    """

    id: str
    name: str
    title: str
    feature: str
    requirement: str
    level: Level
    verdict: Verdict
    example: str | None = None
    fault: str = ""
    end: Mapping[str, str] | None = None
    left_out: str = ""
    first: FirstPlay | None = None
    tags: tuple[str, ...] = ()
    reason: str = ""
    waived: Waiver | None = None
    worker: str = ""
    started: str | None = None
    duration_s: float = 0.0
    steps: tuple[Step, ...] = ()
    claims: tuple[Claim, ...] = ()
    unmet: UnmetClaim | None = None
    precondition: Precondition | None = None
    breaches: tuple[Breach, ...] = ()
    faults: tuple[FiredFault, ...] = ()
    error: str | None = None
    history: str | None = None


@dataclass(frozen=True, slots=True)
class Footer:
    """The last record: only a run that has one came to its end; ``complete`` says whether to all of it."""

    finished: str
    duration_s: float
    complete: bool
    counts: Mapping[str, int]
    reason: str = ""


Record = Header | Scenario | Footer
KINDS: dict[str, type[Record]] = {"header": Header, "scenario": Scenario, "footer": Footer}
