"""The registry: what is read, and how mistakes in it are blamed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from batchproof.ground.errors import UserError
from batchproof.specification.registry import REQUIREMENT_ID, load_registry

if TYPE_CHECKING:
    from pathlib import Path

ROW = """
- id: {id}
  level: {level}
  profile: job
  sentence: {sentence}
  norm: kep
  source: KEP-2307
  since: "1.22"
"""


def row(id: str = "FIN-004", level: str = "MUST", sentence: str = "It MUST hold.", extra: str = "") -> str:  # noqa: A002
    return ROW.format(id=id, level=level, sentence=sentence) + extra


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.yaml").write_text(row() + row("FIN-005", "SHOULD", "It SHOULD hold."))
    return tmp_path


def test_requirements_are_found_by_id_and_know_their_line(folder: Path) -> None:
    (folder / "b.yaml").write_text(row("BAS-046", extra="  capability: TTLAfterFinished\n  notes: Slow.\n"))
    registry = load_registry(folder)
    assert list(registry) == ["FIN-004", "FIN-005", "BAS-046"]
    assert registry["FIN-005"].level == "SHOULD"
    assert (registry["FIN-005"].path.name, registry["FIN-005"].line) == ("a.yaml", 10)
    assert registry["FIN-004"].capability is None
    assert registry["FIN-004"].norm == "kep"
    assert registry["BAS-046"].notes == "Slow."
    assert registry.capabilities() == {"TTLAfterFinished"}
    assert len(registry.of_profile("job")) == 3
    assert len(registry.of_profile("gang")) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (row("FIN-4"), r"b.yaml:2: FIN-4.id: 'FIN-4' does not have the form"),
        (row(level="must"), r"b.yaml:3: FIN-004.level: 'must' is not one of MUST, SHOULD, MAY"),
        (
            row("FIN-007", extra="  sources: KEP-1\n"),
            r"FIN-007: unknown key 'sources'; did you mean 'source'\?",
        ),
        (row("FIN-007").replace("  source: KEP-2307\n", ""), r"b.yaml:2: FIN-007: 'source' is missing"),
        (
            row("FIN-007").replace("norm: kep", "norm: implementation"),
            "b.yaml:2: FIN-007: a MUST needs a norm that is not an implementation",
        ),
        (
            row("FIN-007").replace("norm: kep", "norm: blog"),
            "FIN-007.norm: 'blog' is not one of api, kep, docs",
        ),
        (row("FIN-007").replace('"1.22"', "1.22"), r"FIN-007.since: 1.22 is not text; write it in quotes"),
        (row("FIN-007", sentence="It MUST hold"), r"FIN-007.sentence: 'It MUST hold' does not have the form"),
        (row("FIN-007", sentence="It holds."), r"FIN-007: the level is MUST, but the sentence says none of"),
        (
            row("FIN-007", sentence="It MUST hold, and SHOULD be fast."),
            r"FIN-007: the level is MUST, but the sentence says MUST and SHOULD",
        ),
        (row("FIN-004"), r"b.yaml:2: FIN-004: the id is used already in a.yaml:2"),
        (row("FIN-007", extra="  level: MUST\n"), r"b.yaml:9: the key 'level' appears twice"),
        ("- id: [", r"b.yaml:1: not valid YAML"),
        ("", r"b.yaml:1: the file is empty"),
    ],
)
def test_mistakes_are_blamed_with_file_line_and_id(folder: Path, text: str, message: str) -> None:
    (folder / "b.yaml").write_text(text)
    with pytest.raises(UserError, match=message):
        load_registry(folder)


def test_all_mistakes_are_told_at_once(folder: Path) -> None:
    (folder / "b.yaml").write_text(row("FIN-007", "NEVER") + row("x"))
    with pytest.raises(UserError) as caught:
        load_registry(folder)
    assert len(str(caught.value).splitlines()) == 2


def test_a_folder_without_requirements_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no requirements here"):
        load_registry(tmp_path)


def test_the_bundled_registry_is_right() -> None:
    registry = load_registry()
    assert len(registry) >= 80
    for id_, requirement in registry.items():
        assert REQUIREMENT_ID.fullmatch(id_)
        assert "  " not in requirement.sentence
        # internal abbreviations of sources mean nothing to a reader
        assert not re.search(r"\b(S[0-4]|jc\.go|jc_test|ji_test|cu\.go|val\.go|KJC)\b", requirement.source)
