"""What has changed between two states of the suite, as far as scenarios and mutants are concerned.

Two trees of files are compared by what they mean: syntax trees of functions, scenarios, mutants. A function
that uses a changed one has changed too; comments and docstrings do not count. Where it is not clear what has
changed, everything counts as changed.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections import defaultdict
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from batchproof.specification import gherkin
from batchproof.specification.gherkin import Scenario
from batchproof.specification.mutants import PACKAGE, Mutant, read_mutants
from batchproof.specification.uses import GRAPH, Definition, Uses, code_of, definitions_of, reached
from batchproof.specification.vocabulary import load_steps, made_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

FACTS = re.compile(r"src/batchproof/(?:judgement|profiles/\w+)/facts/")
"""Where facts are."""
_MECHANISM = "src/batchproof/judgement/facts/__init__.py"
_OF_A_PROFILE = re.compile(r"src/batchproof/profiles/(\w+)/(\w+)")
_WHOLE = {"delays", "ending", "faults", "invariants", "kinds", "objects", "phrases", "record", "steps"}
"""The parts of a profile that are looked up by what they register: all its scenarios may need one."""
_TOLD = ("causes", "picture", "model")
"""The parts of a profile that report or explore, and decide nothing in a scenario."""
HARMLESS = (
    "src/batchproof/report/",
    "src/batchproof/commands/",
    "src/batchproof/specification/",
    "src/batchproof/running/mutants/",
)
"""What decides neither what is judged nor how."""
PARTS = ("features", "steps", "fixtures", "tests/mutants", PACKAGE, "src/batchproof", "pyproject.toml")
"""What has to be compared, from the root of a checkout."""


class EverythingChanged(Exception):  # noqa: N818 - what there is, not what went wrong
    """A change may concern every mutant; the message says which."""


def affected(mutants: Iterable[Mutant], old: Path, new: Path) -> dict[str, str]:
    """The mutants that a change concerns, each with the reason.

    Args:
        mutants: those of the new state.
        old: the root of the old state, with ``PARTS`` in it.
        new: the root of the new one.

    Raises:
        EverythingChanged: a change may concern all of them.
    """
    files = _narrow(old, new)
    before = {one.name: bare(one) for one in read_mutants(old / "tests" / "mutants")[0]}
    scenarios: dict[str, str] = {}
    for scenario, reason in _scenarios(files, old, new):
        scenarios |= dict.fromkeys(scenario.requirements, reason)
    found: dict[str, str] = {}
    for mutant in mutants:
        if before.get(mutant.name) != bare(mutant):
            found[mutant.name] = "the mutant itself"
        elif touched := sorted(mutant.files & files):
            found[mutant.name] = touched[0]
        elif mutant.requirement in scenarios:
            found[mutant.name] = scenarios[mutant.requirement]
    return found


def concerned(
    mutants: Iterable[Mutant], profile_of: Callable[[str], str], old: Path, new: Path
) -> dict[str, dict[str, str]]:
    """The scenarios that a change concerns: of each profile, by their ids, each with the reason.

    A file of a reference concerns whole profiles: those whose mutants are planted in its room, or in one that
    imports it.

    Args:
        mutants: those of the new state.
        profile_of: the profile of a requirement, by its id.
        old: the root of the old state, with ``PARTS`` in it.
        new: the root of the new one.

    Raises:
        EverythingChanged: a change may concern all of them.
    """
    files = _narrow(old, new)
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for scenario, reason in _scenarios(files, old, new):
        found[scenario.feature.partition("/")[0]][scenario.id] = reason
    planted: defaultdict[str, set[str]] = defaultdict(set)
    for mutant in mutants:
        for file in mutant.files:
            planted[_room(file)].add(profile_of(mutant.requirement))
    whole: dict[str, str] = {}
    importers = _importers(new)
    for file in sorted(one for one in files if one.startswith(f"{PACKAGE}/")):
        rooms = reached({_room(file)}, importers)
        if PACKAGE in rooms or not any(planted[room] for room in rooms):
            raise EverythingChanged(f"{file} has changed")
        for room in rooms:
            whole |= dict.fromkeys(planted[room], file)
    for feature in gherkin.read_features(new / "features")[0]:
        for scenario in feature.scenarios:
            profile = scenario.feature.partition("/")[0]
            if profile in whole:
                found[profile].setdefault(scenario.id, whole[profile])
    return dict(found)


def _room(file: str) -> str:
    """The folder of the reference that a file is in."""
    return PurePosixPath(file).parent.as_posix()


def _importers(root: Path) -> dict[str, set[str]]:
    """The rooms of the reference, each with those that import it; that of the commands is none."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in (root / PACKAGE).rglob("*.py"):
        file = path.relative_to(root).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and _room(file) != PACKAGE:
                module = node.module.replace(".", "/")
                found[module if (root / module).is_dir() else _room(module)].add(_room(file))
    return found


def _narrow(old: Path, new: Path) -> set[str]:
    """The files that are not the same in both states, if none of them may concern everything."""
    files = set(differing(old, new))
    if wide := sorted(file for file in files if _concerns_all(file)):
        raise EverythingChanged(f"{wide[0]} has changed")
    return files


def _affected(files: Iterable[str], old: Path, new: Path) -> tuple[dict[str, str], dict[str, str]]:
    """What scenarios name that means something else now, and the profiles that have changed as a whole.

    Each has the definition that has changed.

    Raises:
        EverythingChanged: the harness itself uses what has changed, or every profile may.
    """
    changed = [*_changed(files, old, new)]
    if not changed:
        return {}, {}
    uses = Uses(new, HARMLESS)
    named: dict[str, str] = {}
    profiles: dict[str, str] = {}
    for one, why in uses.reached(changed, told).items():
        if one in uses.kernel:
            raise EverythingChanged(f"{why} has changed, which {uses.kernel[one]} uses")
        place = _OF_A_PROFILE.match(one.file)
        if told(one):
            continue
        named.setdefault(one.name, str(why))
        if place and place[1] != "shared" and (place[2] in _WHOLE or not one.name):
            profiles.setdefault(place[1].replace("_", "-"), str(why))
        elif not one.name or (place and place[2] in _WHOLE):
            raise EverythingChanged(f"{why} has changed, which any scenario may need")
    return named, profiles


def told(one: Definition) -> bool:
    """It is part of what reports a run or explores, so no scenario shows a change of it."""
    place = _OF_A_PROFILE.match(one.file)
    return bool(place and place[2] in _TOLD)


def _changed(files: Iterable[str], old: Path, new: Path) -> Iterator[Definition]:
    """The definitions that mean something else now, in files whose uses are known."""
    for file in sorted(one for one in files if one.endswith(".py") and one.startswith(GRAPH)):
        before, after = (
            {name: ast.dump(node) for name, node in definitions_of(root / file).items()}
            for root in (old, new)
        )
        nothing = ast.dump(ast.Module([], []))
        for name in before.keys() | after.keys():
            if before.get(name, nothing) != after.get(name, nothing):
                yield Definition(file, name)


def differing(old: Path, new: Path) -> Iterator[str]:
    """The files below ``PARTS`` that do not mean the same in both states, from their roots."""
    for part in PARTS:
        names = {
            path.relative_to(root).as_posix()
            for root in (old, new)
            for path in ([root / part] if (root / part).is_file() else (root / part).rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts
        }
        for name in names:
            before, after = (_content(root / name) for root in (old, new))
            if before != after and not (before and after and name.endswith(".py") and _same(before, after)):
                yield name


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _same(before: bytes, after: bytes) -> bool:
    """Whether two sources of Python mean the same; not if one cannot be read."""
    try:
        return code_of(before.decode()) == code_of(after.decode())
    except (UnicodeDecodeError, SyntaxError, tokenize.TokenError):
        return False


def _concerns_all(file: str) -> bool:
    if file.startswith(GRAPH) and file.endswith(".py"):
        return file == _MECHANISM
    if file.startswith(("features/", "tests/mutants/", f"{PACKAGE}/", *HARMLESS)):
        return False
    return PurePosixPath(file).suffix not in {".md", ".typed"}


def bare(mutant: Mutant) -> Mutant:
    """A mutant without where it is described."""
    return replace(mutant, path=Path(), line=0, lines=())


def _scenarios(files: Iterable[str], old: Path, new: Path) -> Iterator[tuple[Scenario, str]]:
    """The scenarios that have changed, or may need a definition that has; each with the reason."""
    named, profiles = _affected(files, old, new)
    steps = load_steps(new / "steps")
    before: defaultdict[str, list[object]] = defaultdict(list)
    for feature in gherkin.read_features(old / "features")[0]:
        for scenario in feature.scenarios:
            before[scenario.id].append(meaning_of(scenario))
    for feature in gherkin.read_features(new / "features")[0]:
        for scenario in feature.scenarios:
            reason = profiles.get(scenario.feature.partition("/")[0], "")
            reason = reason if meaning_of(scenario) in before[scenario.id] else f"scenario {scenario.name!r}"
            for _, kind, text in gherkin.sentences(scenario):
                for name in made_of(steps, kind, text) if named and not reason else ():
                    reason = named.get(name, "")
            if reason:
                yield scenario, reason


def meaning_of(scenario: Scenario) -> object:
    """What a scenario says, wherever it stands."""
    steps = [(step.kind, step.text) for step in (*scenario.background, *scenario.steps)]
    return scenario.tags, steps, scenario.cases
