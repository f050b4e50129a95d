"""Kept runs of bundled implementations: a page says of a requirement what they show of it as it is now."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from batchproof.descriptor.implementation import bundled, load
from batchproof.evidence.digests import text_digest
from batchproof.ground.errors import UserError
from batchproof.ground.yaml_text import values
from batchproof.profiles import profiles
from batchproof.specification.runs import KeptRun, KeptState, encode, kept, path_of

ROOT = Path(__file__).parents[2]
RUNS = ROOT / "reports" / "runs"
BUGS: list[dict[str, Any]] = values((ROOT / "tests/historic/bugs.yaml").read_text("utf-8"))[0]
RUN = KeptRun(
    implementation="acme-jobs 2.3.1",
    descriptor="sha256:1",
    suite="sha256:2",
    day="2026-11-28",
    kubernetes="1.37.0",
    machine="linux/x86_64, 2 processors",
    configuration=("The gate A is on",),
    mark="NOT CONFORMANT, 1 known",
    requirements={"FIN-001": ("met", "a"), "FIN-002": ("not met, known", "b")},
)


def test_a_run_is_read_as_it_was_kept(tmp_path: Path) -> None:
    path = path_of(tmp_path, "job", "acme")
    path.parent.mkdir()
    path.write_bytes(encode(RUN))
    assert kept(tmp_path, "job") == {"acme": RUN}
    assert kept(tmp_path, "gang") == {}
    lines = path.read_text().splitlines()
    assert '"FIN-002":["not met, known","b"]' in lines, "a line for each requirement"


def test_what_is_no_run_is_refused_by_its_name(tmp_path: Path) -> None:
    path = path_of(tmp_path, "job", "acme")
    path.parent.mkdir()
    path.write_bytes(encode(RUN).replace(b"not met, known", b"fine"))
    with pytest.raises(UserError, match=r"acme\.json"):
        kept(tmp_path, "job")


@pytest.mark.parametrize(
    ("requirement", "key", "state"),
    [
        ("FIN-001", "a", "met"),
        ("FIN-002", "b", "not met, known"),
        ("FIN-001", "changed", None),
        ("FIN-003", "a", None),
    ],
)
def test_a_run_says_nothing_of_scenarios_that_have_changed(
    requirement: str, key: str, state: KeptState | None
) -> None:
    assert RUN.state(requirement, {requirement: key}) == state


EXTENDING = "reference-scheduler-kai"
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "runs.py"))


@pytest.mark.parametrize(
    ("name", "digest", "why"),
    [
        (EXTENDING, text_digest(load(bundled()[EXTENDING]).text), "not a whole run"),
        (EXTENDING, text_digest(bundled()[EXTENDING].read_text("utf-8")), "not a bundled one as it is now"),
        ("acme", "sha256:1", "not a bundled one as it is now"),
    ],
    ids=["all that it says, with what it extends", "its own file alone", "of a user"],
)
def test_a_descriptor_that_extends_another_is_known_by_all_that_it_says(
    tmp_path: Path, name: str, digest: str, why: str
) -> None:
    """The example is a run of one scenario: where its descriptor is known, that is what refuses it."""
    head, *lines = (ROOT / "reports/examples/reference/results.jsonl").read_text("utf-8").splitlines()
    header = json.loads(head)
    header["implementation"] |= {"descriptor": f"{name}.yaml", "descriptor_digest": digest}
    (tmp_path / "results.jsonl").write_text("\n".join([json.dumps(header), *lines, ""]))
    with pytest.raises(SystemExit, match=why):
        SCRIPT["kept"](tmp_path, {})


def test_each_kept_run_is_of_a_bundled_descriptor_and_of_its_profile() -> None:
    for profile in profiles():
        for name in kept(RUNS, profile):
            assert name in bundled()
    assert {path.name for path in RUNS.glob("*")} <= {*profiles()}


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug["bug"])
def test_no_run_says_that_an_implementation_meets_what_a_known_bug_of_it_breaks(bug: dict[str, Any]) -> None:
    for profile in profiles():
        for name, run in kept(RUNS, profile).items():
            state, _ = run.requirements.get(bug["requirement"], (None, ""))
            assert not (name in bug["found_in"] and state == "met"), name
