"""The records of a results stream: one header, one record a scenario, one footer.

``results.schema.json`` says the same in JSON Schema. All times of day are RFC 3339 in UTC, all durations
seconds; ``at_s`` counts from the start of the scenario.
"""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - decode reads the annotations at run time
from dataclasses import dataclass, field
from typing import Literal

from batchproof.judgement.finding import Moment, unmet_text

SCHEMA_VERSION = 1

Verdict = Literal["passed", "failed", "inconclusive", "errored", "skipped"]
Level = Literal["MUST", "SHOULD", "MAY"]

VERDICTS: tuple[Verdict, ...] = ("passed", "failed", "inconclusive", "errored", "skipped")
WAIVED = "waived"


@dataclass(frozen=True, slots=True)
class Suite:
    """What the implementation was judged by: the digest of all features, steps and requirements."""

    digest: str


@dataclass(frozen=True, slots=True)
class Implementation:
    """Who was judged, as its descriptor says.

    Attributes:
        deviations: the requirements that it is known not to meet.
    """

    name: str
    version: str
    organisation: str = ""
    profiles: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()
    descriptor: str = ""
    deviations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cluster:
    """The control plane that the run had: its provider and its Kubernetes version."""

    provider: str
    kubernetes: str


@dataclass(frozen=True, slots=True)
class Requirement:
    """One normative sentence of the registry, as it stood when the run began."""

    level: Level
    sentence: str
    source: str = ""
    capability: str | None = None


@dataclass(frozen=True, slots=True)
class Planned:
    """A scenario, or one example of an outline, that the run set out to judge."""

    id: str
    name: str
    feature: str
    requirement: str
    example: str | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """The first record: who is judged, by what, on what, and which scenarios must follow.

    Attributes:
        required: the MUST requirements that need a verdict.
        requirements: the registry by id: all that a report says about a requirement comes from here.
        deadlines: the named deadlines in seconds, already scaled by ``time_scale``.
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
    """A claim with its named deadline: it was allowed ``limit_s`` and took ``took_s``."""

    text: str
    requirement: str
    outcome: Literal["held", "broken", "undecided"]
    deadline: str | None = None
    limit_s: float | None = None
    took_s: float | None = None


@dataclass(frozen=True, slots=True)
class UnmetClaim:
    """Why a scenario failed: the sentence, what it wanted, what was seen, and when."""

    requirement: str
    sentence: str
    expected: str
    observed: str
    timeline: tuple[Moment, ...] = ()

    def text(self) -> str:
        """The failure as it is printed everywhere: requirement, expected, observed, timeline."""
        return unmet_text(self.requirement, self.sentence, self.expected, self.observed, self.timeline)


@dataclass(frozen=True, slots=True)
class FiredFault:
    """A fault that a step asked for, and how often it really fired."""

    text: str
    fired: int


@dataclass(frozen=True, slots=True)
class Waiver:
    """A deviation that the implementation's descriptor admits, with the issue and the day it ends."""

    requirement: str
    reason: str
    issue: str = ""
    expires: str = ""


@dataclass(frozen=True, slots=True)
class Scenario:
    """The verdict of one scenario, with everything that it rests on.

    Attributes:
        reason: why it was skipped (``not-declared``, ``not-applicable``, ``waived``) or is inconclusive.
        history: the path of the history, relative to the folder of the results.
    """

    id: str
    name: str
    feature: str
    requirement: str
    level: Level
    verdict: Verdict
    example: str | None = None
    tags: tuple[str, ...] = ()
    reason: str = ""
    waived: Waiver | None = None
    worker: str = ""
    started: str | None = None
    duration_s: float = 0.0
    steps: tuple[Step, ...] = ()
    claims: tuple[Claim, ...] = ()
    unmet: UnmetClaim | None = None
    faults: tuple[FiredFault, ...] = ()
    error: str | None = None
    history: str | None = None

    @property
    def title(self) -> str:
        """The name, with the example where the scenario is one row of an outline."""
        return self.name if self.example is None else f"{self.name} [{self.example}]"


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
