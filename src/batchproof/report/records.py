"""The records of a results stream: one header, one record a scenario, one footer.

``results.schema.json`` is made from these records (see ``schemas``). All times of day are RFC 3339 in UTC,
all durations seconds; ``at_s`` counts from the start of the scenario.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self, TypeAlias

import msgspec
import orjson

from batchproof.ground import stored
from batchproof.ground.matching import agrees
from batchproof.judgement.claims import Judged, Role
from batchproof.judgement.conclusion import speaks_of
from batchproof.judgement.finding import Excused, Finding, Moment, finding_text, unmet_text
from batchproof.judgement.values import in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SCHEMA_VERSION: Final = 3

Verdict = Literal["passed", "failed", "inconclusive", "errored", "skipped"]
Level = Literal["MUST", "SHOULD", "MAY"]

Time: TypeAlias = Annotated[
    str, msgspec.Meta(extra_json_schema={"format": "date-time", "examples": ["2026-11-21T10:00:00Z"]})
]
Seconds: TypeAlias = Annotated[float, msgspec.Meta(ge=0)]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
Digest: TypeAlias = Annotated[str, msgspec.Meta(extra_json_schema={"pattern": "^(sha256:[0-9a-f]+)?$"})]
Commit: TypeAlias = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{40}|[0-9a-f]{64})?$")]
OneLine: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^(?![\s\S]*\n)")]
"""Text that begins no line of its own where it is printed."""
HistoryPath: TypeAlias = Annotated[
    str,
    msgspec.Meta(extra_json_schema={"pattern": r"^(?!/)(?!.*(^|/)\.\.(/|$))[^:/\\]+(/[^\\]*)?$"}),
]
"""The path of a history, relative to the folder of the results, and below it."""

VERDICTS: tuple[Verdict, ...] = ("passed", "failed", "inconclusive", "errored", "skipped")
WAIVED = "waived"
IN_PLACE = "not-applicable in place"
"""Why a scenario is skipped that needs the requests, process or cluster of what is judged in place."""
NOT_DECLARED = "not-declared"
"""Why a scenario is skipped that needs a capability which the implementation does not declare."""
LEFT_OUT = "left out of the grid: "
"""How the reason of a scenario begins that cannot be played under faults."""
FACT_BROKE = "a fact broke"
"""The reason of a verdict that is errored because a fact or an invariant raised an exception."""


class Suite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the implementation was judged by.

    Attributes:
        digest: of all features, steps and requirements, of the claims manifest, and of the code that judges.
        code: of these and of the references.
        lock: of the file that pins the libraries; empty where batchproof is installed without it.
        installed: ``wheel``, ``checkout``, or ``changed checkout`` where something was not committed.
        commit: of the checkout, where git has all of it; else empty.
        feature: the name of the feature file that was run instead of the suite; empty: the whole profile.
        feature_digest: of that file.
        selection: what was selected of it, as after ``-k``; empty: everything.
    """

    digest: Digest
    code: Digest = ""
    lock: Digest = ""
    installed: Literal["wheel", "checkout", "changed checkout"] = "checkout"
    commit: Commit = ""
    feature: OneLine = ""
    feature_digest: Digest = ""
    selection: str = ""

    @property
    def whole(self) -> bool:
        """Everything of the profile was played."""
        return not self.feature and not self.selection


class Started(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A process of the implementation as it was started.

    Attributes:
        name: what it is called.
        program: the file that was run, without its folder.
        sha256: of that file.
        argv: its arguments as the descriptor has them, with placeholders.
        env: the names of its variables that the descriptor sets or passes on.
        files: the digest of each file among the arguments, by its name.
    """

    name: str
    program: str
    sha256: Digest
    argv: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    files: Mapping[str, Digest] = {}


class Waiver(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deviation that the implementation's descriptor admits, with the issue and the day it ends.

    Attributes:
        issue: the address of the public issue; empty if there is none.
        scenario: the id of the scenario that it covers.
        fact: the name of the fact or of the invariant that is broken there.
        values: the values that are observed instead, by name, in one of these ways; ``any`` stands for any
            value, and ``*`` in a text for anything.
        observed: what is observed instead, as text: only in results that were recorded without values.
        arguments: the arguments of the fact, each as ``name=value``; others do not matter.
        sometimes: it is intermittent: that the scenario passes is no reason to remove it.
    """

    requirement: str
    scenario: str
    fact: str
    reason: str
    values: tuple[Mapping[str, Any], ...] = ()
    observed: tuple[str, ...] = ()
    issue: str = ""
    expires: str = ""
    sometimes: bool = False
    arguments: tuple[str, ...] = ()

    def covers(self, scenario: str, finding: Finding) -> bool:
        """Whether that fact of that requirement is broken in the scenario of that id, and in this way."""
        what = (finding.requirement, scenario, finding.fact)
        if what != (self.requirement, self.scenario, self.fact):
            return False
        asked = {argument(name, value) for name, value in finding.arguments.items()}
        return asked.issuperset(self.arguments) and any(agrees(finding.values, one) for one in self.values)

    @property
    def broken(self) -> str:
        """The fact that is broken, as a call: ``active_pods(count=2)``."""
        return f"{self.fact}({', '.join(self.arguments)})" if self.arguments else self.fact

    @property
    def admitted(self) -> str:
        """What is observed instead, in words."""
        return " or ".join([*map(in_words, self.values)] or self.observed)

    @property
    def unreported(self) -> bool:
        """It has no public issue."""
        return not self.issue

    @property
    def reported(self) -> str:
        """The public issue, or ``unreported``."""
        return self.issue or "unreported"

    @property
    def text(self) -> str:
        """Why, where it is known, and until when it counts."""
        until = f"until {self.expires}" if self.expires else ""
        return ", ".join(filter(None, (self.reason.strip().removesuffix("."), self.reported, until)))


def covering(waivers: Iterable[Waiver], scenario: str, finding: Finding) -> Waiver | None:
    """The deviation that covers what was found in the scenario of that id, if one does."""
    return next((one for one in waivers if one.covers(scenario, finding)), None)


def excuses(waivers: Sequence[Waiver], scenario: str) -> Excused:
    """Whether a deviation covers what is found in the scenario of that id, as the judge asks for it."""
    return lambda finding: covering(waivers, scenario, finding) is not None


def argument(name: str, value: Any) -> str:
    """An argument of a fact as a waiver keeps it: ``count=2``, ``job=a``, ``gangs=["a","b"]``."""
    return f"{name}={value if isinstance(value, str) else orjson.dumps(value).decode()}"


class ImplementationRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The implementation that was judged, as its descriptor says.

    Attributes:
        implements: the version of the Kubernetes API that it follows; only what holds in it is judged.
        in_place: it was installed already, and judged by what the API server shows alone.
        isolation: whether its instances shared an API server; empty in results of before.
        configuration: in what it is configured otherwise than its release, in a sentence.
        deviations: what it is known to do otherwise; those that were in force when the run began.
        descriptor_text: the descriptor itself.
        descriptor_digest: of the descriptor.
        started: its processes; none in in-cluster mode.
    """

    name: OneLine
    version: OneLine
    organisation: str = ""
    profiles: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()
    descriptor: str = ""
    implements: str = ""
    in_place: bool = False
    isolation: str = ""
    configuration: str = ""
    deviations: tuple[Waiver, ...] = ()
    descriptor_text: str = ""
    descriptor_digest: Digest = ""
    started: tuple[Started, ...] = ()


class ClusterRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The control plane that the run had.

    Attributes:
        provider: ``embedded``, ``kind`` or ``existing``.
        kubernetes: its version.
        programs: the digests of the programs of the control plane; none that are not ours.
        flags: what kube-apiserver was given beside what it always is.
        taken: the capabilities that the cluster itself has, which cannot be judged in it.
        options: the options of the command line that chose it, but for files; none for the default, and in
            results of before.
    """

    provider: str
    kubernetes: str
    programs: Mapping[str, Digest] = {}
    flags: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


class RequirementRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One normative sentence of the registry, as it stood when the run began.

    Attributes:
        norm: whose word it is, such as ``kep``; empty in results of before.
        source: the place of the norm.
        explains: the requirements whose breach is how a breach of this one shows.
        since: the version from which it holds.
        feature: the feature file of its first scenario in the suite; empty in results of before.
        rule: the rule that this scenario stands under; empty where it stands under none.
        mutants: the mutants of the suite that break it: `batchproof mutants` shows that its
            scenarios kill them. A run does not.
        proven_by: what shows that its scenarios can fail where no mutant does.
    """

    level: Level
    sentence: str
    norm: str = ""
    source: str = ""
    capability: str | None = None
    explains: tuple[str, ...] = ()
    since: str = ""
    feature: str = ""
    rule: str = ""
    mutants: tuple[str, ...] = ()
    proven_by: str = ""


class Planned(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario, or one example of an outline, that the run set out to judge.

    Attributes:
        title: the name with the values of the example filled in.
        fault: the fault profile that it runs under; empty: as it is written.
    """

    id: str
    name: str
    title: str
    feature: str
    requirement: str
    example: str | None = None
    fault: str = ""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="record", tag="header"):
    """The first record: what is judged, by what, on what, and which scenarios must follow.

    Attributes:
        schema: the version of this format.
        required: the MUST requirements that need a verdict.
        requirements: the registry by id: all that a report says about a requirement comes from here.
        deadlines: the named deadlines in seconds, already scaled by ``time_scale``.
        not_in_force: the requirements that do not hold in the version that the implementation follows.
        versions: of Python and of the libraries that judged, by name.
        run: a random id, which is in every history.
        machine: operating system, architecture and number of processors.
        strict: what could not be judged the first time, or not at all, fails the run.
        accept_known: the run does not fail with core requirements that deviations cover.
    """

    schema: Literal[3]
    batchproof: str
    suite: Suite
    implementation: ImplementationRecord
    cluster: ClusterRecord
    profile: str
    workers: Annotated[int, msgspec.Meta(ge=1)]
    started: Time
    time_scale: Annotated[float, msgspec.Meta(gt=0)]
    deadlines: Mapping[str, Seconds]
    required: tuple[str, ...]
    planned: tuple[Planned, ...]
    requirements: Mapping[str, RequirementRecord] = msgspec.field(default_factory=dict)
    not_in_force: tuple[str, ...] = ()
    versions: Mapping[str, str] = msgspec.field(default_factory=dict)
    run: str = ""
    machine: str = ""
    strict: bool = False
    accept_known: bool = False


class StepRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Gherkin step as it ran; ``at_s`` and ``duration_s`` are null where it never began."""

    keyword: str
    text: str
    outcome: Literal["passed", "failed", "not-run"]
    at_s: float | None = None
    duration_s: float | None = None


class ClaimRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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

    @classmethod
    def of(cls, judged: Judged) -> ClaimRecord:
        """The record of a claim that was judged."""
        claim = judged.claim
        return cls(
            text=claim.text,
            requirement=claim.requirement,
            outcome=judged.outcome,
            role="judged" if claim.role is Role.JUDGED else "precondition",
            deadline=claim.limit,
            limit_s=claim.limit_s,
            took_s=round(judged.closed_s - judged.opened_s, 3),
        )


class UnmetClaim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a requirement is not met: the sentence, what it wanted, what was seen, and when.

    Attributes:
        speaks_of: the requirements whose own scenarios judge what was wanted here.
        fact: the name of the fact or of the invariant that is broken; empty in results of before.
        arguments: the arguments of the fact.
        values: what was observed, as values by name; empty in results of before.
    """

    requirement: str
    sentence: str
    expected: str
    observed: str
    speaks_of: tuple[str, ...] = ()
    timeline: tuple[Moment, ...] = ()
    fact: str = ""
    arguments: Mapping[str, Any] = msgspec.field(default_factory=dict)
    values: Mapping[str, Any] = msgspec.field(default_factory=dict)

    @classmethod
    def of(cls, finding: Finding) -> Self:
        """The record of a finding: what only its judgement needs is left out."""
        return stored.copied(cls, finding)

    @property
    def named(self) -> tuple[str, ...]:
        """The values as a deviation names them, each as ``name: value`` in YAML."""
        return tuple(f"{name}: {orjson.dumps(value).decode()}" for name, value in self.values.items())

    def text(self) -> str:
        """The failure as it is printed everywhere: requirement, expected, observed, timeline."""
        return unmet_text(self.requirement, self.sentence, self.expected, self.observed, self.timeline)


class Breach(UnmetClaim, frozen=True, forbid_unknown_fields=True):
    """A requirement that the history of a scenario breaks besides: the scenario is its evidence.

    Attributes:
        waived: the deviation that covers it.
    """

    waived: Waiver | None = None


class Precondition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a scenario needs before it can show anything: a precondition, and what was not met.

    Attributes:
        step: the step that claimed it, with its keyword.
        speaks_of: the requirements whose scenarios judge that.
        slow: the answer of the API server that it may have waited for; empty if none was slow.
    """

    step: str
    expected: str
    observed: str
    speaks_of: tuple[str, ...] = ()
    timeline: tuple[Moment, ...] = ()
    slow: str = ""

    @classmethod
    def of(cls, stopped: Judged) -> Precondition:
        """The record of the claim of a Given or a When that does not hold."""
        finding = stopped.finding
        return cls(
            step=stopped.claim.made_in,
            expected=finding.expected,
            observed=finding.observed,
            speaks_of=speaks_of(stopped),
            timeline=finding.timeline,
            slow=stopped.slow,
        )

    def text(self) -> str:
        """What did not come about, as it is printed everywhere: the step, expected, observed, timeline."""
        return finding_text(f"precondition not met: {self.step}", self.expected, self.observed, self.timeline)


class FiredFault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fault that a step armed, and how often it was triggered."""

    text: str
    fired: Count


class FirstPlay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a scenario that was retried ended the first time: it could not be judged.

    Attributes:
        why: why not, in words.
        history: the path of its history, relative to the folder of the results.
        history_digest: of that file.
    """

    verdict: Verdict
    why: str
    history: HistoryPath | None = None
    history_digest: Digest = ""


class ScenarioRecord(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="record", tag="scenario"
):
    """The verdict of one scenario, with everything that it rests on.

    Attributes:
        title: the name with the values of the example filled in.
        verdict: that of the scenario's own requirement, and of no other.
        reason: why it was skipped (``NOT_DECLARED``, ``not-applicable``, ``IN_PLACE``, ``waived``) or is
            inconclusive (``precondition``, ``fault never triggered``, ``no proof of life``, ...).
        waived: the deviation that covers ``unmet``.
        unmet: how the scenario's own requirement is broken.
        precondition: the precondition of the scenario that was not met, so that it is inconclusive.
        breaches: the requirements that the history breaks besides.
        history: the path of the history, relative to the folder of the results.
        history_digest: of that file.
        fault: the fault profile that it ran under; empty: as it is written.
        end: how its Jobs ended, if that is compared with runs under faults.
        left_out: why it cannot be run under faults.
        first: how it ended the first time, if this is its retry.
        printed: the last lines that its processes printed meanwhile, without tokens; nothing if it passed or
            was skipped, and in results of before.
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
    started: Time | None = None
    duration_s: Seconds = 0.0
    steps: tuple[StepRecord, ...] = ()
    claims: tuple[ClaimRecord, ...] = ()
    unmet: UnmetClaim | None = None
    precondition: Precondition | None = None
    breaches: tuple[Breach, ...] = ()
    faults: tuple[FiredFault, ...] = ()
    error: str | None = None
    printed: str = ""
    history: HistoryPath | None = None
    history_digest: Digest = ""


class Footer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="record", tag="footer"):
    """The last record: only a run that has one came to its end; ``complete`` says whether to all of it."""

    finished: Time
    duration_s: Seconds
    complete: bool
    counts: Mapping[Verdict, Count]
    reason: str = ""


Record: TypeAlias = Header | ScenarioRecord | Footer
