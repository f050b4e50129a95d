"""Which mutants were killed as they are now: their keys are kept, so that only others are judged again.

The key of a mutant is a digest of what shows it: its edits, the files of the reference that these change, and
the scenarios of its requirement with the steps and facts that they are made of. It says nothing of the rest:
of the harness, of verbs, of the files of the reference that the mutant leaves as they are; comments and
docstrings do not count. A sample of the mutants that a record leaves out is judged all the same, and is
another one in each state of the suite.
"""

from __future__ import annotations

import ast
import json
from collections import defaultdict
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING

import msgspec

from batchproof.ground import stored
from batchproof.specification import gherkin
from batchproof.specification.changes import FACTS, bare, meaning_of
from batchproof.specification.mutants import Mutant
from batchproof.specification.uses import KINDS, code_of, reached
from batchproof.specification.vocabulary import definitions, load_steps

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

_DIGITS = 16
"""How many hexadecimal digits of a digest are a key."""


class Proved(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The mutants that were killed, each with the key that it had then."""

    killed: dict[str, str]


def read(path: Path) -> Mapping[str, str]:
    """The keys in a record, by the name of the mutant.

    Raises:
        UserError: there is none, or it cannot be read.
    """
    return stored.read(path, Proved, "a record of killed mutants, as scripts/proved.py writes it").killed


def dump(killed: Mapping[str, str]) -> str:
    """A record, with a line for each mutant, so that changes of two people rarely meet."""
    return json.dumps({"killed": dict(sorted(killed.items()))}, indent=1) + "\n"


def unproved(mutants: Iterable[Mutant], keys: Mapping[str, str], killed: Mapping[str, str]) -> frozenset[str]:
    """The names of the mutants that a record does not have as they are."""
    return frozenset(one.name for one in mutants if killed.get(one.name) != keys[one.name])


def sample(names: Iterable[str], size: int, seed: str) -> frozenset[str]:
    """That many of some names, drawn by a seed; the draw of a name does not depend on the other names."""
    return frozenset(sorted(names, key=lambda name: _digest(seed, name))[:size])


def proof_keys(mutants: Iterable[Mutant], root: Path) -> dict[str, str]:
    """The key of each mutant.

    Args:
        mutants: those of the suite.
        root: its root, which holds ``features``, ``steps``, ``src`` and ``reference_controller``.
    """
    shown = _shown(root)
    sources: dict[str, str] = {}
    keys: dict[str, str] = {}
    for mutant in mutants:
        for file in mutant.files - sources.keys():
            sources[file] = code_of((root / file).read_text("utf-8"))
        changed = [sources[file] for file in sorted(mutant.files)]
        keys[mutant.name] = _digest(repr(bare(mutant)), *changed, *sorted(shown[mutant.requirement]))
    return keys


def requirement_keys(root: Path) -> dict[str, str]:
    """A key for what judges each requirement: its scenarios with the steps and facts that they are made of.

    Args:
        root: that of the suite, as for ``proof_keys``.
    """
    return {id_: _digest(*sorted(digests)) for id_, digests in _shown(root).items()}


def _shown(root: Path) -> defaultdict[str, list[str]]:
    """What tests each requirement: a digest of each scenario, with the functions that it is made of."""
    steps = load_steps(root / "steps")
    functions = _functions(root)
    made_of: dict[tuple[str, str], list[str]] = {}
    found: defaultdict[str, list[str]] = defaultdict(list)
    for feature in gherkin.read_features(root / "features")[0]:
        for scenario in feature.scenarios:
            said = {(kind, text) for _, kind, text in gherkin.sentences(scenario)}
            for kind, text in said - made_of.keys():
                made_of[kind, text] = [functions[name] for name in definitions(steps, kind, text)]
            digest = _digest(repr(meaning_of(scenario)), *sorted(chain(*(made_of[one] for one in said))))
            for requirement in scenario.requirements:
                found[requirement].append(digest)
    return found


def _functions(root: Path) -> defaultdict[str, str]:
    """The functions of steps and facts by name: a digest of each, with those of its module that it uses."""
    found: defaultdict[str, str] = defaultdict(str)
    for path in sorted([*(root / "steps").rglob("*.py"), *(root / "src").rglob("*.py")]):
        file = path.relative_to(root).as_posix()
        if FACTS.match(file) or file.startswith("steps/"):
            text = path.read_text("utf-8")
            parts = _functions_of(path)
            rest = parts.pop("", ast.Module([], []))
            outside = [_text(text, node) for node in ast.iter_child_nodes(rest)]
            ahead = {name: parts.keys() & _names_in(node) for name, node in parts.items()}
            for name in parts:
                used = (_text(text, parts[one]) for one in sorted(reached({name}, ahead)))
                found[name] = _digest(found[name], file, *outside, *used)
    return found


def _functions_of(path: Path) -> dict[str, ast.AST]:
    """The functions of a module by name; under the empty name all the rest but imports and the docstring."""
    aside = (*KINDS, ast.Import, ast.ImportFrom, ast.Expr)
    body = ast.parse(path.read_text("utf-8")).body
    rest = ast.Module([node for node in body if not isinstance(node, aside)], [])
    return {"": rest} | {node.name: node for node in body if isinstance(node, KINDS)}


def _names_in(node: ast.AST) -> set[str]:
    """The names that some code uses."""
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _text(source: str, node: ast.AST) -> str:
    """The code of a node, its decorators too."""
    if isinstance(node, KINDS) and node.decorator_list:
        lines = source.split("\n")[node.decorator_list[0].lineno - 1 : node.end_lineno]
        return code_of("\n".join(lines))
    return code_of(ast.get_source_segment(source, node) or "")


def _digest(*texts: str) -> str:
    return sha256("\0".join(texts).encode()).hexdigest()[:_DIGITS]
