"""Each test belongs to exactly one tier of checks, and none is lost: tox.ini says which."""

from __future__ import annotations

import ast
import itertools
import shlex
from configparser import ConfigParser
from pathlib import Path

import pytest
import yaml

from batchproof.ground import suite

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
WORKFLOWS = ROOT / ".github" / "workflows"
TOX = ConfigParser(interpolation=None)
TOX.read_string((ROOT / "tox.ini").read_text("utf-8"))
PYTHONS = "unit,py311,py312,py313,py314"
"""The unit tests on each Python: of these, `unit` alone belongs to a tier."""
WHOLE = "mutants-whole"
"""Does what ``mutants`` does, for every mutant: it plays the same tests on what it finds."""
SINCE = "changed"
"""What ``./check --since`` adds to others: it plays no tests of its own."""


def tiers() -> dict[str, list[str]]:
    """The environments of each tier."""
    lines = TOX["tox"]["labels"].strip().splitlines()
    named = {name.strip(): environments for name, _, environments in (line.partition("=") for line in lines)}
    return {name: [one.strip() for one in listed.split(",")] for name, listed in named.items()}


def environments() -> list[str]:
    """All environments of tox.ini."""
    names = [one.removeprefix("testenv:") for one in TOX.sections() if one.startswith("testenv:")]
    return ["unit" if name == f"{{{PYTHONS}}}" else name for name in names]


def section(environment: str) -> str:
    """Where tox.ini describes an environment."""
    return f"testenv:{{{PYTHONS}}}" if environment == "unit" else f"testenv:{environment}"


def commands(environment: str) -> list[list[str]]:
    """The commands of an environment, as they are without arguments of the user."""
    text = TOX[section(environment)]["commands"].replace("{[junit]option}", "").replace("\\\n", " ")
    text = text.replace("{posargs:", " ").replace("}", " ")
    return [shlex.split(line) for line in text.splitlines() if line.strip()]


def played() -> dict[str, set[tuple[str, str]]]:
    """Which environments play the tests of a folder, each with the marker that it chooses by."""
    found: dict[str, set[tuple[str, str]]] = {}
    for environment in set(environments()) - {WHOLE}:
        for words in commands(environment):
            if words[0] == "pytest":
                marker = words[words.index("-m") + 1] if "-m" in words else ""
                for word in words:
                    if word.startswith("tests/"):
                        found.setdefault(word, set()).add((environment, marker))
    return found


def modules() -> list[Path]:
    """All modules of the tests."""
    return [path for path in TESTS.rglob("*.py") if "rootfs" not in path.parts]


def before(environment: str) -> set[str]:
    """What has ended before an environment begins, where two run at a time."""
    names = TOX[section(environment)].get("depends", "")
    direct = {one.strip() for one in names.split(",") if one.strip()}
    return direct.union(*map(before, direct))


def named_as_tests(path: Path) -> list[str]:
    """What a module has that looks like a test."""
    body = ast.parse(path.read_text("utf-8")).body
    inside = [one for it in body if isinstance(it, ast.ClassDef) for one in it.body]
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        one.name for one in (*body, *inside) if isinstance(one, functions) and one.name.startswith("test_")
    ]


def test_every_environment_is_in_a_tier_and_full_is_more_than_quick() -> None:
    quick, full, weekly = (set(tiers()[name]) for name in ("quick", "full", "weekly"))
    assert quick < full
    assert not full & weekly
    assert full | weekly == set(environments()) - {SINCE}
    assert [one.strip() for one in TOX["tox"]["env_list"].split(",")] == tiers()["quick"]


@pytest.mark.parametrize("tier", ["quick", "full", "weekly"])
def test_contributing_says_what_each_environment_of_a_tier_does(tier: str) -> None:
    heading = f"| {tier}: `./check ...` | |\n|---|---|\n"
    table = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition(heading)[2].partition("\n\n")[0]
    told = [line.split("`")[1] for line in table.splitlines()]
    own = set(tiers()[tier]) - (set(tiers()["quick"]) if tier == "full" else set())
    assert len(told) == len(set(told))
    assert set(told) == own


@pytest.mark.parametrize(
    "folder", sorted({path.relative_to(TESTS).parts[0] for path in TESTS.rglob("test_*.py")})
)
def test_the_tests_of_a_folder_are_played_once(folder: str) -> None:
    quick, full = tiers()["quick"], tiers()["full"]
    playing = sorted(played().get(f"tests/{folder}", ()))
    if len(playing) == 1:  # the whole folder belongs to one tier
        [(_, marker)] = playing
        assert marker == ""
        return
    by_marker = {marker: environment for environment, marker in playing}
    assert set(by_marker) == {"quick", "not quick"}, playing
    assert by_marker["quick"] in quick
    assert by_marker["not quick"] in set(full) - set(quick)


def test_only_folders_that_two_tiers_share_have_a_marker() -> None:
    shared = {folder for folder, playing in played().items() if len(playing) > 1}
    marked = {
        f"tests/{path.relative_to(TESTS).parts[0]}"
        for path in modules()
        if "pytest.mark.quick" in path.read_text("utf-8") and path != Path(__file__)
    }
    assert marked == shared


def test_the_quick_tier_looks_at_some_of_what_the_full_one_looks_at_in_whole() -> None:
    """Each module of tests/exhaustive takes what it does from a unit test, which does it in part."""
    quick = {path.stem for path in (TESTS / "unit").glob("test_*.py")}
    for path in (TESTS / "exhaustive").glob("test_*.py"):
        imported = [
            one.module for one in ast.parse(path.read_text("utf-8")).body if isinstance(one, ast.ImportFrom)
        ]
        assert quick & {*imported}, path


def test_what_keeps_all_processors_busy_runs_beside_nothing_in_the_quick_tier() -> None:
    after = {name: before(name) for name in tiers()["quick"]}
    beside = {
        frozenset((one, other))
        for one, other in itertools.combinations(after, 2)
        if one not in after[other] and other not in after[one]
    }
    waiting = itertools.combinations(("integration", "wheel", "security", "browser"), 2)
    assert beside == {frozenset(("lint", "types")), *map(frozenset, waiting)}


def test_results_are_there_before_they_are_read() -> None:
    """With "depends" in one place tox sorts all environments: what depends on nothing comes first."""
    judges = {name for name in environments() if name.startswith("conformance")}
    for environment in tiers()["full"]:
        words = [word for line in commands(environment) for word in line]
        reads = {word.rpartition("/results/")[2] for word in words if "/results/reference" in word}
        own = {
            words[at + 1].rpartition("/results/")[2] for at, word in enumerate(words) if word == "--output"
        }
        if reads - own:
            assert before(environment) & judges, environment


def test_the_reference_of_each_profile_is_judged_once() -> None:
    judged = [
        name
        for environment in ("conformance", "conformance-full")
        for words in commands(environment)
        for name in words[words.index("/results") + 1 :]
    ]
    assert sorted(judged) == sorted(suite.profiles())


def test_who_gets_a_wheel_has_it_built_apart() -> None:
    """Else whatever comes after it gets a wheel too, in which the tests of the checkout do not find all."""
    wheels = [one for one in TOX.sections() if TOX[one].get("package") == "wheel"]
    assert wheels
    same = "{[testenv:wheel]wheel_build_env}"
    apart = {one: TOX[one].get("wheel_build_env", "").replace(same, ".pkg-wheel") for one in wheels}
    assert TOX["testenv:wheel"]["wheel_build_env"] == ".pkg-wheel"
    assert set(apart.values()) == {".pkg-wheel"}


def test_nothing_that_is_named_as_a_test_lies_where_no_test_is_looked_for() -> None:
    lost = {
        str(path.relative_to(ROOT)): named
        for path in modules()
        if not path.name.startswith("test_") and (named := named_as_tests(path))
    }
    assert not lost
    assert not list(TESTS.glob("test_*.py"))


def test_no_test_hides_another_of_its_name() -> None:
    for path in modules():
        names = named_as_tests(path)
        assert len(names) == len(set(names)), path


def test_ci_calls_the_tiers_by_name() -> None:
    assert (ROOT / ".ci" / "run").read_text("utf-8").splitlines()[-1] == "exec ./check"
    for tier, command in (("check", "./check"), ("full", "./check full")):
        [job] = yaml.safe_load((WORKFLOWS / f"{tier}.yml").read_text("utf-8"))["jobs"].values()
        assert [step["run"] for step in job["steps"] if "run" in step] == [command]
    [weekly] = yaml.safe_load((WORKFLOWS / "weekly.yml").read_text("utf-8"))["jobs"].values()
    assert weekly["strategy"]["matrix"]["environment"] == tiers()["weekly"]
