"""Feature files as data: every scenario with its tags, its requirement, its steps and its examples.

They are read with the parser of pytest-bdd, but no scenario is lost: pytest-bdd itself silently keeps only
the last of two scenarios of one name in a file. A process parses a file once, for itself and for pytest-bdd.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from math import fsum
from typing import TYPE_CHECKING, Literal

from pytest_bdd.exceptions import GherkinParseError
from pytest_bdd.gherkin_parser import get_gherkin_document

from batchproof.ground import suite
from batchproof.ground.documents import Problem, refuse
from batchproof.ground.files import while_unchanged
from batchproof.specification.registry import REQUIREMENT_ID

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from pytest_bdd import gherkin_parser as parsed

StepKind = Literal["given", "when", "then", "and"]

REAL_KUBELET = "real-kubelet"
"""The tag of scenarios that run containers: only where there is a node that is not simulated."""

LARGE = "large"
"""The tag of scenarios with hundreds of pods."""

CAPABILITY_TAG = "cap-"
"""How a tag begins that names a capability."""

SCENARIO_ID = re.compile(r"([A-Z]{3,4}-[0-9]{3})\.[0-9]+")
"""The tag of a scenario of the suite: its requirement, and a number that no other scenario of it ever had."""

CASE = "case"
"""The column of Examples that gives each example a letter, which completes the id."""

_LARGE_S = 200.0  # they go first: neighbours are played by one worker, one after the other
_WAITS = re.compile(r"\b(?:within|for) (\d+) seconds|(\d+) seconds pass")
_KINDS: dict[str, StepKind] = {"Context": "given", "Action": "when", "Outcome": "then"}


@dataclass(frozen=True, slots=True)
class Step:
    """One step as it is written.

    Attributes:
        keyword: the word it begins with: ``Given``, ``And``.
        kind: what that word makes of it; ``and`` continues the step before.
        text: the rest of the line, with ``<name>`` where an example is filled in.
        line: the line in its file, from 1.
    """

    keyword: str
    kind: StepKind
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Case:
    """What is run: a scenario, or one example of a scenario outline.

    Attributes:
        id: ``FIN-004.2b``, whatever its words are; where the feature gives it none, ``node``.
        node: as pytest names it: ``job/finalizers.feature::Finished pods keep their finalizer[b-2]``.
        title: the scenario's title with the values of the example filled in.
        example: the values of the example joined by ``-``; None without examples.
        values: the values by name.
    """

    id: str
    node: str
    title: str
    example: str | None
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario, or one scenario outline, as it is written.

    Attributes:
        id: ``FIN-004.2``, whatever its words are; without such a tag, its file and its title.
        feature: its file, from the folder of features: ``job/finalizers.feature``.
        name: its title.
        tags: the feature's, the rule's and its own, in this order, without ``@``.
        requirements: the requirement ids among the nearest tags that have any: its own, else its rule's, else
            its feature's.
        rule: the text of its rule; None outside of rules.
        background: the steps of the backgrounds before it.
        steps: its own steps.
        description: the text between its title and its first step: nothing of it is run.
        is_outline: whether it has ``Examples``.
        cases: what is run of it.
        example_tags: tags above its ``Examples``; they mean nothing here.
        path: its file.
        line: its line, from 1.
    """

    id: str
    feature: str
    name: str
    tags: tuple[str, ...]
    requirements: tuple[str, ...]
    rule: str | None
    background: tuple[Step, ...]
    steps: tuple[Step, ...]
    description: str
    is_outline: bool
    cases: tuple[Case, ...]
    example_tags: tuple[str, ...]
    path: Path
    line: int

    @property
    def capabilities(self) -> frozenset[str]:
        """The capabilities that its tags ``@cap-<Name>`` say it needs."""
        tags = (tag for tag in self.tags if tag.startswith(CAPABILITY_TAG))
        return frozenset(tag.removeprefix(CAPABILITY_TAG) for tag in tags)

    def waits_s(self, case: Case) -> float:
        """For about how many seconds a case of it is played at most, as far as its steps say."""
        text = "\n".join(step.text for step in (*self.background, *self.steps))
        for name, value in case.values:
            text = text.replace(f"<{name}>", value)
        named = fsum(float(found[1] or found[2]) for found in _WAITS.finditer(text))
        return named + (_LARGE_S if LARGE in self.tags else 0.0)

    @property
    def needs_fault(self) -> bool:
        """Whether it is judged only if a fault fired."""
        return "fault" in self.tags


@dataclass(frozen=True, slots=True)
class Background:
    """The steps before each scenario of a feature or rule.

    Attributes:
        steps: the steps.
        description: the text before its first step: nothing of it is run.
        path: its file.
        line: its line, from 1.
    """

    steps: tuple[Step, ...]
    description: str
    path: Path
    line: int


@dataclass(frozen=True, slots=True)
class Feature:
    """One feature file.

    Attributes:
        name: its path from the folder of features.
        scenarios: its scenarios in the order of the file, those of its rules too.
        backgrounds: its own background and those of its rules.
    """

    name: str
    scenarios: tuple[Scenario, ...]
    backgrounds: tuple[Background, ...]


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """What a scenario inherits: the tags of each level, outermost first, the rule, the background."""

    feature: str
    path: Path
    tags: tuple[tuple[str, ...], ...]
    rule: str | None
    background: tuple[Step, ...]


def parse_features(folder: Path | None = None) -> list[Scenario]:
    """All scenarios below ``folder``, by default those of the suite, in the order of files and lines.

    A single feature file can be named instead of a folder. The files in the folder of a profile are named as
    in the suite: ``job/finalizers.feature``.

    Raises:
        UserError: a file is not Gherkin; the message names file and line.
    """
    of_suite = folder is not None and folder.parent == suite.features() and folder.is_dir()
    features, problems = read_features(folder or suite.features(), suite.features() if of_suite else None)
    refuse(problems)
    return [scenario for feature in features for scenario in feature.scenarios]


def read_features(folder: Path, base: Path | None = None) -> tuple[list[Feature], list[Problem]]:
    """The feature files below ``folder`` that can be read, and what is wrong with the others.

    Args:
        folder: a folder, or a single feature file.
        base: from where the files are named; None: from the folder, or the one that the file is in.
    """
    features: list[Feature] = []
    problems: list[Problem] = []
    base = base or (folder.parent if folder.is_file() else folder)
    for path in [folder] if folder.is_file() else sorted(folder.rglob("*.feature")):
        match _read_feature(path, path.relative_to(base).as_posix()):
            case Problem() as problem:
                problems.append(problem)
            case Feature() as feature:
                features.append(feature)
    return features, problems


def repeated_cases(scenarios: Iterable[Scenario]) -> list[str]:
    """The ids that more than one case has, or whose values another example has: pytest-bdd would drop it."""
    found = [(scenario.id, case) for scenario in scenarios for case in scenario.cases]
    ids = Counter(case.id for _, case in found)
    values = Counter((id_, case.values) for id_, case in found)
    return list(dict.fromkeys(it.id for id_, it in found if max(ids[it.id], values[id_, it.values]) > 1))


def sentences(scenario: Scenario) -> Iterator[tuple[Step, str, str]]:
    """The steps of each case: as written, the kind with ``and`` resolved, the filled-in text."""
    for case in scenario.cases:
        yield from sentences_of(scenario, case)


def sentences_of(scenario: Scenario, case: Case) -> Iterator[tuple[Step, str, str]]:
    """The steps of one case, as ``sentences`` has them."""
    kind = ""
    for step in (*scenario.background, *scenario.steps):
        kind = kind if step.kind == "and" else step.kind
        yield step, kind, _filled(step.text, case.values)


def _filled(text: str, values: Iterable[tuple[str, str]]) -> str:
    """A text with the values of an example instead of its ``<placeholders>``."""
    for name, value in values:
        text = text.replace(f"<{name}>", value)
    return text


@while_unchanged(lambda path: [path], most=1000)
def parsed_file(path: Path) -> parsed.GherkinDocument:
    """A feature file as the parser has it.

    Raises:
        GherkinParseError: it is not Gherkin.
        OSError: it cannot be read.
        UnicodeDecodeError: it is not UTF-8.
        KeyError, TypeError: it has no feature.
    """
    return get_gherkin_document(str(path))


@while_unchanged(lambda path: [path], most=1000)
def _read_feature(path: Path, name: str) -> Feature | Problem:
    try:
        document = parsed_file(path)
    except GherkinParseError as error:
        return Problem(path, error.line, f"not valid Gherkin: {error.message}")
    except (OSError, UnicodeDecodeError) as error:
        return Problem(path, 1, f"cannot be read: {error}")
    except (KeyError, TypeError):  # the parser's document of a file without a feature
        return Problem(path, 1, "there is no Feature in this file")
    feature = document.feature
    return _feature(feature, _Surroundings(name, path, (_tags(feature.tags),), None, ()))


def _feature(feature: parsed.Feature, outside: _Surroundings) -> Feature:
    scenarios, backgrounds = _children(feature.children, outside)
    return Feature(outside.feature, tuple(scenarios), tuple(backgrounds))


def _children(
    children: Sequence[parsed.Child], outside: _Surroundings
) -> tuple[list[Scenario], list[Background]]:
    scenarios: list[Scenario] = []
    backgrounds: list[Background] = []
    inside = outside
    for child in children:
        if child.background:
            steps = _steps(child.background.steps)
            description = child.background.description.strip()
            line = child.background.location.line
            backgrounds.append(Background(steps, description, outside.path, line))
            inside = replace(outside, background=(*outside.background, *steps))
        elif child.rule:
            tags = (*inside.tags, _tags(child.rule.tags))
            of_rule = replace(inside, tags=tags, rule=child.rule.name)
            more_scenarios, more_backgrounds = _children(child.rule.children, of_rule)
            scenarios += more_scenarios
            backgrounds += more_backgrounds
        elif child.scenario:
            scenarios.append(_scenario(child.scenario, inside))
    return scenarios, backgrounds


def _scenario(scenario: parsed.Scenario, outside: _Surroundings) -> Scenario:
    levels = (*outside.tags, _tags(scenario.tags))
    node = f"{outside.feature}::{scenario.name}"
    id_ = next(filter(SCENARIO_ID.fullmatch, levels[-1]), node)
    return Scenario(
        id=id_,
        feature=outside.feature,
        name=scenario.name,
        tags=tuple(dict.fromkeys(tag for level in levels for tag in level)),
        requirements=_nearest_requirements(levels),
        rule=outside.rule,
        background=outside.background,
        steps=_steps(scenario.steps),
        description=scenario.description.strip(),
        is_outline=bool(scenario.examples),
        cases=_cases(scenario, id_, node),
        example_tags=tuple(tag for table in scenario.examples for tag in _tags(table.tags)),
        path=outside.path,
        line=scenario.location.line,
    )


def _nearest_requirements(levels: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    for tags in reversed(levels):
        if requirements := tuple(filter(None, map(requirement_of, tags))):
            return requirements
    return ()


def requirement_of(tag: str) -> str | None:
    """The requirement that a tag names, alone or in the id of a scenario; None if it names none."""
    found = SCENARIO_ID.fullmatch(tag)
    if found:
        return found[1]
    return tag if REQUIREMENT_ID.fullmatch(tag) else None


def _cases(scenario: parsed.Scenario, id_: str, node: str) -> tuple[Case, ...]:
    if not scenario.examples:
        return (Case(id_, node, scenario.name, None),)
    cases: list[Case] = []
    for table in scenario.examples:
        names = [cell.value for cell in table.table_header.cells] if table.table_header else []
        for row in table.table_body or ():
            values = [cell.value for cell in row.cells]
            of_pytest = f"{node}[{'-'.join(values)}]"
            named = dict(zip(names, values, strict=True))
            case = named.pop(CASE, "")
            given = tuple(named.items())
            name = f"{id_}{case}" if case and id_ != node else of_pytest
            example = "-".join(named.values())
            cases.append(Case(name, of_pytest, _filled(scenario.name, given), example, given))
    return tuple(cases)


def _steps(steps: Iterable[parsed.Step]) -> tuple[Step, ...]:
    return tuple(
        Step(step.keyword, _KINDS.get(step.keyword_type, "and"), step.text, step.location.line)
        for step in steps
    )


def _tags(tags: Iterable[parsed.Tag]) -> tuple[str, ...]:
    return tuple(tag.name.removeprefix("@") for tag in tags)
