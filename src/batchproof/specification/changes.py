"""What has changed between two states of the suite, as far as scenarios and mutants are concerned.

Two trees of files are compared by what they mean: syntax trees of functions, scenarios, mutants. A function
that uses a changed one has changed too. Where it is not clear what has changed, everything counts as changed.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from batchproof.specification import gherkin
from batchproof.specification.mutants import PACKAGE, read_mutants
from batchproof.specification.vocabulary import definitions, load_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from batchproof.specification.gherkin import Scenario
    from batchproof.specification.mutants import Mutant

FACTS = re.compile(r"src/batchproof/(?:judgement|profiles/\w+)/facts/")
"""Where facts are."""
STEPS = re.compile(r"steps/")
"""Where steps are."""
_MECHANISM = "src/batchproof/judgement/facts/__init__.py"
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
    for scenario, reason in _scenarios(_changed_functions(files, old, new), old, new):
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
    for scenario, reason in _scenarios(_changed_functions(files, old, new), old, new):
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


def reached(first: set[str], ahead: Mapping[str, set[str]]) -> set[str]:
    """Some names, and all that one comes to from them."""
    found: set[str] = set()
    left = {*first}
    while left:
        found |= left
        left = {more for one in left for more in ahead.get(one, ())} - found
    return found


def _narrow(old: Path, new: Path) -> set[str]:
    """The files that are not the same in both states, if none of them may concern everything."""
    files = set(_differing(old, new))
    if wide := sorted(file for file in files if _concerns_all(file)):
        raise EverythingChanged(f"{wide[0]} has changed")
    return files


def _changed_functions(files: Iterable[str], old: Path, new: Path) -> dict[str, str]:
    """The functions of steps and facts that mean something else now, each with its file."""
    files = sorted(files)
    functions = {
        **_functions(filter(STEPS.match, files), old, new),
        **_functions(filter(FACTS.match, files), old, new),
    }
    world = "".join(path.read_text("utf-8") for path in (new / "src/batchproof/world").rglob("*.py"))
    if verb := sorted(name for name in functions if name in world):
        raise EverythingChanged(f"{verb[0]} has changed, which verbs of the World use")
    return functions


def _differing(old: Path, new: Path) -> Iterator[str]:
    """The files that are not the same in both states."""
    for part in PARTS:
        names = {
            path.relative_to(root).as_posix()
            for root in (old, new)
            for path in ([root / part] if (root / part).is_file() else (root / part).rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts
        }
        for name in names:
            pair = [(root / name).read_bytes() if (root / name).is_file() else None for root in (old, new)]
            if pair[0] != pair[1]:
                yield name


def _concerns_all(file: str) -> bool:
    if FACTS.match(file):
        return file == _MECHANISM
    if STEPS.match(file):
        return False
    if file.startswith(("features/", "tests/mutants/", f"{PACKAGE}/", *HARMLESS)):
        return False
    return PurePosixPath(file).suffix not in {".md", ".typed"}


def _functions(files: Iterable[str], old: Path, new: Path) -> Mapping[str, str]:
    """The functions in changed modules that mean something else now, each with its file.

    Raises:
        EverythingChanged: something outside of functions has changed.
    """
    changed: dict[str, str] = {}
    for file in sorted(one for one in files if one.endswith(".py")):
        before, after = (functions_of(root / file) for root in (old, new))
        outside = [ast.dump(one.pop("", ast.Pass())) for one in (before, after)]
        if before and outside[0] != outside[1]:
            raise EverythingChanged(f"{file} has changed outside of its functions")
        names = {name for name in after if ast.dump(after[name]) != ast.dump(before.get(name, ast.Pass()))}
        users = {name: {one for one in after if name in names_in(after[one])} for name in after}
        changed |= dict.fromkeys(reached(names, users), file)
    return changed


def functions_of(path: Path) -> dict[str, ast.AST]:
    """The functions of a module by name; under the empty name all the rest but imports and the docstring."""
    if not path.is_file():
        return {}
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    aside = (*kinds, ast.Import, ast.ImportFrom, ast.Expr)
    body = ast.parse(path.read_text("utf-8")).body
    rest = ast.Module([node for node in body if not isinstance(node, aside)], [])
    return {"": rest} | {node.name: node for node in body if isinstance(node, kinds)}


def names_in(node: ast.AST) -> set[str]:
    """The names that some code uses."""
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def bare(mutant: Mutant) -> Mutant:
    """A mutant without where it is described."""
    return replace(mutant, path=Path(), line=0, lines=())


def _scenarios(functions: Mapping[str, str], old: Path, new: Path) -> Iterator[tuple[Scenario, str]]:
    """The scenarios that have changed, or use a function that has; each with the reason."""
    steps = load_steps(new / "steps")
    before: defaultdict[str, list[object]] = defaultdict(list)
    for feature in gherkin.read_features(old / "features")[0]:
        for scenario in feature.scenarios:
            before[scenario.id].append(meaning_of(scenario))
    for feature in gherkin.read_features(new / "features")[0]:
        for scenario in feature.scenarios:
            reason = "" if meaning_of(scenario) in before[scenario.id] else f"scenario {scenario.name!r}"
            for _, kind, text in gherkin.sentences(scenario):
                for name in definitions(steps, kind, text) if functions and not reason else ():
                    reason = f"{functions[name]}::{name}" if name in functions else reason
            if reason:
                yield scenario, reason


def meaning_of(scenario: Scenario) -> object:
    """What a scenario says, wherever it stands."""
    steps = [(step.kind, step.text) for step in (*scenario.background, *scenario.steps)]
    return scenario.tags, steps, scenario.cases
