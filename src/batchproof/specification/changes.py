"""What has changed between two states of the suite, as far as planted defects are concerned.

Two trees of files are compared by what they mean: syntax trees of functions, scenarios, defects. A function
that uses a changed one has changed too. Where it is not clear what has changed, everything counts as changed.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from batchproof.specification import gherkin
from batchproof.specification.defects import PACKAGE, read_defects
from batchproof.specification.vocabulary import definitions, load_steps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from batchproof.specification.defects import Defect
    from batchproof.specification.gherkin import Scenario

FACTS = "src/batchproof/judgement/facts/"
HARMLESS = (
    "src/batchproof/report/",
    "src/batchproof/commands/",
    "src/batchproof/specification/",
    "src/batchproof/running/defects/",
)
"""What decides neither what is judged nor how."""
PARTS = ("features", "steps", "fixtures", "tests/defects", PACKAGE, "src/batchproof", "pyproject.toml")
"""What has to be compared, from the root of a checkout."""


class EverythingChanged(Exception):  # noqa: N818 - what there is, not what went wrong
    """A change may concern every defect; the message says which."""


def affected(defects: Iterable[Defect], old: Path, new: Path) -> dict[str, str]:
    """The defects that a change concerns, each with the reason.

    Args:
        defects: those of the new state.
        old: the root of the old state, with ``PARTS`` in it.
        new: the root of the new one.

    Raises:
        EverythingChanged: a change may concern all of them.
    """
    files = set(_differing(old, new))
    if wide := sorted(file for file in files if _concerns_all(file)):
        raise EverythingChanged(f"{wide[0]} has changed")
    functions = {
        **_functions(files, "steps/", old, new),
        **_functions(files, FACTS, old, new),
    }
    world = "".join(path.read_text("utf-8") for path in (new / "src/batchproof/world").rglob("*.py"))
    if verb := sorted(name for name in functions if name in world):
        raise EverythingChanged(f"{verb[0]} has changed, which verbs of the World use")
    before = {one.name: _bare(one) for one in read_defects(old / "tests" / "defects")[0]}
    scenarios = _scenarios(functions, old, new)
    found: dict[str, str] = {}
    for defect in defects:
        if before.get(defect.name) != _bare(defect):
            found[defect.name] = "the defect itself"
        elif touched := sorted(defect.files & files):
            found[defect.name] = touched[0]
        elif reason := scenarios.get(defect.requirement):
            found[defect.name] = reason
    return found


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
    if file.startswith(("features/", "steps/", FACTS, "tests/defects/", f"{PACKAGE}/", *HARMLESS)):
        return file == f"{FACTS}__init__.py"
    return PurePosixPath(file).suffix not in {".md", ".typed"}


def _functions(files: Iterable[str], folder: str, old: Path, new: Path) -> Mapping[str, str]:
    """The functions in changed modules of a folder that mean something else now, each with its file.

    Raises:
        EverythingChanged: something outside of functions has changed.
    """
    changed: dict[str, str] = {}
    for file in sorted(one for one in files if one.startswith(folder) and one.endswith(".py")):
        before, after = (_parts(root / file) for root in (old, new))
        outside = [ast.dump(one.pop("", ast.Pass())) for one in (before, after)]
        if before and outside[0] != outside[1]:
            raise EverythingChanged(f"{file} has changed outside of its functions")
        names = {name for name in after if ast.dump(after[name]) != ast.dump(before.get(name, ast.Pass()))}
        while more := {name for name, node in after.items() if name not in names and names & {*_names(node)}}:
            names |= more
        changed |= dict.fromkeys(names, file)
    return changed


def _parts(path: Path) -> dict[str, ast.AST]:
    """The functions of a module by name; under the empty name all the rest but imports and the docstring."""
    if not path.is_file():
        return {}
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    aside = (*kinds, ast.Import, ast.ImportFrom, ast.Expr)
    body = ast.parse(path.read_text("utf-8")).body
    rest = ast.Module([node for node in body if not isinstance(node, aside)], [])
    return {"": rest} | {node.name: node for node in body if isinstance(node, kinds)}


def _names(node: ast.AST) -> Iterator[str]:
    return (one.id for one in ast.walk(node) if isinstance(one, ast.Name))


def _bare(defect: Defect) -> Defect:
    """A defect without where it is described."""
    return replace(defect, path=Path(), line=0, lines=())


def _scenarios(functions: Mapping[str, str], old: Path, new: Path) -> dict[str, str]:
    """The requirements whose scenarios have changed, or use a function that has; each with the reason."""
    steps = load_steps(new / "steps")
    before: defaultdict[str, list[object]] = defaultdict(list)
    for feature in gherkin.read_features(old / "features")[0]:
        for scenario in feature.scenarios:
            before[scenario.id].append(_meaning(scenario))
    found: dict[str, str] = {}
    for feature in gherkin.read_features(new / "features")[0]:
        for scenario in feature.scenarios:
            reason = "" if _meaning(scenario) in before[scenario.id] else f"scenario {scenario.name!r}"
            for _, kind, text in gherkin.sentences(scenario):
                for name in definitions(steps, kind, text) if functions and not reason else ():
                    reason = f"{functions[name]}::{name}" if name in functions else reason
            if reason:
                found |= dict.fromkeys(scenario.requirements, reason)
    return found


def _meaning(scenario: Scenario) -> object:
    """What a scenario says, wherever it stands."""
    steps = [(step.kind, step.text) for step in (*scenario.background, *scenario.steps)]
    return scenario.tags, steps, scenario.cases
