"""Is the suite in itself right? Features, tags, registry, mutants and descriptors are compared.

An error is something that would make a verdict wrong or silently missing; a warning is something still to do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.descriptor import implementation
from batchproof.ground import suite
from batchproof.ground.documents import Problem, near
from batchproof.ground.errors import UserError
from batchproof.judgement.facts import every
from batchproof.specification import descriptors, gherkin, mutants, prose, texts
from batchproof.specification.areas import unnamed
from batchproof.specification.changeable import CHANGEABLE, of_changeable
from batchproof.specification.duties import misplaced, unowned
from batchproof.specification.findings import LintFinding, Severity, invalid
from batchproof.specification.gherkin import Scenario
from batchproof.specification.ids import PLANNED, of_ids
from batchproof.specification.mutants import Mutant
from batchproof.specification.prohibitions import unwatched
from batchproof.specification.registry import Registry, Requirement, read_registry
from batchproof.specification.reported import REPORTED, of_reported
from batchproof.specification.vocabulary import definitions, load_steps, why_not

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from datetime import date
    from pathlib import Path
    from types import ModuleType

PLAIN_TAGS = ("fault", gherkin.LARGE, gherkin.REAL_KUBELET)


@dataclass(frozen=True, slots=True)
class Places:
    """Where the parts of a suite are.

    Attributes:
        features: the folder of features; ``requirements/`` in it is the registry.
        suites: the folder of the small suites that others ask for.
        steps: the folder of step definitions.
        defects: the folder of the mutants.
        implementations: the folder of descriptors.
        source: the folder that holds the package of the reference controller.
        root: the root of a checkout with its documents and the harness; None where there is only a suite.
    """

    features: Path
    suites: Path
    steps: Path
    defects: Path
    implementations: Path
    source: Path
    root: Path | None = None


def bundled() -> Places:
    """The suite that batchproof itself uses."""
    implementations = suite.fixtures() / "implementations"
    return Places(
        suite.features(),
        suite.suites(),
        suite.steps(),
        suite.defects(),
        implementations,
        suite.reference().parent,
        suite.checkout(),
    )


def checkout(root: Path) -> Places:
    """A suite with the layout of the repository.

    Raises:
        UserError: there is no folder ``features`` in it.
    """
    if not (root / "features").is_dir():
        raise UserError(f"{root}: no suite here: it has no folder 'features'")
    return Places(
        features=root / "features",
        suites=root / "suites",
        steps=root / "steps",
        defects=root / "tests" / "mutants",
        implementations=root / "fixtures" / "implementations",
        source=root,
        root=root,
    )


def lint(places: Places, today: date) -> list[LintFinding]:
    """Everything that is not right in a suite, by file and line.

    Args:
        places: where its parts are.
        today: the day against which waivers expire.
    """
    registry, registry_problems = read_registry(places.features / "requirements")
    features, feature_problems = gherkin.read_features(places.features)
    planted, defect_problems = mutants.read_mutants(places.defects)
    scenarios = [scenario for feature in features for scenario in feature.scenarios]
    small, small_problems = gherkin.read_features(places.suites)
    suites = [scenario for feature in small for scenario in feature.scenarios]
    steps = load_steps(places.steps)
    claimed = _claimed(places.implementations)
    cited_in = (places.features, places.steps, places.source / mutants.PACKAGE)
    findings = [
        *invalid("registry-invalid", registry_problems),
        *invalid("feature-invalid", [*feature_problems, *small_problems]),
        *invalid("mutant-invalid", defect_problems),
        *invalid("id-taken", of_ids(places.features / PLANNED, registry, cited_in)),
        *invalid("fact-invalid", (fact.problem for fact in every() if fact.problem)),
        *_of_areas(registry),
        *_of_names(scenarios),
        *_of_scenario_ids([*scenarios, *suites]),
        *(finding for scenario in [*scenarios, *suites] for finding in _of_tags(scenario, registry)),
        *_of_prose(features),
        *texts.of_suite(registry.values(), places.features, places.suites, places.steps),
        *texts.of_mutants(planted),
        *texts.of_descriptors(places.implementations),
        *texts.of_checkout(places.root),
        *_of_steps([*scenarios, *suites], steps),
        *_of_prohibitions(registry, scenarios, steps),
        *_of_duties(registry, scenarios, steps),
        *_of_defects(planted, registry, scenarios, places.source),
        *_of_coverage(registry, scenarios, planted, claimed),
        *of_changeable(places.features / CHANGEABLE, registry, scenarios),
        *of_reported(places.features / REPORTED, registry, scenarios, planted),
    ]
    for path in sorted(places.implementations.glob("*.yaml")):
        findings += descriptors.of_descriptor(path, registry, scenarios, today)
    if registry_problems:  # what cannot be read of the registry is no reason to blame all that speaks of it
        findings = [one for one in findings if one.code not in {"unknown-requirement", "unknown-capability"}]
    return sorted(findings)


def blocking(places: Places, folder: str, files: Sequence[Path] = ()) -> list[LintFinding]:
    """What would make a verdict wrong or missing in the features of one folder; found without a cluster.

    Args:
        places: where the parts of the suite are.
        folder: the folder of a profile.
        files: feature files to look at instead, wherever they lie.
    """
    registry, registry_problems = read_registry(places.features / "requirements")
    features: list[gherkin.Feature] = []
    feature_problems: list[Problem] = []
    for path in files or [places.features / folder]:
        of_suite = path.is_relative_to(places.features)
        found, problems = gherkin.read_features(path, places.features if of_suite else None)
        features += found
        feature_problems += problems
    scenarios = [scenario for feature in features for scenario in feature.scenarios]
    names = list(_of_names(scenarios))
    findings = [
        *invalid("registry-invalid", registry_problems),
        *invalid("feature-invalid", feature_problems),
        *invalid("fact-invalid", (fact.problem for fact in every() if fact.problem)),
        *names,
        *(finding for scenario in scenarios for finding in _of_tags(scenario, registry)),
        *_of_steps(scenarios, load_steps(places.steps)),
    ]
    return sorted(one for one in findings if one.severity == "error")


def _claimed(implementations: Path) -> frozenset[tuple[str, str | None]]:
    """The profiles that the bundled reference claims, alone and with each capability that it declares.

    Each MUST of them needs a mutant. What the reference does not do, no mutant can break.
    """
    read = [implementation.read(path)[0] for path in sorted(implementations.glob("reference*.yaml"))]
    return frozenset(
        (profile, capability)
        for one in read
        if one
        for profile in one.profiles
        for capability in (None, *one.capabilities)
    )


def _of_areas(registry: Registry) -> Iterator[LintFinding]:
    """Every area has a name, under which reports and pages show its requirements."""
    for requirement in unnamed(registry.values()):
        message = (
            f"the area of {requirement.id} has no name, so reports show its letters alone: give it one in"
            f" features/{requirement.profile}/areas.yaml"
        )
        yield LintFinding(requirement.path, requirement.line, "area-without-name", message)


def _of_names(scenarios: Sequence[Scenario]) -> Iterator[LintFinding]:
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
            yield LintFinding(scenario.path, scenario.line, "title-repeated", message)
            continue
        for case in gherkin.repeated_cases([scenario]):
            yield LintFinding(
                scenario.path, scenario.line, "example-repeated", f"two examples are the same: {case}"
            )
        if not scenario.cases:
            message = f"no examples, so nothing is run: {scenario.name!r}"
            yield LintFinding(scenario.path, scenario.line, "examples-missing", message)


def _of_scenario_ids(scenarios: Iterable[Scenario]) -> Iterator[LintFinding]:
    """Every scenario of the suite and every example has an id that is not made of words, and is its own."""
    first_of: dict[str, Scenario] = {}
    for scenario in scenarios:
        first = first_of.setdefault(scenario.id, scenario)
        if not gherkin.SCENARIO_ID.fullmatch(scenario.id):
            requirement = next(iter(scenario.requirements), "FIN-004")
            message = (
                f"tag it @{requirement}.N, with a number that no scenario of it ever had: {scenario.name!r}"
            )
            yield LintFinding(scenario.path, scenario.line, "id-missing", message)
        elif first is not scenario:
            message = f"@{scenario.id} is {first.feature}:{first.line} already; choose a number that is free"
            yield LintFinding(scenario.path, scenario.line, "id-repeated", message)
        elif any(case.id == case.node for case in scenario.cases):
            message = (
                f"the Examples need a first column '{gherkin.CASE}', with a letter that no example of it"
                f" ever had: {scenario.name!r}"
            )
            yield LintFinding(scenario.path, scenario.line, "case-missing", message)


def _of_tags(scenario: Scenario, registry: Registry) -> Iterator[LintFinding]:
    for code, message in (*_of_requirement(scenario, registry), *_of_each_tag(scenario, registry)):
        yield LintFinding(scenario.path, scenario.line, code, f"{message}: {scenario.name!r}")


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
        if named := gherkin.requirement_of(tag):
            if named not in registry:
                yield "unknown-requirement", f"@{named} is not in the registry{near(named, registry)}"
        elif tag.startswith(gherkin.CAPABILITY_TAG):
            capability = tag.removeprefix(gherkin.CAPABILITY_TAG)
            if capability not in known:
                hint = near(capability, known)
                yield "unknown-capability", f"no requirement has the capability {capability!r}{hint}"
        elif tag not in PLAIN_TAGS:
            yield "unknown-tag", f"@{tag} means nothing{near(tag, [*PLAIN_TAGS, *registry])}"


def _of_prose(features: Iterable[gherkin.Feature]) -> Iterator[LintFinding]:
    for feature in features:
        for scenario in feature.scenarios:
            for line, code, message in prose.of_scenario(scenario):
                yield LintFinding(scenario.path, line, code, message)
        for background in feature.backgrounds:
            for line, code, message in prose.of_background(background):
                yield LintFinding(background.path, line, code, message)


def _of_steps(scenarios: Iterable[Scenario], steps: Sequence[ModuleType]) -> Iterator[LintFinding]:
    """Every sentence means one thing: a step without a definition ends its scenario as errored."""
    for scenario in scenarios:
        for step, kind, text in sorted(set(gherkin.sentences(scenario)), key=lambda one: one[0].line):
            match definitions(steps, kind, text):
                case []:
                    why = why_not(text)
                    message = f"no step definition matches {step.keyword.strip()!r} {text!r}"
                    message += f": {why}" if why else ""
                    yield LintFinding(scenario.path, step.line, "step-undefined", message)
                case [_]:
                    pass
                case several:
                    message = f"{text!r} matches {len(several)} step definitions: {', '.join(several)}"
                    yield LintFinding(scenario.path, step.line, "step-ambiguous", message)


def _of_prohibitions(
    registry: Registry, scenarios: Iterable[Scenario], steps: Sequence[ModuleType]
) -> Iterator[LintFinding]:
    """What is forbidden is watched by some scenario, for a while or for the past."""
    for requirement in unwatched(registry, scenarios, steps):
        message = (
            f"{requirement.id} says MUST NOT, and its scenarios only wait for something to become true: claim"
            " it for a while ('for 2 seconds ...', '..., and stays so for 2 seconds') or of the past"
            " ('now ...')"
        )
        yield LintFinding(requirement.path, requirement.line, "prohibition-unwatched", message)


def _of_duties(
    registry: Registry, scenarios: Iterable[Scenario], steps: Sequence[ModuleType]
) -> Iterator[LintFinding]:
    """No Then accuses a requirement of what its sentence does not oblige."""
    for scenario in scenarios:
        for step, wrong in misplaced(registry, scenario):
            yield LintFinding(scenario.path, step.line, "claim-misplaced", wrong)
        for step, text, others in unowned(registry, scenario, steps):
            own, [one, *_] = scenario.requirements[0], others
            message = (
                f"{text!r} waits for what {own} does not oblige: a controller that lacks only that would"
                f" break {own}. Make it a When, or name the one that obliges it ('..., as {one} requires')"
            )
            yield LintFinding(scenario.path, step.line, "claim-of-another", message)


def _of_defects(
    planted: Iterable[Mutant], registry: Registry, scenarios: Sequence[Scenario], source: Path
) -> Iterator[LintFinding]:
    """Every mutant is of a requirement, can be made, and needs only what a scenario of it needs too."""
    for defect in planted:
        if defect.requirement not in registry:
            message = f"{defect.name}: there is no requirement {defect.requirement}"
            yield LintFinding(defect.path, defect.line, "unknown-requirement", message)
        elif defect.capability and defect.capability == registry[defect.requirement].capability:
            message = f"{defect.name}: leave out its capability, {defect.requirement} needs it anyway"
            yield LintFinding(defect.path, defect.line, "capability-repeated", message)
        elif defect.capability:
            tagged = (one.capabilities for one in scenarios if defect.requirement in one.requirements)
            known = frozenset[str]().union(*tagged)
            if defect.capability not in known:
                tag = f"@{gherkin.CAPABILITY_TAG}{defect.capability}"
                hint = near(defect.capability, known)
                message = f"{defect.name}: no scenario of {defect.requirement} is tagged {tag}{hint}"
                yield LintFinding(defect.path, defect.line, "unknown-capability", message)
        try:
            mutants.changed(defect, source)
        except mutants.NotApplicableMutant as error:
            yield from invalid("mutant-not-applicable", [error.problem])


def _of_coverage(
    registry: Registry,
    scenarios: Iterable[Scenario],
    planted: Iterable[Mutant],
    claimed: Collection[tuple[str, str | None]],
) -> Iterator[LintFinding]:
    """Every requirement has a scenario, and every MUST a mutant that shows that the scenario can fail."""
    judged = {id_ for scenario in scenarios for id_ in scenario.requirements}
    declared = {capability for _, capability in claimed}
    # One that takes a capability which no reference declares is made of none.
    shown = (one for one in planted if not one.capability or one.capability in declared)
    broken = {defect.requirement for defect in shown}
    for requirement in registry.values():
        if requirement.id not in judged:
            message = f"no scenario is tagged @{requirement.id}"
            yield LintFinding(requirement.path, requirement.line, "requirement-without-scenario", message)
        lacks_defect = requirement.level == "MUST" and requirement.id not in broken
        bites = (requirement.profile, requirement.capability) in claimed
        if lacks_defect and (bites or not requirement.proven_by):
            message = f"no mutant breaks {requirement.id}"
            severity: Severity = "error" if bites else "warning"
            yield LintFinding(
                requirement.path, requirement.line, "requirement-without-mutant", message, severity
            )
        if requirement.proven_by and (bites or not lacks_defect):
            message = f"{requirement.id}: remove proven_by: {_no_excuse(requirement, bites=bites)}"
            yield LintFinding(requirement.path, requirement.line, "proof-not-needed", message)


def _no_excuse(requirement: Requirement, *, bites: bool) -> str:
    """Why a requirement may not do without a mutant, or has no need to."""
    if requirement.level != "MUST":
        return "only a MUST needs a mutant"
    return "a bundled reference claims it, so a mutant can break it" if bites else "a mutant breaks it"
