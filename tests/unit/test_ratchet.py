"""The ratchet: what makes the project heavier without making it do more is counted, and may only fall.

``ratchet.toml`` keeps the numbers. What is counted grows by habit and not by need:

- *public classes of the kernel*: each is a concept that a newcomer has to learn. The kernel is
  ``src/batchproof`` without ``profiles/``;
- *small modules of the kernel*: one idea that stands in two files;
- *blocks of imports for types only* that name a module of ours: ruff does not ask for them (TC001 is off),
  and import-linter forbids circles in types too, so such an import can stand with the others;
- *readers of YAML* beside ``yaml_text``, which alone limits what a file may contain and says where it is
  wrong;
- *generated files in git*: each change of what they are made from changes them too;
- *lines* of the kernel, of ``steps/`` (a verb has its sentence), of ``scripts/`` and of what tests share.

What grows with the product is not counted: features, requirements, mutants, descriptors, profiles with their
facts, the reference, and the tests with their tables. That no class has the name of another is in
``test_names.py``.

A number that rises fails: what to do is said beside it. Where nothing of that can be done, a decision in
``docs/adr/`` says what the project can do now for the weight, and the same commit writes the number. A number
that falls fails until it is written down. Lines are limits in steps of 500, so that not each change has to
write them. Everything is counted in the files that lie there: a shallow clone and an archive without git say
the same.
"""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from batchproof.report.schemas import schemas

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[2]
KEPT = Path(__file__).with_name("ratchet.toml")
NUMBERS: dict[str, dict[str, int]] = tomllib.loads(KEPT.read_text("utf-8"))
FIRST_PARTY = ("batchproof", "reference_controller")
SMALL = 40
"""A module of fewer lines is small."""
STEP = 500
"""Limits of lines are multiples of it."""
SLACK = 2 * STEP
"""So many lines below its limit a part gets a new one."""


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def python(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def kernel() -> list[Path]:
    source = ROOT / "src" / "batchproof"
    return [path for path in python("src/batchproof") if not path.is_relative_to(source / "profiles")]


def lines(path: Path) -> int:
    return len(path.read_bytes().splitlines())


def public_classes() -> Iterator[str]:
    for path in kernel():
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield f"{path.relative_to(ROOT)}: {node.name}"


def small_modules() -> Iterator[str]:
    for path in kernel():
        if not path.name.startswith("__") and lines(path) < SMALL:
            yield str(path.relative_to(ROOT))


def imports_for_types() -> Iterator[str]:
    for path in python("src/batchproof", "reference_controller", "steps", "scripts", "benchmarks", "tests"):
        for node in parsed(path).body:
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                modules = [one.module or "" for one in node.body if isinstance(one, ast.ImportFrom)]
                if any(module.partition(".")[0] in FIRST_PARTY for module in modules):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}"


def readers_of_yaml() -> Iterator[str]:
    for path in python("src/batchproof"):
        if path.name == "yaml_text.py" or b"yaml" not in path.read_bytes():
            continue
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Attribute) and ast.unparse(node) in {
                f"yaml.{safe}load{every}" for safe in ("", "safe_") for every in ("", "_all")
            }:
                yield f"{path.relative_to(ROOT)}:{node.lineno}"


def generated_files() -> Iterator[str]:
    for path in (ROOT / "docs").rglob("*.*"):
        if path.suffix in {".md", ".svg"} and b"<!-- Made by `" in path.read_bytes():
            yield str(path.relative_to(ROOT))
    for name in schemas():
        if (ROOT / "reports" / "schemas" / name).exists():
            yield f"reports/schemas/{name}"


def shared_by_tests() -> list[Path]:
    """What is no test and no table: the programs and the bugs that are judged are data."""
    data = {"unusual", "historic", "explored"}
    return [
        path
        for path in python("tests")
        if not path.name.startswith("test_")
        and not path.name.endswith("_examples.py")
        and path.relative_to(ROOT / "tests").parts[0] not in data
    ]


COUNTED: dict[str, tuple[Callable[[], Iterator[str]], str]] = {
    "public_classes": (public_classes, "merge it with the class that is nearly the same, or make it private"),
    "small_modules": (small_modules, "put it into the module whose idea it shares"),
    "imports_for_types": (
        imports_for_types,
        "import it beside the other modules of ours, outside of the block",
    ),
    "readers_of_yaml": (readers_of_yaml, "read it by batchproof.ground.documents or yaml_text"),
    "generated_files": (generated_files, "make it when the site or the wheel is built (docs/adr/0036)"),
}
PARTS: dict[str, tuple[Callable[[], list[Path]], str]] = {
    "kernel": (kernel, "what concerns one profile belongs to src/batchproof/profiles"),
    "steps": (lambda: python("steps"), "a verb has its sentence: write it into verbs.py of the profile"),
    "scripts": (lambda: python("scripts"), "let a library or a command of batchproof do it"),
    "shared_by_tests": (
        shared_by_tests,
        "use what tests share already (tests/shared, tests/unit/histories.py)",
    ),
}


def complaint(name: str, number: int, kept: int, advice: str) -> str:
    """What is wrong with a number; nothing if it is the one that is kept."""
    if number > kept:
        return f"{name}: {number}, where {kept} is the most: {advice}"
    return (
        f"{name} fell to {number}: write the new number into tests/unit/ratchet.toml" if number < kept else ""
    )


def limit(number: int, kept: int) -> int:
    """The limit of lines that a part has reached: the one that is kept, while it is near."""
    return kept if kept - SLACK < number <= kept else -(-number // STEP) * STEP


def test_each_number_is_kept() -> None:
    assert {part: [*numbers] for part, numbers in NUMBERS.items()} == {
        "counted": [*COUNTED],
        "lines": [*PARTS],
    }
    assert all(not number % STEP for number in NUMBERS["lines"].values())


@pytest.mark.parametrize("name", COUNTED)
def test_what_is_counted_only_falls(name: str) -> None:
    count, advice = COUNTED[name]
    found = sorted(count())
    wrong = complaint(name, len(found), NUMBERS["counted"][name], advice)
    assert not wrong, "\n".join([wrong, *found])


@pytest.mark.parametrize("name", PARTS)
def test_the_lines_of_a_part_only_fall(name: str) -> None:
    count, advice = PARTS[name]
    kept, number = NUMBERS["lines"][name], sum(map(lines, count()))
    wrong = complaint(f"lines of {name}", limit(number, kept), kept, advice)
    assert not wrong, f"{wrong} ({number} lines)"


@pytest.mark.parametrize(
    ("number", "kept", "told"),
    [(7, 7, ""), (8, 7, "8, where 7 is the most: merge them"), (6, 7, "fell to 6: write the new number")],
)
def test_a_number_that_rises_and_one_that_falls_are_told(number: int, kept: int, told: str) -> None:
    said = complaint("classes", number, kept, "merge them")
    assert told in said
    assert bool(said) == bool(told)


@pytest.mark.parametrize(
    ("number", "reached"), [(4000, 4000), (3001, 4000), (3000, 3000), (2999, 3000), (4001, 4500)]
)
def test_lines_near_their_limit_keep_it(number: int, reached: int) -> None:
    assert limit(number, 4000) == reached
