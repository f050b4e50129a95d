"""The kernel knows no profile: not by an import, which import-linter holds, and not by a word either."""

from __future__ import annotations

import ast
import re
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from batchproof.ground.resources import PODS
from batchproof.judgement.objects import thing_of
from batchproof.judgement.objects.api_object import KINDS
from batchproof.profiles import profiles

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(__file__).parents[2] / "src/batchproof"
KERNEL = (
    "api",
    "cell",
    "control_plane",
    "exploration",
    "judgement",
    "processes",
    "proxy",
    "report",
    "specification",
    "world",
)
COMMON = {
    "command": "what is run in a shell",
    "secret": "what is kept from others",
    "service": "what serves",
}
"""Kinds of objects whose names mean something else in any program."""
ALLOWED = {
    ("cell/cell.py", "queue"): "of asyncio",
    (
        "control_plane/unneeded_rights.py",
        "podgroup",
    ): "the rights that any descriptor may need, to be taken from no user",
    ("control_plane/unneeded_rights.py", "workload"): "the same",
    ("control_plane/unneeded_rights.py", "configmap"): "the same",
    ("control_plane/unneeded_rights.py", "replicaset"): "the same",
    ("control_plane/unneeded_rights.py", "statefulset"): "the same",
    ("control_plane/rights.py", "configmap"): "what owns pods for several controllers, and has no status",
    ("control_plane/leftovers.py", "job"): "what an earlier run left is deleted first where it creates pods",
    (
        "control_plane/rights.py",
        "gang",
    ): "the role for a dialect, by the name that it has in clusters of users",
    ("control_plane/rights.py", "queue"): "a part of every dialect",
    (
        "report/ai_conformance/program.py",
        "gang",
    ): "a requirement of that program, and the profile that shows it",
    ("report/ai_conformance/program.py", "tfjob"): "the same",
    ("report/ai_conformance/program.py", "workload"): "the name of a requirement of that program",
    ("report/sources.py", "volcano"): "where the repository of a source is",
    ("specification/words.py", "gang"): "words that the texts of the suite do not use",
    ("specification/words.py", "job"): "the same",
    ("specification/words.py", "podgroup"): "the same",
}
"""Where the kernel has a word of a profile, and why that is no knowledge of the profile."""
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def words_of_profiles() -> set[str]:
    """The words of the names of profiles, and the kinds of objects that they bring."""
    thing_of(PODS, {})  # as the kernel does, it loads all
    kinds = {it.__name__.lower() for it in KINDS.values() if ".profiles." in it.__module__}
    names = {word for name in profiles() for word in name.split("-")}
    return (kinds | names) - COMMON.keys()


def spoken(text: str) -> set[str]:
    """The words of a text, and what neighbors make together: ``pod``, ``group``, ``podgroup``."""
    parts = [part.lower() for part in _WORDS.findall(text)]
    joined = {"".join(parts[first:last]) for first, last in combinations(range(len(parts) + 1), 2)}
    return joined | {one.removesuffix("s") for one in joined}


def said(source: str) -> Iterator[tuple[int, str]]:
    """Every name and every text in a module but for its docstrings, each with its line."""
    tree = ast.parse(source)
    docs = {id(it.value) for it in ast.walk(tree) if isinstance(it, ast.Expr)}
    for it in ast.walk(tree):
        match it:
            case ast.Constant(value=str(text)) if id(it) not in docs:
                yield it.lineno, text
            case ast.Name(id=text) | ast.Attribute(attr=text) | ast.arg(arg=text):
                yield it.lineno, text
            case ast.alias(name=text) | ast.FunctionDef(name=text) | ast.AsyncFunctionDef(name=text):
                yield it.lineno, text
            case ast.ClassDef(name=text):
                yield it.lineno, text
            case ast.keyword(arg=str(text)):
                yield it.lineno, text
            case ast.ImportFrom(module=str(text)):
                yield it.lineno, text


def known(source: str) -> Iterator[tuple[int, str]]:
    """The words of profiles in a module, each with its line."""
    of_profiles = words_of_profiles()
    for line, text in said(source):
        yield from ((line, word) for word in spoken(text) & of_profiles)


def test_the_kernel_has_no_word_of_a_profile() -> None:
    found: dict[tuple[str, str], list[int]] = {}
    for package in KERNEL:
        for path in sorted((SOURCE / package).rglob("*.py")):
            for line, word in known(path.read_text("utf-8")):
                found.setdefault((path.relative_to(SOURCE).as_posix(), word), []).append(line)

    assert {place: lines for place, lines in found.items() if place not in ALLOWED} == {}
    assert ALLOWED.keys() - found.keys() == set(), "allowed, and not there any more"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def of_job(seen): ...", {"job"}),
        ("x = seen.jobs", {"job"}),
        ("from a import TFJob as T", {"tfjob", "job"}),
        ("POD_GROUPS = 1", {"podgroup"}),
        ("f(of_gang=1)", {"gang"}),
        ("f'the Job {name} ends'", {"job"}),
        ("path = '/apis/batch/v1/jobs'", {"job"}),
        ("def f(job): 'A Job.'", {"job"}),
        ("def f(seen):\n    'A Job.'\n    'A gang.'", set()),
        ("jobless = 'a gangway'", set()),
    ],
)
def test_a_word_is_found_wherever_it_stands(source: str, words: set[str]) -> None:
    assert {word for _, word in known(source)} == words


def test_a_profile_knows_no_other() -> None:
    found = {}
    for path in sorted((SOURCE / "profiles").rglob("*.py")):
        own = path.relative_to(SOURCE / "profiles").parts[0]
        for line, text in said(path.read_text("utf-8")):
            match text.split("."):
                case ["batchproof", "profiles", other, *_] if own.isidentifier() and other != own:
                    if other not in {"records", "shared"} or own == "shared":
                        found[f"{path.relative_to(SOURCE)}:{line}"] = text

    assert found == {}
