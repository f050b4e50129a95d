"""Is the suite in itself right? Features, tags, registry, planted defects and descriptors are compared.

An error is something that would make a verdict wrong or silently missing; a warning is something still to do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from batchproof import suite
from batchproof.descriptor import implementation
from batchproof.descriptor.mistakes import RESERVED
from batchproof.documents import near
from batchproof.errors import UserError
from batchproof.judgement.facts import every
from batchproof.judgement.invariants import invariants
from batchproof.labels import TRACKING_FINALIZER
from batchproof.specification import defects, descriptors, gherkin, prose
from batchproof.specification.ids import PLANNED, of_ids
from batchproof.specification.prohibitions import unwatched
from batchproof.specification.registry import REQUIREMENT_ID, Registry, read_registry
from batchproof.specification.vocabulary import definitions, load_steps

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from datetime import date
    from pathlib import Path
    from types import ModuleType

    from batchproof.documents import Problem
    from batchproof.specification.defects import Defect
    from batchproof.specification.gherkin import Scenario

Severity = Literal["error", "warning"]
PLAIN_TAGS = ("fault", gherkin.LARGE, gherkin.REAL_KUBELET)


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something that is not right.

    Attributes:
        path: the file.
        line: the line in it, from 1.
        code: which rule, in a few words joined by hyphens.
        message: what is wrong, and what to do.
        severity: an error fails the command, a warning does not.
    """

    path: Path
    line: int
    code: str
    message: str
    severity: Severity = "error"

    def __str__(self) -> str:
        mark = " (warning)" if self.severity == "warning" else ""
        return f"{self.path}:{self.line}: {self.code}{mark} {self.message}"


@dataclass(frozen=True, slots=True)
class Places:
    """Where the parts of a suite are.

    Attributes:
        features: the folder of features; ``requirements/`` in it is the registry.
        steps: the folder of step definitions.
        defects: the folder of planted defects.
        implementations: the folder of descriptors.
        source: the folder that holds the package of the reference controller.
    """

    features: Path
    steps: Path
    defects: Path
    implementations: Path
    source: Path


def bundled() -> Places:
    """The suite that batchproof itself uses."""
    implementations = suite.fixtures() / "implementations"
    return Places(suite.features(), suite.steps(), suite.defects(), implementations, suite.reference().parent)


def checkout(root: Path) -> Places:
    """A suite with the layout of the repository.

    Raises:
        UserError: there is no folder ``features`` in it.
    """
    if not (root / "features").is_dir():
        raise UserError(f"{root}: no suite here: it has no folder 'features'")
    return Places(
        features=root / "features",
        steps=root / "steps",
        defects=root / "tests" / "defects",
        implementations=root / "fixtures" / "implementations",
        source=root,
    )


def lint(places: Places, today: date) -> list[Finding]:
    """Everything that is not right in a suite, by file and line.

    Args:
        places: where its parts are.
        today: the day against which waivers expire.
    """
    registry, registry_problems = read_registry(places.features / "requirements")
    features, feature_problems = gherkin.read_features(places.features)
    planted, defect_problems = defects.read_defects(places.defects)
    scenarios = [scenario for feature in features for scenario in feature.scenarios]
    steps = load_steps(places.steps)
    claimed = _claimed(places.implementations)
    cited_in = (places.features, places.steps, places.source / defects.PACKAGE)
    findings = [
        *_invalid("registry-invalid", registry_problems),
        *_invalid("feature-invalid", feature_problems),
        *_invalid("defect-invalid", defect_problems),
        *_invalid("id-taken", of_ids(places.features / PLANNED, registry, cited_in)),
        *_invalid("fact-invalid", (fact.problem for fact in every() if fact.problem)),
        *_of_names(scenarios),
        *(finding for scenario in scenarios for finding in _of_tags(scenario, registry)),
        *_of_prose(features),
        *_of_steps(scenarios, steps),
        *_of_prohibitions(registry, scenarios, steps),
        *_of_defects(planted, registry, scenarios, places.source),
        *_of_coverage(registry, scenarios, planted, claimed),
    ]
    for path in sorted(places.implementations.glob("*.yaml")):
        findings += lint_descriptor(path, registry, scenarios, today)
    if registry_problems:  # what cannot be read of the registry is no reason to blame all that speaks of it
        findings = [one for one in findings if one.code not in {"unknown-requirement", "unknown-capability"}]
    return sorted(findings)


def blocking(places: Places, folder: str, file: Path | None = None) -> list[Finding]:
    """What would make a verdict wrong or missing in the features of one folder; found without a cluster.

    Args:
        places: where the parts of the suite are.
        folder: the folder of a profile.
        file: a feature file to look at instead, wherever it lies.
    """
    registry, registry_problems = read_registry(places.features / "requirements")
    features, feature_problems = gherkin.read_features(file or places.features)
    scenarios = [
        scenario
        for feature in features
        for scenario in feature.scenarios
        if file or scenario.feature.startswith(f"{folder}/")
    ]
    names = list(_of_names(scenarios))
    findings = [
        *_invalid("registry-invalid", registry_problems),
        *_invalid("feature-invalid", feature_problems),
        *_invalid("fact-invalid", (fact.problem for fact in every() if fact.problem)),
        *names,
        *(finding for scenario in scenarios for finding in _of_tags(scenario, registry)),
        *_of_steps(scenarios, load_steps(places.steps)),
    ]
    return sorted(one for one in findings if one.severity == "error")


def _claimed(implementations: Path) -> frozenset[tuple[str, str | None]]:
    """The profiles that the bundled reference claims, alone and with each capability that it declares.

    Each MUST of them has to be shown to bite. What the reference does not do no defect can spoil.
    """
    read = [implementation.read(path)[0] for path in sorted(implementations.glob("reference*.yaml"))]
    return frozenset(
        (profile, capability)
        for one in read
        if one
        for profile in one.profiles
        for capability in (None, *one.capabilities)
    )


def lint_descriptor(
    path: Path, registry: Registry, scenarios: Iterable[gherkin.Scenario], today: date
) -> list[Finding]:
    """Everything that is not right in a descriptor, compared with what it is judged by."""
    described, problems = implementation.read(path)
    findings = list(_invalid("descriptor-invalid", problems))
    if described is None:
        return findings
    profiles = ", ".join(described.profiles)
    known = {it.capability for it in registry.values() if it.capability and it.profile in described.profiles}
    for capability in sorted(described.capabilities - known):
        elsewhere = sorted({it.profile for it in registry.values() if it.capability == capability})
        hint = f"; {', '.join(elsewhere)} has it" if elsewhere else near(capability, known)
        message = f"no requirement of {profiles} needs the capability {capability!r}{hint}"
        findings.append(Finding(path, 1, "unknown-capability", message))
    if described.managed_by and described.finalizer == TRACKING_FINALIZER:
        findings.append(Finding(path, 1, "reserved-finalizer", f"finalizer: {RESERVED}"))
    for deviation in described.deviations:
        if deviation.requirement not in registry:
            message = f"deviations: there is no requirement {deviation.requirement}"
            findings.append(Finding(path, 1, "unknown-requirement", message))
        elif deviation.scenario not in (titles := _titles(deviation.requirement, scenarios)):
            which = f"{deviation.requirement} has no scenario {deviation.scenario!r}"
            findings.append(
                Finding(path, 1, "unknown-scenario", f"deviations: {which}{near(deviation.scenario, titles)}")
            )
        if wrong := descriptors.wrong_fact(deviation):
            findings.append(Finding(path, 1, "unknown-fact", f"deviations: {deviation.requirement}: {wrong}"))
        if deviation.expired(today):
            message = (
                f"the waiver of {deviation.requirement} expired on {deviation.expires}: {deviation.issue}"
            )
            findings.append(Finding(path, 1, "waiver-expired", message))
    return findings


def lint_alone(path: Path, registry: Registry, scenarios: Sequence[Scenario], today: date) -> list[Finding]:
    """The same, with what its author should know: what it is not judged by, and cannot start here.

    Of the descriptors that are bundled it is not said: each leaves out something.
    """
    described, _ = implementation.read(path)
    notes = descriptors.notes(described, registry, scenarios) if described else ()
    found = lint_descriptor(path, registry, scenarios, today)
    return [*found, *(Finding(path, 1, code, message, "warning") for code, message in notes)]


def _titles(requirement: str, scenarios: Iterable[gherkin.Scenario]) -> list[str]:
    """The titles of what is run for a requirement, or of all if every history is judged by it.

    They have the values of the examples.
    """
    everywhere = requirement in invariants()
    run = (one for one in scenarios if everywhere or requirement in one.requirements)
    return [case.title for one in run for case in one.cases]


def _invalid(code: str, problems: Iterable[Problem]) -> Iterator[Finding]:
    return (Finding(problem.path, problem.line, code, problem.message) for problem in problems)


def _of_names(scenarios: Sequence[Scenario]) -> Iterator[Finding]:
    """Every title is unique in the suite, every case has an id of its own."""
    first_of: dict[str, Scenario] = {}
    for scenario in scenarios:
        first = first_of.setdefault(scenario.name, scenario)
        if first is not scenario:
            consequence = (
                "pytest-bdd would drop one of them" if first.path == scenario.path else "choose another"
            )
            message = (
                f"the title is used already in {first.feature}:{first.line}; {consequence}: {first.name!r}"
            )
            yield Finding(scenario.path, scenario.line, "title-repeated", message)
            continue
        for case in gherkin.repeated_cases([scenario]):
            yield Finding(
                scenario.path, scenario.line, "example-repeated", f"two examples are the same: {case}"
            )
        if not scenario.cases:
            message = f"no examples, so nothing is run: {scenario.name!r}"
            yield Finding(scenario.path, scenario.line, "examples-missing", message)


def _of_tags(scenario: Scenario, registry: Registry) -> Iterator[Finding]:
    for code, message in (*_of_requirement(scenario, registry), *_of_each_tag(scenario, registry)):
        yield Finding(scenario.path, scenario.line, code, f"{message}: {scenario.name!r}")


def _of_requirement(scenario: Scenario, registry: Registry) -> Iterator[tuple[str, str]]:
    """Exactly one requirement, with the capability that it needs."""
    match scenario.requirements:
        case ():
            yield "requirement-missing", "no tag is a requirement; a scenario is for exactly one"
        case (one,):
            needed = registry[one].capability if one in registry else None
            if needed and needed not in scenario.capabilities:
                yield (
                    "capability-missing",
                    f"{one} needs the capability tag @{gherkin.CAPABILITY_TAG}{needed}",
                )
        case several:
            yield "requirement-repeated", f"tagged with {', '.join(several)}; exactly one is allowed"


def _of_each_tag(scenario: Scenario, registry: Registry) -> Iterator[tuple[str, str]]:
    """No tag without a meaning."""
    if scenario.example_tags:
        tags = " ".join(f"@{tag}" for tag in scenario.example_tags)
        yield "examples-tagged", f"tags of Examples mean nothing, put {tags} above the scenario"
    known = registry.capabilities()
    for tag in scenario.tags:
        if REQUIREMENT_ID.fullmatch(tag):
            if tag not in registry:
                yield "unknown-requirement", f"@{tag} is not in the registry{near(tag, registry)}"
        elif tag.startswith(gherkin.CAPABILITY_TAG):
            capability = tag.removeprefix(gherkin.CAPABILITY_TAG)
            if capability not in known:
                hint = near(capability, known)
                yield "unknown-capability", f"no requirement has the capability {capability!r}{hint}"
        elif tag not in PLAIN_TAGS:
            yield "unknown-tag", f"@{tag} means nothing{near(tag, [*PLAIN_TAGS, *registry])}"


def _of_prose(features: Iterable[gherkin.Feature]) -> Iterator[Finding]:
    for feature in features:
        for scenario in feature.scenarios:
            for line, code, message in prose.of_scenario(scenario):
                yield Finding(scenario.path, line, code, message)
        for background in feature.backgrounds:
            for line, code, message in prose.of_background(background):
                yield Finding(background.path, line, code, message)


def _of_steps(scenarios: Iterable[Scenario], steps: Sequence[ModuleType]) -> Iterator[Finding]:
    """Every sentence means one thing: a step without a definition ends its scenario as errored."""
    for scenario in scenarios:
        for step, kind, text in sorted(set(gherkin.sentences(scenario)), key=lambda one: one[0].line):
            match definitions(steps, kind, text):
                case []:
                    message = f"no step definition matches {step.keyword.strip()!r} {text!r}"
                    yield Finding(scenario.path, step.line, "step-undefined", message)
                case [_]:
                    pass
                case several:
                    message = f"{text!r} matches {len(several)} step definitions: {', '.join(several)}"
                    yield Finding(scenario.path, step.line, "step-ambiguous", message)


def _of_prohibitions(
    registry: Registry, scenarios: Iterable[Scenario], steps: Sequence[ModuleType]
) -> Iterator[Finding]:
    """What is forbidden is watched by some scenario, for a while or for the past."""
    for requirement in unwatched(registry, scenarios, steps):
        message = (
            f"{requirement.id} says MUST NOT, and its scenarios only wait for something to become true: claim"
            " it for a while ('for 2 seconds ...', '..., and stays so for 2 seconds') or of the past"
            " ('now ...')"
        )
        yield Finding(requirement.path, requirement.line, "prohibition-unwatched", message)


def _of_defects(
    planted: Iterable[Defect], registry: Registry, scenarios: Sequence[Scenario], source: Path
) -> Iterator[Finding]:
    """Every defect is of a requirement, can be planted, and needs only what a scenario of it needs too."""
    for defect in planted:
        if defect.requirement not in registry:
            message = f"{defect.name}: there is no requirement {defect.requirement}"
            yield Finding(defect.path, defect.line, "unknown-requirement", message)
        elif defect.capability and defect.capability == registry[defect.requirement].capability:
            message = f"{defect.name}: leave out its capability, {defect.requirement} needs it anyway"
            yield Finding(defect.path, defect.line, "capability-repeated", message)
        elif defect.capability:
            tagged = (one.capabilities for one in scenarios if defect.requirement in one.requirements)
            known = frozenset[str]().union(*tagged)
            if defect.capability not in known:
                tag = f"@{gherkin.CAPABILITY_TAG}{defect.capability}"
                hint = near(defect.capability, known)
                message = f"{defect.name}: no scenario of {defect.requirement} is tagged {tag}{hint}"
                yield Finding(defect.path, defect.line, "unknown-capability", message)
        try:
            defects.changed(defect, source)
        except defects.NotPlantable as error:
            yield from _invalid("defect-not-plantable", [error.problem])


def _of_coverage(
    registry: Registry,
    scenarios: Iterable[Scenario],
    planted: Iterable[Defect],
    claimed: Collection[tuple[str, str | None]],
) -> Iterator[Finding]:
    """Every requirement has a scenario, and every MUST a defect that shows that the scenario can fail."""
    judged = {id_ for scenario in scenarios for id_ in scenario.requirements}
    declared = {capability for _, capability in claimed}
    # One that takes a capability which no reference declares is planted nowhere.
    shown = (one for one in planted if not one.capability or one.capability in declared)
    broken = {defect.requirement for defect in shown}
    for requirement in registry.values():
        if requirement.id not in judged:
            message = f"no scenario is tagged @{requirement.id}"
            yield Finding(requirement.path, requirement.line, "requirement-without-scenario", message)
        if requirement.level == "MUST" and requirement.id not in broken:
            message = f"no planted defect breaks {requirement.id}"
            bites = (requirement.profile, requirement.capability) in claimed
            severity: Severity = "error" if bites else "warning"
            yield Finding(requirement.path, requirement.line, "requirement-without-defect", message, severity)
