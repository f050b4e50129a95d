"""Descriptors that extend another one: what they say, where mistakes are, and what a run carries of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from batchproof.descriptor import implementation
from batchproof.descriptor.implementation import Implementation, bundled, load, of_text
from batchproof.evidence.digests import text_digest
from batchproof.ground.errors import UserError
from batchproof.running.watching import watched
from batchproof.submitting.given import files_of

if TYPE_CHECKING:
    from pathlib import Path

BASE = """
name: base
version: "1"
organisation: Me
profiles: [job]
capabilities: [TTLAfterFinished]
start:
  argv: ["{binary}", "--one"]
  env: {A: "1", B: "2"}
binary: {path: bin/mine}
time_scale: 2
deviations:
  - {requirement: FIN-004, scenario: FIN-004.1, fact: f, values: {x: 1}, reason: Slow.,
     unreported: true, expires: 2027-03-31}
"""
MORE = """
  - {requirement: FIN-005, scenario: FIN-005.1, fact: f, values: {x: 1}, reason: Slow.,
     unreported: true, expires: 2027-03-31}
"""


def written(folder: Path, text: str, base: str = BASE) -> Path:
    """A descriptor in a folder, beside base.yaml."""
    (folder / "base.yaml").write_text(base, "utf-8")
    path = folder / "mine.yaml"
    path.write_text(text, "utf-8")
    return path


def extended(folder: Path, text: str) -> Implementation:
    return load(written(folder, f"extends: base.yaml\n{text}"))


def test_all_that_it_does_not_say_is_inherited(tmp_path: Path) -> None:
    mine = extended(tmp_path, "")
    base = load(tmp_path / "base.yaml")
    assert replace(mine, descriptor=base.descriptor, text=base.text, base=None) == base


@pytest.mark.parametrize(
    ("text", "env"),
    [
        ("start: {env: {B: '3'}}", {"A": "1", "B": "3"}),
        ("start: {env: {A: null}}", {"B": "2"}),
        ("start: {env: null}", {}),
        ("start: {env: {C: '3'}}", {"A": "1", "B": "2", "C": "3"}),
    ],
)
def test_mappings_are_merged_and_null_removes_a_key(tmp_path: Path, text: str, env: dict[str, str]) -> None:
    (process,) = extended(tmp_path, text).processes
    assert (process.argv, dict(process.env)) == (("{binary}", "--one"), env)


def test_lists_are_replaced_and_deviations_added(tmp_path: Path) -> None:
    mine = extended(
        tmp_path, f"capabilities: [SuccessPolicy]\nstart: {{argv: ['{{binary}}']}}\ndeviations:{MORE}"
    )
    assert mine.capabilities == {"SuccessPolicy"}
    assert mine.processes[0].argv == ("{binary}",)
    assert [one.requirement for one in mine.deviations] == ["FIN-004", "FIN-005"]


@pytest.mark.parametrize(("text", "left"), [("deviations: null", 0), ("deviations: []", 1), ("", 1)])
def test_null_removes_the_deviations_of_the_base(tmp_path: Path, text: str, left: int) -> None:
    assert len(extended(tmp_path, text).deviations) == left


def test_a_bundled_one_is_extended_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "extends: kube-scheduler\nversion: '1.99'\nbinary: null\nstart: {argv: [./mine]}\n", "utf-8"
    )
    mine, base = load(path), load(bundled()["kube-scheduler"])
    assert (mine.version, mine.dialect, mine.capabilities) == ("1.99", base.dialect, base.capabilities)
    assert mine.control_plane == base.control_plane
    assert mine.deviations == base.deviations


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("extends: other.yaml\nname: a", "mine.yaml:1: extends: there is no descriptor 'other.yaml'"),
        (
            "name: a\nextends: kube-schedular",
            "mine.yaml:2: extends: there is no descriptor 'kube-schedular'; did you",
        ),
        ("name: a\nextends: mine.yaml", "mine.yaml:2: extends: mine.yaml extends another one itself"),
        ("name: a\nextends: [base.yaml]", "mine.yaml:2: extends: name one bundled descriptor"),
        ("name: a\nextends:", "mine.yaml:2: extends: name one bundled descriptor"),
        (
            "name: a\nextends: base.yaml\ncapabilites: []",
            "mine.yaml:3: the document: unknown key 'capabilites'; did you mean",
        ),
        ("extends: base.yaml\n\ntime_scale: fast", "mine.yaml:3: time_scale: "),
        ("name: a\nextends: base.yaml\nprofiles: [gang]", "mine.yaml:3: the profile gang needs a 'dialect'"),
        ("name: a\nextends: base.yaml\norganisation: null", "mine.yaml:1: "),
        ("name: a\nextends: base.yaml\ndeviations: {a: 1}", "mine.yaml:3: deviations: "),
        (
            f"extends: base.yaml\ndeviations:\n{MORE}{MORE}",
            "mine.yaml:7: deviations: FIN-005 is waived twice",
        ),
        (f"extends: base.yaml\ndeviations:{MORE.replace('FIN-005', 'FIN-004')}", "mine.yaml:3: "),
        ("extends: base.yaml\nname: a\nname: b", "mine.yaml:3: "),
    ],
)
def test_a_mistake_is_named_at_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError) as refused:
        load(written(tmp_path, text))
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("base", "message"),
    [
        (
            BASE.replace("organisation: Me\n", ""),
            r"mine.yaml:2: extends: \S*base.yaml:2: .*'organisation'",
        ),
        (
            "extends: reference",
            "mine.yaml:2: extends: base.yaml extends another one itself: extend reference",
        ),
        ("a: [", "mine.yaml:2: extends: .*base.yaml:1: not valid YAML"),
        (
            BASE.replace("time_scale: 2", "start2: 3"),
            "mine.yaml:2: extends: .*base.yaml:.*: the document: unknown key 'start2'",
        ),
    ],
)
def test_a_mistake_of_the_base_is_named_where_it_is_extended(tmp_path: Path, base: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        load(written(tmp_path, "name: a\nextends: base.yaml", base))


def test_what_is_wrong_beyond_the_schema_with_what_is_inherited_is_at_extends(tmp_path: Path) -> None:
    path = written(tmp_path, f"name: a\nextends: base.yaml\ndeviations:{MORE}", BASE)
    document = implementation.document_of(path)
    assert [line for line, _ in implementation.stated_deviations(document)] == [2, 4]
    assert document.line("capabilities", 0) == document.line("start", "env", "A") == 2


def test_a_run_carries_a_descriptor_that_stands_alone(tmp_path: Path) -> None:
    mine = extended(tmp_path, f"start: {{env: {{B: '3'}}}}\ndeviations:{MORE}")
    assert "\nextends" not in mine.text
    again = of_text(mine.text, "mine.yaml")
    assert again.processes[0].env == mine.processes[0].env
    same = replace(again, descriptor=mine.descriptor, base=mine.base, processes=())
    assert same == replace(mine, processes=())
    before = text_digest(mine.text)
    changed = written(tmp_path, "extends: base.yaml\n", BASE.replace("--one", "--two"))
    assert text_digest(load(changed).text) != before


def test_the_descriptor_that_a_run_carries_extends_no_file(tmp_path: Path) -> None:
    with pytest.raises(
        UserError, match=r"mine.yaml:1: extends: the descriptor that a run carries must stand alone"
    ):
        of_text(f"extends: {tmp_path}/base.yaml{BASE}", "mine.yaml")


def test_a_shard_is_given_the_whole_descriptor(tmp_path: Path) -> None:
    path = written(tmp_path, "extends: base.yaml\nbinary: null\nstart: {argv: [sh]}\n")
    given = files_of(str(path), load(path))
    assert given == {"mine.yaml": load(path).text.encode()}


def test_a_base_that_is_broken_is_watched_until_it_is_fixed(tmp_path: Path) -> None:
    path = written(tmp_path, "extends: base.yaml\n", "a: [")
    assert watched(str(path)) == [path, tmp_path / "base.yaml"]


def test_a_change_of_the_base_starts_a_run(tmp_path: Path) -> None:
    path = written(tmp_path, "extends: base.yaml\nbinary: null\nstart: {argv: [sh]}\n")
    assert {path, tmp_path / "base.yaml"} <= {*watched(str(path))}
